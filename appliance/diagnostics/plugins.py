"""Check of what other packages bring: games, by entry points."""

from collections.abc import Iterator, Sequence

from appliance.diagnostics.base import Finding, Level
from appliance.plugins import GAMES_GROUP, Plugin, load_once
from appliance.rules.registry import add_game


def check_games_of_packages(plugins: Sequence[Plugin] | None = None) -> Iterator[Finding]:
    """Which games other packages bring, and which of them could not be loaded."""
    for plugin in load_once(GAMES_GROUP, add_game) if plugins is None else plugins:
        subject = f"game {plugin.name}"
        if plugin.problem:
            text = f"{plugin.package} could not bring it: {plugin.problem}"
            advice = "remove the package, or tell those who made it"
            yield Finding(subject, Level.WRONG, text, advice)
        else:
            yield Finding(subject, Level.OK, f"brought by {plugin.package}")

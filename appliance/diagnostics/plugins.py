"""Check of what other packages bring: games and cameras, by entry points."""

from collections.abc import Iterator, Sequence

from appliance.devices.camera.kinds import CAMERAS_GROUP, add_kind
from appliance.diagnostics.base import Finding, Level
from games.plugins import Plugin, load_once
from games.registry import load_others


def check_games_of_packages() -> Iterator[Finding]:
    """Which games other packages bring, and which of them could not be loaded."""
    return findings("game", load_others())


def check_cameras_of_packages() -> Iterator[Finding]:
    """Which kinds of cameras other packages bring, and which of them could not be loaded."""
    return findings("camera", load_once(CAMERAS_GROUP, add_kind))


def findings(what: str, plugins: Sequence[Plugin]) -> Iterator[Finding]:
    """Findings on such plugins."""
    for plugin in plugins:
        subject = f"{what} {plugin.name}"
        if plugin.problem:
            text = f"{plugin.package} could not bring it: {plugin.problem}"
            advice = "remove the package, or tell those who made it"
            yield Finding(subject, Level.WRONG, text, advice)
        else:
            yield Finding(subject, Level.OK, f"brought by {plugin.package}")

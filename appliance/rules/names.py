"""Names of players, alike in all games."""

from collections.abc import Sequence

from appliance.rules.game import BadOptions


def check_names(players: Sequence[str]) -> None:
    """Makes sure that players are a list of names that a line of text can hold.

    Raises:
        BadOptions: for a single text in place of a list, and for a name that is empty or has
            characters that cannot be printed.
    """
    if isinstance(players, str):
        raise BadOptions(f"expected a list of names, got the text {players!r}")
    for name in players:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise BadOptions(f"expected a name of printable characters, got {name!r}")

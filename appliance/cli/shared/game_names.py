"""Games as people name them on the command line."""

from games.registry import GAMES

OTHER_NAMES = {"yahtzee": "classic", "hold'em": "holdem", "texas": "holdem", "ffa": "free-for-all"}
"""People's names for our games, and our own."""


def game_name(text: str) -> str:
    """Our name for what may be another; the text itself, in small letters, if it is none."""
    name = "-".join(text.lower().split())
    return name if name in GAMES else OTHER_NAMES.get(name, name)

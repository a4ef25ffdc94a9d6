"""Games as people name them on the command line."""

from appliance.rules.registry import GAMES

OTHER_NAMES = {"yahtzee": "classic", "hold'em": "holdem", "texas": "holdem", "ffa": "free-for-all"}
"""What people call our games, and our names for them."""


def game_name(text: str) -> str:
    """Our name for what may be another; the text itself, in small letters, if it is none."""
    name = "-".join(text.lower().split())
    return name if name in GAMES else OTHER_NAMES.get(name, name)

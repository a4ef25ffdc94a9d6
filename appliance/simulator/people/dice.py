"""Which dice the simulated players have for each game."""

from appliance.rules.registry import find
from vision.reading import Kind


def dice_of(game: str) -> dict[int, Kind]:
    """The dice that a game is played with, by the players' numbers."""
    return {number: Kind(kind.value) for number, kind in enumerate(find(game).DICE)}

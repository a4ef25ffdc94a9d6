"""Which dice the simulated players have for each game."""

from appliance.rules.registry import GAMES
from vision.reading import Kind


def dice_of(game: str) -> dict[int, Kind]:
    """The dice that a game is played with, by the players' numbers; five black ones before any."""
    if game not in GAMES:
        return dict.fromkeys(range(5), Kind.BLACK)
    return {number: Kind(kind.value) for number, kind in enumerate(GAMES[game].DICE)}

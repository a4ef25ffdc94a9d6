"""Which dice the simulated players have for each game."""

from appliance.simulator.people.cups import BAG
from vision.reading import Kind

ODD = 5
"""The number of the die that is not like the others, where a game has one."""


def dice_of(game: str) -> dict[int, Kind]:
    """The dice that a game is played with, by the players' numbers."""
    if game == "holdem":
        return dict(BAG)
    odd = {"power": {ODD: Kind.POWER}, "showdown": {ODD: Kind.RED}}
    return dict.fromkeys(range(ODD), Kind.BLACK) | odd.get(game, {})

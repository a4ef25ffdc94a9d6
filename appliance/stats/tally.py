"""Who fared how in finished games."""

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.journal.totals import Fared
from games.computers import strength_of


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A player's finished games of one kind: wins, including shared ones; mean and best points."""

    game: str
    player: str
    games: int
    wins: int
    mean: float
    best: int


def standings(players: Mapping[tuple[str, str], Fared]) -> tuple[PlayerStats, ...]:
    """Everybody's games of each kind, most games first; computers after all people.

    Args:
        players: how they fared, by game and name.
    """
    lines = [
        PlayerStats(game, player, fared.games, fared.wins, fared.points / fared.games, fared.best)
        for (game, player), fared in players.items()
    ]
    return tuple(
        sorted(lines, key=lambda s: (bool(strength_of(s.player)), s.game, -s.games, s.player))
    )

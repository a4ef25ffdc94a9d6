"""Counts wins, points and faces over saved games."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from appliance.journal.summary import Summary
from appliance.rules.computers import strength_of
from appliance.rules.game import DieKind, Face


@dataclass(frozen=True, slots=True)
class Result:
    """How one player fared in one finished game."""

    game: str
    player: str
    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A player's finished games of one kind: wins, including shared ones; mean and best points."""

    game: str
    player: str
    games: int
    wins: int
    mean: float
    best: int


def results(game: Summary) -> tuple[Result, ...]:
    """How everybody fared; empty for a game that is not over."""
    if not game.winners:
        return ()
    return tuple(
        Result(game.game, player, points, seat in game.winners)
        for seat, (player, points) in enumerate(zip(game.players, game.points, strict=True))
    )


def standings(found: Iterable[Result]) -> tuple[PlayerStats, ...]:
    """Everybody's games of each kind, most games first; computers after all people."""
    by_player: dict[tuple[str, str], list[Result]] = {}
    for result in found:
        by_player.setdefault((result.game, result.player), []).append(result)
    lines = []
    for (game, player), those in by_player.items():
        wins, points = sum(r.won for r in those), [r.points for r in those]
        mean = sum(points) / len(points)
        lines.append(PlayerStats(game, player, len(those), wins, mean, max(points)))
    return tuple(
        sorted(lines, key=lambda s: (bool(strength_of(s.player)), s.game, -s.games, s.player))
    )


def faces_by_kind(games: Iterable[Summary]) -> dict[DieKind, Counter[Face]]:
    """How often each face of each kind of die was thrown."""
    found: dict[DieKind, Counter[Face]] = {}
    for game in games:
        for kind, faces in game.faces.items():
            found.setdefault(kind, Counter()).update(faces)
    return found

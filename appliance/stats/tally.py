"""Counts wins, points and faces over the records of saved games."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from appliance.journal.database import SavedGame
from appliance.journal.sessions import resume_saved
from appliance.rules.computers import strength_of
from appliance.rules.game import Corrected, DieKind, Face, Recoloured, Rolled, Shown, Throw
from appliance.rules.record import Record, game_states, replay
from appliance.rules.registry import find_game

Thrown = tuple[DieKind, Face]


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


def results(record: Record) -> tuple[Result, ...]:
    """How everybody fared; empty for a game that is not over."""
    outcome = find_game(record.game).outcome(replay(record))
    if outcome is None:
        return ()
    return tuple(
        Result(record.game, player, outcome.scores[seat], seat in outcome.winners)
        for seat, player in enumerate(record.players)
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


def throws(record: Record) -> Iterator[Thrown]:
    """Every die that was thrown, its kind and the face that counted.

    Hidden dice that players chose to show are left out: those who fold show none, so they are not a
    fair sample.
    """
    rules, last = find_game(record.game), dict[int, Thrown]()
    for event, state in zip(record.events, game_states(record), strict=False):
        ask = rules.ask(state)
        if isinstance(ask, Throw) and isinstance(event, Rolled):
            yield from last.values()
            pairs = zip(ask.dice, event.faces, strict=True)
            last = {die.slot: (die.kind, face) for die, face in pairs}
        elif isinstance(ask, Throw) and isinstance(event, Shown):
            yield from last.values()
            shown = zip(ask.dice, event.dice, strict=True)
            last = {die.slot: (seen.kind, seen.face) for die, seen in shown}
        elif isinstance(event, Corrected) and event.slot in last:
            last[event.slot] = (last[event.slot][0], event.face)
        elif isinstance(event, Recoloured) and event.slot in last:
            last[event.slot] = (event.kind, last[event.slot][1])
    yield from last.values()


def faces_by_kind(records: Iterable[Record]) -> dict[DieKind, Counter[Face]]:
    """How often each face of each kind of die was thrown."""
    found: dict[DieKind, Counter[Face]] = {}
    for record in records:
        for kind, face in throws(record):
            found.setdefault(kind, Counter())[face] += 1
    return found


def record_of(saved: SavedGame) -> Record:
    """The events of a saved game that stand; JournalError if its lines no longer replay."""
    session = resume_saved(saved)
    # While the game goes on nobody may know what comes next.
    seed = session.seed if saved.ended else ""
    return Record(
        saved.game, saved.edition, saved.players, saved.options, session.events, saved.version, seed
    )

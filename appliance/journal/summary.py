"""What is counted of a game: who played, who won, which faces were thrown."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from appliance.errors import JournalError
from appliance.journal.log import lines_from_text
from appliance.journal.saved_game import SavedGame
from appliance.rules.game import (
    Corrected,
    DieKind,
    Face,
    Recoloured,
    Rolled,
    RulesError,
    Shown,
    Throw,
)
from appliance.rules.record import Record, game_states
from appliance.rules.registry import find_game
from appliance.table.session.session import Session, Setup, resume

Thrown = tuple[DieKind, Face]


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in a list.

    Attributes:
        id: counts the games of this journal.
        identity: the same on every tray and stick.
        tray: the identity of the tray it was played on; empty if nobody knows.
        opened: the greater, the later it was begun or resumed.
        lines: how many lines its log has.
        points: everybody's points, in seat order.
        winners: their seats; none while the game goes on.
        faces: how often each face of each kind of die was thrown.
        fault: why the game cannot be read; empty if it can.
    """

    id: int
    identity: str
    tray: str
    opened: int
    game: str
    version: str
    ended: bool
    players: tuple[str, ...] = ()
    lines: int = 0
    points: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    faces: Mapping[DieKind, Mapping[Face, int]] = field(default_factory=dict)
    fault: str = ""


def resume_saved(saved: SavedGame) -> Session:
    """The session of a saved game, where it left off; JournalError if its lines do not replay."""
    setup = Setup(saved.game, saved.players, saved.options)
    try:
        return resume(setup, lines_from_text(setup, saved.lines), saved.id)
    except (RulesError, IndexError) as error:
        raise JournalError(
            f"game {saved.id:d} cannot be replayed: {error}",
            f"begin a new game; this one, written by dicetray {saved.version}, is kept",
        ) from error


def record_of(saved: SavedGame) -> Record:
    """The events of a saved game that stand; JournalError if its lines no longer replay."""
    session = resume_saved(saved)
    # While the game goes on nobody may know what comes next.
    seed = session.seed if saved.ended else ""
    return Record(
        saved.game, saved.edition, saved.players, saved.options, session.events, saved.version, seed
    )


def summary_of(saved: SavedGame, opened: int) -> Summary:
    """What is counted of a game; one that cannot be replayed has a fault."""
    known = Summary(
        saved.id,
        saved.identity,
        saved.tray,
        opened,
        saved.game,
        saved.version,
        saved.ended,
        saved.players,
        len(saved.lines),
    )
    try:
        session = resume_saved(saved)
        record = record_of(saved)
    except JournalError as error:
        return replace(known, fault=str(error))
    outcome = session.rules.outcome(session.state)
    faces: dict[DieKind, Counter[Face]] = {}
    for kind, face in throws(record):
        faces.setdefault(kind, Counter())[face] += 1
    return replace(
        known,
        points=tuple(session.rules.scores(session.state)),
        winners=() if outcome is None else tuple(outcome.winners),
        faces=faces,
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

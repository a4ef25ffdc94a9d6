"""Counts of a game: who played, who won, which faces were thrown."""

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator
from typing import Any, NamedTuple, cast

from appliance.errors import JournalError
from appliance.journal.log import lines_from_text
from appliance.journal.saved_game import SavedGame
from appliance.table.session.session import Session, Setup, resume, standing
from games.record import Record, game_states
from games.registry import find_game
from games.values import Corrected, DieKind, Face, Recoloured, Rolled, RulesError, Shown, Throw

Thrown = tuple[DieKind, Face]


_THROWS_A_STEP = 80
"""Throws that take some milliseconds to count, even on a Pi."""


class Summary(NamedTuple):
    """A game in a list; a plain tuple, as a hundred thousand are made at a time.

    Attributes:
        id: counts the games of this journal.
        identity: the same on every tray and stick.
        tray: the identity of the tray it was played on; empty if nobody knows.
        opened: the greater, the later it was begun or resumed.
        lines: how many lines its log has.
        points: everybody's points, in seat order.
        winners: their seats; none while the game goes on.
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
    fault: str = ""


Counted = tuple[Summary, "Counter[Thrown]"]
"""A game, and how often each face of each kind of die was thrown in it."""


def resume_saved(saved: SavedGame) -> Session:
    """The session of a saved game, where it left off; JournalError if its lines do not replay."""
    setup = Setup(saved.game, saved.players, saved.options)
    try:
        return resume(setup, lines_from_text(setup, saved.lines), saved.id)
    except (RulesError, IndexError) as error:
        raise _cannot_be_replayed(saved, error) from error


def _cannot_be_replayed(saved: SavedGame, error: Exception) -> JournalError:
    return JournalError(
        f"game {saved.id:d} cannot be replayed: {error}",
        f"begin a new game; this one, written by dicetray {saved.version}, is kept",
    )


def record_of(saved: SavedGame) -> Record:
    """The events of a saved game that stand; JournalError if its lines no longer replay."""
    kept = resume_saved(saved).record
    # While the game goes on nobody may know what comes next.
    seed = kept.seed if saved.ended else ""
    return Record(
        saved.game, saved.edition, saved.players, saved.options, kept.events, saved.version, seed
    )


def count_game(saved: SavedGame, opened: int) -> Counted:
    """The counts of a game; one that cannot be replayed has a fault."""
    steps = count_in_steps(saved, opened)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(Counted, end.value)


def count_in_steps(saved: SavedGame, opened: int) -> Generator[None, None, Counted]:
    """Counts a game, as `count_game`, which a long one takes a quarter of a second for."""
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
        setup = Setup(saved.game, saved.players, saved.options)
        events, _ = standing(lines_from_text(setup, saved.lines))
        yield
        record = Record(saved.game, saved.edition, saved.players, saved.options, events)
        states, faces = game_states(record), Counter[Thrown]()
        for number, thrown in enumerate(_throws(record, states), start=1):
            faces.update(thrown)
            if number % _THROWS_A_STEP == 0:
                yield
        final = next(states)
    except (RulesError, IndexError) as error:
        return known._replace(fault=str(_cannot_be_replayed(saved, error))), Counter()
    outcome = setup.rules.outcome(final)
    counted = known._replace(
        points=tuple(setup.rules.scores(final)),
        winners=() if outcome is None else tuple(outcome.winners),
    )
    return counted, faces


def throws(record: Record) -> Iterator[Thrown]:
    """Every die that was thrown, its kind and the face that counted.

    Hidden dice that players chose to show are left out: those who fold show none, so they are not a
    fair sample.
    """
    for thrown in _throws(record, game_states(record)):
        yield from thrown


def _throws(record: Record, states: Iterable[Any]) -> Iterator[Collection[Thrown]]:
    """With each throw the dice that it takes up, as they counted in the end; then those left."""
    rules, lying = find_game(record.game), dict[int, Thrown]()
    for event, state in zip(record.events, states, strict=False):
        thrown = dict[int, Thrown]()
        if isinstance(event, Rolled) and isinstance(ask := rules.ask(state), Throw):
            pairs = zip(ask.dice, event.faces, strict=True)
            thrown = {die.slot: (die.kind, face) for die, face in pairs}
        elif isinstance(event, Shown) and isinstance(ask := rules.ask(state), Throw):
            shown = zip(ask.dice, event.dice, strict=True)
            thrown = {die.slot: (seen.kind, seen.face) for die, seen in shown}
        elif isinstance(event, Corrected) and event.slot in lying:
            lying[event.slot] = (lying[event.slot][0], event.face)
        elif isinstance(event, Recoloured) and event.slot in lying:
            lying[event.slot] = (event.kind, lying[event.slot][1])
        if thrown:
            yield [lying[slot] for slot in thrown if slot in lying]
            lying |= thrown
    yield lying.values()

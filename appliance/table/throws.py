"""What a settled tray means for the session: a roll, a question about it, or nothing."""

from dataclasses import replace

from appliance.rules.game import (
    Choose,
    DieKind,
    Event,
    Face,
    Keep,
    Rolled,
    Throw,
)
from appliance.table.matching import (
    Answer,
    Clash,
    Miscount,
    Seen,
    Why,
    match_again,
    match_first,
    of_kinds,
    place,
    place_by_faces,
)
from appliance.table.recording import play
from appliance.table.session import (
    Clashing,
    Miscounted,
    Playing,
    Session,
    Telling,
    slot_kinds,
)
from vision.events import TrackedDie
from vision.reading import POWER_FACES, DieReading


def settled(session: Session, dice: tuple[TrackedDie, ...]) -> Session:
    """The session after dice were thrown and have come to rest; `dice` are all in the tray."""
    ask = session.rules.ask(session.state)
    session = replace(session, remark="")
    if ask is None:
        return session
    if isinstance(session.mode, Telling) and session.mode.answer is not None:
        # Dice thrown again because they could not be read replace what was pending.
        session = replace(session, mode=Playing())
    kinds = slot_kinds(session)
    if not kinds:
        return replace(session, mode=Playing(), remark="NO ROLL LEFT")
    dice = of_kinds(dice, kinds)
    places = place(dice, dict(session.places), kinds, session.holds)
    loose = session.loose | {d.slot for d in dice if d.thrown}
    seen = [replace(d, slot=places[d.slot], thrown=d.slot in loose) for d in dice]
    if isinstance(ask, Throw):
        match = match_first([d.slot for d in ask.dice], seen)
    else:
        match = match_again(session.rules.dice(session.state), session.holds, seen)
    session = replace(session, places=tuple(places.items()))
    if match is None:
        return session
    session = replace(session, loose=loose, scored=None)
    match match:
        case Miscount():
            return replace(session, mode=Miscounted(match))
        case Clash():
            return replace(session, mode=Clashing(match))
        case Answer():
            return accept(session, match)


def found(session: Session, dice: tuple[TrackedDie, ...]) -> Session:
    """Dice that lay there when the appliance woke up: those on record, or a throw that got lost."""
    ask = session.rules.ask(session.state)
    if isinstance(ask, Choose):
        places = place_by_faces(dice, session.rules.dice(session.state))
        return replace(session, places=tuple(places.items()))
    if isinstance(ask, Throw) and len(dice) == len(ask.dice):
        places = place(dice, {}, slot_kinds(session))
        ordered = sorted(dice, key=lambda d: places[d.slot])
        seen = tuple(Seen(d.slot, t.reading) for d, t in zip(ask.dice, ordered, strict=True))
        clash = Clash(seen[0].slot, Why.LAZY, Answer((), seen))
        return replace(session, mode=Clashing(clash), places=tuple(places.items()))
    return session


def accept(session: Session, answer: Answer) -> Session:
    """Counts a throw, or asks about the dice in it that were not read for sure."""
    told = tuple(
        (seen.slot, seen.reading.value)
        for seen in answer.thrown
        if seen.reading.sure
        and seen.reading.value is not None
        and isinstance(seen.reading.value, str) == _is_power(session, seen.slot)
    )
    return ask_or_count(session, answer, told)


def ask_or_count(session: Session, answer: Answer, told: tuple[tuple[int, Face], ...]) -> Session:
    """Asks about the first die whose face is not among those told; counts the throw if none is."""
    known = dict(told)
    for seen in answer.thrown:
        if seen.slot not in known:
            face = proposals(seen.reading, _is_power(session, seen.slot))[0]
            return replace(session, mode=Telling(answer, told, seen.slot, face))
    events: list[Event] = []
    if isinstance(session.rules.ask(session.state), Choose):
        events.append(Keep(answer.kept))
    events.append(Rolled(tuple(known[seen.slot] for seen in answer.thrown)))
    return play(session, *events)


def proposals(reading: DieReading | None, power: bool = False) -> tuple[Face, ...]:
    """The faces offered for a doubtful die: what it may be first, then all others.

    Args:
        reading: how it was read; None if it was not.
        power: whether it is the Power die.
    """
    every: tuple[Face, ...] = POWER_FACES if power else (1, 2, 3, 4, 5, 6)
    likely = [c.value for c in reading.candidates if c.value in every] if reading else []
    if reading and reading.value in every and reading.value not in likely:
        likely.insert(0, reading.value)
    return (*likely, *(face for face in every if face not in likely))


def _is_power(session: Session, slot: int) -> bool:
    kinds = slot_kinds(session)
    return slot < len(kinds) and kinds[slot] is DieKind.POWER


def may_roll_again(session: Session) -> bool:
    """Whether the turn has a throw left."""
    return any(isinstance(c, Keep) for c in session.rules.choices(session.state))

"""One step of the session: something happens, and a new session comes out. No I/O, no clock."""

from dataclasses import replace

from appliance.rules.game import (
    Choice,
    Choose,
    Corrected,
    DieKind,
    Draw,
    Event,
    Face,
    Keep,
    Points,
    Rolled,
    Throw,
)
from appliance.table.inputs import HOLDS, Button, Drawn, Pressed
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
from appliance.table.session import (
    Browsing,
    Clashing,
    Holding,
    Leaving,
    Miscounted,
    Played,
    Playing,
    Scored,
    Session,
    Sheet,
    Telling,
    Undoing,
    Undone,
    dice_on_table,
    new_session,
    player_choices,
    ranked_choices,
    replay,
    slot_kinds,
)
from vision.events import Cleared, Found, PickedUp, Roll, TrackedDie, TrayChanged, TrayEvent
from vision.reading import POWER_FACES, DieReading, TrayState

Input = Pressed | Drawn | TrayEvent


def step(session: Session, happened: Input) -> Session:
    """The session after something happened: a press, or something in the tray.

    Whatever comes in whatever order, a session comes out; what makes no sense now changes nothing
    but perhaps the remark on the board.
    """
    match happened:
        case Pressed():
            return _pressed(session, happened)
        case Drawn(lot):
            return _drawn(session, lot)
        case TrayChanged():
            session = replace(session, tray=happened.state)
            if happened.state in (TrayState.STILL, TrayState.EMPTY):
                return session
            return replace(session, scored=None, remark="")
        case Roll():
            return _settled(replace(session, lying=len(happened.dice)), happened.dice)
        case Found():
            return _found(replace(session, lying=len(happened.dice)), happened.dice)
        case PickedUp():
            return replace(session, lying=max(0, session.lying - len(happened.slots)))
        case Cleared():
            return replace(session, lying=0, loose=frozenset(), places=())
        case _:
            # A die that was only moved shows what it showed.
            return session


# --- the tray ---------------------------------------------------------------------------------


def _settled(session: Session, dice: tuple[TrackedDie, ...]) -> Session:
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
    places = place(dice, dict(session.places), kinds)
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
            return _accept(session, match)


def _found(session: Session, dice: tuple[TrackedDie, ...]) -> Session:
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


def _accept(session: Session, answer: Answer) -> Session:
    """Counts a throw, or asks about the dice in it that were not read for sure."""
    told = tuple(
        (seen.slot, seen.reading.value)
        for seen in answer.thrown
        if seen.reading.sure
        and seen.reading.value is not None
        and isinstance(seen.reading.value, str) == _is_power(session, seen.slot)
    )
    return _ask_or_count(session, answer, told)


def _ask_or_count(session: Session, answer: Answer, told: tuple[tuple[int, Face], ...]) -> Session:
    known = dict(told)
    for seen in answer.thrown:
        if seen.slot not in known:
            face = proposals(seen.reading, _is_power(session, seen.slot))[0]
            return replace(session, mode=Telling(answer, told, seen.slot, face))
    events: list[Event] = []
    if isinstance(session.rules.ask(session.state), Choose):
        events.append(Keep(answer.kept))
    events.append(Rolled(tuple(known[seen.slot] for seen in answer.thrown)))
    return _play(session, *events)


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


def _may_roll_again(session: Session) -> bool:
    return any(isinstance(c, Keep) for c in session.rules.choices(session.state))


# --- the record -------------------------------------------------------------------------------


def _play(session: Session, *events: Event) -> Session:
    state = session.state
    for event in events:
        state = session.rules.apply(state, event)
    return replace(
        session,
        state=state,
        events=session.events + events,
        log=session.log + tuple(Played(e) for e in events),
        mode=Playing(),
        holds=frozenset(),
        loose=frozenset(),
        remark="",
    )


def _choose(session: Session, choice: Choice) -> Session:
    ask = session.rules.ask(session.state)
    seat = ask.seat if ask is not None else 0
    points = session.rules.preview(session.state, choice) or Points(0)
    after = _play(session, choice)
    return replace(after, scored=Scored(seat, choice, points.points, points.reason))


def _drawn(session: Session, lot: Choice) -> Session:
    ask = session.rules.ask(session.state)
    if not isinstance(ask, Draw) or lot not in ask.lots:
        return session
    # A card that is turned up is no news of the player's: what they did last stays on the board.
    return replace(_play(session, lot), scored=session.scored)


def undo_count(session: Session, steps: int) -> int:
    """How many events go when the last `steps` choices are taken back; 0 for too many steps."""
    choices = player_choices(session)
    return len(session.events) - choices[-steps] if 0 < steps <= len(choices) else 0


def _undo(session: Session, steps: int) -> Session:
    count = undo_count(session, steps)
    if not count:
        return replace(session, mode=Playing())
    events = session.events[: len(session.events) - count]
    return replace(
        session,
        state=replay(session.setup, events),
        events=events,
        log=(*session.log, Undone(count)),
        mode=Playing(),
        holds=frozenset(),
        loose=frozenset(),
        scored=None,
        remark="",
    )


# --- the buttons ------------------------------------------------------------------------------


def _pressed(session: Session, press: Pressed) -> Session:
    session = replace(session, remark="")
    if press.long and press.button is Button.BACK:
        return _open_undo(session)
    if press.long and press.button is Button.OK and not isinstance(session.mode, Telling):
        seat = getattr(session.rules.ask(session.state), "seat", 0)
        return replace(session, mode=Sheet(seat))
    match session.mode:
        case Playing():
            return _playing(session, press)
        case Browsing() as mode:
            return _browsing(session, mode, press.button)
        case Telling() as mode:
            return _telling(session, mode, press.button)
        case Miscounted():
            return _miscounted(session, press.button)
        case Clashing(clash):
            return _clashing(session, clash, press.button)
        case Undoing(steps):
            return _undoing(session, steps, press.button)
        case Sheet() as mode:
            return _sheet(session, mode, press.button)
        case Leaving():
            return _leaving(session, press.button)


def _playing(session: Session, press: Pressed) -> Session:
    ask = session.rules.ask(session.state)
    button = press.button
    if button is Button.BACK:
        return _open_undo(session)
    if ask is None:
        return replace(session, mode=Leaving()) if button is Button.OK else session
    if not isinstance(ask, Choose):
        return replace(session, scored=None)
    if not dice_on_table(session):
        return _browsing(session, Browsing(0), button)
    if button in HOLDS:
        return _hold(session, HOLDS.index(button), press.long)
    if button in (Button.OK, Button.RIGHT, Button.LEFT, Button.HINT):
        return replace(session, mode=Browsing(0), scored=None)
    return session


def _hold(session: Session, slot: int, long: bool) -> Session:
    dice = session.rules.dice(session.state)
    if slot >= len(dice):
        return session
    face = dice[slot]
    if face is None:
        return session
    if long:
        return replace(session, mode=Telling(None, (), slot, face))
    if not _may_roll_again(session):
        return replace(session, remark="NO ROLL LEFT")
    holds = session.holds ^ {slot}
    return replace(session, holds=holds, log=(*session.log, Holding(tuple(sorted(holds)))))


def _browsing(session: Session, mode: Browsing, button: Button) -> Session:
    choices = ranked_choices(session)
    if not choices:
        return replace(session, mode=Playing())
    if button is Button.BACK:
        return replace(session, mode=Browsing(mode.index) if mode.confirm else Playing())
    if button in (Button.LEFT, Button.RIGHT):
        delta = 1 if button is Button.RIGHT else -1
        return replace(session, mode=Browsing((mode.index + delta) % len(choices)))
    if button is Button.OK:
        choice = choices[mode.index % len(choices)]
        points = session.rules.preview(session.state, choice)
        # A zero is a slip more often than a plan; passing, moving on and the like have a reason.
        if points == Points(0) and not mode.confirm:
            return replace(session, mode=Browsing(mode.index, confirm=True))
        return _choose(session, choice)
    if button in HOLDS and dice_on_table(session):
        return _playing(replace(session, mode=Playing()), Pressed(button))
    return session


def _telling(session: Session, mode: Telling, button: Button) -> Session:
    reading = None
    if mode.answer is not None:
        reading = next(s.reading for s in mode.answer.thrown if s.slot == mode.slot)
    faces = proposals(reading, isinstance(mode.face, str))
    if button in (Button.LEFT, Button.RIGHT):
        delta = 1 if button is Button.RIGHT else -1
        face = faces[(faces.index(mode.face) + delta) % len(faces)]
        return replace(session, mode=replace(mode, face=face))
    if button is Button.BACK:
        # A pending throw stays pending: the dice are thrown again, or told after OK.
        return session if mode.answer is not None else replace(session, mode=Playing())
    if button is not Button.OK:
        return session
    if mode.answer is None:
        old = session.rules.dice(session.state)[mode.slot]
        if mode.face == old:
            return replace(session, mode=Playing())
        return _play(session, Corrected(mode.slot, mode.face))
    return _ask_or_count(session, mode.answer, (*mode.told, (mode.slot, mode.face)))


def _miscounted(session: Session, button: Button) -> Session:
    # OK and BACK look away from the message; the next time the tray settles it is checked again.
    return replace(session, mode=Playing()) if button in (Button.OK, Button.BACK) else session


def _clashing(session: Session, clash: Clash, button: Button) -> Session:
    if button is Button.OK:
        return _accept(session, clash.answer)
    if button is Button.BACK:
        if clash.strict is not None:
            return _accept(session, clash.strict)
        return replace(session, mode=Playing())
    return session


def _open_undo(session: Session) -> Session:
    if undo_count(session, 1):
        return replace(session, mode=Undoing(1), scored=None)
    return replace(session, mode=Playing(), remark="NO UNDO YET")


def _undoing(session: Session, steps: int, button: Button) -> Session:
    if button is Button.OK:
        return _undo(session, steps)
    if button is Button.BACK:
        return replace(session, mode=Playing())
    if button is Button.LEFT and undo_count(session, steps + 1):
        return replace(session, mode=Undoing(steps + 1))
    if button is Button.RIGHT and steps > 1:
        return replace(session, mode=Undoing(steps - 1))
    return session


def _sheet(session: Session, mode: Sheet, button: Button) -> Session:
    seats = len(session.setup.players)
    if button is Button.RIGHT:
        return replace(session, mode=Sheet(mode.seat, mode.row + 1))
    if button is Button.LEFT:
        return replace(session, mode=Sheet(mode.seat, mode.row - 1))
    if button is Button.OK:
        return replace(session, mode=Sheet((mode.seat + 1) % seats))
    if button is Button.BACK:
        return replace(session, mode=Playing())
    return session


def _leaving(session: Session, button: Button) -> Session:
    if button is Button.OK:
        fresh = new_session(session.setup, session.serial + 1)
        return replace(fresh, tray=session.tray, lying=session.lying)
    return replace(session, mode=Playing()) if button is Button.BACK else session

"""What a press means in each mode of the session."""

from dataclasses import replace

from appliance.rules.game import (
    Choose,
    Corrected,
    Points,
)
from appliance.table.hinting import hinting_pressed, open_hint
from appliance.table.inputs import HOLDS, Button, Pressed
from appliance.table.matching import (
    Clash,
    Miscount,
)
from appliance.table.recording import choose, play, undo, undo_count
from appliance.table.session import (
    Browsing,
    Clashing,
    Hinting,
    Holding,
    Leaving,
    Miscounted,
    Playing,
    Session,
    Sheet,
    Telling,
    Undoing,
    dice_on_table,
    new_session,
    ranked_choices,
)
from appliance.table.throws import accept, ask_or_count, may_roll_again, proposals


def pressed(session: Session, press: Pressed) -> Session:
    """The session after a press."""
    session = replace(session, remark="")
    if press.long and press.button is Button.BACK:
        return _open_undo(session)
    if press.long and press.button is Button.OK and not isinstance(session.mode, Telling):
        seat = getattr(session.rules.ask(session.state), "seat", 0)
        return replace(session, mode=Sheet(seat))
    if isinstance(session.mode, Hinting):
        if press.button not in HOLDS:
            return hinting_pressed(session, session.mode, press.button)
        session = replace(session, mode=session.mode.back)
    elif press.button is Button.HINT:
        return open_hint(session)
    match session.mode:
        case Playing():
            return _playing(session, press)
        case Browsing() as mode:
            return _browsing(session, mode, press.button)
        case Telling() as mode:
            return _telling(session, mode, press.button)
        case Miscounted(miscount):
            return _miscounted(session, miscount, press.button)
        case Clashing(clash):
            return _clashing(session, clash, press.button)
        case Undoing(steps):
            return _undoing(session, steps, press.button)
        case Sheet() as mode:
            return _sheet(session, mode, press.button)
        case Leaving():
            return _leaving(session, press.button)
        case Hinting():
            return session


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
    if button in (Button.OK, Button.RIGHT, Button.LEFT):
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
    if not may_roll_again(session):
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
        return choose(session, choice)
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
        return play(session, Corrected(mode.slot, mode.face))
    return ask_or_count(session, mode.answer, (*mode.told, (mode.slot, mode.face)))


def _miscounted(session: Session, miscount: Miscount, button: Button) -> Session:
    if button is Button.OK and miscount.answer is not None:
        return accept(session, miscount.answer)
    # Looks away from the message; the next time the tray settles it is checked again.
    return replace(session, mode=Playing()) if button in (Button.OK, Button.BACK) else session


def _clashing(session: Session, clash: Clash, button: Button) -> Session:
    if button is Button.OK:
        return accept(session, clash.answer)
    if button is Button.BACK:
        if clash.strict is not None:
            return accept(session, clash.strict)
        return replace(session, mode=Playing())
    return session


def _open_undo(session: Session) -> Session:
    if undo_count(session, 1):
        return replace(session, mode=Undoing(1), scored=None)
    return replace(session, mode=Playing(), remark="NO UNDO YET")


def _undoing(session: Session, steps: int, button: Button) -> Session:
    if button is Button.OK:
        return undo(session, steps)
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

"""One step of the session: something happens, and a new session comes out. No I/O, no clock."""

from dataclasses import replace

from appliance.inputs import Picked, Pressed
from appliance.table.session.answering import answered
from appliance.table.session.by_hand import enters_throw, follow_tray_while_entering, thrown_anew
from appliance.table.session.hinting import close_hint, take_advice, take_hint
from appliance.table.session.modes import LookingOver, Playing
from appliance.table.session.picking import picked
from appliance.table.session.presses import pressed
from appliance.table.session.recording import play_decision, play_lot
from appliance.table.session.session import (
    Advised,
    Decided,
    Drawn,
    Hinted,
    Seeded,
    Session,
    Sight,
)
from appliance.table.session.throws import (
    take_found_dice,
    take_moved_dice,
    take_picked_up_dice,
    take_settled_dice,
)
from vision.events import Cleared, Found, Moved, PickedUp, Roll, TrayChanged, TrayEvent
from vision.reading import TrayState

Input = Pressed | Picked | Decided | Drawn | Seeded | Hinted | Advised | Sight | TrayEvent


def step(session: Session, happened: Input) -> Session:
    """The session after something happened: a press, or something in the tray.

    Any input in any order yields a session; one that makes no sense now changes nothing except
    perhaps the remark on the board.
    """
    match happened:
        case Pressed():
            return pressed(session, happened)
        case Picked(slot=None):
            return picked(session, happened)
        case Picked():
            return answered(session, happened)
        case Drawn(lot):
            return play_lot(session, lot)
        case Decided(event):
            return play_decision(session, event)
        case Seeded():
            record = session.record
            return replace(session, record=replace(record, log=record.log or (happened,)))
        case Hinted():
            return take_hint(session, happened)
        case Advised():
            return take_advice(session, happened)
        case Sight(blind):
            state = TrayState.STILL if blind else session.tray.state
            return replace(session, tray=replace(session.tray, state=state, blind=blind))
        case TrayEvent():
            return _follow_tray(session, happened)


def _follow_tray(session: Session, happened: TrayEvent) -> Session:
    """The session after something happened in the tray."""
    if enters_throw(session) and not thrown_anew(session, happened):
        return follow_tray_while_entering(session, happened)
    if isinstance(happened, Roll | Found | Moved | PickedUp):
        session = close_hint(session, picking=isinstance(happened, PickedUp))
    session = replace(session, tray=session.tray.after(happened))
    match happened:
        case TrayChanged(state=state):
            if state in (TrayState.STILL, TrayState.EMPTY):
                return session
            looks = isinstance(session.mode, LookingOver)
            mode = Playing() if looks else session.mode
            tracked = replace(session.tracked, pushed=frozenset())
            return replace(session, scored=None, remark="", mode=mode, tracked=tracked)
        case Roll(dice=dice):
            return take_settled_dice(session, dice)
        case Found(dice=dice):
            return take_found_dice(session, dice)
        case PickedUp(track_ids=slots):
            return take_picked_up_dice(session, slots)
        case Moved(dice=dice):
            return take_moved_dice(session, dice)
        case Cleared():
            tracked = replace(session.tracked, seen=(), places=(), loose=frozenset())
            return replace(session, tracked=tracked)
    return session

"""Throws that the camera cannot see: the players enter them with buttons, and the game goes on."""

from collections.abc import Collection
from dataclasses import replace

from appliance.inputs import HOLD_BUTTONS, Button, Pressed, neighbour
from appliance.table.session.matching import NOT_SEEN, Answer, ThrownDie
from appliance.table.session.modes import EnteringColour, EnteringThrow, Playing, mode_behind_hint
from appliance.table.session.session import Session, slot_kinds, slots_asked
from appliance.table.session.throws import ask_or_count, faces_of, slots_left_lying, take_found_dice
from games.values import Choose, DieKind, Face, Keep, Reveal, Slot, Throw
from vision.events import Cleared, Found, PickedUp, Roll, TrayEvent


def enters_throw(session: Session) -> bool:
    """True while a throw is being entered: what the camera sees meanwhile must not end it."""
    mode = mode_behind_hint(session.mode)
    if isinstance(mode, EnteringColour):
        return mode.answer is not None and mode.answer.meant
    return isinstance(mode, EnteringThrow)


def open_throw_entry(session: Session, press: Pressed) -> Session:
    """Opens the entry of the throw that is due; HOLD, LEFT and RIGHT set a face at once.

    In the middle of a turn the dice not held are those that were thrown again.
    """
    return _open_entry(session, session.record.holds, press)


def open_entry_of_surplus(session: Session) -> Session:
    """Opens the entry of a throw with too many dice in the tray.

    Without holds the dice still lying as they were are those not thrown. If all of them are, only
    dice that do not belong to the game came into the tray, and the roll on record still counts.
    """
    lying, known = slots_left_lying(session), session.record.dice
    decides = isinstance(session.record.ask, Choose)
    if decides and lying == set(range(len(known))):
        return replace(session, mode=Playing(), tracked=session.tracked.lain_before())
    sight = not session.tray.blind
    return _open_entry(session, session.record.holds or lying, Pressed(Button.OK), sight=sight)


def _open_entry(
    session: Session, held: Collection[Slot], press: Pressed, *, sight: bool = False
) -> Session:
    ask = session.record.ask
    kept = tuple(map(Slot, session.record.held))
    if isinstance(ask, Choose):
        again = [c.slots for c in session.record.choices if isinstance(c, Keep)]
        fits = [slots for slots in again if set(held) <= set(slots)]
        if not fits:
            return replace(session, remark="NO ROLLS LEFT" if not again else "HOLD FEWER")
        fewest = min(fits, key=len)
        kept = tuple(map(Slot, fewest))
        every = map(Slot, range(len(session.record.dice)))
        slots = [slot for slot in every if slot not in kept]
    else:
        slots = list(slots_asked(ask)) if ask is not None else []
    mode = EnteringThrow(kept, tuple((slot, None) for slot in slots), slots[0], sight)
    return press_while_entering(replace(session, mode=mode, scored=None), mode, press)


def press_while_entering(session: Session, mode: EnteringThrow, press: Pressed) -> Session:
    """The session after a press while a throw is entered.

    A hold button is a face, 1 to 5 and P for 6: the marked die gets it, and the next is marked.
    LEFT and RIGHT change the marked die's face; OK moves on to a die without one, and counts the
    throw once all have one. BACK removes the faces one by one, then leaves.
    """
    faces, slot, button = dict(mode.faces), mode.slot, press.button
    every, now = _possible_faces(session, slot), faces[slot]
    if button is Button.BACK:
        filled = [slot for slot, face in mode.faces if face is not None]
        if not filled:
            return replace(session, mode=Playing())
        slot = filled[-1]
        faces[slot] = None
    elif button in (Button.LEFT, Button.RIGHT):
        faces[slot] = neighbour(every, now, button)
    else:
        if button in HOLD_BUTTONS:
            faces[slot] = every[HOLD_BUTTONS.index(button)]
        missing = [slot for slot, face in faces.items() if face is None]
        if not missing and button is Button.OK:
            return _count_entry(
                session, mode.kept, tuple((s, f) for s, f in mode.faces if f is not None)
            )
        slot = missing[0] if missing else slot
    return replace(session, mode=replace(mode, faces=tuple(faces.items()), slot=slot))


def _possible_faces(session: Session, slot: Slot) -> tuple[Face, ...]:
    ask = session.record.ask
    kinds = dict(enumerate(slot_kinds(session)))
    if isinstance(ask, Throw | Reveal):
        kinds = {die.slot: die.kind for die in ask.dice}
    return faces_of(kinds.get(slot) is DieKind.POWER)


def _count_entry(
    session: Session, kept: tuple[Slot, ...], faces: tuple[tuple[Slot, Face], ...]
) -> Session:
    """The session with the throw on record or, where colours count, asking about those."""
    dice = tuple(ThrownDie(slot, NOT_SEEN) for slot, _ in faces)
    seen = () if session.tray.blind else session.tracked.seen
    # What lay there when the camera failed is not what lies there now.
    tracked = replace(session.tracked, seen=(), places=(), by_hand=True)
    session = replace(session, mode=Playing(), tracked=tracked)
    after = ask_or_count(session, Answer(kept, dice, meant=True), faces)
    return take_found_dice(after, seen) if seen else after


def thrown_anew(session: Session, happened: TrayEvent) -> bool:
    """True if dice were thrown again in place of those that are being entered."""
    mode = mode_behind_hint(session.mode)
    return isinstance(mode, EnteringThrow) and mode.sight and isinstance(happened, Roll)


def follow_tray_while_entering(session: Session, happened: TrayEvent) -> Session:
    """The session when the camera sees the tray again during entry of a throw, which continues."""
    match happened:
        case Roll() | Found():
            seen = happened.dice
        case PickedUp():
            seen = session.tracked.without(happened.track_ids).seen
        case Cleared():
            seen = ()
        case _:
            return session
    tray = replace(session.tray, lying=len(seen))
    return replace(session, tray=tray, tracked=replace(session.tracked, seen=seen))

"""The meaning of a press in each mode of the session."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from appliance.inputs import HOLD_BUTTONS, Button, Pressed, neighbour
from appliance.table.session import modes, throws
from appliance.table.session import session as sessions
from appliance.table.session.by_hand import (
    open_entry_of_surplus,
    open_throw_entry,
    press_while_entering,
)
from appliance.table.session.coloured import colour_entered, next_colour
from appliance.table.session.hinting import open_hint, press_while_hinting, shows_dice
from appliance.table.session.listing import (
    browsing,
    count_of_entries,
    listed_choices,
    lists_at_once,
    may_choose,
    must_throw,
    only_passes,
    opens_others,
)
from appliance.table.session.matching import Why
from appliance.table.session.picking import is_asked_about
from appliance.table.session.recording import (
    choose,
    may_undo,
    play,
    put_back,
    taken_back,
    undo,
    undo_count,
)
from appliance.table.session.session import Session
from appliance.table.session.sheets import look_prompt, places_looked_over
from games.values import Choose, Corrected, Face, IllegalEvent, Pass, Slot

_OK = Pressed(Button.OK)
_LONG_OK = Pressed(Button.OK, long=True)
_LONG_BACK = Pressed(Button.BACK, long=True)

LONG_PRESS_STEPS = 5
"""How many list entries a long press of LEFT or RIGHT moves."""


def pressed(session: Session, press: Pressed) -> Session:
    """The session after a press."""
    after = _answer_press(replace(session, remark=""), press)
    leaves = not isinstance(session.mode, modes.Playing) and isinstance(after.mode, modes.Playing)
    counts = after.record.events != session.record.events
    if leaves and after.tracked.loose and not counts and _keeps_throw(session):
        # A throw still waits for its answer.
        return throws.match_again_as_it_lies(after)
    return after


def _keeps_throw(session: Session) -> bool:
    """True if a throw in the tray that has not counted is asked about again when a mode is left.

    A question about a first throw may be dismissed: the board then asks for the throw. Later in a
    turn it would show a roll that no longer lies there.
    """
    if isinstance(session.mode, modes.Undoing | modes.ViewingSheet | modes.LookingOver):
        return True
    if isinstance(session.mode, modes.EnteringThrow) and not session.tray.blind:
        return True
    return isinstance(session.record.ask, Choose)


def _answer_press(session: Session, press: Pressed) -> Session:
    """Answers a press: as every mode but a hint does, or as this mode has it."""
    if not isinstance(session.mode, modes.Hinting):
        if press == _LONG_BACK:
            return _open_undo(session)
        if press == _LONG_OK and not _has_unfinished_throw(session):
            ask = session.record.ask
            return replace(session, mode=modes.ViewingSheet(ask.seat if ask else 0))
        if press.button is Button.HINT and not _waits_for_computer(session):
            return open_hint(session)
    return ANSWERS[type(session.mode)](session, session.mode, press)


def _has_unfinished_throw(session: Session) -> bool:
    return isinstance(session.mode, modes.ThrowInDoubt | modes.EnteringThrow)


def _waits_for_computer(session: Session) -> bool:
    return isinstance(session.mode, modes.Playing) and sessions.is_computers_turn(session)


def _press_in_computers_turn(session: Session, press: Pressed) -> Session:
    """People may undo, correct a die or enter a throw, but not play for the computer."""
    if press.button is Button.BACK:
        return _open_undo(session)
    if press.button in HOLD_BUTTONS and press.long:
        return _hold_or_correct(session, press)
    if session.tray.blind and press.button is Button.RIGHT and sessions.has_decided(session):
        return open_throw_entry(session, _OK)
    return session


def _press_playing(session: Session, mode: modes.Playing, press: Pressed) -> Session:
    if sessions.is_computers_turn(session):
        return _press_in_computers_turn(session, press)
    ask, button = session.record.ask, press.button
    if button is Button.BACK:
        return _open_undo(session)
    if ask is None:
        return session
    if not isinstance(ask, Choose):
        return _press_before_throw(session, press)
    if lists_at_once(session):
        return _press_browsing(session, modes.Browsing(0), press)
    if button in HOLD_BUTTONS:
        return _hold_or_correct(session, press)
    if session.tray.blind and button is Button.RIGHT and throws.may_roll_again(session):
        return open_throw_entry(session, _OK)
    if button is Button.OK and only_passes(session):
        return choose(session, Pass())
    if button in (Button.LEFT, Button.RIGHT) and look_prompt(session, modes.LookingOver()):
        return replace(session, mode=modes.LookingOver(), scored=None)
    if button in (Button.OK, Button.RIGHT, Button.LEFT):
        if must_throw(session):
            return replace(session, remark="ROLL ON")
        return replace(session, mode=modes.Browsing(0), scored=None)
    return session


def _press_before_throw(session: Session, press: Pressed) -> Session:
    """LEFT and RIGHT look over what there is; any press enters a throw that cannot be seen.

    A die that is not of that throw can be corrected.
    """
    if session.tray.blind:
        return open_throw_entry(session, press)
    if press.long and press.button in HOLD_BUTTONS:
        aside = session.record.rules.aside(session.record.state)
        correctable = HOLD_BUTTONS.index(press.button) in aside
        return _hold_or_correct(session, press) if correctable else session
    walks = press.button in (Button.LEFT, Button.RIGHT)
    looks = walks and look_prompt(session, modes.LookingOver())
    return replace(session, mode=modes.LookingOver() if looks else session.mode, scored=None)


def _press_hinting(session: Session, mode: modes.Hinting, press: Pressed) -> Session:
    if press.button in HOLD_BUTTONS and shows_dice(session, mode):
        # A hold button acts on the dice shown beside the hint.
        return _answer_press(replace(session, mode=mode.back), press)
    return press_while_hinting(session, mode, press)


def _hold_or_correct(session: Session, press: Pressed) -> Session:
    slot = Slot(HOLD_BUTTONS.index(press.button))
    if press.long:
        return _open_correction(session, slot)
    if dict(enumerate(session.record.dice)).get(slot) is None:
        return session
    if not throws.may_roll_again(session):
        return replace(session, remark="NO ROLLS LEFT")
    stay = sessions.must_stay(session)
    if slot in stay:
        return replace(session, remark="MUST STAY")
    holds = session.record.holds ^ {slot} | stay
    return replace(session, record=session.record.holding(sorted(holds)))


def _press_browsing(session: Session, mode: modes.Browsing, press: Pressed) -> Session:
    choices, button = listed_choices(session), press.button
    if not choices:
        return replace(session, mode=modes.Playing())
    opens = opens_others(session, mode)
    if button is Button.BACK:
        if mode.confirm:
            return replace(session, mode=replace(mode, confirm=False))
        back = modes.Browsing(count_of_entries(session)) if mode.less else modes.Playing()
        return replace(session, mode=back)
    if button in (Button.LEFT, Button.RIGHT):
        return replace(session, mode=_walk_in_list(session, mode, press))
    if button is Button.OK and opens:
        return replace(session, mode=browsing(session, mode.index))
    if button is Button.OK:
        choice = choices[mode.index % len(choices)]
        if not may_choose(session, choice):
            return replace(session, mode=mode, remark="NOT POSSIBLE")
        if is_asked_about(session, choice) and not mode.confirm:
            return replace(session, mode=replace(mode, confirm=True))
        return choose(session, choice)
    if button in HOLD_BUTTONS and lists_at_once(session):
        return _hold_or_correct(session, press) if press.long else session
    if button in HOLD_BUTTONS:
        # The dice are not in sight: first they are shown.
        return replace(session, mode=modes.Playing())
    return session


def _walk_in_list(session: Session, mode: modes.Browsing, press: Pressed) -> modes.Mode:
    """Where LEFT and RIGHT lead in the list: past its ends to all of it at once, if there is that.

    Those that score less in the same boxes are a list of their own.
    """
    entries, count = count_of_entries(session), len(listed_choices(session))
    if mode.less:
        within = _move_in_list(mode.index - entries, count - entries, press)
        return modes.Browsing(entries + within, less=True)
    places = entries + (count > entries)
    step = 1 if press.button is Button.RIGHT else -1
    past_end = not press.long and not 0 <= mode.index + step < places
    if past_end and look_prompt(session, modes.LookingOver()):
        return modes.LookingOver()
    return modes.Browsing(_move_in_list(mode.index, places, press))


def _move_in_list(index: int, count: int, press: Pressed) -> int:
    """Where a press leads in a list of `count` items: a long one goes far, but not past an end."""
    step = 1 if press.button is Button.RIGHT else -1
    if not press.long:
        return (index + step) % count
    return min(max(index + LONG_PRESS_STEPS * step, 0), count - 1)


def _press_entering_face(session: Session, mode: modes.EnteringFace, press: Pressed) -> Session:
    button = press.button
    if button in (Button.LEFT, Button.RIGHT):
        reading = None
        if mode.answer is not None:
            reading = next(s.reading for s in mode.answer.thrown if s.slot == mode.slot)
        power = throws.is_power(session, mode.slot) or isinstance(mode.face, str)
        face = neighbour(throws.face_proposals(reading, power), mode.face, button)
        return replace(session, mode=replace(mode, face=face))
    if button is Button.BACK:
        # A pending throw stays pending: the dice are thrown again, or entered with OK.
        return session if mode.answer is not None else replace(session, mode=modes.Playing())
    if mode.answer is None and button in HOLD_BUTTONS:
        return _correct_another(session, mode.slot, HOLD_BUTTONS.index(button))
    if button is not Button.OK or mode.face is None:
        return session
    if mode.answer is None:
        return _correct(session, mode.slot, mode.face)
    return throws.ask_or_count(session, mode.answer, (*mode.faces, (mode.slot, mode.face)))


def _correct_another(session: Session, slot: Slot, hold: int) -> Session:
    """Corrects another die; the last button serves two if there are more dice than buttons."""
    last = len(HOLD_BUTTONS) - 1
    beyond = len(session.record.dice) > len(HOLD_BUTTONS)
    wanted = len(HOLD_BUTTONS) if hold == last == slot and beyond else hold
    return _open_correction(session, Slot(wanted))


def _open_correction(session: Session, slot: Slot) -> Session:
    face = session.record.correctable.get(slot)
    if face is None:
        return session
    return replace(session, mode=modes.EnteringFace(None, (), slot, face))


def _correct(session: Session, slot: Slot, face: Face) -> Session:
    """Corrects a die on the table; where colours count, its colour is asked next."""
    kinds = session.record.kinds
    kind = kinds[slot] if slot < len(kinds) else None
    if kind is not None:
        return replace(session, mode=modes.EnteringColour(None, ((slot, face),), (), slot, kind))
    if face == session.record.correctable.get(slot):
        return replace(session, mode=modes.Playing())
    try:
        after = play(session, Corrected(slot, face))
    except IllegalEvent:
        return replace(session, mode=modes.Playing(), remark="NOT NOW")
    if isinstance(session.record.ask, Choose):
        return after
    # Dice of the next throw, of which some are missing, still belong to it.
    lying = session.tracked
    tracked = replace(after.tracked, loose=lying.loose, gone=lying.gone)
    return replace(after, tracked=tracked)


def _press_entering_colour(session: Session, mode: modes.EnteringColour, press: Pressed) -> Session:
    button = press.button
    if button in (Button.LEFT, Button.RIGHT):
        return replace(session, mode=replace(mode, kind=next_colour(session, mode, button)))
    if button is Button.OK:
        return colour_entered(session, mode)
    if button is Button.BACK and mode.answer is None:
        return replace(session, mode=modes.Playing())
    if button is Button.BACK and mode.answer is not None and mode.answer.meant:
        # What was entered so far can be changed.
        return replace(session, mode=modes.EnteringThrow(mode.answer.kept, mode.faces, mode.slot))
    return session


def _press_with_die_turned(session: Session, mode: modes.Turned, press: Pressed) -> Session:
    button = press.button
    if button in (Button.LEFT, Button.RIGHT):
        every = throws.faces_of(isinstance(mode.face, str))
        return replace(session, mode=replace(mode, face=neighbour(every, mode.face, button)))
    if button is Button.OK:
        kinds, old = session.record.kinds, session.record.dice
        if kinds and mode.slot < len(old) and old[mode.slot] == mode.face:
            return replace(session, mode=modes.Playing())
        return _correct(session, mode.slot, mode.face)
    return replace(session, mode=modes.Playing()) if button is Button.BACK else session


def _press_with_miscount(session: Session, mode: modes.Miscounted, press: Pressed) -> Session:
    if press.button is Button.OK:
        if mode.miscount.answer is not None:
            return throws.accept_throw(session, mode.miscount.answer)
        # Nobody knows which of them belong to the throw: the players say what they show.
        return open_entry_of_surplus(session)
    # Dismisses the message; the tray is checked again the next time it settles.
    leaves = press.button is Button.BACK
    return replace(session, mode=modes.Playing()) if leaves else session


def _press_with_clash(session: Session, mode: modes.Clashing, press: Pressed) -> Session:
    clash = mode.clash
    if press.button is Button.OK:
        return throws.accept_throw(session, clash.answer)
    if press.button is Button.BACK:
        if clash.strict is not None:
            return throws.accept_throw(session, clash.strict)
        if clash.idle:
            return throws.take_as_it_lay(session)
        if clash.why in (Why.SAME, Why.CHANGED):
            # They were only pushed or laid down: they count as having lain there before.
            return replace(session, mode=modes.Playing(), tracked=session.tracked.lain_before())
        return replace(session, mode=modes.Playing())
    return session


def _open_undo(session: Session) -> Session:
    if may_undo(session):
        return replace(session, mode=modes.Undoing(1), scored=None)
    if taken_back(session):
        return replace(session, mode=modes.Undoing(0), scored=None)
    return replace(session, mode=modes.Playing(), remark="NO UNDO YET")


def _press_undoing(session: Session, mode: modes.Undoing, press: Pressed) -> Session:
    steps, button = mode.steps, press.button
    if button is Button.OK:
        return undo(session, steps) if steps else put_back(session)
    if button is Button.BACK:
        return replace(session, mode=modes.Playing())
    if button is Button.LEFT and undo_count(session, steps + 1):
        return replace(session, mode=modes.Undoing(steps + 1))
    if button is Button.RIGHT and (steps > 1 or (steps and taken_back(session))):
        return replace(session, mode=modes.Undoing(steps - 1))
    return session


def _press_viewing_sheet(session: Session, mode: modes.ViewingSheet, press: Pressed) -> Session:
    seats, button = len(session.record.setup.players), press.button
    if button in (Button.LEFT, Button.RIGHT):
        step = 1 if button is Button.RIGHT else -1
        return replace(session, mode=modes.ViewingSheet(mode.seat, mode.row + step))
    if button is Button.OK:
        return replace(session, mode=modes.ViewingSheet((mode.seat + 1) % seats))
    if button is Button.BACK:
        return replace(session, mode=modes.Playing())
    return session


def _press_looking_over(session: Session, mode: modes.LookingOver, press: Pressed) -> Session:
    """LEFT and RIGHT walk over what is shown, and past its end to all of it; others leave it.

    After a throw they walk on into the list of choices.
    """
    right = press.button is Button.RIGHT
    if press.button not in (Button.LEFT, Button.RIGHT):
        return replace(session, mode=modes.Playing())
    if isinstance(session.record.ask, Choose):
        entries, count = count_of_entries(session), len(listed_choices(session))
        last = entries - (count == entries)
        listed = modes.Browsing(0 if right else last) if entries else modes.LookingOver()
        return replace(session, mode=listed)
    count = places_looked_over(session)
    if not count:
        return replace(session, mode=modes.Playing())
    if mode.at is None:
        at = 0 if right else count - 1
    elif press.long:
        at = _move_in_list(mode.at, count, press)
    else:
        at = mode.at + (1 if right else -1)
    return replace(session, mode=modes.LookingOver(at if 0 <= at < count else None))


ANSWERS: Mapping[type[modes.Mode], Callable[[Session, Any, Pressed], Session]] = {
    modes.Playing: _press_playing,
    modes.Browsing: _press_browsing,
    modes.EnteringFace: _press_entering_face,
    modes.EnteringColour: _press_entering_colour,
    modes.EnteringThrow: press_while_entering,
    modes.Turned: _press_with_die_turned,
    modes.Miscounted: _press_with_miscount,
    modes.Clashing: _press_with_clash,
    modes.Undoing: _press_undoing,
    modes.ViewingSheet: _press_viewing_sheet,
    modes.LookingOver: _press_looking_over,
    modes.Hinting: _press_hinting,
}
"""The answer to a press in each mode; each function gets the session's mode beside it."""

"""The table with Classic: throws, holds, doubts, choices, undo."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.screens.draw import pages
from appliance.screens.drawing.layout import dice_under
from appliance.table.prompts.looking import StripPrompt, UndoPrompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, EntryPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.listing import ranked_choices
from appliance.table.session.matching import Miscount, Why
from appliance.table.session.modes import Browsing, EnteringFace, Playing, Turned, mode_behind_hint
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import taken_back
from appliance.table.session.session import (
    Holding,
    Played,
    Session,
    Setup,
    Undone,
    new_session,
    replay,
    resume,
)
from appliance.table.session.step import Input, step
from appliance.table.session.throws import leave_found_dice
from appliance.words import Label
from games.boxes import Zero
from games.classic import Box
from games.values import Choose, DieKind, Keep, Rolled, Slot, Throw
from tests.builders import dice_moved, dice_picked_up, die, reading, roll, throw
from tests.builders import steps as play
from tests.rigs.examples import examples
from vision.events import Cleared, Found, Moved, Roll, TrackedDie, TrackId, TrayChanged
from vision.reading import DieState, Kind, TrayState

SOLO = Setup("classic", ("ANNA",))
PAIR = Setup("classic", ("ANNA", "BOB"), (("first", 0),))


def rethrow(old: tuple[int, ...], new: dict[int, int]) -> Roll:
    faces = [new.get(slot, face) for slot, face in enumerate(old)]
    return throw(*faces, new=new)


def press(*buttons: Button) -> tuple[Pressed, ...]:
    return tuple(Pressed(b) for b in buttons)


def events(session: Session) -> list[object]:
    return list(session.record.events)


def test_a_throw_is_scored_with_buttons_alone() -> None:
    session = new_session(SOLO)
    assert prompt(session) == ThrowPrompt(
        player="ANNA",
        roll=1,
        rolls=3,
        purpose="ROLL",
        slots=(0, 1, 2, 3, 4),
        kind=DieKind.BLACK,
        tray=TrayState.EMPTY,
        take=False,
    )
    session = play(session, throw(2, 2, 3, 3, 3))
    shown = prompt(session)
    assert isinstance(shown, DicePrompt)
    assert shown.dice == (2, 2, 3, 3, 3)
    session = play(session, *press(Button.OK))
    shown = prompt(session)
    assert isinstance(shown, ChoicePrompt)
    assert (shown.label, shown.points.points) == ("FULL HOUSE", 25)
    session = play(session, *press(Button.OK))
    assert session.record.rules.scores(session.record.state) == (25,)
    after = prompt(session)
    assert isinstance(after, ThrowPrompt)
    assert after.scored is not None
    assert (after.scored.points, Label(after.scored.choice.key)) == (25, "FULL HOUSE")
    assert after.take


def test_choices_are_listed_best_first_and_the_list_goes_round() -> None:
    session = play(new_session(SOLO), throw(1, 2, 3, 4, 6), *press(Button.OK))
    first = prompt(session)
    assert isinstance(first, ChoicePrompt)
    assert first.label == "SMALL STR"
    points = [
        session.record.rules.preview(session.record.state, c) for c in ranked_choices(session)
    ]
    values = [p.points for p in points if p is not None]
    assert values[:13] == sorted(values[:13], reverse=True)
    assert len(values) == 13 + 7
    assert sum(isinstance(c, Zero) for c in ranked_choices(session)[-7:]) == 7
    # Thirteen boxes, the entry for those that score less, and all of it at once.
    round_trip = play(session, *press(*[Button.RIGHT] * 15))
    assert prompt(round_trip) == first
    last = prompt(play(session, *press(*[Button.RIGHT] * 12)))
    assert isinstance(last, ChoicePrompt)
    assert (last.points.points, last.count) == (0, 14)


def test_left_from_the_first_box_shows_all_at_once_and_no_zero() -> None:
    dice = play(new_session(SOLO), throw(1, 2, 3, 4, 6), *press(Button.HOLD2))
    listed = play(dice, *press(Button.OK))
    whole = prompt(play(listed, *press(Button.LEFT)))
    assert isinstance(whole, StripPrompt)
    assert whole == prompt(play(dice, *press(Button.LEFT)))
    assert prompt(play(dice, *press(Button.LEFT, Button.BACK))) == prompt(dice)
    opens = play(listed, *press(Button.LEFT, Button.LEFT))
    shown = prompt(opens)
    assert isinstance(shown, ChoicePrompt)
    assert shown.label == "OTHER CHOICES"
    less = play(opens, *press(Button.OK))
    shown = prompt(less)
    assert isinstance(shown, ChoicePrompt)
    assert (shown.label, shown.index, shown.count) == ("0 ACES", 0, 7)
    assert prompt(play(less, *press(*[Button.RIGHT] * 7))) == shown
    assert prompt(play(less, *press(Button.BACK))) == prompt(opens)
    zero = play(less, *press(Button.OK, Button.OK))
    assert zero.record.events[-1] == Zero(Box.ACES)


def test_a_zero_is_asked_about_first() -> None:
    session = play(new_session(SOLO), throw(1, 2, 3, 4, 6))
    session = play(session, *press(Button.OK, *[Button.RIGHT] * 12))
    asked = play(session, *press(Button.OK))
    shown = prompt(asked)
    assert isinstance(shown, ChoicePrompt)
    assert shown.confirm
    assert asked.record.events == session.record.events
    back = play(asked, *press(Button.BACK))
    assert isinstance(prompt(back), ChoicePrompt)
    done = play(asked, *press(Button.OK))
    assert done.record.rules.scores(done.record.state) == (0,)
    assert isinstance(done.record.ask, Throw)


def test_dice_left_lying_are_held_without_buttons() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 5))
    session = play(session, rethrow((5, 5, 1, 2, 5), {2: 5, 3: 6}))
    assert events(session)[1:] == [Keep((0, 1, 4)), Rolled((5, 6))]
    assert session.record.dice == (5, 5, 5, 6, 5)


def test_holds_toggle_are_shown_and_logged() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 5), *press(Button.HOLD1, Button.HOLD2))
    shown = prompt(session)
    assert isinstance(shown, DicePrompt)
    assert shown.held == (0, 1)
    session = play(session, *press(Button.HOLD1))
    shown = prompt(session)
    assert isinstance(shown, DicePrompt)
    assert shown.held == (1,)
    assert session.record.log[-1] == Holding((1,))


def test_a_held_die_pushed_aside_is_still_held() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 5), *press(Button.HOLD1, Button.HOLD2))
    # The tracker lost both held dice and thinks that everything was thrown.
    session = play(session, throw(3, 5, 5, 6, 6))
    assert events(session)[1] == Keep((0, 1))
    assert sorted(session.record.dice, key=str) == [3, 5, 5, 6, 6]
    assert session.record.dice[:2] == (5, 5)


def test_held_dice_may_lie_outside_the_tray() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 5))
    session = play(session, *press(Button.HOLD1, Button.HOLD2, Button.HOLD5))
    session = play(session, roll(die(0, 4), die(1, 3)))
    assert session.record.dice == (5, 5, 4, 3, 5)


def test_a_held_die_that_was_thrown_is_asked_about() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 5), *press(Button.HOLD1, Button.HOLD2))
    clash = play(session, rethrow((5, 5, 1, 2, 5), {1: 4, 2: 3, 3: 6, 4: 1}))
    assert prompt(clash) == ClashPrompt(1, Why.HELD, "2ND DIE")
    counted = play(clash, *press(Button.OK))
    assert counted.record.dice == (5, 4, 3, 6, 1)
    assert events(counted)[1] == Keep((0,))
    refused = play(clash, *press(Button.BACK))
    assert refused.record.dice == (5, 5, 3, 6, 1)
    assert events(refused)[1] == Keep((0, 1))


def test_a_held_die_that_was_only_turned_is_no_throw() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 6), *press(Button.HOLD1, Button.HOLD2))
    turned = play(session, rethrow((5, 5, 1, 2, 6), {1: 4}))
    assert prompt(turned) == ClashPrompt(1, Why.HELD, "2ND DIE", idle=True, was=5, now=4)
    refused = play(turned, *press(Button.BACK))
    assert (refused.record.events, refused.record.holds) == (
        session.record.events,
        session.record.holds,
    )
    # The record stands, and the board says how the die is to lie.
    shown = prompt(refused)
    assert isinstance(shown, FacePrompt)
    assert (shown.index, shown.turned) == (1, 5)
    back = dice_moved(0, 0.0, (1,), (die(1, 5),))
    for asked in (turned, refused):
        after = play(asked, back)
        assert (after.mode, after.record.events, after.record.holds) == (
            Playing(),
            session.record.events,
            session.record.holds,
        )
        thrown = play(after, rethrow((5, 5, 1, 2, 6), {2: 3, 3: 3, 4: 3}))
        assert events(thrown)[1:] == [Keep((0, 1)), Rolled((3, 3, 3))]
    # It counts for who has thrown it.
    assert events(play(turned, *press(Button.OK)))[1:] == [Keep((0, 2, 3, 4)), Rolled((4,))]


def test_a_die_that_was_not_thrown_is_asked_about_and_may_follow() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 5), *press(Button.HOLD1, Button.HOLD2))
    clash = play(session, rethrow((5, 5, 1, 2, 5), {2: 3, 3: 6}))
    assert prompt(clash) == ClashPrompt(4, Why.LAZY, "5TH DIE", back=False)
    assert play(clash, *press(Button.BACK)) == clash, "the roll before no longer lies there"
    # What is thrown again without it is asked about once more, which is known.
    again = play(clash, rethrow((5, 5, 3, 6, 5), {2: 1, 3: 4}))
    assert prompt(again) == ClashPrompt(4, Why.LAZY, "5TH DIE", back=False, again=True)
    later = play(clash, rethrow((5, 5, 3, 6, 5), {4: 2}))
    assert later.record.dice == (5, 5, 3, 6, 2)
    assert events(later)[1:] == [Keep((0, 1)), Rolled((3, 6, 2))]
    accepted = play(clash, *press(Button.OK))
    assert events(accepted)[1:] == [Keep((0, 1, 4)), Rolled((3, 6))]


def test_dice_that_lie_elsewhere_and_show_the_same_are_asked_about() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 5))
    asked = play(session, rethrow((5, 5, 1, 2, 5), {3: 2}))
    assert prompt(asked) == ClashPrompt(3, Why.SAME, "4TH DIE")
    assert events(play(asked, *press(Button.BACK))) == events(session)
    counted = play(asked, *press(Button.OK))
    assert events(counted)[1:] == [Keep((0, 1, 2, 4)), Rolled((2,))]
    # The hold buttons say which was to be thrown.
    holds = press(Button.HOLD1, Button.HOLD2, Button.HOLD3, Button.HOLD5)
    sure = play(session, *holds, rethrow((5, 5, 1, 2, 5), {3: 2}))
    assert events(sure) == events(counted)


def test_a_die_that_was_gone_and_rolled_was_thrown_whatever_it_shows() -> None:
    old, same = (5, 5, 1, 2, 5), rethrow((5, 5, 1, 2, 5), {3: 2})
    rolled = roll(*(replace(die, rolled=die.thrown) for die in same.dice))
    session = play(new_session(SOLO), throw(*old))
    gone = dice_picked_up(0, 0.0, (3,))
    counted = play(session, gone, rolled)
    assert events(counted)[1:] == [Keep((0, 1, 2, 4)), Rolled((2,))]
    # It may have been pushed if it was not seen to be gone, or laid down if it did not roll.
    for happened in ((rolled,), (gone, same), (dice_picked_up(0, 0.0, (2,)), rolled)):
        assert prompt(play(session, *happened)) == ClashPrompt(3, Why.SAME, "4TH DIE")
    # Having been gone before the last throw that counted proves nothing.
    assert isinstance(prompt(play(counted, same)), ClashPrompt)


def test_a_held_die_that_was_pushed_is_not_taken_for_its_like_that_was_to_be_thrown() -> None:
    holds = press(Button.HOLD1, Button.HOLD2, Button.HOLD3, Button.HOLD4)
    session = play(new_session(SOLO), throw(5, 4, 1, 2, 5), *holds)
    untouched = [die(slot, face, thrown=False) for slot, face in PUSHED]
    seen = play(session, roll(die(0, 5), *untouched))
    assert prompt(seen) == ClashPrompt(4, Why.LAZY, "5TH DIE", idle=True)
    assert events(play(seen, *press(Button.BACK))) == events(session)
    # It is in doubt and looks like another face, so the last die stands for the held one.
    unsure = play(session, roll(die(0, 4, state=DieState.UNSURE), *untouched))
    assert isinstance(prompt(unsure), FacePrompt)
    asked = play(unsure, *press(Button.RIGHT, Button.OK))
    assert prompt(asked) == ClashPrompt(0, Why.SAME, "1ST DIE")
    assert events(play(asked, *press(Button.BACK))) == events(session)


PUSHED = ((1, 4), (2, 1), (3, 2), (4, 5))
"""Slots and faces of the dice that nobody touched."""


@pytest.mark.parametrize("state", [s for s in DieState if s is not DieState.OK])
def test_a_doubtful_die_is_entered_by_the_players(state: DieState) -> None:
    session = play(
        new_session(SOLO), roll(die(0, 1), die(1, 2), die(2, 3, state=state), die(3, 4), die(4, 5))
    )
    shown = prompt(session)
    assert isinstance(shown, FacePrompt)
    hidden = state is DieState.COVERED
    proposed = None if hidden else 3
    assert (shown.name, shown.index, shown.face, shown.state) == ("3RD DIE", 2, proposed, state)
    assert shown.dice == (1, 2, None, 4, 5)
    assert not session.record.events
    if hidden:
        # Nobody can see it: OK counts nothing, and no page says that it does.
        assert play(session, *press(Button.OK)) == session
        assert not any("OK" in page.words for page in pages(shown))
    session = play(session, *press(*[Button.RIGHT] * (1 + hidden)))
    assert isinstance(session.mode, EnteringFace)
    assert session.mode.face == 4
    session = play(session, *press(Button.BACK, Button.OK))
    assert session.record.dice == (1, 2, 4, 4, 5)


def test_a_die_that_can_be_read_at_last_is_not_asked_about_any_more() -> None:
    session = play(
        new_session(SOLO),
        roll(die(0, 1), die(1, 2), die(2, 3, state=DieState.UNSURE), die(3, 4), die(4, 6)),
    )
    assert isinstance(session.mode, EnteringFace)
    session = play(session, dice_moved(0, 0.0, (2,), (die(2, 3, thrown=False),)))
    assert events(session) == [Rolled((1, 2, 3, 4, 6))]


def test_who_turns_a_die_that_was_entered_is_asked_to_turn_it_back() -> None:
    doubt = die(2, 6, state=DieState.UNSURE)
    session = play(new_session(SOLO), roll(die(0, 1), die(1, 2), doubt, die(3, 4), die(4, 6)))
    # It is not a 6 but a 1, the next one offered.
    session = play(session, *press(Button.RIGHT, Button.OK))
    assert events(session) == [Rolled((1, 2, 1, 4, 6))]
    session = play(session, dice_moved(0, 0.0, (2,), (die(2, 6, thrown=False),)))
    assert session.mode == Turned(Slot(2), 1)


def test_a_die_that_comes_to_light_with_another_face_is_asked_about() -> None:
    four = [die(slot, face) for slot, face in enumerate((1, 2, 3, 4))]
    session = play(
        new_session(SOLO), roll(*four), *press(Button.OK, *5 * [Button.RIGHT], Button.OK)
    )
    assert events(session) == [Rolled((1, 2, 3, 4, 5))]
    lying = [replace(one, thrown=False) for one in four]
    shown = play(session, roll(*lying, die(4, 6)))
    assert prompt(shown) == ClashPrompt(4, Why.CHANGED, "5TH DIE", was=5, now=6)
    assert events(play(shown, *press(Button.OK)))[1:] == [Keep((0, 1, 2, 3)), Rolled((6,))]
    left = play(shown, *press(Button.BACK))
    assert events(left) == events(session)
    # Turned back to the face it fell with, it lies there like the others.
    turned = play(left, dice_moved(0, 0.0, (4,), (die(4, 5, thrown=False),)))
    assert isinstance(prompt(turned), DicePrompt)
    assert events(turned) == events(session)
    # Seen to roll, or with the others held by buttons, it was thrown.
    for rolled, holds in ((True, ()), (False, HOLD_BUTTONS[:4])):
        thrown = replace(die(4, 6), rolled=rolled)
        counted = play(session, *press(*holds), roll(*lying, thrown))
        assert events(counted)[1:] == [Keep((0, 1, 2, 3)), Rolled((6,))]


def test_dice_that_are_thrown_to_where_they_lay_are_a_roll() -> None:
    holds = [Button.HOLD1, Button.HOLD2, Button.HOLD3, Button.HOLD4]
    session = play(new_session(SOLO), throw(3, 3, 3, 3, 1), *press(*holds))
    for face in (5, 6):
        moved = play(session, dice_moved(0, 0.0, (4,), (die(4, face, thrown=False),)))
        assert moved.record.events[-2:] == (Keep((0, 1, 2, 3)), Rolled((face,)))
    # The same face again may be a die that was pushed.
    same = play(session, dice_moved(0, 0.0, (4,), (die(4, 1, thrown=False),)))
    assert same.record.events == session.record.events
    # One of two dice that are not held was turned.
    one = play(session, *press(Button.HOLD4), dice_moved(0, 0.0, (4,), (die(4, 5, thrown=False),)))
    assert isinstance(one.mode, Turned)
    # Nothing is held: it was turned, too.
    none = play(session, *press(*holds), dice_moved(0, 0.0, (4,), (die(4, 5, thrown=False),)))
    assert isinstance(none.mode, Turned)


def test_a_doubtful_die_may_be_thrown_again() -> None:
    doubt = roll(die(0, 1), die(1, 2), die(2, 3, state=DieState.LEANING), die(3, 4), die(4, 5))
    session = play(new_session(SOLO), doubt, dice_picked_up(0, 0.0, (2,)))
    session = play(session, rethrow((1, 2, 3, 4, 5), {2: 6}))
    assert events(session) == [Rolled((1, 2, 6, 4, 5))]


def test_too_few_or_too_many_dice_are_named_and_nothing_counts() -> None:
    session = play(new_session(SOLO), throw(1, 2, 3, 4))
    assert prompt(session) == CountPrompt("ANNA", 4, 5)
    assert not session.record.events
    again = play(session, rethrow((1, 2, 3, 4), {0: 6, 1: 6, 2: 6, 3: 6}))
    assert prompt(again) == CountPrompt("ANNA", 4, 5, again=True)
    session = play(session, rethrow((1, 2, 3, 4, 5), {4: 5}))
    assert session.record.dice == (1, 2, 3, 4, 5)
    many = play(new_session(SOLO), throw(1, 2, 3, 4, 5, 6))
    assert prompt(many) == CountPrompt("ANNA", 6, 5)


def test_a_die_that_is_not_seen_can_be_entered() -> None:
    session = play(new_session(SOLO), throw(1, 2, 3, 4), *press(Button.OK))
    shown = prompt(session)
    assert isinstance(shown, FacePrompt)
    assert (shown.name, shown.face, shown.dice) == ("5TH DIE", None, (1, 2, 3, 4, None))
    # Nobody has said yet what it shows, so OK counts nothing.
    assert events(play(session, *press(*5 * [Button.OK]))) == []
    for button, face in ((Button.LEFT, 6), (Button.RIGHT, 1)):
        entered = play(session, *press(button, Button.OK))
        assert events(entered) == [Rolled((1, 2, 3, 4, face))]


def test_a_kept_die_that_is_not_seen_keeps_its_face() -> None:
    session = play(new_session(SOLO), throw(1, 2, 3, 4, 5), *press(Button.HOLD1, Button.HOLD2))
    four = [d for d in rethrow((1, 2, 3, 4, 5), {2: 6, 3: 6, 4: 6}).dice if d.track_id != 1]
    session = play(session, roll(*four))
    assert prompt(session) == CountPrompt("ANNA", 4, 5, ("2ND DIE",))
    session = play(session, *press(Button.OK))
    assert events(session)[1:] == [Keep((0, 1)), Rolled((6, 6, 6))]


def test_held_dice_that_were_thrown_count_even_where_one_is_not_seen() -> None:
    holds = press(Button.HOLD1, Button.HOLD2, Button.HOLD3, Button.HOLD4)
    session = play(new_session(SOLO), throw(1, 2, 3, 4, 5), *holds)
    four = rethrow((1, 2, 3, 4, 5), {0: 6, 1: 6, 2: 6, 3: 6, 4: 6}).dice[:4]
    session = play(session, roll(*four), *press(Button.OK))
    shown = prompt(session)
    assert isinstance(shown, FacePrompt)
    assert shown.dice == (6, 6, 6, None, 6)
    session = play(session, *press(Button.RIGHT, Button.OK))
    assert events(session)[1:] == [Keep(()), Rolled((6, 6, 6, 1, 6))]


def test_a_thrown_die_that_is_not_seen_is_entered_whoever_is_kept() -> None:
    session = play(new_session(SOLO), throw(1, 2, 3, 4, 5))
    four = [d for d in rethrow((1, 2, 3, 4, 5), {2: 6, 3: 6}).dice if d.track_id != 3]
    session = play(session, roll(*four), *press(Button.OK, Button.RIGHT, Button.RIGHT, Button.OK))
    assert events(session)[1:] == [Keep((0, 1, 4)), Rolled((6, 2))]


def test_a_die_of_another_kind_in_the_tray_does_not_count() -> None:
    red = die(5, 6, Kind.RED)
    session = play(new_session(SOLO), roll(*throw(1, 2, 3, 4, 5).dice, red))
    assert events(session) == [Rolled((1, 2, 3, 4, 5))]
    session = play(
        session, roll(*rethrow((1, 2, 3, 4, 5), {0: 6}).dice, replace(red, thrown=False))
    )
    assert session.record.dice == (6, 2, 3, 4, 5)


def test_the_first_roll_takes_all_five() -> None:
    session = play(new_session(SOLO), rethrow((1, 2, 3, 4, 5), {0: 6, 1: 6}))
    assert prompt(session) == ClashPrompt(2, Why.LAZY, "3RD DIE")
    assert not session.record.events


def test_a_fourth_roll_is_refused() -> None:
    session = play(new_session(SOLO), throw(1, 1, 2, 2, 3))
    session = play(session, rethrow((1, 1, 2, 2, 3), {4: 4}), rethrow((1, 1, 2, 2, 4), {4: 5}))
    ask = session.record.ask
    assert isinstance(ask, Choose)
    assert ask.roll == 3
    again = play(session, rethrow((1, 1, 2, 2, 5), {4: 6}))
    assert again.record.events == session.record.events
    assert again.remark == "NO ROLLS LEFT"
    assert play(session, *press(Button.HOLD1)).remark == "NO ROLLS LEFT"


def test_an_undo_can_be_undone_until_the_next_throw() -> None:
    first = play(new_session(PAIR), throw(2, 2, 3, 3, 3), *press(Button.OK, Button.OK))
    session = play(first, throw(1, 1, 1, 1, 6), *press(Button.OK, Button.OK))
    back = press(Button.BACK, Button.OK)
    once = play(session, *back)
    twice = play(once, *back)
    asked = play(twice, *press(Button.BACK))
    shown = prompt(asked)
    assert isinstance(shown, UndoPrompt)
    assert (shown.player, shown.label, shown.again) == ("ANNA", "FULL HOUSE", True)
    assert pages(shown)
    again = play(asked, *press(Button.OK))
    assert (again.record.events, again.record.state) == (once.record.events, once.record.state)
    asked = play(again, *press(Button.BACK, Button.RIGHT))
    shown = prompt(asked)
    assert isinstance(shown, UndoPrompt)
    assert (shown.player, shown.label, shown.again) == ("BOB", "4 ALIKE", True)
    whole = play(asked, *press(Button.OK))
    assert (whole.record.events, whole.record.state) == (
        session.record.events,
        session.record.state,
    )
    assert resume(PAIR, whole.record.log).record.state == session.record.state
    assert not taken_back(whole)
    # What was read from the journal can be put back as well.
    assert taken_back(resume(PAIR, twice.record.log)) == taken_back(twice)


def test_no_undo_is_undone_once_something_else_was_thrown_or_chosen() -> None:
    first = play(new_session(PAIR), throw(2, 2, 3, 3, 3), *press(Button.OK, Button.OK))
    undone = play(first, *press(Button.BACK, Button.OK))
    assert taken_back(undone)
    held = play(undone, *press(Button.HOLD1))
    assert taken_back(held)
    other = play(undone, *press(Button.OK, Button.RIGHT, Button.OK))
    assert not taken_back(other)
    thrown = play(undone, throw(2, 2, 4, 4, 4, new={2, 3, 4}))
    assert len(thrown.record.events) == 3
    assert not taken_back(thrown)
    asked = play(thrown, *press(Button.BACK))
    assert play(asked, *press(Button.RIGHT)) == asked


def test_an_undo_names_whose_choice_it_takes_back_and_draws_what_was_held() -> None:
    session = play(
        new_session(PAIR),
        throw(2, 2, 3, 3, 3),
        *press(Button.HOLD1, Button.HOLD3),
        throw(2, 5, 3, 5, 5, new={1, 3, 4}),
        *press(Button.BACK),
    )
    shown = prompt(session)
    assert shown == UndoPrompt("ANNA", "HOLD 13", 1, (2, 2, 3, 3, 3), (0, 2))
    dice = dice_under(("ANNA", "HOLDS"), (2, 2, 3, 3, 3), (0, 2), "OK").picture
    assert dice in pages(shown)


def test_undo_is_shown_before_it_is_done_and_goes_any_number_of_steps() -> None:
    session = play(new_session(SOLO), throw(2, 2, 3, 3, 3), *press(Button.OK, Button.OK))
    session = play(session, throw(1, 1, 1, 1, 6), *press(Button.OK, Button.OK))
    asked = play(session, *press(Button.BACK))
    shown = prompt(asked)
    assert isinstance(shown, UndoPrompt)
    assert shown.label == "4 ALIKE"
    assert asked.record.events == session.record.events
    deeper = play(asked, *press(Button.LEFT))
    assert prompt(deeper) == UndoPrompt("ANNA", "FULL HOUSE", 2)
    assert prompt(play(deeper, *press(Button.RIGHT))) == shown
    assert prompt(play(deeper, *press(Button.LEFT))) == UndoPrompt("ANNA", "FULL HOUSE", 2)
    undone = play(deeper, *press(Button.OK))
    assert events(undone) == [Rolled((2, 2, 3, 3, 3))]
    assert undone.record.log[-1] == Undone(3)
    assert resume(SOLO, undone.record.log).record.state == undone.record.state
    assert isinstance(prompt(play(session, Pressed(Button.BACK, long=True))), UndoPrompt)


def test_a_misread_die_is_put_right() -> None:
    session = play(new_session(SOLO), throw(2, 2, 3, 3, 3))
    session = play(session, Pressed(Button.HOLD2, long=True), *press(Button.RIGHT, Button.OK))
    assert session.record.dice == (2, 3, 3, 3, 3)
    right = play(new_session(SOLO), throw(2, 3, 3, 3, 3))
    assert session.record.state == right.record.state


def test_dice_that_lay_there_at_start_may_count() -> None:
    lying = tuple(die(s, f, thrown=False) for s, f in enumerate((1, 2, 3, 4, 5)))
    session = play(new_session(SOLO), Found(0, 0.0, lying))
    assert isinstance(prompt(session), ClashPrompt)
    assert not session.record.events
    assert events(play(session, *press(Button.OK))) == [Rolled((1, 2, 3, 4, 5))]
    assert events(play(session, *press(Button.BACK), throw(6, 6, 6, 6, 6))) == [
        Rolled((6, 6, 6, 6, 6))
    ]


def test_dice_found_on_resuming_a_decision_change_nothing() -> None:
    session = play(new_session(SOLO), throw(1, 2, 3, 4, 5), *press(Button.HOLD1))
    back = resume(SOLO, session.record.log)
    assert back.record.holds == {0}
    lying = tuple(die(s, f, thrown=False) for s, f in enumerate((1, 2, 3, 4, 5)))
    after = play(back, Found(0, 0.0, lying))
    assert prompt(after) == replace_tray(prompt(session))


def replace_tray(shown: object) -> object:
    assert isinstance(shown, DicePrompt)
    return replace(shown, tray=TrayState.EMPTY)


def test_after_a_power_cut_dice_are_known_by_their_faces() -> None:
    session = play(new_session(SOLO), throw(4, 3, 3, 2, 4))
    # The tracker restarts and numbers the same dice from left to right as they lie.
    lying = (4, 2, 3, 4, 3)
    found = Found(0, 0.0, tuple(die(s, f, thrown=False) for s, f in enumerate(lying)))
    back = play(resume(SOLO, session.record.log), found)
    session = play(back, rethrow(lying, {1: 6}))
    assert events(session)[1:] == [Keep((0, 1, 2, 4)), Rolled((6,))]
    assert session.record.dice == (4, 3, 3, 6, 4)


def test_a_kept_die_that_shows_something_else_is_asked_about() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 3))
    clash = play(session, roll(*(die(s, f, thrown=s == 4) for s, f in enumerate((5, 6, 1, 2, 4)))))
    assert prompt(clash) == ClashPrompt(1, Why.CHANGED, "2ND DIE", was=5, now=6)
    assert clash.record.events == session.record.events
    counted = play(clash, *press(Button.OK))
    assert events(counted)[1:] == [Keep((0, 2, 3)), Rolled((6, 4))]
    refused = play(clash, *press(Button.BACK))
    assert events(refused)[1:] == [Keep((0, 1, 2, 3)), Rolled((4,))]


def test_slots_of_the_game_stay_when_the_tracker_numbers_a_foreign_die_between() -> None:
    red = TrackedDie(TrackId(2), reading(6, (60.0, 40.0), kind=Kind.RED), True)
    places = {0: 0, 1: 1, 3: 2, 4: 3, 5: 4}
    first = tuple(die(t, f) for t, f in zip(places, (1, 2, 3, 4, 5), strict=True))
    session = play(new_session(SOLO), roll(*first[:2], red, *first[2:]))
    assert session.record.dice == (1, 2, 3, 4, 5)
    again = [replace(d, thrown=False) for d in first[:4]] + [die(5, 6)]
    session = play(session, roll(*again, replace(red, thrown=False)))
    assert events(session)[1:] == [Keep((0, 1, 2, 3)), Rolled((6,))]


def test_a_roll_off_decides_who_begins() -> None:
    session = new_session(Setup("classic", ("ANNA", "BOB")))
    shown = prompt(session)
    assert isinstance(shown, ThrowPrompt)
    assert shown.player == "ANNA"
    session = play(session, throw(1, 1, 1, 1, 1), throw(6, 6, 6, 6, 6))
    shown = prompt(session)
    assert isinstance(shown, ThrowPrompt)
    assert shown.player == "BOB"
    assert shown.rolls == 3


def test_a_game_ends_and_waits_for_the_menu() -> None:
    session = new_session(SOLO)
    for _ in range(13):
        session = play(session, throw(6, 6, 6, 6, 6), *press(Button.OK, Button.OK))
        shown = prompt(session)
        if isinstance(shown, ChoicePrompt) and shown.confirm:
            session = play(session, *press(Button.OK))
        session = play(session, Cleared(0, 0.0))
    shown = prompt(session)
    assert isinstance(shown, OverPrompt)
    assert shown.winners == ("ANNA",)
    # What comes next is up to the menu: see `test_the_end_of_a_game_offers_another_one`.
    assert play(session, *press(Button.OK, Button.LEFT)) == session


faces = st.integers(1, 6)
dice_seen = st.lists(
    st.builds(
        lambda slot, face, thrown, state: die(slot, face, thrown=thrown, state=state),
        st.integers(0, 5),
        faces,
        st.booleans(),
        st.sampled_from(DieState),
    ),
    max_size=6,
    unique_by=lambda d: d.track_id,
)
good_throws = st.lists(faces, min_size=5, max_size=5).map(lambda f: throw(*f))
inputs = st.one_of(
    st.builds(Pressed, st.sampled_from(Button), st.booleans()),
    st.builds(Pressed, st.sampled_from([Button.OK, Button.RIGHT])),
    good_throws,
    good_throws,
    dice_seen.map(lambda dice: roll(*dice)),
    dice_seen.map(lambda dice: Found(0, 0.0, tuple(dice))),
    st.builds(TrayChanged, st.just(0), st.just(0.0), st.sampled_from(TrayState)),
    st.builds(dice_picked_up, st.just(0), st.just(0.0), st.just((0, 1))),
    st.builds(dice_moved, st.just(0), st.just(0.0), st.just((0,))),
    st.just(Cleared(0, 0.0)),
)


@settings(max_examples=examples(25, 150))
@given(st.sampled_from([SOLO, PAIR, Setup("classic", ("A", "B", "C"))]), st.lists(inputs))
def test_anything_may_happen_at_any_time(setup: Setup, happened: list[Input]) -> None:
    session = new_session(setup)
    for input_ in happened:
        before = session
        session = step(session, input_)
        assert pages(prompt(session))
        if session.record.serial == before.record.serial:
            assert session.record.log[: len(before.record.log)] == before.record.log
        assert replay(setup, session.record.events) == session.record.state
        assert resume(setup, session.record.log).record.state == session.record.state
        assert resume(setup, session.record.log).record.holds == session.record.holds


@settings(max_examples=examples(25, 60))
@given(st.lists(inputs, max_size=30))
def test_the_game_can_always_go_on(happened: list[Input]) -> None:
    session = new_session(SOLO)
    for input_ in happened:
        session = step(session, input_)
    filled = len([e for e in session.record.log if isinstance(e, Played)])
    for _ in range(6):
        session = step(session, Pressed(Button.BACK))
        session = step(session, Pressed(Button.OK))
    session = step(session, throw(1, 2, 3, 4, 5))
    for _ in range(4):
        session = step(session, Pressed(Button.OK))
    assert (
        len([e for e in session.record.log if isinstance(e, Played)]) > filled
        or session.record.serial > 1
    )


presses = st.lists(st.builds(Pressed, st.sampled_from(Button), st.booleans()), max_size=8)


@settings(max_examples=examples(25, 200))
@given(st.sets(st.integers(0, 4), max_size=4), dice_seen, presses)
def test_no_press_leads_to_a_roll_that_no_longer_lies_there(
    held: set[int], seen: list[TrackedDie], pressed: list[Pressed]
) -> None:
    session = play(new_session(SOLO), throw(1, 2, 3, 4, 6))
    session = play(session, *press(*(HOLD_BUTTONS[slot] for slot in held)), roll(*seen))
    for one in pressed:
        before, session = session, step(session, one)
        decides = isinstance(session.record.ask, Choose)
        if decides and session.tracked.loose and isinstance(session.mode, Playing | Browsing):
            assert isinstance(mode_behind_hint(before.mode), Playing | Browsing)


def test_dice_of_the_turn_before_that_are_found_again_are_no_throw() -> None:
    old = throw(5, 5, 1, 2, 5)
    scored = play(new_session(PAIR), old, *press(Button.OK, Button.OK))
    assert isinstance(prompt(scored), ThrowPrompt)
    # The camera was knocked, and its new place was followed: the dice have other places.
    elsewhere = tuple(replace(die, track_id=TrackId(4 - die.track_id)) for die in old.dice)
    after = play(scored, Found(0, 0.0, elsewhere))
    assert prompt(after) == prompt(scored)
    thrown = play(after, throw(1, 2, 3, 4, 6))
    assert events(thrown)[-1] == Rolled((1, 2, 3, 4, 6))
    # Other faces are a throw that nobody has seen.
    asked = play(scored, Found(0, 0.0, throw(1, 1, 1, 2, 2).dice))
    assert isinstance(prompt(asked), ClashPrompt)


def six_for_five() -> Session:
    """The second throw of a turn, into which a sixth die has got."""
    session = play(new_session(SOLO), throw(3, 5, 3, 4, 3))
    return play(session, roll(*(die(slot, face) for slot, face in enumerate((6, 6, 1, 2, 4, 5)))))


def test_of_too_many_dice_the_players_say_which_were_thrown() -> None:
    many = six_for_five()
    assert prompt(many) == CountPrompt("ANNA", 6, 5)
    entry = play(many, *press(Button.OK))
    assert prompt(entry) == EntryPrompt("ANNA", "1ST DIE", (None,) * 5, 0)
    faces = press(Button.HOLDP, Button.HOLDP, Button.HOLD1, Button.HOLD2, Button.HOLD4)
    counted = play(entry, *faces, *press(Button.OK))
    assert events(counted)[1:] == [Keep(()), Rolled((6, 6, 1, 2, 4))]
    assert isinstance(prompt(counted), DicePrompt)


def test_of_too_many_dice_held_ones_and_those_left_lying_are_not_entered() -> None:
    first = play(new_session(SOLO), throw(5, 5, 1, 2, 5))
    for left, held in (((0, 1), ()), ((), (Button.HOLD1, Button.HOLD2))):
        faces = (5, 5, 6, 6, 2, 4)
        dice = [die(slot, face, thrown=slot not in left) for slot, face in enumerate(faces)]
        entry = play(first, *press(*held), roll(*dice), *press(Button.OK))
        assert prompt(entry) == EntryPrompt("ANNA", "3RD DIE", (5, 5, None, None, None), 2)


def test_a_foreign_die_beside_the_roll_on_record_leaves_it_on_record() -> None:
    session = play(new_session(SOLO), throw(5, 5, 1, 2, 5))
    dice = [die(slot, face, thrown=slot == 5) for slot, face in enumerate((5, 5, 1, 2, 5, 4))]
    many = play(session, roll(*dice))
    assert prompt(many) == CountPrompt("ANNA", 6, 5)
    after = play(many, *press(Button.OK))
    assert isinstance(prompt(after), DicePrompt)
    assert events(after) == events(session)
    assert isinstance(prompt(play(after, *press(Button.OK))), ChoicePrompt)


@pytest.mark.parametrize("count", [6, 4])
def test_a_wrong_number_of_dice_is_not_dismissed_in_the_middle_of_a_turn(count: int) -> None:
    session = play(new_session(SOLO), throw(3, 5, 3, 4, 3))
    wrong = play(session, throw(*(6, 6, 1, 2, 4, 5)[:count]))
    assert prompt(wrong) == CountPrompt("ANNA", count, 5)
    assert play(wrong, *press(Button.BACK)) == wrong
    # Nor is it if there is nothing to undo, or the players think better of entering it.
    assert play(wrong, Pressed(Button.BACK, long=True)).mode == wrong.mode
    if count > 5:
        assert play(wrong, *press(Button.OK, Button.HOLD1, Button.BACK, Button.BACK)) == wrong
    # Before a first throw the board asks for it.
    first = play(new_session(SOLO), throw(*(6, 6, 1, 2, 4, 5)[:count]))
    assert isinstance(prompt(play(first, *press(Button.BACK))), ThrowPrompt)


def test_taking_out_or_throwing_again_ends_the_entry_of_too_many_dice() -> None:
    entry = play(six_for_five(), *press(Button.OK, Button.HOLDP))
    thrown = play(entry, throw(1, 1, 2, 2, 3))
    assert events(thrown)[1:] == [Keep(()), Rolled((1, 1, 2, 2, 3))]
    taken = play(entry, dice_picked_up(0, 0.0, (5,)))
    assert prompt(taken) == prompt(entry)
    left = play(taken, *press(Button.BACK, Button.BACK))
    assert events(left)[1:] == [Keep(()), Rolled((6, 6, 1, 2, 4))]


def test_a_miscount_is_a_value() -> None:
    assert Miscount(4, 5) == Miscount(4, 5) != Miscount(3, 5)


@pytest.mark.parametrize(
    ("faces", "asked"), [((2, 4, 4, 5, 1), True), ((3, 3, 3, 5, 5), False), ((3, 3), False)]
)
def test_dice_that_lay_there_before_a_game_and_then_lie_otherwise_are_asked_about(
    faces: tuple[int, ...], asked: bool
) -> None:
    # A camera that is slow misses the hand and the dice in flight.
    lay = tuple(die(number, face, thrown=False) for number, face in enumerate((3, 3, 3, 5, 5)))
    begun = leave_found_dice(play(new_session(PAIR), Found(1, 0.1, lay)))
    assert isinstance(prompt(begun), ThrowPrompt)
    now = tuple(die(number, face, thrown=False) for number, face in enumerate(faces))
    moved = Moved(2, 0.2, tuple(die.track_id for die in now), now)
    assert isinstance(prompt(play(begun, moved)), ClashPrompt if asked else ThrowPrompt)
    if asked:
        counted = play(begun, moved, *press(Button.OK))
        assert sorted(map(str, counted.record.dice)) == sorted(map(str, faces))

"""Throws that the camera cannot see are entered; undo, a restart and the camera's return."""

from random import Random

import pytest

from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.screens.draw import pages
from appliance.table.prompts.betting import ColourPrompt
from appliance.table.prompts.trouble import EntryPrompt
from appliance.table.prompts.turn import DicePrompt, ThrowPrompt
from appliance.table.session.modes import EnteringThrow, Playing
from appliance.table.session.prompting import prompt
from appliance.table.session.session import (
    Drawn,
    Session,
    Setup,
    Sight,
    new_session,
    resume,
)
from appliance.table.session.step import Input, step
from games.registry import GAMES
from games.values import Choose, Draw, Keep, Reveal, Rolled, Shown, Throw
from tests.builders import dice_moved, die, roll, throw
from vision.events import Cleared, Found
from vision.reading import TrayState

PAIR = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
OK, BACK, LEFT, RIGHT = Button.OK, Button.BACK, Button.LEFT, Button.RIGHT


def play(session: Session, *happened: Input | Button) -> Session:
    for one in happened:
        session = step(session, Pressed(one) if isinstance(one, Button) else one)
        assert pages(prompt(session))
    return session


def faces(*wanted: int) -> list[Button]:
    """Hold buttons that give the dice these faces, one after the other."""
    return [HOLD_BUTTONS[face - 1] for face in wanted]


def blind(setup: Setup = PAIR) -> Session:
    return play(new_session(setup), Sight(blind=True))


def test_the_board_offers_to_enter_a_throw_as_soon_as_the_camera_is_gone() -> None:
    shown = prompt(blind())
    assert isinstance(shown, ThrowPrompt)
    assert shown.blind
    seeing = prompt(new_session(PAIR))
    assert isinstance(seeing, ThrowPrompt)
    assert not seeing.blind


def test_a_throw_is_entered_by_hold_buttons_alone() -> None:
    session = play(blind(), *faces(3, 5, 5, 1, 2))
    shown = prompt(session)
    assert shown == EntryPrompt("ANNA", "5TH DIE", (3, 5, 5, 1, 2), 4)
    assert shown.can_do().says == "ANNA: the fifth die"
    assert session.record.log == ()
    session = play(session, OK)
    assert session.record.events == (Rolled((3, 5, 5, 1, 2)),)
    assert isinstance(prompt(session), DicePrompt)
    assert resume(session.record.setup, session.record.log).record.state == session.record.state


def test_a_throw_is_entered_by_left_right_and_ok() -> None:
    entry = [OK, RIGHT, OK, RIGHT, RIGHT, OK, LEFT, OK, LEFT, LEFT, OK, RIGHT, OK]
    session = play(blind(), *entry)
    assert session.record.events == (Rolled((1, 2, 6, 5, 1)),)


def test_ok_goes_to_a_die_without_a_face_and_counts_nothing_before_all_have_one() -> None:
    session = play(blind(), *faces(1, 1), OK)
    assert prompt(session) == EntryPrompt("ANNA", "3RD DIE", (1, 1, None, None, None), 2)
    assert play(session, OK).record.events == ()


def test_back_takes_faces_away_and_then_leaves() -> None:
    session = play(blind(), *faces(2, 4, 6), BACK, BACK)
    assert prompt(session) == EntryPrompt("ANNA", "2ND DIE", (2, None, None, None, None), 1)
    session = play(session, BACK)
    assert prompt(session) == EntryPrompt("ANNA", "1ST DIE", (None,) * 5, 0)
    assert play(session, BACK).mode == Playing()


def test_dice_thrown_again_are_entered_and_the_held_ones_stay() -> None:
    session = play(blind(), *faces(3, 5, 5, 1, 2), OK, HOLD_BUTTONS[1], HOLD_BUTTONS[2])
    shown = prompt(session)
    assert isinstance(shown, DicePrompt)
    assert shown.blind
    session = play(session, RIGHT)
    assert prompt(session) == EntryPrompt("ANNA", "1ST DIE", (None, 5, 5, None, None), 0)
    session = play(session, *faces(5, 5, 5), OK)
    assert session.record.events[1:] == (Keep((1, 2)), Rolled((5, 5, 5)))
    assert session.record.dice == (5, 5, 5, 5, 5)


def test_all_held_leaves_nothing_to_enter() -> None:
    session = play(blind(), *faces(3, 5, 5, 1, 2), OK, *HOLD_BUTTONS[:5], RIGHT)
    assert session.remark == "HOLD FEWER"
    assert session.mode == Playing()


def test_the_same_faces_thrown_again_are_no_doubt() -> None:
    session = play(blind(), *faces(3, 5, 5, 1, 2), OK, RIGHT, *faces(3, 5, 5, 1, 2), OK)
    assert session.mode == Playing()
    assert session.record.ask == Choose(0, 2, 3)


def test_the_power_die_has_faces_of_its_own() -> None:
    session = blind(Setup("power", ("ANNA",)))
    session = play(session, *faces(4, 4, 4, 4, 6, 4), OK)
    assert session.record.events == (Rolled((4, 4, 4, 4, 6, "double")),)


def test_the_last_face_can_be_changed_until_ok() -> None:
    entered = HOLD_BUTTONS[0], HOLD_BUTTONS[5], LEFT
    session = play(blind(Setup("showdown", ("ANNA", "BOB"))), *entered)
    assert prompt(session) == EntryPrompt("ANNA", "RED DIE", (5,), 0)
    assert play(session, OK).record.events == (Rolled((5,)),)


def holdem() -> Session:
    session = new_session(Setup("holdem", ("ANNA", "BOB"), (("stack", 100),)))
    return play(session, OK, OK, Sight(blind=True))


def test_dice_with_colours_are_entered_by_face_and_colour() -> None:
    session = holdem()
    assert isinstance(prompt(session), ThrowPrompt)
    session = play(session, *faces(4, 4, 2), OK)
    assert isinstance(prompt(session), ColourPrompt)
    asked = prompt(session)
    assert isinstance(asked, ColourPrompt)
    assert asked.kind is None
    refused = play(session, OK)
    assert (refused.mode, refused.record.log) == (session.mode, session.record.log)
    session = play(session, RIGHT, RIGHT, OK, RIGHT, OK, RIGHT, OK)
    (event,) = session.record.events[2:]
    assert isinstance(event, Shown)
    assert [die.face for die in event.dice] == [4, 4, 2]


def test_back_leads_from_the_colours_to_the_faces() -> None:
    session = play(holdem(), *faces(4, 4, 2), OK, BACK)
    assert prompt(session) == EntryPrompt("ANNA", "1ST DIE", (4, 4, 2), 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_without_a_camera(game: str) -> None:
    random = Random(5)
    options: tuple[tuple[str, bool | int | str], ...] = ()
    if game == "holdem":
        options = (("stack", 50),)
    session = blind(Setup(game, ("ANNA", "BOB"), options))
    for _ in range(6000):
        ask = session.record.ask
        if ask is None:
            break
        if isinstance(ask, Draw):
            session = step(session, Drawn(random.choice(ask.lots)))
        elif isinstance(ask, Throw | Reveal) and isinstance(session.mode, Playing):
            session = play(session, OK)
        elif isinstance(session.mode, EnteringThrow):
            left = [slot for slot, face in session.mode.faces if face is None]
            session = play(session, *[random.choice((LEFT, RIGHT))] * random.randint(1, 3), OK)
            assert left or isinstance(session.mode, Playing) or game == "holdem"
        else:
            session = play(session, random.choice((OK, OK, RIGHT)))
    else:
        pytest.fail("expected an end")
    assert resume(session.record.setup, session.record.log).record.state == session.record.state


def test_what_was_entered_can_be_put_right_and_undone() -> None:
    session = play(blind(), *faces(3, 5, 5, 1, 2), OK, OK, OK)
    assert session.record.rules.scores(session.record.state) != (0, 0)
    session = play(session, Pressed(BACK, long=True), OK)
    assert session.record.events == (Rolled((3, 5, 5, 1, 2)),)


def test_a_start_in_mid_entry_loses_no_more_than_that_throw() -> None:
    session = play(blind(), *faces(3, 5, 5, 1, 2), OK, RIGHT, *faces(1, 1))
    again = resume(session.record.setup, session.record.log)
    assert again.record.state == play(session, BACK, BACK, BACK).record.state
    assert again.record.dice == (3, 5, 5, 1, 2)


LYING = tuple(die(slot, face, thrown=False) for slot, face in enumerate((3, 5, 5, 1, 2)))


@pytest.mark.parametrize(
    "seen",
    [
        Found(9, 0.3, LYING),
        throw(3, 5, 5, 1, 2),
        dice_moved(9, 0.3, (0,), LYING[:1]),
        Cleared(9, 0.3),
    ],
)
def test_the_camera_comes_back_in_mid_entry_and_nothing_is_lost(seen: Input) -> None:
    session = play(blind(), *faces(3, 5), Sight(blind=False), seen)
    assert prompt(session) == EntryPrompt("ANNA", "3RD DIE", (3, 5, None, None, None), 2)
    session = play(session, *faces(5, 1, 2), OK)
    assert session.record.events == (Rolled((3, 5, 5, 1, 2)),)


def test_the_camera_goes_on_with_the_dice_that_were_entered() -> None:
    session = play(blind(), *faces(3, 5, 5, 1, 2), OK, Sight(blind=False), Found(9, 0.3, LYING))
    assert session.record.events == (Rolled((3, 5, 5, 1, 2)),)
    again = [die(s, f, thrown=s in (0, 3, 4)) for s, f in enumerate((6, 5, 5, 6, 6))]
    session = play(session, roll(*again))
    assert session.record.events[1:] == (Keep((1, 2)), Rolled((6, 6, 6)))


def test_dice_of_a_turn_that_was_entered_are_no_throw_of_the_next_player() -> None:
    session = play(blind(), *faces(3, 5, 5, 1, 2), OK, OK, OK, Sight(blind=False))
    session = play(session, Found(9, 0.3, LYING))
    assert session.mode == Playing()
    shown = prompt(session)
    assert isinstance(shown, ThrowPrompt)
    assert (shown.player, shown.take) == ("BOB", True)
    # The next throw in the tray is an ordinary one.
    session = play(session, Cleared(10, 1.0), throw(1, 2, 3, 4, 5))
    assert session.record.events[-1] == Rolled((1, 2, 3, 4, 5))
    assert not session.tracked.by_hand


def test_what_was_seen_before_the_camera_went_is_not_taken_for_what_lies_there_now() -> None:
    session = play(new_session(PAIR), throw(6, 6, 6, 1, 1), Sight(blind=True), RIGHT)
    session = play(session, *faces(1, 2, 3, 4, 5), OK)
    assert session.tracked.seen == ()
    assert session.tracked.places == ()


def test_dice_do_not_tumble_on_the_board_for_ever_when_the_camera_goes_while_they_roll() -> None:
    session = play(new_session(PAIR), Sight(blind=True))
    assert session.tray.state is TrayState.STILL

"""Corrections of dice can be undone, and what is waiting for an answer is not on record."""

import pytest

from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.service.dice_learning import CorrectionCount
from appliance.service.ports import Happened
from appliance.table.prompts.looking import UndoPrompt
from appliance.table.prompts.trouble import CountPrompt, FacePrompt
from appliance.table.session.prompting import prompt
from appliance.table.session.session import (
    Decided,
    Session,
    Setup,
    faces_on_record,
    new_session,
    player_choices,
    resume,
)
from appliance.table.session.step import Input, step
from games.values import Corrected, Keep, Recoloured, Rolled
from tests.builders import die, roll, throw
from vision.reading import Kind

PAIR = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
OK, BACK, LEFT, RIGHT = Button.OK, Button.BACK, Button.LEFT, Button.RIGHT
UNDO = Pressed(BACK, long=True)


def play(session: Session, *happened: Input | Button) -> Session:
    for one in happened:
        session = step(session, Pressed(one) if isinstance(one, Button) else one)
    assert resume(session.record.setup, session.record.log).record.state == session.record.state
    return session


def put_right(slot: int) -> Pressed:
    return Pressed(HOLD_BUTTONS[slot], long=True)


def test_putting_a_die_right_is_undone_by_itself() -> None:
    session = play(new_session(PAIR), throw(1, 2, 3, 4, 5), HOLD_BUTTONS[0], throw(1, 6, 6, 4, 5))
    session = play(session, put_right(2), LEFT, OK)
    (*before, right) = session.record.events
    assert isinstance(right, Corrected)
    session = play(session, UNDO)
    assert prompt(session) == UndoPrompt("ANNA", "3RD DIE SET", 1)
    # One step further is the player's own choice, as ever.
    assert isinstance(prompt(play(session, LEFT)), UndoPrompt)
    session = play(session, OK)
    assert list(session.record.events) == before


def test_each_die_is_a_step_and_the_first_throw_none() -> None:
    session = play(new_session(PAIR), throw(1, 2, 3, 4, 5))
    session = play(session, put_right(0), RIGHT, OK, put_right(1), RIGHT, OK)
    assert player_choices(session) == (1, 2)
    session = play(session, UNDO, LEFT, OK)
    assert session.record.events == (Rolled((1, 2, 3, 4, 5)),)


def test_face_and_colour_of_a_die_are_one_step() -> None:
    session = new_session(Setup("holdem", ("ANNA", "BOB"), (("stack", 100),)))
    flop = (die(0, 4, Kind.RED), die(1, 4, Kind.YELLOW), die(2, 2, Kind.BLACK))
    session = play(session, OK, OK, roll(*flop), put_right(0), RIGHT, OK, RIGHT, OK)
    assert [type(event) for event in session.record.events[-2:]] == [Corrected, Recoloured]
    assert player_choices(session) == (0, 1, 3)


def test_a_die_of_the_roll_off_is_undone_until_the_next_throw() -> None:
    setup = Setup("classic", ("ANNA", "BOB"))
    session = play(new_session(setup), throw(6, 6, 6, 6, 6), throw(1, 2, 3, 4, 5))
    asked = play(session, put_right(4))
    assert prompt(asked) == FacePrompt("5TH DIE", 4, 5, None, (1, 2, 3, 4, 5))
    session = play(asked, RIGHT, OK)
    assert session.record.events[-1] == Corrected(4, 6)
    assert player_choices(session) == (2,)
    session = play(session, throw(1, 1, 1, 2, 2))
    assert player_choices(session) == ()


def test_the_first_choice_of_a_computer_is_undone_also_after_a_correction() -> None:
    session = new_session(Setup("classic", ("ROBO *", "ANNA"), (("first", 0),)))
    session = play(session, throw(1, 2, 3, 4, 5), put_right(4), RIGHT, OK)
    session = play(session, Decided(Keep((0, 1, 2, 3))), throw(1, 2, 3, 4, 2))
    assert session.record.events[1:3] == (Corrected(4, 6), Keep((0, 1, 2, 3)))
    asked = play(session, UNDO)
    assert isinstance(prompt(asked), UndoPrompt)
    assert play(asked, OK).record.events == session.record.events[:2]


def test_dice_of_a_throw_with_an_open_question_are_not_compared_with_those_before() -> None:
    reported: list[int] = []
    count = CorrectionCount(reported.append)
    session = new_session(PAIR)
    happened: list[Input] = [
        throw(1, 2, 3, 4, 5),
        # Four dice land elsewhere, one is missing: the board asks about that.
        throw(6, 6, 6, 6, new=(0, 1, 2, 3)),
        # They are thrown again while the question is open.
        throw(6, 5, 6, 5, 6),
    ]
    for one in happened:
        session = step(session, one)
        count(Happened(0, 0.0, one, session))
        if isinstance(prompt(session), CountPrompt):
            assert faces_on_record(session) == {}
    count.finish()
    assert session.record.events[1:] == (Keep(()), Rolled((6, 5, 6, 5, 6)))
    assert reported == []


def test_the_die_of_a_roll_off_of_power_is_put_right() -> None:
    session = play(new_session(Setup("power", ("ANNA", "BOB"))), throw(6), throw(5))
    assert session.record.ask is not None and session.record.ask.seat == 0
    right = play(session, put_right(0), RIGHT, RIGHT, OK)
    assert right.record.events[-1] == Corrected(0, 1)
    tied = play(session, put_right(0), RIGHT, OK)
    assert tied.record.state.first is None
    assert play(session, put_right(1)) == session


RING = Setup("showdown", ("ANNA", "BOB"), (("first", 0),))
"""The red die moves the pawn."""
RED = 5


@pytest.mark.parametrize("black", [(), (1, 1, 1, 3, 4)])
def test_the_red_die_is_put_right_until_it_is_thrown_again(black: tuple[int, ...]) -> None:
    session = play(new_session(RING), throw(5), *([throw(*black)] if black else []))
    asked = play(session, put_right(RED))
    assert prompt(asked) == FacePrompt("RED DIE", 0, 5, None, (5,))
    assert play(asked, BACK).record == session.record
    assert play(asked, OK).record == session.record
    right = play(asked, RIGHT, OK)
    assert right.record.events[-1] == Corrected(RED, 6)
    assert right.record.state.pawns == (6, 4)
    undoes = prompt(play(right, UNDO))
    assert isinstance(undoes, UndoPrompt)
    assert undoes.label == "RED DIE SET"
    # Whoever holds dice, or presses another button, moves no pawn.
    for press in (HOLD_BUTTONS[RED], put_right(4)):
        assert play(session, press, BACK).record.state == session.record.state
    used = play(right, *([] if black else [throw(1, 1, 1, 3, 4)]), OK, OK)
    assert used.record.state.pawns[0] == 6
    assert play(used, put_right(RED)) == used


def test_the_die_of_a_roll_off_of_holdem_is_put_right_until_somebody_bets() -> None:
    setup = Setup("holdem", ("ANNA", "BOB"), (("stack", 100), ("dealer", "roll-off")))
    session = play(new_session(setup), throw(6), throw(2))
    asked = play(session, put_right(0))
    assert prompt(asked) == FacePrompt("1ST DIE", 0, 2, None, (2,))
    assert play(asked, RIGHT, OK).record.events[-1] == Corrected(0, 3)
    bet = play(session, OK)
    assert play(bet, put_right(0)) == bet


def test_a_flop_that_is_to_be_thrown_again_can_still_be_put_right() -> None:
    session = new_session(Setup("holdem", ("ANNA", "BOB"), (("stack", 100),)))
    flop = (die(0, 4, Kind.RED), die(1, 4, Kind.YELLOW), die(2, 2, Kind.BLACK))
    session = play(session, OK, OK, roll(*flop), OK, OK)
    assert session.record.ask is not None and session.record.ask.purpose == "flop-again"
    asked = play(session, put_right(1))
    assert prompt(asked) == FacePrompt("2ND DIE", 1, 4, None, (4, 4, 2))
    assert play(asked, RIGHT, OK).record.events[-1] == Corrected(1, 5)


def test_a_throw_with_a_die_missing_goes_on_after_the_red_die_was_put_right() -> None:
    session = play(new_session(RING), throw(5), throw(1, 1, 1, 3), BACK, put_right(RED), RIGHT, OK)
    assert session.record.events[-1] == Corrected(RED, 6)
    lying = [die(number, face, thrown=False) for number, face in enumerate((1, 1, 1, 3))]
    after = play(session, roll(*lying, die(4, 4)))
    assert after.record.events[-1] == Rolled((1, 1, 1, 3, 4))

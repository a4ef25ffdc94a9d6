"""Answering on a page: the face or colour that was pointed at counts for the die that was asked."""

from appliance.inputs import Button, Picked, Pressed
from appliance.service.seen_table import seen_table
from appliance.table.session.answering import question_of
from appliance.table.session.modes import EnteringFace, Playing
from appliance.table.session.picking import moment_of
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import step
from appliance.terminal.keyboard import pick_of
from tests.builders import die, throw
from tests.builders import roll as settled
from vision.reading import DieState, TrayState

SETUP = Setup("classic", ("ANNA", "BOB"), (("first", 0),))


def asked() -> Session:
    """A throw of which one die leans."""
    dice = [die(n, face) for n, face in enumerate((3, 3, 3, 5), start=1)]
    return step(new_session(SETUP, serial=7), settled(*dice, die(5, 6, state=DieState.LEANING)))


def answer(session: Session, index: int, slot: int | None = None) -> Picked:
    question = question_of(session)
    assert question is not None
    slot = question.slot if slot is None else slot
    return Picked(session.record.serial, moment_of(session).number, index, slot=slot)


def test_a_face_that_is_pointed_at_counts() -> None:
    session = asked()
    question = question_of(session)
    assert question is not None
    assert question.answers == (1, 2, 3, 4, 5, 6)
    after = step(session, answer(session, 1))
    assert isinstance(after.mode, Playing)
    assert sorted(map(str, after.record.dice)) == list("23335")


def test_the_question_is_on_the_table_until_it_is_answered() -> None:
    session = asked()
    seen = seen_table(session, TrayState.STILL).question
    question = question_of(session)
    assert seen is not None and question is not None
    assert seen.slot == question.slot
    assert seen.answers == (1, 2, 3, 4, 5, 6)
    # LEFT and RIGHT propose another: the answers stay where they are.
    other = step(session, Pressed(Button.RIGHT))
    moved = seen_table(other, TrayState.STILL).question
    assert moved is not None
    assert isinstance(other.mode, EnteringFace)
    assert (moved.answers, moved.guess) == (seen.answers, moved.answers.index(other.mode.face))
    after = step(session, answer(session, 0))
    assert seen_table(after, TrayState.STILL).question is None


def test_what_answers_another_question_does_nothing() -> None:
    session = asked()
    good = answer(session, 1)
    wrong = (
        answer(session, 6),
        answer(session, 1, slot=(good.slot or 0) + 1),
        Picked(good.game + 1, good.asked, 1, slot=good.slot),
        Picked(good.game, good.asked + 2, 1, slot=good.slot),
    )
    for pick in wrong:
        assert step(session, pick) == session
    after = step(session, good)
    # Nothing is asked any more.
    assert step(after, good) == after


def test_a_die_on_the_table_is_corrected_by_a_face() -> None:
    session = step(new_session(SETUP, serial=7), throw(3, 3, 3, 5, 5))
    session = step(session, Pressed(Button.HOLD2, long=True))
    assert isinstance(session.mode, EnteringFace)
    after = step(session, answer(session, 5))
    assert after.record.dice == (3, 6, 3, 5, 5)


def test_an_answer_as_a_page_sends_it() -> None:
    assert pick_of("pick:7:3:1:die4") == Picked(7, 3, 1, slot=4)
    assert pick_of("pick:7:3:1") == Picked(7, 3, 1)
    for action in ("pick:7:3:1:die", "pick:7:3:1:die42", "pick:7:3:1:die4:yes"):
        assert pick_of(action) is None

"""Presses while real dice roll: each counts for the dice that it was meant for, or not."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from appliance.inputs import Button, Picked, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.environment import Environment
from appliance.service.press_gate import HAND_LETS_GO_S, PRESS_AGAIN, ROLLING_AT_MOST_S
from appliance.table.prompts.betting import HandPrompt, ShowPrompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.table.session.picking import moment_of
from appliance.table.session.session import Setup
from appliance.table.session.throws import may_roll_again
from games.boxes import Score
from games.values import Keep, Rolled, Shown, Throw
from tests.appliance.service.test_menu import BACK, OK, RIGHT, Bench
from tests.appliance.table.session.test_betting import FLOP, RIVER, TURN
from tests.builders import die, roll, throw
from vision.events import Cleared, PickedUp, TrackId, TrayChanged, TrayEvent
from vision.reading import DieState, Kind, TrayState

BETS = Setup("holdem", ("ANNA", "BOB"), (("dealer", 1), ("stack", 100)))
PAIR = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
EVERY = tuple(TrackId(number) for number in range(5))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Bench]:
    with Journal(tmp_path / "games") as journal:
        desk = Bench(journal, load_session(journal, PAIR), Environment())
        happens(desk, tray(TrayState.MOVING), tray(TrayState.STILL), throw(3, 3, 3, 5, 5))
        yield desk


def tray(state: TrayState) -> TrayChanged:
    return TrayChanged(0, 0.0, state)


def happens(desk: Bench, *events: TrayEvent) -> None:
    desk.watcher.events = list(events)
    desk.feed()


def wait(desk: Bench, seconds: float) -> None:
    desk.feed(count=round(10 * seconds) + 1)


def full_house(desk: Bench) -> Picked:
    session = desk.appliance.session
    return Picked(session.record.serial, moment_of(session).number, 0)


def events_of(desk: Bench) -> list[object]:
    return list(desk.appliance.session.record.events)


def test_what_is_taken_while_the_dice_roll_is_not_taken_with_those_before(desk: Bench) -> None:
    """TWOS was scored with the old dice, and the throw became the next player's first."""
    desk.press(OK)
    happens(desk, tray(TrayState.MOVING), tray(TrayState.ROLLING))
    desk.press(OK)
    desk.appliance.pick(full_house(desk))
    assert len(events_of(desk)) == 1
    happens(desk, tray(TrayState.STILL), throw(1, 1, 2, 6, 6))
    assert events_of(desk)[1:] == [Keep(()), Rolled((1, 1, 2, 6, 6))]
    shown = desk.shows()
    assert isinstance(shown, DicePrompt)
    assert shown.remark == PRESS_AGAIN
    desk.press(OK, OK)
    assert isinstance(events_of(desk)[-1], Score)


def test_what_is_taken_as_a_shadow_passes_counts_a_moment_later(desk: Bench) -> None:
    desk.press(OK)
    happens(desk, tray(TrayState.MOVING))
    desk.press(OK)
    assert isinstance(desk.shows(), ChoicePrompt)
    happens(desk, tray(TrayState.STILL))
    assert isinstance(desk.shows(), ThrowPrompt)
    assert isinstance(events_of(desk)[-1], Score)


def test_dice_are_held_and_lists_open_while_something_moves(desk: Bench) -> None:
    happens(desk, tray(TrayState.MOVING))
    desk.press(Button.HOLD1)
    assert desk.appliance.session.record.holds == {0}
    desk.press(OK)
    desk.press(RIGHT)
    assert isinstance(shown := desk.shows(), ChoicePrompt)
    assert shown.index == 1


def test_whoever_gathers_the_dice_waits_half_a_second_for_the_box(desk: Bench) -> None:
    desk.press(OK)
    happens(desk, tray(TrayState.HAND))
    desk.press(OK)
    assert isinstance(desk.shows(), ChoicePrompt)
    wait(desk, HAND_LETS_GO_S)
    assert isinstance(events_of(desk)[-1], Score)


def test_the_hand_that_throws_is_told_from_the_one_that_gathers(desk: Bench) -> None:
    desk.press(OK)
    happens(desk, tray(TrayState.HAND))
    desk.press(OK)
    happens(desk, tray(TrayState.MOVING))
    wait(desk, HAND_LETS_GO_S)
    happens(desk, tray(TrayState.STILL), throw(1, 1, 2, 6, 6))
    assert len(desk.appliance.session.record.events) == 3


def test_the_box_is_taken_once_the_dice_were_taken_out(desk: Bench) -> None:
    desk.press(OK)
    happens(desk, tray(TrayState.MOVING))
    desk.press(OK)
    happens(desk, PickedUp(0, 0.0, EVERY), Cleared(0, 0.0), tray(TrayState.EMPTY))
    assert isinstance(events_of(desk)[-1], Score)


@pytest.mark.parametrize("then", [TrayState.MOVING, TrayState.ROLLING])
def test_what_moves_for_longer_than_dice_roll_hinders_nobody(desk: Bench, then: TrayState) -> None:
    """Since anything moved: being told to roll begins nothing anew."""
    desk.press(OK)
    happens(desk, tray(TrayState.MOVING))
    wait(desk, ROLLING_AT_MOST_S - 2)
    happens(desk, tray(then))
    desk.press(OK)
    assert len(events_of(desk)) == 1, "it waits for what may be rolling"
    wait(desk, 2)
    assert isinstance(events_of(desk)[-1], Score)


def test_after_the_last_roll_nothing_waits(desk: Bench) -> None:
    for faces in ((1, 1, 2, 6, 6), (1, 2, 2, 4, 6)):
        happens(desk, tray(TrayState.MOVING), tray(TrayState.STILL), throw(*faces))
    desk.press(OK)
    happens(desk, tray(TrayState.MOVING))
    desk.press(OK)
    assert isinstance(events_of(desk)[-1], Score)


def test_a_question_that_comes_up_is_not_answered_by_what_was_pressed_before(desk: Bench) -> None:
    happens(desk, tray(TrayState.MOVING))
    doubt = [die(slot, 2, state=DieState.UNSURE if slot == 1 else DieState.OK) for slot in EVERY]
    desk.keys.presses.append(Pressed(OK))
    happens(desk, tray(TrayState.STILL), roll(*doubt))
    assert isinstance(desk.shows(), FacePrompt)
    # Thrown again: what was meant for the die before is not taken for this one.
    happens(desk, tray(TrayState.MOVING))
    desk.press(OK)
    happens(desk, tray(TrayState.STILL), throw(6, 6, 6, 6, 6))
    assert events_of(desk)[1:] == [Keep(()), Rolled((6, 6, 6, 6, 6))]


def test_presses_that_waited_at_a_die_declare_no_hand(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        desk = Bench(journal, load_session(journal, BETS), Environment())
        # Somebody has to bet at the flop.
        for count, does in ((0, OK), (3, RIGHT), (4, OK), (5, OK)):
            if count:
                happens(desk, tray(TrayState.STILL), roll(*(*FLOP, TURN, RIVER)[:count]))
            for button in (does, OK) if does is OK else (does, OK, OK):
                wait(desk, 8)
                desk.press(button)
        wait(desk, 8)
        assert isinstance(desk.shows(), ShowPrompt)
        doubtful = die(6, 1, Kind.WHITE, state=DieState.UNSURE)
        happens(desk, tray(TrayState.STILL), roll(die(5, 6, Kind.RED), doubtful))
        assert isinstance(desk.shows(), FacePrompt)
        happens(desk, tray(TrayState.MOVING))
        for _ in range(12):
            desk.press(OK)
        wait(desk, ROLLING_AT_MOST_S)
        assert isinstance(events_of(desk)[-1], Shown)
        assert isinstance(desk.shows(), HandPrompt)


def test_a_press_at_a_notice_is_not_for_what_it_covers(desk: Bench) -> None:
    desk.press(OK)
    assert isinstance(desk.shows(), ChoicePrompt)
    happens(desk, tray(TrayState.MOVING))
    # It goes by itself before it is known what moves there.
    desk.appliance.say(("CAMERA WORKS", "PLAY ON"))
    wait(desk, 1)
    desk.press(OK)
    wait(desk, 2 * ROLLING_AT_MOST_S)
    assert isinstance(desk.shows(), ChoicePrompt)
    assert len(events_of(desk)) == 1


def test_nothing_is_undone_while_dice_roll(desk: Bench) -> None:
    desk.press(OK)
    desk.press(OK)
    events = desk.appliance.session.record.events
    desk.press(BACK)
    happens(desk, tray(TrayState.MOVING))
    desk.press(OK)
    happens(desk, tray(TrayState.STILL), throw(1, 1, 2, 6, 6))
    assert desk.appliance.session.record.events == (*events, Rolled((1, 1, 2, 6, 6)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_no_press_at_any_moment_takes_dice_while_others_roll(tmp_path: Path, seed: int) -> None:
    random = Random(seed)

    def press(desk: Bench) -> None:
        for _ in range(random.randrange(5)):
            desk.press(random.choice((OK, OK, RIGHT, BACK, Button.HOLD1)))
            if random.random() < 0.3:
                desk.appliance.pick(full_house(desk))

    with Journal(tmp_path / "games") as journal:
        desk = Bench(journal, load_session(journal, PAIR), Environment())
        for _ in range(12):
            happens(desk, tray(TrayState.HAND))
            press(desk)
            session = desk.appliance.session
            happens(desk, tray(TrayState.MOVING))
            press(desk)
            faces = tuple(random.randint(1, 6) for _ in range(5))
            happens(desk, tray(TrayState.STILL), throw(*faces))
            now = desk.appliance.session
            if may_roll_again(session) or isinstance(session.record.ask, Throw):
                assert now.record.events[: len(session.record.events)] == session.record.events
                new = now.record.events[len(session.record.events) :]
                assert not [event for event in new if not isinstance(event, Keep | Rolled)]
            press(desk)

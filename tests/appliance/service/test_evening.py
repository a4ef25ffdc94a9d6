"""The evening goes on: the camera fails and comes back, players leave and join, nobody plays."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.alerts import Alert
from appliance.cli.shared.starting import environment_from
from appliance.config import Config
from appliance.inputs import HOLD_BUTTONS, SHUT_DOWN
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.environment import Environment
from appliance.table.menu.prompting import ListPrompt, NoticePrompt, QuestionPrompt, RollOffPrompt
from appliance.table.prompts.trouble import CountPrompt, EntryPrompt, FacePrompt
from appliance.table.prompts.turn import DicePrompt, ThrowPrompt
from appliance.table.session.session import Session, Setup
from games.values import Left, Rolled
from tests.appliance.service.test_menu import BACK, MENU, OK, PAIR, RIGHT, Bench
from tests.appliance.table.scripted import ScriptedWatcher
from tests.builders import die, throw
from vision.events import Found, TrayChanged
from vision.reading import TrayState

THREE = Setup("classic", ("ANNA", "BOB", "CLEO"), (("first", 1),))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "games") as made:
        yield made


def bench(
    journal: Journal,
    setup: Setup = PAIR,
    environment: Environment | None = None,
    **world: Any,
) -> Bench:
    return Bench(journal, load_session(journal, setup), environment, **world)


def shown_soon(bench: Bench, frames: int = 50) -> set[Picture | None]:
    """Everything the board shows for five seconds."""
    seen = set()
    for _ in range(frames):
        bench.feed()
        seen.add(bench.appliance.picture)
    return seen


# ------------------------------------------------------------------ without a camera


@pytest.mark.parametrize("alert", [Alert.CAMERA_GONE, Alert.DARK, Alert.TRAY_MOVED])
def test_a_throw_is_entered_while_the_camera_sees_nothing(journal: Journal, alert: Alert) -> None:
    desk = bench(journal)
    desk.appliance.warn(alert, blind=True)
    shown = desk.shows()
    assert isinstance(shown, ThrowPrompt)
    assert shown.blind
    desk.press(*(HOLD_BUTTONS[face - 1] for face in (3, 5, 5, 1, 2)))
    # The fault is already known: it does not get in the way of the presses.
    assert len(shown_soon(desk)) == 2
    desk.press(OK)
    assert isinstance(desk.shows(), DicePrompt)
    saved = load_session(journal, None)
    assert saved.record.events == (Rolled((3, 5, 5, 1, 2)),)


def test_the_camera_finds_what_was_entered_when_it_is_back(journal: Journal) -> None:
    fresh = ScriptedWatcher()
    desk = bench(journal, tray={"watch": lambda: fresh})
    desk.appliance.warn(Alert.CAMERA_GONE, blind=True)
    desk.press(*[HOLD_BUTTONS[0]] * 5, OK)
    desk.appliance.warn()
    assert desk.shows() == NoticePrompt((("CAMERA WORKS", "PLAY ON"),))
    assert fresh.expected == 5
    fresh.events = [TrayChanged(8, 0.2, TrayState.MOVING)]
    desk.feed()
    assert isinstance(desk.shows(), NoticePrompt)
    lying = tuple(die(slot, 1, thrown=False) for slot in range(5))
    fresh.events = [Found(9, 0.3, lying)]
    desk.feed()
    fresh.events = [throw(1, 1, 1, 1, 6, new={4})]
    desk.feed()
    assert desk.appliance.session.record.dice == (1, 1, 1, 1, 6)


def test_the_camera_comes_back_in_mid_entry(journal: Journal) -> None:
    fresh = ScriptedWatcher()
    desk = bench(journal, tray={"watch": lambda: fresh})
    desk.appliance.warn(Alert.BLACK, blind=True)
    desk.press(RIGHT)
    desk.appliance.warn()
    assert desk.shows() == NoticePrompt(
        (("CAMERA WORKS", "BUT FIRST"), ("ENTER ALL DICE", "OF THIS ROLL"))
    )
    fresh.events = [throw(6, 6, 6, 6, 6)]
    desk.feed()
    desk.press(*[OK, RIGHT] * 4)
    shown = desk.shows()
    assert shown == EntryPrompt("ANNA", "5TH DIE", (1,) * 5, 4)
    desk.press(OK)
    assert desk.appliance.session.record.events == (Rolled((1,) * 5),)


def test_a_camera_that_was_gone_for_a_moment_changes_nothing(journal: Journal) -> None:
    def never() -> ScriptedWatcher:
        raise AssertionError("expected the same watcher")

    desk = bench(journal, tray={"watch": never})
    desk.appliance.warn(Alert.CAMERA_GONE, blind=True)
    desk.appliance.warn()
    desk.watcher.events = [throw(1, 2, 3, 4, 5)]
    desk.feed()
    assert desk.appliance.session.record.events == (Rolled((1, 2, 3, 4, 5)),)


def test_a_new_game_knows_that_the_camera_is_gone(journal: Journal) -> None:
    desk = Bench(journal, None, environment_from(Config()))
    desk.appliance.warn(Alert.CAMERA_GONE, blind=True)
    desk.choose("NEW GAME")
    desk.choose("SHOWDOWN")
    desk.choose("2 PLAYERS")
    desk.choose("PLAYER 1")
    desk.choose("PLAYER 2")
    desk.choose("STOP")
    desk.choose("PLAYER 2")
    shown = desk.shows()
    assert isinstance(shown, ThrowPrompt)
    assert (shown.player, shown.blind) == ("PLAYER 2", True)


def test_who_begins_can_be_entered_too(journal: Journal) -> None:
    desk = Bench(journal, None, environment_from(Config()))
    desk.watcher.events = [TrayChanged(1, 0.1, TrayState.MOVING)]
    desk.feed()
    desk.appliance.warn(Alert.CAMERA_GONE, blind=True)
    desk.choose("NEW GAME")
    desk.choose("SHOWDOWN")
    desk.choose("2 PLAYERS")
    desk.choose("PLAYER 1")
    desk.choose("PLAYER 2")
    desk.choose("STOP")
    desk.choose("ROLL-OFF")
    shown = desk.shows()
    assert shown == RollOffPrompt("PLAYER 1", False, None, TrayState.STILL, blind=True)
    desk.press(OK, RIGHT, RIGHT, OK, OK, RIGHT, OK)
    ends = desk.shows()
    assert isinstance(ends, ThrowPrompt)
    assert ends.player == "PLAYER 1"


# ------------------------------------------------------------------ leaving and joining


def test_a_player_leaves_by_the_menu_and_it_is_on_disk(journal: Journal) -> None:
    desk = bench(journal, THREE)
    desk.feed(MENU)
    desk.choose("PLAYERS")
    shown = desk.shows()
    assert shown == ListPrompt("WHO LEAVES?", ("ANNA",), 0, 4)
    desk.choose("BOB")
    assert desk.shows() == QuestionPrompt("LEAVES?", player="BOB")
    assert load_session(journal, None).record.events == (), "one OK too many throws nobody out"
    desk.press(OK)
    pages = (("BOB", "HAS LEFT"), ("MISTAKE?", "UNDO IT"), ("CLEO", "YOUR TURN"))
    assert desk.shows() == NoticePrompt(pages)
    assert load_session(journal, None).record.events == (Left(1),)
    # It can be undone like any choice, once the notice is gone.
    desk.press(BACK)
    desk.pause()
    desk.press(BACK, OK)
    assert desk.appliance.session.record.events == ()


def test_who_is_in_the_middle_of_a_turn_goes_on_when_another_leaves(journal: Journal) -> None:
    desk = bench(journal, THREE)
    desk.watcher.events = [throw(1, 1, 1, 2, 3)]
    desk.feed()
    desk.press(HOLD_BUTTONS[0], HOLD_BUTTONS[1])
    desk.feed(MENU)
    desk.choose("PLAYERS")
    desk.choose("CLEO")
    assert desk.appliance.session.record.holds == {0, 1}
    assert load_session(journal, None).record.holds == {0, 1}


def test_a_question_about_a_throw_stays_open_when_another_leaves(journal: Journal) -> None:
    desk = bench(journal, THREE)
    desk.watcher.events = [throw(1, 1, 1, 2)]
    desk.feed()
    asked = desk.shows()
    assert isinstance(asked, CountPrompt)
    desk.feed(MENU)
    desk.choose("PLAYERS")
    desk.choose("CLEO")
    desk.press(OK, OK)
    assert desk.shows() == asked, "the press took the notice away"
    desk.pause()
    desk.press(OK)
    assert isinstance(desk.shows(), FacePrompt), "what OK does is on every page"
    desk.pause()
    desk.press(RIGHT, OK)
    assert isinstance(desk.shows(), DicePrompt)


def joined(desk: Bench, name: str = "DORA") -> Session:
    desk.feed(MENU)
    desk.choose("PLAYERS")
    desk.choose("ONE MORE")
    desk.choose(name)
    return desk.appliance.session


def with_dora(journal: Journal, setup: Setup) -> Bench:
    load_session(journal, Setup("classic", ("DORA",)), fresh=True)
    desk = Bench(journal, load_session(journal, setup, fresh=True), Environment())
    desk.appliance.console = desk.appliance.console.with_settings(
        desk.appliance.console.settings.with_game_begun(Setup("classic", ("DORA",)))
    )
    return desk


def test_who_comes_late_plays_last_in_the_first_round(journal: Journal) -> None:
    desk = with_dora(journal, THREE)
    desk.watcher.events = [throw(1, 1, 1, 2, 3)]
    desk.feed()
    desk.press(OK, OK)
    before = desk.appliance.session
    session = joined(desk)
    assert desk.shows() == NoticePrompt((("DORA", "JOINS"), ("PLAYS LAST", "THIS ROUND")))
    # Seats go round: Bob began, so Dora sits before him.
    assert session.record.setup.players == ("ANNA", "DORA", "BOB", "CLEO")
    assert session.record.events == before.record.events
    names = session.record.setup.players
    order = [names[session.record.state.seat]]
    for _ in range(2):
        desk.press(BACK)
        desk.pause()
        desk.watcher.events = [throw(1, 2, 3, 4, 6)]
        desk.feed()
        desk.press(OK, OK, OK)
        order.append(names[desk.appliance.session.record.state.seat])
    assert order == ["CLEO", "ANNA", "DORA"]
    assert load_session(journal, None).record.state == desk.appliance.session.record.state
    # The game without Dora is kept.
    assert desk.appliance.console.kept.aside[0].players == THREE.players


def test_the_roll_off_is_not_thrown_again_for_who_joins(journal: Journal) -> None:
    desk = with_dora(journal, Setup("power", ("ANNA", "BOB")))
    for face in (3, 5):
        desk.watcher.events = [throw(face)]
        desk.feed()
    session = joined(desk)
    assert session.record.setup.players == ("ANNA", "DORA", "BOB")
    assert session.record.state.seat == 2


@pytest.mark.parametrize(
    ("setup", "throws", "why"),
    [
        (Setup("showdown", ("ANNA", "BOB")), [], ("NOBODY JOINS", "THIS GAME")),
        (Setup("classic", ("ANNA", "BOB")), [(1, 2, 3, 4, 5)], ("NOT YET:", "WHO BEGINS?")),
        (Setup("power", tuple("ABCDEF"), (("first", 0),)), [], ("THE TABLE", "IS FULL")),
        (Setup("classic", ("ANNA",)), [(1, 2, 3, 4, 5)], ("TOO LATE", "TO JOIN")),
    ],
)
def test_where_nobody_may_join_the_board_says_why(
    journal: Journal, setup: Setup, throws: list[tuple[int, ...]], why: tuple[str, str]
) -> None:
    desk = bench(journal, setup)
    for faces in throws:
        desk.watcher.events = [throw(*faces)]
        desk.feed()
        desk.press(OK, OK)
    if isinstance(desk.shows(), NoticePrompt):
        # It says what the game waits for.
        desk.press(OK)
    desk.feed(MENU)
    desk.choose("PLAYERS")
    desk.choose("ONE MORE")
    assert desk.shows() == NoticePrompt((why, ("JOIN IN THE", "NEXT GAME")))


# ------------------------------------------------------------------ nobody plays

DARK = Picture()


def resting(journal: Journal) -> tuple[Bench, list[int]]:
    levels: list[int] = []
    environment = Environment(brightness=8, dim_after_s=5.0, dark_after_s=10.0)
    desk = bench(journal, environment=environment, dim=levels.append)
    desk.feed()
    assert levels == [8]
    return desk, levels


def test_a_board_that_nobody_looks_at_dims_and_goes_dark(journal: Journal) -> None:
    desk, levels = resting(journal)
    desk.feed(count=49)
    assert levels == [8]
    desk.feed(count=2)
    assert levels == [8, 2]
    assert desk.board.picture != DARK
    desk.feed(count=50)
    assert desk.board.picture == DARK
    # Faults wait until somebody is there.
    desk.appliance.warn(Alert.CAMERA_GONE, blind=True)
    assert shown_soon(desk) == {DARK}


def test_the_press_that_wakes_the_board_does_nothing_else(journal: Journal) -> None:
    desk, levels = resting(journal)
    desk.watcher.events = [throw(1, 2, 3, 4, 5)]
    desk.feed()
    desk.press(HOLD_BUTTONS[0])
    desk.feed(count=120)
    assert desk.board.picture == DARK
    assert desk.keys.lit == frozenset()
    desk.press(HOLD_BUTTONS[1])
    assert desk.board.picture != DARK
    assert levels[-1] == 8
    assert desk.appliance.session.record.holds == {0}
    assert desk.keys.lit == {0}
    desk.press(HOLD_BUTTONS[1])
    assert desk.appliance.session.record.holds == {0, 1}


def test_a_press_on_a_dimmed_board_counts(journal: Journal) -> None:
    desk, levels = resting(journal)
    desk.watcher.events = [throw(1, 2, 3, 4, 5)]
    desk.feed(count=70)
    assert levels[-1] == 2
    desk.press(HOLD_BUTTONS[1])
    assert desk.appliance.session.record.holds == {1}
    assert levels[-1] == 8


def test_a_hand_in_the_tray_wakes_the_board(journal: Journal) -> None:
    desk, _ = resting(journal)
    desk.feed(count=120)
    desk.watcher.events = [TrayChanged(1, 0.1, TrayState.HAND)]
    desk.feed()
    assert desk.board.picture != DARK


def test_shutting_down_works_in_the_dark(journal: Journal) -> None:
    desk, _ = resting(journal)
    desk.feed(count=120)
    desk.feed(SHUT_DOWN)
    assert desk.shows() == QuestionPrompt("SHUT DOWN?")


def test_without_times_the_board_stays_as_it_is(journal: Journal) -> None:
    desk = bench(journal)
    desk.feed(count=3)
    desk.appliance.tick(1e6)
    assert desk.board.picture != DARK
    assert isinstance(desk.shows(), ThrowPrompt)


# ------------------------------------------------------------------ presses that do nothing


def test_a_press_that_changes_nothing_is_answered_with_what_is_waited_for(
    journal: Journal,
) -> None:
    desk = bench(journal)
    for button in (HOLD_BUTTONS[0], OK, HOLD_BUTTONS[4]):
        desk.press(button)
        assert desk.shows() == NoticePrompt((("ANNA", "THROWS 5 DICE"),))
        desk.feed(count=40)
        assert isinstance(desk.shows(), ThrowPrompt)
    desk.watcher.events = [throw(1, 1, 1, 2, 3)]
    desk.feed()
    desk.press(HOLD_BUTTONS[0])
    assert isinstance(desk.shows(), DicePrompt)


def test_a_throw_takes_the_answer_away(journal: Journal) -> None:
    desk = bench(journal)
    desk.press(OK)
    desk.watcher.events = [throw(1, 1, 1, 2, 3)]
    desk.feed()
    assert isinstance(desk.shows(), DicePrompt)

"""A press while the board shows something else than the question only brings the question up."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from appliance.alerts import Alert
from appliance.devices.buzzer import Silence, Sound
from appliance.devices.stick import ANSWER_FILE, StickFolder
from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.journal.summary import resume_saved
from appliance.screens.draw import pages
from appliance.screens.drawing.layout import two_lines
from appliance.service.environment import Environment
from appliance.service.ports import Activity
from appliance.service.presenter import NO_ALERT_AFTER_PRESS_S
from appliance.service.presses import DICE_OR_LIST
from appliance.service.view import Viewer
from appliance.table.menu.prompting import ListPrompt, NoticePrompt, QuestionPrompt
from appliance.table.prompts.betting import BetPrompt
from appliance.table.prompts.looking import UndoPrompt
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session.session import Holding, Setup
from appliance.words import say
from games.chance import random_game
from games.computers import Strength, computer_name
from games.holdem.state import Check
from games.registry import GAMES
from tests.appliance.service.test_menu import MENU, PAIR, Bench, FakeActivity, save_finished
from tests.builders import die, roll, throw
from tests.rigs.at_table import AtTable
from tests.rigs.examples import examples
from vision.reading import DieState

OK, BACK, RIGHT = Button.OK, Button.BACK, Button.RIGHT


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "games") as made:
        yield made


def with_throw(journal: Journal) -> Bench:
    bench = Bench(journal, load_session(journal, PAIR), Environment())
    bench.watcher.events = [throw(2, 3, 4, 5, 5)]
    bench.feed()
    return bench


def lines(alert: Alert) -> tuple[str, str]:
    upper, lower = alert.lines
    return say(upper), say(lower)


@pytest.mark.parametrize("alert", [Alert.LITTLE_LIGHT, Alert.DISK_FULL, Alert.TRAY_MOVED])
def test_ok_under_an_alert_scores_nothing(journal: Journal, alert: Alert) -> None:
    bench = with_throw(journal)
    bench.press(OK)
    asked, before = bench.shows(), bench.appliance.session
    assert isinstance(asked, ChoicePrompt)
    bench.appliance.warn(alert)
    bench.feed()
    assert bench.board.picture == two_lines(*lines(alert))
    bench.press(OK)
    assert (bench.shows(), bench.appliance.session) == (asked, before)
    assert bench.board.picture in pages(asked)
    bench.press(OK)
    assert len(bench.appliance.session.record.events) == len(before.record.events) + 1


def test_each_of_several_alerts_has_its_turn(journal: Journal) -> None:
    bench = with_throw(journal)

    def shown(seconds: int) -> list[Alert]:
        """The alerts that were up within a time, in order; frames come ten times a second."""
        seen = list[Alert]()
        for _ in range(10 * seconds):
            bench.feed()
            up = [a for a in Alert if bench.board.picture == two_lines(*lines(a))]
            seen += [alert for alert in up if seen[-1:] != [alert]]
        return seen

    full, dark, moved = Alert.DISK_FULL, Alert.DARK, Alert.TRAY_MOVED
    bench.appliance.warn(full, moved)
    assert shown(40)[:4] == [full, moved, full, moved]
    # What is new comes before what was told already, however urgent that is.
    bench.appliance.warn(full, dark, moved)
    assert shown(1) == [dark]
    assert set(shown(40)) == {full, dark, moved}
    bench.appliance.warn(moved)
    assert shown(20) == [moved]


def test_who_presses_on_is_not_held_up_by_an_alert(journal: Journal) -> None:
    bench = with_throw(journal)
    bench.appliance.warn(Alert.LITTLE_LIGHT)
    bench.feed()
    bench.press(OK)
    assert isinstance(bench.shows(), DicePrompt)
    seen = []
    for _ in range(int(NO_ALERT_AFTER_PRESS_S * 10) + 20):
        bench.feed()
        seen.append(bench.board.picture)
    warning = two_lines(*lines(Alert.LITTLE_LIGHT))
    # Frames come ten times a second.
    assert abs(seen.index(warning) - 10 * NO_ALERT_AFTER_PRESS_S) <= 2
    bench.press(BACK)
    for button in (OK, RIGHT, RIGHT):
        bench.press(button)
        bench.feed(count=int(NO_ALERT_AFTER_PRESS_S * 10) - 5)
    shown = bench.shows()
    assert isinstance(shown, ChoicePrompt)
    assert shown.index == 2, "each press counts"


def test_the_menu_opens_over_an_alert(journal: Journal) -> None:
    bench = with_throw(journal)
    bench.appliance.warn(Alert.TRAY_MOVED)
    bench.feed()
    bench.feed(MENU)
    assert isinstance(bench.shows(), ListPrompt)


def test_an_alert_over_the_calibration_takes_the_first_press(journal: Journal) -> None:
    activity = FakeActivity()

    def calibrate() -> Activity:
        return activity

    bench = Bench(journal, None, tray={"calibrate": calibrate})
    bench.choose("CALIBRATE")
    bench.appliance.warn(Alert.CAMERA_GONE)
    bench.feed()
    bench.press(RIGHT)
    assert activity.heard == []
    bench.press(RIGHT)
    assert activity.heard == [Pressed(RIGHT)]


def test_ok_during_the_fireworks_begins_no_game(journal: Journal) -> None:
    events, _ = random_game(GAMES["classic"], ("ANNA", "BOB"), {}, Random(1))
    save_finished(journal, events)
    bench = Bench(journal, resume_saved(journal.load(1)), Environment())
    bench.feed()
    over = bench.shows()
    assert isinstance(over, OverPrompt)
    assert bench.board.picture not in pages(over)
    bench.press(OK)
    assert bench.shows() == over
    assert bench.board.picture == pages(over)[0]
    bench.pause()
    bench.press(OK)
    assert bench.shows() == QuestionPrompt("PLAY AGAIN?")
    bench.press(OK)
    assert not bench.appliance.console.over
    assert bench.appliance.session.record.serial == 2


def test_ok_on_a_sticks_notice_at_the_end_begins_no_game(journal: Journal, tmp_path: Path) -> None:
    events, _ = random_game(GAMES["classic"], ("ANNA", "BOB"), {}, Random(1))
    save_finished(journal, events)
    desk = StickFolder(tmp_path, tmp_path, lambda: 1e9)
    bench = Bench(journal, resume_saved(journal.load(1)), stick=desk)
    bench.feed(count=40)
    desk.put(ANSWER_FILE, "SAVED", "1 GAMES", "PULL OUT", "THE STICK")
    bench.feed(count=21)
    assert bench.shows() == NoticePrompt((("SAVED", "1 GAMES"), ("PULL OUT", "THE STICK")))
    bench.press(OK)
    assert isinstance(bench.shows(), OverPrompt)
    assert bench.appliance.session.record.serial == 1


def test_ok_on_what_was_bet_before_bets_nothing(journal: Journal) -> None:
    setup = Setup("holdem", ("ANNA", "BOB", "CLEO"), (("dealer", 0),))
    bench = Bench(journal, load_session(journal, setup), Environment())
    bench.feed(count=100)
    bench.press(OK)
    assert bench.appliance.session.record.events, "whichever page is up"
    asked, before = bench.shows(), bench.appliance.session
    assert isinstance(asked, BetPrompt)
    assert asked.news
    assert bench.board.picture not in pages(asked)[:1]
    viewer = Viewer(lambda: None, hands=True)
    assert viewer.view(bench.appliance).line == "CLEO: p shows your own dice, ENTER continues"
    bench.press(OK)
    assert "ENTER chooses" in viewer.view(bench.appliance).line
    assert bench.appliance.session == before
    assert bench.board.picture == pages(asked)[0]
    bench.pause()
    bench.press(OK)
    assert len(bench.appliance.session.record.events) > len(before.record.events)


def test_ok_on_welcome_back_hurries_no_computer(journal: Journal) -> None:
    setup = Setup("classic", (computer_name(Strength.BEST, ()), "ANNA"), (("first", 0),))
    first = Bench(journal, load_session(journal, setup), Environment())
    first.watcher.events = [throw(2, 3, 4, 5, 5)]
    first.feed()
    bench = Bench(journal, load_session(journal, None), Environment())
    bench.feed()
    before = bench.appliance.session
    assert isinstance(bench.shows(), NoticePrompt)
    bench.press(OK)
    assert bench.appliance.session == before
    assert isinstance(bench.shows(), DicePrompt)
    bench.pause()
    bench.press(OK)
    assert bench.appliance.session != before


def test_a_notice_that_nobody_has_seen_takes_no_press_away(journal: Journal) -> None:
    bench = with_throw(journal)
    bench.press(OK, OK)
    scored = bench.appliance.session
    bench.press(BACK)
    assert isinstance(bench.shows(), UndoPrompt)
    # The first of two presses at once means nothing here, which a notice would say.
    bench.feed(Pressed(Button.HOLD1), Pressed(OK))
    assert len(bench.appliance.session.record.events) == len(scored.record.events) - 1
    bench.press(OK, OK)
    bench.press(BACK)
    asks = bench.appliance.session
    bench.press(Button.HOLD1)
    assert isinstance(bench.shows(), NoticePrompt)
    bench.press(OK)
    assert bench.appliance.session == asks


COVERED = Alert.LITTLE_LIGHT, Alert.TRAY_MOVED


@pytest.mark.parametrize("game", GAMES)
def test_whatever_covers_a_question_takes_a_press_that_does_nothing_else(game: str) -> None:
    """Games are played at random; on the way alerts, news, scores and fireworks cover the board."""
    chance = Random(f"covered {game}")
    names = ("ANNA", "BOB", "CLEO")[: max(2, GAMES[game].min_players)]
    table = AtTable(":memory:", Setup(game, names))
    appliance = table.appliance
    covers: Counter[str] = Counter()
    steps = examples(300, 700)
    with table.journal:
        for _ in range(steps):
            kind = chance.random()
            if kind < 0.5:
                table.go_on()
            elif kind < 0.7:
                table.wait(step_s=chance.choice((0.05, 0.4, 3.0)))
            else:
                appliance.warn(*chance.choice(((), (), *((alert,) for alert in COVERED))))
                table.wait(step_s=0.05)
            prompt, shown = appliance.prompt, table.board.picture
            alert = any(shown == two_lines(*lines(alert)) for alert in appliance.alerts)
            if isinstance(prompt, NoticePrompt) or not (alert or appliance.shows_news):
                continue
            covers["alert" if alert else type(prompt).__name__] += 1
            before = appliance.console
            button = chance.choice(tuple(Button))
            table.press(button)
            after = appliance.console
            if not alert and button is Button.BACK:
                # Who sees a score may ask at once to take it back.
                assert isinstance(appliance.prompt, UndoPrompt | ThrowPrompt)
                assert after.session is not None
                assert before.session is not None
                assert after.session.record.log == before.session.record.log
                table.press(Button.BACK)
            elif alert and button in DICE_OR_LIST and before.page is None:
                # It can mean nothing but what it meant before the alert came up.
                assert before.session is not None
                assert after.session is not None
                new = after.session.record.log[len(before.session.record.log) :]
                assert all(isinstance(line, Holding) for line in new), (prompt, button)
            else:
                assert after.session == before.session, (prompt, button)
                assert after.page == before.page
    assert covers["alert"] > steps / 35, covers
    assert covers.total() > covers["alert"] + examples(2, 5), covers


def test_ok_counts_no_dice_that_nobody_saw(journal: Journal) -> None:
    """Two dice of a second roll left the tray: whoever presses OK all evening counts nothing."""
    bench = with_throw(journal)
    bench.watcher.events = [throw(4, 4, 4, new=range(3))]
    bench.feed()
    assert isinstance(bench.shows(), CountPrompt)
    before = bench.appliance.session.record.log
    for _ in range(300):
        bench.press(OK)
    assert bench.appliance.session.record.log == before
    assert isinstance(bench.shows(), FacePrompt | NoticePrompt)


def test_a_press_acts_on_the_page_that_is_up(journal: Journal) -> None:
    """One question, answered while each of its pages is up."""
    bench = with_throw(journal)
    bench.press(Button.HOLD1)
    bench.watcher.events = [throw(2, 6, 1, 6, 5, new=(1, 2, 3))]
    bench.feed()
    asked = bench.shows()
    assert isinstance(asked, ClashPrompt)
    before = bench.appliance.session
    odd, *_ = pages(asked)
    while bench.board.picture != odd:
        bench.feed()
    assert any("OK" in word for word in odd.words), "what OK does is on every page"
    bench.press(OK)
    assert len(bench.appliance.session.record.log) > len(before.record.log)


@pytest.mark.parametrize("guided", [None, False, True])
def test_a_press_on_a_page_that_does_not_tell_of_it_turns_to_the_one_that_does(
    journal: Journal, guided: bool | None
) -> None:
    """But not where a line beside the board tells it; the tray, which says nothing, has none."""
    environment = Environment() if guided is None else Environment(guided=guided)
    bench = Bench(journal, load_session(journal, PAIR), environment)
    leans = die(0, 2, state=DieState.LEANING)
    bench.watcher.events = [roll(leans, *(die(slot, 3) for slot in range(1, 5)))]
    bench.feed()
    asked = bench.shows()
    assert isinstance(asked, FacePrompt)
    tells, other = pages(asked)
    while bench.board.picture != other:
        bench.feed()
    bench.press(OK)
    assert isinstance(bench.shows(), FacePrompt) is not bool(guided)
    assert (bench.board.picture == tells) is not bool(guided)


def test_dice_are_held_on_any_page_and_then_shown(journal: Journal) -> None:
    setup = Setup("free-for-all", ("ANNA", "BEN"), (("first", 0),))
    bench = Bench(journal, load_session(journal, setup), Environment())
    bench.watcher.events = [throw(2, 3, 4, 5, 5)]
    bench.feed()
    asked = bench.shows()
    _, winnable = pages(asked)
    while bench.board.picture != winnable:
        bench.feed()
    bench.press(Button.HOLD1)
    held = bench.shows()
    assert isinstance(held, DicePrompt)
    assert held.held == (0,)
    assert bench.board.picture == pages(held)[0], "the dice come up, with what is held"


def test_a_press_after_one_that_was_not_taken_is_not_taken_either(journal: Journal) -> None:
    """BEN checks; RIGHT only ends the page that says so, and OK, meant to bet, must not check."""
    setup = Setup("holdem", ("ANNA", "BOB", "CLEO"), (("dealer", 0),))
    bench = Bench(journal, load_session(journal, setup), Environment())
    bench.feed(count=2)
    bench.feed(count=40)
    while bench.board.picture != pages(bench.shows())[0]:
        bench.feed()
    bench.press(OK)
    before = bench.appliance.session
    assert before.record.events[-1] == Check()
    bench.press(RIGHT, OK)
    assert bench.appliance.session == before
    bench.pause()
    bench.press(RIGHT)
    shown = bench.shows()
    assert isinstance(shown, BetPrompt)
    assert shown.label.startswith("BET")


def test_who_hammers_a_button_is_not_locked_out(journal: Journal) -> None:
    setup = Setup("holdem", ("ANNA", "BOB", "CLEO"), (("dealer", 0),))
    bench = Bench(journal, load_session(journal, setup), Environment())
    bench.feed(count=20)
    bench.press(*[OK] * 100)
    assert bench.appliance.session.record.events == (Check(),) * 3, "all have checked"


def test_a_press_that_is_not_taken_is_heard(journal: Journal) -> None:
    class Ear(Silence):
        heard: ClassVar[list[Sound]] = []

        def play(self, sound: Sound, time_s: float) -> None:
            self.heard.append(sound)

    bench = Bench(journal, load_session(journal, PAIR), sounds=Ear())
    bench.watcher.events = [throw(2, 3, 4, 5, 5)]
    bench.feed()
    bench.press(OK)
    bench.appliance.warn(Alert.LITTLE_LIGHT)
    bench.feed()
    Ear.heard.clear()
    bench.press(OK)
    assert Ear.heard == [Sound.UNTAKEN]
    bench.pause()
    bench.press(OK)
    assert Ear.heard == [Sound.UNTAKEN], "this one scores"


def test_dice_are_held_under_an_alert_over_dice_that_were_seen(journal: Journal) -> None:
    bench = with_throw(journal)
    bench.appliance.warn(Alert.LITTLE_LIGHT)
    bench.feed()
    bench.press(Button.HOLD2, Button.HOLD4)
    assert bench.appliance.session.record.holds == {1, 3}


def test_what_was_pressed_before_the_board_could_answer_counts_nothing(journal: Journal) -> None:
    bench = with_throw(journal)
    before = bench.appliance.session.record.log
    # All in one round: the list that the first one opens was not up when the others were pressed.
    bench.feed(*[Pressed(OK)] * 5)
    assert bench.appliance.session.record.log == before
    assert isinstance(bench.shows(), ChoicePrompt)

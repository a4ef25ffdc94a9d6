"""The sounds of a turn."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.devices.buzzer import Sound
from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.screens.drawing.layout import two_lines
from appliance.screens.standing import standing_page
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.presenter import Presenter
from appliance.table.menu.asking import Asked, Question
from appliance.table.prompts.turn import DicePrompt, OverPrompt, Standing, ThrowPrompt
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import choose, play
from appliance.table.session.session import Setup, new_session
from appliance.table.session.standing import announcement
from appliance.table.session.step import step
from games.boxes import Score
from games.chance import random_event
from games.classic import Box
from games.showdown.state import MoveOn, Stay
from games.values import Choice, Keep, Rolled
from tests.appliance.table.scripted import ScriptedWatcher
from tests.builders import throw
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.frame import Frame
from vision.reading import DieState, TrayState


class Heard:
    def __init__(self) -> None:
        self.sounds: list[Sound] = []
        self.ticks = 0

    def play(self, sound: Sound, time_s: float) -> None:
        self.sounds.append(sound)

    def tick(self, time_s: float) -> None:
        self.ticks += 1


def test_a_roll_a_question_and_what_is_wrong_are_heard(tmp_path: Path) -> None:
    heard = Heard()
    with Journal(tmp_path / "games.sqlite3") as journal:
        session = load_session(journal, Setup("classic", ("ANNA",), ()))
        board = MemoryScoreboard()
        appliance = Appliance(
            Devices(board, sounds=heard),
            Tray(ScriptedWatcher()),
            journal,
            session=session,
        )
        appliance.start()
        appliance.happen(throw(4, 4, 4, 4, 4))
        assert heard.sounds == [Sound.READ]
        appliance.happen(Pressed(Button.HOLD1))
        assert heard.sounds == [Sound.READ, Sound.UNTAKEN], "nobody has seen those dice yet"
        appliance.presses()
        appliance.happen(Pressed(Button.HOLD1))
        assert heard.sounds == [Sound.READ, Sound.UNTAKEN]
        appliance.happen(throw(4, 4, 4, 4, 4, state=DieState.UNSURE))
        assert heard.sounds[-1] is Sound.NEED
        count = len(heard.sounds)
        appliance.warn(Alert.CAMERA_GONE)
        appliance.warn(Alert.CAMERA_GONE)
        assert heard.sounds[count:] == [Sound.WRONG]
        appliance.feed(Frame(np.zeros((4, 4, 3), np.uint8), 1.0, 1))
        assert heard.ticks


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("game", ["classic", "power", "yatzy", "showdown", "free-for-all"])
def test_what_is_announced_is_heard_and_so_is_the_end(game: str, first: int) -> None:
    heard = Heard()
    presenter = Presenter(MemoryScoreboard(), heard)
    session = new_session(Setup(game, ("ANNA", "BOB"), (("first", first),)))
    random, announced = Random(2), set[tuple[str, int]]()
    while (event := random_event(session.record.rules, session.record.state, random)) is not None:
        before = session
        if isinstance(event, Choice) and not isinstance(event, Keep):
            session = choose(session, event)
        else:
            session = play(session, event)
        heard.sounds.clear()
        presenter.play_sound(before, session, 0.0)
        now = announcement(session)
        over = session.record.ask is None
        thrown = isinstance(event, Rolled)
        # Who moves on or stays in Showdown still has the same turn.
        begins = any(now) and not isinstance(event, MoveOn | Stay)
        news = (begins or over) and not thrown
        assert heard.sounds == [Sound.READ] * thrown + [Sound.NEWS] * news, (now, event)
        announced.add(now)
    assert session.record.ask is None
    assert any(words for words, _ in announced)
    assert any(points for _, points in announced) is (game == "free-for-all")


def test_the_page_of_the_winner_stays_until_somebody_presses() -> None:
    board = MemoryScoreboard()
    presenter = Presenter(board, Heard())
    won = OverPrompt(("ANNA",), (("ANNA", 254), ("BOB", 201)))
    presenter.take_prompt(Asked(Question(), won), 0.0)
    shown = set()
    for seconds in range(10, 4000, 7):
        presenter.show(float(seconds))
        shown.add(presenter.picture)
    points = standing_page("END", "OK: AGAIN", Standing(won.totals))
    assert shown == {points, two_lines("ANNA", "OK: AGAIN", "WINS")}


def test_news_are_told_once_however_often_something_moves_in_the_tray() -> None:
    presenter = Presenter(MemoryScoreboard(), Heard())
    session = step(new_session(Setup("classic", ("ANNA",))), throw(3, 3, 3, 5, 5))
    asked = prompt(choose(session, Score(Box.FULL_HOUSE)))
    assert isinstance(asked, ThrowPrompt)

    def shows_news(tray: TrayState, at_s: float, *, take: bool = True) -> bool:
        presenter.take_prompt(Asked(Question(), replace(asked, tray=tray, take=take)), at_s)
        presenter.show(at_s)
        return presenter.shows_news

    # Dice that still rolled when the box was taken hide nothing from anybody.
    assert not shows_news(TrayState.ROLLING, 0.0)
    assert shows_news(TrayState.STILL, 1.0)
    assert not shows_news(TrayState.ROLLING, 1.2)
    assert shows_news(TrayState.STILL, 1.4), "nobody could read them"
    assert not shows_news(TrayState.STILL, 9.0)
    assert not shows_news(TrayState.ROLLING, 9.2)
    assert not shows_news(TrayState.STILL, 9.4)
    assert not shows_news(TrayState.STILL, 9.6, take=False)
    assert not shows_news(TrayState.STILL, 9.8)
    # That the end is near was told with what was scored, which is no longer news.
    closing = replace(asked, scored=None, standing=Standing((("ANNA", 25),), "LAST ROUND"))
    shown = []
    for at_s, scored in ((9.85, asked.scored), (9.9, None)):
        presenter.take_prompt(Asked(Question(), replace(closing, scored=scored)), at_s)
        presenter.show(at_s)
        shown.append(presenter.shows_news)
        presenter.answer_press(at_s)
    assert shown == [True, False]
    # The next turn has news of its own, even if they read the same.
    presenter.take_prompt(
        Asked(Question(), replace(asked, roll=2, scored=None, standing=None)), 10.0
    )
    assert shows_news(TrayState.STILL, 11.0)
    presenter.answer_press(11.1)
    assert not shows_news(TrayState.ROLLING, 11.2)
    assert not shows_news(TrayState.STILL, 11.3)


def test_a_remark_on_a_press_comes_up_once_whatever_was_told_of_the_same_dice_before() -> None:
    board = MemoryScoreboard()
    presenter = Presenter(board, Heard())
    plain = DicePrompt("ANNA", 3, 3, (6,) * 5, (), "SCORE", False, TrayState.STILL)
    remarks = ("", "NO ROLLS LEFT", "NO UNDO YET")
    for at, remark in enumerate(remarks):
        presenter.take_prompt(Asked(Question(), replace(plain, remark=remark)), 10.0 * at)
        seen = list[str]()
        for tenth in range(99):
            presenter.show(10.0 * at + tenth / 10)
            if board.pictures:
                seen += board.pictures[-1].words
                board.pictures.clear()
        assert [word for word in seen if word in remarks[1:]] == [remark] * bool(remark)
        assert "OK: SCORE" in seen

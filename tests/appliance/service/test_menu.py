"""The service's work around the games: requests from the console, activities, shutting down."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.cli.shared.starting import GameOptions, environment_from, session_or_menu
from appliance.config import Config
from appliance.errors import CameraError, PowerError
from appliance.guidance import Guidance
from appliance.inputs import SHUT_DOWN, Button, Chord, Pressed
from appliance.journal.index import Index
from appliance.journal.journal import Journal
from appliance.journal.library import MOST_READ, SETTINGS, Library
from appliance.journal.origin import Origin, written_by
from appliance.journal.sessions import load_session
from appliance.journal.summary import resume_saved
from appliance.picture import Picture
from appliance.screens.drawing.film import LEISURE_S, pages, reading_s
from appliance.screens.drawing.layout import two_lines
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.environment import Environment
from appliance.service.past_games import review_session
from appliance.service.ports import Activity
from appliance.service.view import View
from appliance.table.menu.console import Console
from appliance.table.menu.prompting import (
    DecisionPrompt,
    ListPrompt,
    NoticePrompt,
    QuestionPrompt,
    RollOffPrompt,
)
from appliance.table.menu.reviewing import Reviewed
from appliance.table.menu.settings import Settings, from_text
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import DicePrompt, ThrowPrompt
from appliance.table.session.session import Session, Setup, new_session
from appliance.words import Label
from games.chance import random_game
from games.notation.events import event_to_text
from games.registry import GAMES
from games.strategy.review import review_game, review_in_steps
from games.values import Event, Keep
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import record_for
from tests.builders import throw as roll
from tests.rigs.grown_journal import grow
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.frame import Frame

OK, BACK, LEFT, RIGHT = Button.OK, Button.BACK, Button.LEFT, Button.RIGHT
MENU = Pressed(OK, long=True)
BLANK = np.zeros((4, 4, 3), np.uint8)
PAIR = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
SPECIAL = Picture(bytes([255] * 128))


class FakeActivity:
    """Ends with OK, as a wizard does at its last step."""

    def __init__(self) -> None:
        self.frames = 0
        self.heard: list[Pressed] = []

    def feed(self, frame: Frame) -> None:
        self.frames += 1

    def press(self, press: Pressed) -> None:
        self.heard.append(press)

    def picture(self, time_s: float) -> Picture:
        return SPECIAL

    def guidance(self, *, hands: bool) -> Guidance:
        return Guidance()

    def view(self, frame: Frame | None, board: Picture | None, *, hands: bool) -> View:
        return View(board)

    @property
    def done(self) -> bool:
        return Pressed(OK) in self.heard

    @property
    def private(self) -> bool:
        return False


@dataclass
class FakePower:
    refuses: bool = False
    shown: list[Picture] = field(default_factory=list)
    board: MemoryScoreboard | None = None

    def off(self) -> None:
        if self.board is not None:
            self.shown.append(self.board.picture)
        if self.refuses:
            raise PowerError("Access denied")


class Bench:
    """An appliance with everything around it."""

    def __init__(
        self,
        journal: Journal,
        session: Session | None,
        environment: Environment | None = None,
        *,
        tray: Mapping[str, Any] = MappingProxyType({}),
        **devices: Any,
    ) -> None:
        self.watcher, self.keys, self.board = ScriptedWatcher(), ScriptedKeys(), MemoryScoreboard()
        self.appliance = Appliance(
            Devices(self.board, self.keys, **devices),
            Tray(self.watcher, **tray),
            journal,
            environment,
            session=session,
        )
        self.appliance.start()
        self.index = 0

    def feed(self, *presses: Pressed | Chord, count: int = 1) -> None:
        self.keys.presses += presses
        for _ in range(count):
            self.appliance.feed(Frame(BLANK, self.index / 10, self.index))
            self.index += 1

    def shows(self) -> Prompt:
        return self.appliance.prompt

    def due(self) -> int | None:
        return self.watcher.expected

    def press(self, *buttons: Button) -> None:
        """Presses buttons one after the other: each shows what it has done before the next."""
        for button in buttons:
            self.feed(Pressed(button))

    def pause(self) -> None:
        """Lets pass the time after a press that was not taken, in which no other is."""
        self.feed(count=6)

    def choose(self, item: str) -> None:
        for _ in range(20):
            prompt = self.appliance.prompt
            assert isinstance(prompt, ListPrompt), prompt
            if prompt.lines == (item,):
                self.press(OK)
                return
            self.press(RIGHT)
        raise AssertionError(f"{item} is not in the list")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "games") as made:
        yield made


def test_a_game_is_set_up_with_buttons_and_is_on_disk(journal: Journal) -> None:
    bench = Bench(journal, None, environment_from(Config()))
    with pytest.raises(LookupError, match="found the menu"):
        _ = bench.appliance.session
    assert bench.due() is None
    for item in ("NEW GAME", "SHOWDOWN"):
        bench.choose(item)
    # Nobody has played yet, so nobody is asked whether they play again.
    assert bench.shows() == ListPrompt("HOW MANY?", ("2 PLAYERS",), 0, 3)
    for item in ("2 PLAYERS", "PLAYER 1", "PLAYER 2"):
        bench.choose(item)
    bench.choose("MOVE PAWN")
    bench.choose("ROLL-OFF")
    assert isinstance(bench.shows(), RollOffPrompt)
    assert bench.due() is None
    for face in (2, 5):
        bench.watcher.events = [roll(face)]
        bench.feed()
    assert bench.due() == 1
    saved = journal.last()
    assert saved is not None
    assert saved.players == ("PLAYER 1", "PLAYER 2")
    assert saved.options == (("first", 1), ("showdown_raise_continues", True))
    kept = from_text(journal.remembered(SETTINGS) or "")
    assert kept.names == ("PLAYER 1", "PLAYER 2")
    assert kept.option("showdown", "showdown_raise_continues") is True


def test_settings_and_old_games_are_there_after_a_new_start(tmp_path: Path) -> None:
    path = tmp_path / "games"
    dimmed: list[int] = []
    with Journal(path) as journal:
        bench = Bench(journal, load_session(journal, PAIR), dim=dimmed.append)
        bench.watcher.events = [roll(1, 2, 3, 4, 6)]
        bench.feed(count=2)
        bench.feed(MENU)
        bench.choose("BRIGHTNESS")
        bench.press(RIGHT, RIGHT, OK)
        bench.choose("NEW GAME")
        bench.press(OK)
        bench.choose("POWER")
        bench.choose("1 PLAYER")
        bench.choose("NEW NAME")
        bench.press(OK)
        bench.feed(MENU)
        assert bench.appliance.session.record.setup.players == ("A",)
        bench.watcher.events = [roll(1, 2, 3, 4, 6, 6)]
        bench.feed(count=2)
        assert dimmed == [3, 4, 5]
    with Journal(path) as journal:
        session = session_or_menu(_no_arguments(), Config(), journal)
        assert session is not None
        assert session.record.setup.game == "power"
        again = Bench(journal, session, dim=dimmed.append)
        assert dimmed == [3, 4, 5, 5]
        assert again.appliance.console.settings.names[0] == "A"
        again.feed(MENU)
        again.choose("OLD GAMES")
        assert again.shows() == ListPrompt("CLASSIC", ("ANNA BOB",), 0, 1)
        again.press(OK)
        shown = again.shows()
        assert shown == NoticePrompt((("GOES ON", "CLASSIC"), ("ANNA", "YOUR TURN")))
        assert again.appliance.session.record.dice == (1, 2, 3, 4, 6)
    with Journal(path) as journal:
        session = session_or_menu(_no_arguments(), Config(), journal)
        assert session is not None
        assert session.record.setup == PAIR


def _no_arguments() -> GameOptions:
    return GameOptions()


def test_a_welcome_goes_away_by_itself(journal: Journal) -> None:
    session = load_session(journal, PAIR)
    journal.append(session.record.serial, 0, ["roll 1 2 3 4 6"])
    bench = Bench(journal, load_session(journal, None), Environment())
    shown = bench.shows()
    assert shown == NoticePrompt((("WELCOME BACK", "CLASSIC"), ("ANNA", "YOUR TURN")))
    assert bench.board.picture == pages(shown)[0]
    bench.feed(count=int(10 * LEISURE_S) + 3)
    assert bench.board.picture == pages(shown)[1]
    bench.feed(count=int(10 * reading_s(pages(shown)[1])) + 2)
    assert isinstance(bench.shows(), DicePrompt)


def test_a_welcome_stays_up_on_a_machine_that_has_been_on_for_days(journal: Journal) -> None:
    session = load_session(journal, PAIR)
    journal.append(session.record.serial, 0, ["roll 1 2 3 4 6"])
    days_s = 300_000.0
    board, keys = MemoryScoreboard(), ScriptedKeys()
    appliance = Appliance(
        Devices(board, keys),
        Tray(ScriptedWatcher()),
        journal,
        session=load_session(journal, None),
    )
    appliance.start(days_s)
    first, second = pages(appliance.prompt)
    assert board.picture == first
    appliance.tick(days_s + LEISURE_S - 0.1)
    assert board.picture == first
    appliance.tick(days_s + LEISURE_S + 0.1)
    assert board.picture == second
    appliance.tick(days_s + LEISURE_S + reading_s(second) + 0.2)
    assert isinstance(appliance.prompt, DicePrompt)


def test_a_game_that_does_not_replay_is_refused_and_stays(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    broken = load_session(journal, PAIR)
    journal.append(broken.record.serial, 0, ["roll 1 2 3 4 5", "score nonsense"])
    assert session_or_menu(_no_arguments(), Config(), journal) is None
    assert "begin a new game" in caplog.text
    bench = Bench(journal, None, Environment())
    bench.choose("OLD GAMES")
    bench.press(OK)
    assert bench.shows() == NoticePrompt(((f"GAME {broken.record.serial}", "IS DAMAGED"),))
    bench.press(BACK)
    assert isinstance(bench.shows(), ListPrompt)
    assert [aside.number for aside in bench.appliance.console.kept.aside] == [broken.record.serial]


def test_old_games_that_were_deleted_meanwhile_are_named(journal: Journal) -> None:
    for _ in range(2):
        old = load_session(journal, PAIR, fresh=True)
        journal.append(old.record.serial, 0, ["roll 1 2 3 4 5"])
    bench = Bench(journal, None, Environment())
    bench.choose("OLD GAMES")
    for left in (1, 0):
        journal.delete(left + 1)
        bench.pause()
        bench.press(OK)
        assert bench.shows() == NoticePrompt(((f"GAME {left + 1}", "IS GONE"),))
        assert len(bench.appliance.console.kept.aside) == left
        bench.press(BACK)
    assert bench.appliance.disk is None
    assert bench.shows() == NoticePrompt((("NO OLD", "GAMES"),), passing=False)


def test_lamps_are_dark_under_a_menu(journal: Journal) -> None:
    bench = Bench(journal, load_session(journal, PAIR), Environment())
    bench.watcher.events = [roll(1, 2, 3, 4, 6)]
    bench.feed()
    bench.press(Button.HOLD2)
    assert bench.keys.lit == {1}
    bench.feed(MENU)
    assert bench.keys.lit == frozenset()
    bench.press(BACK)
    assert bench.keys.lit == {1}


def test_an_activity_has_board_buttons_and_frames_until_it_is_done(journal: Journal) -> None:
    activity, fresh = FakeActivity(), ScriptedWatcher()
    tray = {"calibrate": lambda: activity, "watch": lambda: fresh}
    bench = Bench(journal, load_session(journal, PAIR), tray=tray)
    before = bench.board.picture
    bench.feed(MENU)
    bench.choose("CALIBRATE")
    assert bench.board.picture == SPECIAL
    seen = bench.watcher.frames
    bench.watcher.events = [roll(1, 2, 3, 4, 6)]
    bench.feed(Pressed(RIGHT), Pressed(BACK, long=True), count=3)
    assert activity.frames == 3
    assert activity.heard == [Pressed(RIGHT), Pressed(BACK, long=True)]
    assert (bench.watcher.frames, bench.appliance.session.record.events) == (seen, ())
    bench.press(OK)
    assert bench.board.picture == before
    assert isinstance(bench.shows(), ThrowPrompt)
    assert fresh.expected == 5
    fresh.events = [roll(1, 2, 3, 4, 6)]
    bench.feed()
    assert len(bench.appliance.session.record.events) == 1
    assert bench.watcher.frames == seen


def test_a_darker_frame_is_the_activitys_and_no_throw_in_it(journal: Journal) -> None:
    activity = FakeActivity()
    tray = {"calibrate": lambda: activity}
    bench = Bench(journal, load_session(journal, PAIR), tray=tray)
    bench.feed(MENU)
    bench.choose("CALIBRATE")
    seen = bench.watcher.frames
    bench.watcher.events = [roll(1, 2, 3, 4, 6)]
    bench.appliance.feed(Frame(np.zeros((4, 4, 3), np.uint8), 9.0, 90, exposure=0.125))
    assert (activity.frames, bench.watcher.frames) == (1, seen)
    assert bench.appliance.session.record.events == ()


def test_shutting_down_is_possible_in_an_activity(journal: Journal) -> None:
    bench = Bench(journal, None, tray={"calibrate": FakeActivity})
    bench.choose("CALIBRATE")
    bench.feed(SHUT_DOWN)
    assert bench.shows() == QuestionPrompt("SHUT DOWN?")
    assert bench.board.picture == pages(bench.shows())[0]


def test_a_calibration_that_does_not_begin_is_reported(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    def calibrate() -> Activity:
        raise CameraError("no camera; plug one in")

    bench = Bench(journal, None, tray={"calibrate": calibrate})
    bench.choose("CALIBRATE")
    assert bench.shows() == NoticePrompt((("CALIBRATE", "NOT POSSIBLE"),))
    assert "plug one in" in caplog.text


def test_the_board_says_good_bye_before_the_machine_goes_off(journal: Journal) -> None:
    power = FakePower()
    bench = Bench(journal, load_session(journal, PAIR), power=power)
    power.board = bench.board
    bench.feed(SHUT_DOWN)
    bench.press(OK)
    bye = NoticePrompt((("GOODBYE", "SHUTS DOWN"),), passing=False, last=True)
    assert power.shown == list(pages(bye))
    assert bench.appliance.ended
    bench.feed(count=100)
    assert bench.shows() == bye
    # Who is at keys is offered none.
    assert bye.can_do().keys == ()


def test_without_a_supply_to_switch_only_the_program_ends(journal: Journal) -> None:
    bench = Bench(journal, None, Environment())
    bench.choose("SHUT DOWN")
    assert not bench.appliance.ended
    bench.press(OK)
    assert bench.appliance.ended


def test_a_refusal_of_the_machine_is_shown_and_play_goes_on(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(journal, load_session(journal, PAIR), power=FakePower(refuses=True))
    bench.feed(SHUT_DOWN)
    bench.press(OK)
    assert bench.shows() == NoticePrompt((("CANNOT", "SHUT DOWN"),))
    assert "Access denied" in caplog.text
    assert not bench.appliance.ended
    bench.feed(count=40)
    assert isinstance(bench.shows(), ThrowPrompt)


def test_health_is_looked_at_when_asked_for(journal: Journal) -> None:
    looks = iter(range(1, 9))
    environment = Environment(health=lambda: (("LOOK", str(next(looks))), ("CAMERA", "")))
    bench = Bench(journal, None, environment)
    bench.choose("ABOUT")
    assert bench.shows() == ListPrompt("LOOK", ("1",), 0, 2, "")
    bench.press(RIGHT, LEFT)
    assert bench.shows() == ListPrompt("LOOK", ("3",), 0, 2, "")


def pins() -> Callable[[], tuple[tuple[str, str], ...]]:
    """A new PIN each time, and an address."""
    count = iter(range(10, 99))
    return lambda: (
        ("PIN", f"{next(count)}3456{'0' * 32}"),
        ("ADDRESS", "HTTP:// TRAY .LOCAL:8080"),
    )


def test_the_score_page_is_switched_on_at_the_board_and_stays_on(journal: Journal) -> None:
    environment = Environment(health=tuple, network=pins())
    bench = Bench(journal, None, environment)
    bench.choose("NETWORK")
    assert bench.shows() == ListPrompt("NETWORK", ("SWITCH ON",), 0, 1)
    bench.press(OK)
    first = bench.appliance.console.settings.pin
    assert first is not None
    assert bench.shows() == ListPrompt("PIN", (first[:6],), 0, 3, "")
    bench.press(RIGHT)
    assert bench.shows() == ListPrompt("ADDRESS", ("HTTP:// TRAY", ".LOCAL:8080"), 1, 3, "")
    again = Bench(journal, None, environment)
    assert again.appliance.console.settings.pin == first
    bench.choose("SWITCH OFF")
    assert bench.appliance.console.settings.pin == ""
    assert (
        Bench(journal, None, replace(environment, page=True)).appliance.console.settings.pin == ""
    )
    bench.choose("SWITCH ON")
    second = bench.appliance.console.settings.pin
    assert second
    assert second != first


def test_the_settings_switch_the_page_on_where_nobody_has_said(journal: Journal) -> None:
    bench = Bench(journal, None, Environment(health=tuple, network=pins(), page=True))
    pin = bench.appliance.console.settings.pin
    assert pin
    assert Library(journal).settings(Settings()).pin == pin


def test_without_a_page_nothing_is_offered(journal: Journal) -> None:
    bench = Bench(journal, None, Environment(page=True))
    assert bench.appliance.console.settings.pin is None
    with pytest.raises(AssertionError, match="not in the list"):
        bench.choose("NETWORK")


@pytest.mark.parametrize("pin", ["123456", "12345x" + 32 * "0", "1" * 39, 5, None, ["1"]])
def test_what_is_no_pin_is_left_out(journal: Journal, pin: object) -> None:
    journal.remember(SETTINGS, json.dumps({"names": ["ANNA"], "pin": pin}))
    assert Library(journal).settings(Settings()) == Settings(("ANNA",))


def test_what_is_wrong_and_the_prompt_are_up_in_turn(journal: Journal) -> None:
    bench = Bench(journal, load_session(journal, PAIR), Environment())
    bench.feed(count=40)
    usual = bench.board.picture
    bench.appliance.warn(Alert.CAMERA_GONE)
    wrong = two_lines("NO CAMERA", "PLUG IT IN")
    start_s = 10.0
    seen = []
    for step in range(80):
        bench.appliance.tick(start_s + step / 10)
        seen.append(bench.board.picture)
    # The prompt comes round whole in between, which takes as long as it takes to read.
    runs = [(picture, len([*run])) for picture, run in groupby(seen)]
    assert {picture for picture, _ in runs} == {wrong, usual}
    assert all(count >= 29 for picture, count in runs[:-1] if picture == wrong)
    assert all(count >= 16 for picture, count in runs[:-1] if picture == usual)
    bench.appliance.warn()
    bench.appliance.tick(20.0)
    assert bench.board.picture != wrong


def test_buttons_count_while_no_pictures_come_and_show_what_they_do(journal: Journal) -> None:
    bench = Bench(journal, load_session(journal, PAIR), Environment())
    bench.feed()
    bench.appliance.warn(Alert.CAMERA_GONE)
    bench.appliance.tick(2.0)
    assert bench.board.picture == two_lines("NO CAMERA", "PLUG IT IN")
    bench.keys.presses = [MENU]
    bench.appliance.tick(2.1)
    assert isinstance(bench.shows(), ListPrompt)
    assert bench.board.picture == pages(bench.shows())[0]


def test_the_frame_rate_is_shown(journal: Journal) -> None:
    bench = Bench(journal, None, Environment())
    assert bench.appliance.frame_rate is None
    bench.feed(count=80)
    assert bench.appliance.frame_rate == pytest.approx(10.0)


def test_damaged_settings_are_left_out(journal: Journal) -> None:
    journal.remember(SETTINGS, '{"names": ["ANNA", "too long a name", 7], "brightness": 99}')
    bench = Bench(journal, None, Environment())
    assert bench.appliance.console.settings == Settings(("ANNA",))
    assert bench.appliance.console.brightness == 3


def test_records_are_counted_while_they_are_looked_at(journal: Journal) -> None:
    won = {"ANNA": 0, "BOB": 0}
    for seed in range(5):
        events, state = random_game(GAMES["classic"], ("ANNA", "BOB"), {}, Random(seed))
        save_finished(journal, events)
        for name, points in zip(won, GAMES["classic"].scores(state), strict=True):
            won[name] = max(won[name], points)
    save_finished(journal, [], lines=["nonsense"])
    looks = iter(range(10_000))
    bench = Bench(journal, None, clock=lambda: 0.06 * next(looks))
    bench.choose("RECORDS")
    assert bench.shows() == NoticePrompt((("STILL", "COUNTING"),), passing=False)
    # The clock says that each step takes a whole round, and there is one for each game at least.
    bench.feed(count=4)
    assert bench.appliance.console.kept.records is None
    bench.feed(count=60)
    first, second = sorted(won.items(), key=lambda item: -item[1])
    assert bench.shows() == ListPrompt("CLASSIC", first[:1], 0, 2, str(first[1]))
    bench.press(RIGHT)
    assert bench.shows() == ListPrompt("CLASSIC", second[:1], 1, 2, str(second[1]))


def test_records_are_counted_to_the_end_whichever_game_is_on_the_board(journal: Journal) -> None:
    for seed in range(4):
        save_finished(journal, random_game(GAMES["classic"], ("ANNA", "BOB"), {}, Random(seed))[0])
    library, looked = Library(journal), 0
    console = Console(session=resume_saved(journal.load(1)))
    while console.kept.records is None:
        console = library.with_records(console, lambda: True)
        looked += 1
    assert looked > 4
    at_once = library.with_records(
        replace(console, kept=replace(console.kept, records=None)), lambda: False
    )
    assert at_once.kept.records == console.kept.records


def test_games_are_looked_at_and_indexed_behind_the_menu(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    grow(path, 3, aside=2 * MOST_READ, kinds=2)
    with Journal(path) as journal:
        bench = Bench(journal, None, Environment())
        assert len(bench.appliance.console.kept.aside) == MOST_READ
        # A round in which a game was counted has no time for another.
        bench.feed(count=2)
        assert len(bench.appliance.console.kept.aside) == 2 * MOST_READ
        assert path.exists()
        rows = Index(path, read_only=True).rows().values()
        assert [row.numbers for row in rows if row.file.startswith("packs/")] == [{1, 2, 3}]


def test_records_count_games_of_those_who_play_now_only(tmp_path: Path) -> None:
    events, _ = random_game(GAMES["classic"], ("ANNA", "BOB"), {}, Random(1))
    with Journal(tmp_path / "games", origin=Origin.DEMO) as demo:
        save_finished(demo, events)
        assert Library(demo).with_aside(Console()).kept.finished
    with Journal(tmp_path / "games", origin=Origin.KEYBOARD) as journal:
        library = Library(journal)
        assert not library.with_aside(Console()).kept.finished
        assert library.with_records(Console(), lambda: False).kept.records == ()


def save_finished(
    journal: Journal, events: Sequence[Event], lines: Sequence[str] | None = None
) -> None:
    game = GAMES["classic"]
    texts = [event_to_text(game, event) for event in events] if lines is None else lines
    number = journal.begin("classic", game.edition, ("ANNA", "BOB"), (), written_by(journal.origin))
    journal.append(number, 0, texts, ended=True)


def test_a_game_is_looked_back_on_while_that_is_looked_at(journal: Journal) -> None:
    classic = GAMES["classic"]
    events, state = random_game(classic, ("ANNA", "BOB"), {}, Random(3))
    save_finished(journal, events)
    looks = iter(range(100_000))
    session = resume_saved(journal.load(1))
    bench = Bench(journal, session, clock=lambda: 0.06 * next(looks))
    bench.feed(MENU)
    bench.choose("REVIEW")
    thinking = NoticePrompt((("REVIEW", "THINKING"),), passing=False)
    # The clock says that each step takes a whole round.
    bench.feed(count=20)
    assert bench.shows() == thinking
    bench.press(BACK)
    bench.choose("REVIEW")
    game = record_for(classic, ("ANNA", "BOB"), {}, events)
    bench.feed(count=sum(1 for _ in review_in_steps(game)) - 2)
    assert bench.shows() == thinking
    bench.feed(count=3)
    anna, bob = review_game(game)
    worst = anna.worst[0]
    assert anna.luck is not None
    parts = "PAR 255", f"DICE {round(anna.luck):+}", f"CHOICES {round(-anna.cost):+}"
    points = f"{classic.scores(state)[0]} POINTS"
    first = ListPrompt("REVIEW", ("ANNA", points, *parts), 0, 8)
    assert bench.shows() == first
    bench.press(OK)
    chosen = ("ANNA", Label(worst.chosen), "BETTER:", Label(worst.best), f"COST {worst.cost:.1f}")
    shown = bench.shows()
    assert isinstance(shown, DecisionPrompt)
    assert (shown.said.title, shown.said.lines) == (f"IN TURN {worst.turn}", chosen)
    assert (shown.index, shown.count) == (1, 8)
    # The throw that it is about, and what is named as slots.
    assert " ".join(map(str, shown.said.dice)) == worst.dice
    for key, slots in ((worst.chosen, shown.said.held), (worst.best, shown.said.better)):
        assert (slots is None) is not key.startswith(("hold", "roll-all"))
        assert slots is None or Keep(slots).key == key
    bench.press(LEFT, LEFT)
    shown = bench.shows()
    assert isinstance(shown, DecisionPrompt)
    assert (shown.index, shown.said.lines[:2]) == (7, ("BOB", Label(bob.worst[2].chosen)))
    bench.press(OK)
    assert bench.shows() == first
    bench.press(BACK)
    shown = bench.shows()
    assert isinstance(shown, ListPrompt)
    assert (shown.title, shown.lines) == ("MENU", ("REVIEW",))


def test_a_game_that_goes_on_is_not_looked_back_on(journal: Journal) -> None:
    bench = Bench(journal, load_session(journal, PAIR), Environment())
    bench.feed(MENU)
    with pytest.raises(AssertionError, match="not in the list"):
        bench.choose("REVIEW")


def test_who_has_lost_nothing_is_told_so_where_luck_is_unknown() -> None:
    session = new_session(Setup("free-for-all", ("ANNA", "BOB")))
    *_, rows = islice(review_session(session), 2)
    assert rows == tuple(Reviewed("REVIEW", (name, "NO MISTAKE")) for name in ("ANNA", "BOB"))


def test_players_named_at_the_start_are_offered_again(journal: Journal) -> None:
    named = Setup("classic", ("\u0141UKASZ", "\u00c5SE-MARIE"), (("first", 0),))
    environment = environment_from(Config())
    bench = Bench(journal, load_session(journal, named), environment)
    assert bench.appliance.console.settings.names[:2] == named.players
    again = Bench(journal, None, environment)
    for item in ("NEW GAME", "CLASSIC"):
        again.choose(item)
    assert again.shows() == ListPrompt("WHO PLAYS?", named.players, 0, 7)
    # What was meanwhile chosen for the next game stays.
    settings = again.appliance.console.settings.with_option("holdem", "stack", 500)
    Library(journal).remember(settings)
    later = Bench(journal, load_session(journal, named), environment)
    assert later.appliance.console.settings.option("holdem", "stack") == 500

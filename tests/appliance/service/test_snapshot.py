"""Snapshots for other processes: what the board shows to everybody, and nothing else."""

import json
import socket
import weakref
from collections.abc import Callable, Container, Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.alerts import Alert
from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import begin_session, saved_game_of
from appliance.service.appliance import Appliance
from appliance.service.broadcast import MAX_ENDED_GAMES, PAGE_WANTED_FILE, SOCKET_FILE
from appliance.service.corrections import fan_out
from appliance.service.devices import Devices, Tray
from appliance.service.snapshot import Event, Publisher, Snapshot, Story
from appliance.service.snapshot import snapshot as snapshot_of
from appliance.service.view import Viewer
from appliance.table.menu.console import Page
from appliance.table.menu.upkeep import About
from appliance.table.session.modes import Hinting
from appliance.table.session.recording import play, undo
from appliance.table.session.session import Played, Seeded, Session, Setup, new_session
from appliance.table.session.step import step
from games.boxes import Score
from games.chance import random_event
from games.classic import Box
from games.game import Game
from games.registry import GAMES
from games.values import Draw, Hint, Left, Measure, Odds
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import throw
from tests.profiles import make_profile
from tests.rigs.examples import examples
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.events import TrayEvent
from vision.frame import Frame

PIN = "123456" + 32 * "0"
SEEDS = "5f3a09c1d2e4b687", "0123456789abcdef"
OPTIONS: dict[str, tuple[tuple[str, int], ...]] = {"holdem": (("stack", 50),)}
games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


def appliance_with(session: Session | None) -> Appliance:
    board = MemoryScoreboard()
    return Appliance(
        Devices(board, ScriptedKeys()),
        Tray(ScriptedWatcher()),
        Journal(":memory:"),
        session=session,
    )


def snapshot(appliance: Appliance) -> Snapshot:
    return snapshot_of(appliance, Viewer(lambda: None).view(appliance))


def evening(game: Game[Any], number: int, steps: int = examples(30, 50)) -> Iterator[Session]:
    """A game as it goes, with holds and undos in it."""
    random = Random(number)
    names = tuple("ABCD"[: random.randint(game.min_players, min(game.max_players, 4))])
    session = new_session(Setup(game.name, names, OPTIONS.get(game.name, ())))
    session = replace(session, record=replace(session.record, log=(Seeded(SEEDS[0]),)))
    yield session
    for _ in range(steps):
        event = random_event(game, session.record.state, random)
        if event is None:
            return
        session = play(session, event)
        if random.random() < 0.1:
            session = undo(session, 1)
        if random.random() < 0.1:
            session = replace(session, record=session.record.holding((0,)))
        yield session


class Table:
    """Everything that is told about a game played without tray and buttons."""

    def __init__(self) -> None:
        self.appliance = appliance_with(None)
        self.appliance.start()
        self.story = Story()

    def of(self, session: Session) -> tuple[Snapshot, list[Event]]:
        self.appliance.console = replace(self.appliance.console, session=session)
        self.appliance.presses()
        self.story.begin_if_new(session)
        events = list[Event]()
        while some := self.story.next_events(session):
            events += some
        return snapshot(self.appliance), events


@games
@settings(max_examples=examples(2, 3))
@given(number=st.integers(0, 10**6))
def test_nothing_that_is_hidden_changes_what_is_told(game: Game[Any], number: int) -> None:
    """Another seed, or a hint on the board, makes no difference to what is told."""
    here, seeded, hints = Table(), Table(), (Table(), Table())
    for session in evening(game, number):
        now, events = here.of(session)
        assert seeded.of(
            replace(
                session,
                record=replace(session.record, log=(Seeded(SEEDS[1]), *session.record.log[1:])),
            )
        ) == (
            now,
            events,
        )
        legal = game.choices(session.record.state)
        ends = [
            Hint(legal[end] if legal else None, end, Measure.WIN, (Odds("flush", end),))
            for end in (0, -1)
        ]
        one, another = (
            told.of(replace(session, mode=Hinting(session.mode, hint)))
            for told, hint in zip(hints, ends, strict=True)
        )
        # What is behind a hint is still told, with the first picture of its film.
        assert one == another
        assert replace(one[0], board=None, line="") == replace(now, board=None, line="")
        text = json.dumps(asdict(replace(now, board=None)), default=str) + str(events)
        assert not any(seed in text for seed in SEEDS)


@games
@settings(max_examples=3)
@given(number=st.integers(0, 10**6))
def test_the_story_is_the_log_and_its_points_are_the_sheets(game: Game[Any], number: int) -> None:
    told, events = Table(), list[Event]()
    for session in evening(game, number):
        events += told.of(session)[1]
    assert [event["number"] for event in events] == list(range(1, len(session.record.log) + 1))
    assert events[-1]["scores"] == game.scores(session.record.state)
    assert events[-1]["over"] == (game.ask(session.record.state) is None)
    assert [e["verb"] for e in events if e["verb"] in ("undo", "holding", "seed")] == [
        {"Undone": "undo", "Holding": "holding", "Seeded": "seed"}[type(line).__name__]
        for line in session.record.log
        if not isinstance(line, Played)
    ]


def test_of_a_long_game_a_story_keeps_few_states_and_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, random = GAMES["classic"], Random(1)
    session = new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),)))
    for steps in (4, 1, 2, 3, 1, 3):
        for _ in range(15):
            event = random_event(rules, session.record.state, random)
            assert event is not None
            session = play(session, event)
        session = undo(undo(session, steps), 1)
    told = list[list[Event]]()
    for kept in (100, 3):
        monkeypatch.setattr("appliance.service.snapshot._MAX_STATES", kept)
        story, events = Story(), list[Event]()
        story.begin_if_new(session)
        while story.is_behind(session):
            events += story.next_events(session)
        told.append(events)
        assert len(story._states) <= kept
    assert told[0] == told[1]
    assert [e["verb"] for e in told[0]].count("undo") > 9


def test_holdem_pockets_are_told_when_they_are_shown_and_not_before() -> None:
    """Neither in a snapshot nor by an event."""
    game, seen, shows = GAMES["holdem"], set[bool](), 0
    for number in range(examples(3, 8)):
        told, stage = Table(), ""
        for session in evening(game, number, 80):
            pockets = session.record.state.pockets
            now, events = told.of(session)
            for sheet, pocket in zip(now.sheets, pockets, strict=True):
                shown = [row for row in sheet.rows if row[0].startswith("P") and row[1] != "-"]
                faces = [row for row in shown if not row[0].startswith("PUT")]
                assert len(faces) == (0 if pocket is None else 2)
                seen.add(pocket is None)
            assert sum(die[0] is not None for die in now.dice) == sum(
                die is not None for die in game.dice(session.record.state)
            )
            for event in events:
                if event["verb"] == "show" and len(event["text"].split()) == 5:
                    assert stage == "showdown"
                    shows += 1
            stage = str(session.record.state.stage)
    assert seen == {True, False}
    assert shows


def test_leaving_and_lots_give_no_points() -> None:
    session = play(new_session(Setup("classic", ("A", "B", "C"), (("first", 0),))), Left(1))
    (event,) = Table().of(session)[1]
    assert (event["verb"], event["label"], event["points"]) == ("leave", "LEAVING", None)
    for session in evening(GAMES["free-for-all"], 3, 20):
        if isinstance(session.record.ask, Draw):
            assert Table().of(session)[0].offers == ()


def test_a_choice_is_told_with_its_points() -> None:
    rolled = step(new_session(Setup("classic", ("A", "B"), (("first", 0),))), throw(3, 3, 3, 5, 5))
    event = Table().of(play(rolled, Score(Box.FULL_HOUSE)))[1][-1]
    assert (event["seat"], event["label"], event["points"]) == (0, "FULL HOUSE", 25)


def test_a_story_is_behind_only_in_the_game_that_it_tells() -> None:
    """Another game has its own story, which begins with `begin_if_new`."""
    here, story = new_session(Setup("classic", ("A", "B")), serial=2), Story()
    assert not story.is_behind(here)
    story.begin_if_new(here)
    assert not story.is_behind(here)
    further = step(here, throw(3, 3, 3, 5, 5))
    assert story.is_behind(further)
    for serial in (1, 3):
        record = replace(further.record, serial=serial)
        assert not story.is_behind(replace(further, record=record))
    story.next_events(further)
    assert not story.is_behind(further)


class Evening:
    """An appliance that publishes what happens, and a reader."""

    def __init__(
        self,
        path: Path,
        *events: TrayEvent,
        session: Session | None = None,
        past: Callable[[Container[int | None]], Iterator[Event]] | None = None,
    ) -> None:
        journal = Journal(":memory:")
        if session is None:
            first = begin_session(
                journal, new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),)))
            )
        else:
            first = session.numbered(journal.put(saved_game_of(session))[0])
        self.keys, self.watcher, self.events = ScriptedKeys(), ScriptedWatcher(), list(events)
        profile = make_profile()
        self.viewer = Viewer(lambda: profile)
        self.publisher = Publisher(path, self.viewer, "keyboard", {"port": 80}, past)
        self.appliance = Appliance(
            Devices(MemoryScoreboard(), self.keys),
            Tray(self.watcher),
            journal,
            session=first,
            listen=fan_out(self.viewer.hear, self.publisher.hear),
        )
        self.appliance.start()
        self.pin(PIN)
        self.count, self.path = 0, path / SOCKET_FILE
        self._ends = ExitStack()
        self._ends.callback(self.publisher.close)
        weakref.finalize(self, self._ends.close)

    def pin(self, pin: str | None) -> None:
        console = self.appliance.console
        self.appliance.console = replace(console, settings=replace(console.settings, pin=pin))

    def feed(self, *presses: Button, image: int = 100) -> None:
        self.watcher.events = [self.events.pop(0)] if self.events else []
        self.keys.presses = [Pressed(button) for button in presses]
        frame = Frame(np.full((864, 1536, 3), image, np.uint8), self.count / 2, self.count)
        self.count += 1
        self.viewer.look(frame)
        self.appliance.feed(frame)
        self.publisher.publish(self.appliance)

    def reader(self) -> socket.socket:
        end = self._ends.enter_context(socket.socket(socket.AF_UNIX))
        self.publisher.publish(self.appliance)
        end.connect(str(self.path))
        self.publisher.publish(self.appliance)
        end.setblocking(False)
        return end

    def heard(self, end: socket.socket) -> list[dict[str, Any]]:
        self.publisher.publish(self.appliance)
        with suppress(BlockingIOError):
            return [json.loads(line) for line in end.recv(1_000_000).splitlines()]
        return []


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path


def test_a_newcomer_hears_the_game_so_far_and_then_each_change(path: Path) -> None:
    evening = Evening(path, throw(1, 2, 3, 4, 6))
    evening.feed()
    evening.feed(Button.HOLD2)
    heard = evening.heard(end := evening.reader())
    assert [next(k for k in line if k != "v") for line in heard] == [
        "hello",
        "snapshot",
        "event",
        "event",
        "picture",
    ]
    assert heard[0] == {"v": 1, "hello": {"port": 80, "pin": PIN}}
    now = heard[1]["snapshot"]
    assert (now["game"], now["kind"], now["origin"], now["state"]) == (1, "classic", "keyboard", 2)
    assert [die[2] for die in now["dice"]] == [False, True, False, False, False]
    assert now["line"] == "ANNA decides"
    assert ["THREES", 3, ""] in now["offers"]
    assert (len(now["board"]), now["sheets"][0]["turn"]) == (256, True)
    assert [e["event"]["text"] for e in heard[2:4]] == ["roll 1 2 3 4 6", "holding 2"]
    picture = heard[4]["picture"]
    assert picture["event"] == 1
    assert [die[:2] for die in picture["dice"]] == [
        [k, str(f)] for k, f in zip(range(1, 6), (1, 2, 3, 4, 6), strict=True)
    ]
    evening.feed(Button.HOLD3)
    kinds = [next(k for k in line if k != "v") for line in evening.heard(end)]
    assert "snapshot" in kinds and kinds.count("event") == 1 and "picture" not in kinds


def test_who_comes_later_hears_all_of_this_game_and_nothing_of_the_one_before(path: Path) -> None:
    evening = Evening(path, throw(1, 2, 3, 4, 6))
    evening.reader()
    for presses in ((), (Button.HOLD2,), ()):
        evening.feed(*presses)
    heard = evening.heard(evening.reader())
    events = [line["event"]["text"] for line in heard if "event" in line]
    assert events == ["roll 1 2 3 4 6", "holding 2"]
    assert [line["picture"]["event"] for line in heard if "picture" in line] == [1]
    console = evening.appliance.console
    another = new_session(Setup("yatzy", ("CID",), (("first", 0),))).numbered(2)
    evening.appliance.console = replace(console, session=another)
    heard = evening.heard(evening.reader())
    assert not any("event" in line or "picture" in line for line in heard)


def test_a_round_without_news_tells_nothing_and_lights_alone_are_short(path: Path) -> None:
    evening = Evening(path)
    evening.feed()
    end = evening.reader()
    evening.heard(end)
    assert evening.heard(end) == []
    evening.feed()
    assert evening.heard(end) == []
    evening.events = [throw(1, 1, 1, 1, 1)]
    evening.feed()
    assert evening.heard(end)
    for _ in range(300):
        evening.feed()
    heard = evening.heard(end)
    assert heard
    assert all(set(line) == {"v", "board"} for line in heard)


def test_a_reader_that_does_not_read_is_dropped_and_others_go_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.service.broadcast._MAX_WAITING_BYTES", 100_000)
    evening = Evening(path, throw(1, 2, 3, 4, 6))
    evening.feed()
    lazy, keen = evening.reader(), evening.reader()
    for _ in range(150):
        evening.feed(Button.HOLD1)
        assert evening.heard(keen)
    with suppress(ConnectionError):
        # It must end with the end of the stream, not with a pause.
        while lazy.recv(1_000_000):
            pass
    evening.feed(Button.HOLD1)
    assert evening.heard(keen)


def test_whoever_goes_away_is_forgotten(path: Path) -> None:
    evening = Evening(path)
    evening.reader().close()
    for _ in range(3):
        evening.feed(Button.HOLD1)
    assert evening.heard(evening.reader())


def test_a_stranger_is_turned_away_and_only_the_page_learns_the_pin(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(path)
    monkeypatch.setattr("os.geteuid", lambda: 4711)
    monkeypatch.setattr("struct.unpack", lambda *_: (1, 1234, 1))
    evening.feed()
    assert evening.reader().recv(100) == b""
    users = [SimpleNamespace(pw_uid=1234, pw_name="dicetray-mqtt")]
    monkeypatch.setattr("pwd.getpwall", lambda: users)
    assert evening.heard(evening.reader())[0] == {"v": 1, "hello": {}}
    users[0].pw_name = "dicetray-web"
    assert evening.heard(evening.reader())[0]["hello"]["pin"] == PIN


def test_the_socket_is_there_only_while_it_is_switched_on(path: Path) -> None:
    evening = Evening(path)
    evening.pin("")
    evening.feed()
    assert not any(path.iterdir())
    evening.pin(PIN)
    evening.feed()
    assert {file.name for file in path.iterdir()} == {SOCKET_FILE, PAGE_WANTED_FILE}
    end = evening.reader()
    assert evening.heard(end)
    evening.pin(PIN[::-1])
    evening.feed()
    assert end.recv(100) == b""
    evening.publisher.close()
    assert not any(path.iterdir())


def test_a_folder_that_cannot_be_written_stops_no_game(path: Path) -> None:
    evening = Evening(path / "missing")
    evening.feed()
    evening.feed()


def test_a_private_page_is_not_shown(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    appliance = appliance_with(new_session(Setup("classic", ("A", "B"), (("first", 0),))))
    appliance.start()
    appliance.console = appliance.console.push(About())
    appliance.presses()
    public = snapshot(appliance)
    assert (public.board, public.line[:5]) == (appliance.picture, "About")
    monkeypatch.setattr(Page, "private", True)
    private = snapshot(appliance)
    assert (private.board, private.line) == (None, "")


def test_what_is_wrong_is_told(path: Path) -> None:
    evening = Evening(path)
    evening.appliance.warn(Alert.TRAY_MOVED, blind=True)
    evening.feed()
    heard = evening.heard(evening.reader())
    assert heard[1]["snapshot"]["alerts"] == ["tray moved - calibrate"]


def test_a_long_game_is_told_a_part_a_round_and_none_is_missing(path: Path) -> None:
    *_, session = evening(GAMES["power"], 5, 90)
    published = Evening(path, session=session)
    end = published.reader()
    heard = []
    for _ in range(8):
        heard += published.heard(end)
    numbers = [line["event"]["number"] for line in heard if "event" in line]
    assert numbers == list(range(1, len(session.record.log) + 1))
    assert len(numbers) > 32


def test_a_game_is_told_to_its_end_though_the_next_one_begins_at_once(path: Path) -> None:
    session = new_session(Setup("classic", ("ANNA",), (("first", 0),)))
    random = Random(1)
    while session.record.ask is not None:
        before = session
        event = random_event(session.record.rules, session.record.state, random)
        assert event is not None
        session = play(session, event)
    published = Evening(path, session=before)
    end = published.reader()
    while published.heard(end):
        pass
    heard: list[dict[str, Any]] = []
    while not any(line.get("snapshot", {}).get("game") == 2 for line in heard):
        published.feed(Button.OK)
        heard += published.heard(end)
    told = next(line for line in heard if line.get("event", {}).get("over"))
    last = heard[heard.index(told) - 1]
    now = next(line for line in heard if line.get("snapshot", {}).get("game") == 2)
    stood = last["snapshot"]
    assert (stood["game"], stood["state"], stood["winners"]) == (1, len(session.record.log), [0])
    assert stood["line"].startswith("The game is over")
    ended = told["event"]
    assert (ended["game"], ended["number"], ended["over"]) == (1, len(session.record.log), True)
    assert (now["snapshot"]["game"], now["snapshot"]["state"]) == (2, 0)
    assert not published.heard(end)


def test_of_many_evenings_only_the_last_games_are_kept_for_a_broker(path: Path) -> None:
    finished, told = list[int](), list[int]()

    def past(but: Container[int | None]) -> Iterator[Event]:
        return ({"game": game} for game in finished[-MAX_ENDED_GAMES:] if game not in but)

    evening = Evening(path, past=past)
    end = evening.reader()
    for number in range(1, MAX_ENDED_GAMES + 6):
        begun = new_session(Setup("classic", ("ANNA",), (("first", 0),))).numbered(100 + number)
        evening.appliance.console = replace(evening.appliance.console, session=begun)
        evening.feed()
        told += [line["ended"]["game"] for line in evening.heard(end) if "ended" in line]
        finished.append(100 + number)
    assert told == finished[:-1]
    newcomer = evening.heard(evening.reader())
    kept = [line["ended"]["game"] for line in newcomer if "ended" in line]
    assert kept == told[-MAX_ENDED_GAMES:]

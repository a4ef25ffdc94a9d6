"""The league of a club, and the tables that it follows."""

import json
import tracemalloc
import weakref
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from appliance.club.evening import (
    BUSY_MESSAGES,
    MAX_GAMES_AT_ONCE,
    RESYNC_AFTER_S,
    TABLE_LIFETIME_S,
    Games,
    LogLines,
    Tables,
    game_of,
    league,
)
from appliance.club.reports import MAX_LOG_LINES, MAX_NUMBER, Ended, read_ended
from appliance.config.settings import MqttConfig
from appliance.errors import ReportError
from appliance.mqtt.messages import Composer, Message
from appliance.service.broadcast import MAX_ENDED_GAMES
from appliance.service.snapshot import Story
from appliance.table.session.session import Setup
from tests.rigs.played_tables import lines, played


def told(game: int = 1, winners: tuple[int, ...] = (0,), **more: Any) -> dict[str, Any]:
    what = {"game": game, "title": "CLASSIC", "players": ["ANNA", "BERT"], "scores": [200, 150]}
    log = [f"roll {game} 1 1 1 1", "hold 1"] + ["roll 2 2 2 2"] * 10
    return what | {"winners": list(winners), "over": True, "log": log} | more


def ended(game: int = 1, winners: tuple[int, ...] = (0,), **more: Any) -> Ended:
    return read_ended(json.dumps(told(game, winners, **more)).encode())


def test_the_league_has_who_won_most_first() -> None:
    games = [game_of("a", ended(n, (int(n % 3 == 0),))) for n in range(1, 4)]
    first, second = league(games)
    assert (first["player"], first["wins"], first["games"]) == ("ANNA", 2, 3)
    assert (second["player"], second["wins"], second["mean"]) == ("BERT", 1, 150)


def test_a_game_counts_once_however_often_it_is_told() -> None:
    game = game_of("a", ended())
    assert league([game, game]) == league([game])
    assert game_of("b", ended()).id != game.id
    assert game_of("a", ended(2)).id != game.id


def test_a_game_that_goes_on_counts_no_more_until_it_is_over_again() -> None:
    log = told()["log"]
    over, back = game_of("a", ended()), game_of("a", ended(over=False, log=[*log, "undo 1"]))
    again = game_of("a", ended(scores=[210, 150], log=[*log, "undo 1", "score chance"]))
    assert league([over, back]) == []
    assert league([over, back, again])[0]["best"] == 210


def test_the_file_has_each_game_once_and_outlives_a_torn_line(tmp_path: Path) -> None:
    file = tmp_path / "club.jsonl"
    games = Games(file)
    games.count(game_of("a", ended(1)))
    games.count(game_of("a", ended(1)))
    games.count(game_of("a", ended(2)))
    assert file.read_text().count('"title"') == 2
    file.write_text(file.read_text()[:-20])
    found = Games(file)
    with closing(found):
        assert len(found) == 1
        found.count(game_of("a", ended(2)))
    with closing(Games(file)) as again, closing(games):
        assert dict(again) == dict(games)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"players": 3},
        {"scores": []},
        {"scores": ["x", 1]},
        {"log": None},
        {"game": None, "log": [1]},
        {"winners": 1},
    ],
)
def test_what_is_no_game_is_refused(tmp_path: Path, wrong: Mapping[str, Any]) -> None:
    what = {**told(), **wrong} if wrong else {}
    with closing(Games(tmp_path / "club.jsonl")) as games, pytest.raises(ReportError):
        games.count(game_of("a", read_ended(json.dumps(what).encode())))
    assert (tmp_path / "club.jsonl").read_bytes() == b""


class Broker:
    """Keeps retained messages; passes messages on to subscribers, except those it loses."""

    def __init__(self, tmp_path: Path) -> None:
        self.kept: dict[str, str] = {}
        self.lost: set[str] = set()
        self.asked: list[str] = []
        self.shown: dict[str, Any] = {}
        self.forgotten: list[str] = []
        self.games = Games(tmp_path / "club.jsonl")
        weakref.finalize(self, self.games.close)
        self.tables = Tables("dicetray", self.games, self.asked.append, self.show)

    def show(self, kind: str, value: object) -> None:
        self.shown[kind] = value

    def publish(self, message: Message) -> None:
        topic, text, _, retained = message
        if retained:
            self.kept[topic] = text
        if topic not in self.lost:
            self.tables.take_message(topic, text.encode())

    def answer(self) -> None:
        """Sends what it keeps to those who have asked."""
        asked, self.asked[:] = list(self.asked), []
        for topic, text in self.kept.items():
            base = "/".join(topic.split("/")[:2])
            if f"{base}/#" in asked or (f"{base}/available" == topic and "+" in "".join(asked)):
                self.tables.take_message(topic, text.encode())


@pytest.fixture
def broker(tmp_path: Path) -> Broker:
    return Broker(tmp_path)


SETTINGS = MqttConfig(tray="tray-1", names=True)


def play(broker: Broker, serial: int, *, most: int = 10_000, teller: Composer | None = None) -> int:
    """Publishes a game's messages; how many events the game has had."""
    teller, story = teller or Composer(SETTINGS, lambda: 0.0), Story()
    broker.publish(("dicetray/tray-1/available", "online", 1, True))
    events = 0
    for session in played(Setup("classic", ("ANNA", "BERT")), serial, Random(serial)):
        if events == most:
            break
        for line in lines(session, story):
            for message in teller.messages(line):
                broker.publish(message)
        events = len(session.record.log)
    return events


def test_what_comes_live_has_no_gap_and_is_counted(broker: Broker) -> None:
    events = play(broker, 1)
    table = broker.tables["tray-1"]
    assert table.whole == table.events == events
    [game] = broker.games.values()
    assert (game.events, game.table) == (events, "tray-1")
    assert broker.shown["whole tray-1"] == events


def test_a_gap_is_asked_for_once_it_lasts_and_filled(broker: Broker) -> None:
    broker.lost = {"dicetray/tray-1/log/7", "dicetray/tray-1/ended/1"}
    events = play(broker, 1)
    table = broker.tables["tray-1"]
    assert (table.whole, len(broker.games)) == (6, 0)
    broker.tables.ask_next_table(0.0)
    broker.answer()
    broker.lost = set()
    table.whole = 6
    assert table.game is not None
    table.log = LogLines()
    for number in range(1, 7):
        table.log.note(number, table.game)
    table.ended.clear()
    for now in (0.1, RESYNC_AFTER_S / 2):
        broker.tables.ask_next_table(now)
        assert broker.asked == []
    broker.tables.ask_next_table(0.2 + RESYNC_AFTER_S)
    assert broker.asked == ["dicetray/tray-1/#"]
    broker.answer()
    assert table.whole == events
    assert len(broker.games) == 1
    broker.tables.ask_next_table(9 * RESYNC_AFTER_S)
    assert broker.asked == []


def test_a_table_that_sends_every_number_takes_up_little() -> None:
    tracemalloc.start()
    lines, before = LogLines(), tracemalloc.get_traced_memory()[0]
    for number in range(MAX_LOG_LINES, 0, -1):
        lines.note(number, MAX_NUMBER - number)
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert taken < 100_000
    assert lines.game_of(7) == MAX_NUMBER - 7
    assert lines.game_of(MAX_LOG_LINES + 1) is None
    assert LogLines().game_of(1) is None


def test_a_game_that_was_over_and_did_not_come_is_asked_for(broker: Broker) -> None:
    broker.lost = {"dicetray/tray-1/ended/1"}
    teller = Composer(SETTINGS, lambda: 0.0)
    play(broker, 1, teller=teller)
    play(broker, 2, teller=teller, most=20)
    assert len(broker.games) == 0
    broker.asked.clear()
    for now in (0.0, RESYNC_AFTER_S * 2):
        broker.tables.ask_next_table(now)
    assert broker.asked == ["dicetray/tray-1/#"] * 2
    broker.lost = set()
    broker.answer()
    assert len(broker.games) == 1
    for now in (RESYNC_AFTER_S * 4, RESYNC_AFTER_S * 8):
        broker.tables.ask_next_table(now)
    assert broker.asked == []


def test_nothing_is_asked_for_in_a_flood(broker: Broker) -> None:
    for _ in range(BUSY_MESSAGES):
        broker.publish(("dicetray/tray-1/available", "online", 1, True))
    broker.asked.clear()
    broker.tables.ask_next_table(0.0)
    assert broker.asked == []
    broker.tables.ask_next_table(0.1)
    assert broker.asked == ["dicetray/tray-1/#"]


def test_a_page_that_begins_anew_finds_all_that_was_played_without_it(
    broker: Broker, tmp_path: Path
) -> None:
    for serial in range(1, MAX_ENDED_GAMES + 1):
        play(broker, serial)
    events = play(broker, MAX_ENDED_GAMES + 1, most=40)
    kept = broker.kept
    other = Broker(tmp_path / "..")
    other.games = Games(tmp_path / "other.jsonl")
    weakref.finalize(other, other.games.close)
    other.tables = Tables("dicetray", other.games, other.asked.append, other.show)
    other.kept = kept
    other.answer()
    other.tables.ask_next_table(0.0)
    other.answer()
    assert other.tables["tray-1"].whole == events == 40
    assert dict(other.games) == dict(broker.games)
    assert len(other.games) == MAX_ENDED_GAMES


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("dicetray/tray-1/state", b"{"),
        ("dicetray/tray-1/state", b"[]"),
        ("dicetray/tray-1/state", b'{"game": 1}'),
        ("dicetray/tray-1/state", b'{"game": [], "events": 3, "winners": [1]}'),
        ("dicetray/tray-1/state", b'{"game": 1, "events": "x", "winners": []}'),
        ("dicetray/Tray 1/available", b"online"),
        ("dicetray/tray-1/log/x", b"{}"),
        ("dicetray/tray-1/log/999999", b'{"game": 1}'),
        ("dicetray/tray-1/log/1", b"\xff"),
        ("dicetray/tray-1/ended/1", b'{"game": 1, "log": 3}'),
        ("dicetray/tray-1/log/1", b""),
    ],
)
def test_what_no_tray_has_sent_is_left_out(broker: Broker, topic: str, payload: bytes) -> None:
    broker.tables.take_message(topic, payload)
    assert len(broker.games) == 0
    broker.tables.ask_next_table(0.0)
    broker.tables.ask_next_table(RESYNC_AFTER_S * 2)
    assert play(broker, 1) == broker.tables["tray-1"].whole
    assert list(broker.tables) == ["tray-1"]


def test_names_of_tables_are_told_sorted(broker: Broker) -> None:
    for name in ("b", "a"):
        broker.publish((f"dicetray/{name}/available", "online", 1, True))
    assert broker.shown["tables"] == ["a", "b"]


def hall_says(broker: Broker, topic: str, payload: str) -> None:
    broker.tables.take_message(f"dicetray/{topic}", payload.encode(), retained=True)


def test_a_hall_that_is_away_takes_its_tables_along_and_brings_them_back(broker: Broker) -> None:
    for name in ("hall-a/table-1", "hall-b/table-1", "table-1", "hall-a"):
        hall_says(broker, f"{name}/available", "online")
    names = ["hall-a", "hall-a/table-1", "hall-b/table-1", "table-1"]
    assert broker.shown["tables"] == names
    assert broker.shown["away"] == []
    for now_s in range(len(names)):
        broker.tables.ask_next_table(now_s)
    broker.asked.clear()
    hall_says(broker, "hall-a/bridge", "0")
    assert broker.shown["away"] == ["hall-a"]
    there = [broker.shown[f"available {name}"] for name in names]
    assert there == [True, False, True, True]
    # What was kept of it says otherwise, and is older.
    hall_says(broker, "hall-a/table-1/available", "online")
    assert broker.shown["available hall-a/table-1"] is False
    hall_says(broker, "hall-a/bridge", "1")
    assert (broker.shown["away"], broker.shown["available hall-a/table-1"]) == ([], True)
    # It is asked for all it has, as that may be other than before.
    broker.tables.ask_next_table(10.0)
    broker.tables.ask_next_table(20.0)
    assert broker.asked == ["dicetray/hall-a/table-1/#"]


def test_a_page_that_begins_while_a_hall_is_away_says_so_once_it_knows_its_tables(
    broker: Broker,
) -> None:
    hall_says(broker, "hall-a/bridge", "0")
    hall_says(broker, "hall-b/table-1/available", "online")
    assert broker.shown["away"] == []
    hall_says(broker, "hall-a/table-1/available", "online")
    assert (broker.shown["away"], broker.shown["available hall-a/table-1"]) == (["hall-a"], False)


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("Hall A/bridge", "0"),
        ("hall-a/bridge", "away"),
        ("hall-a/hall-a/bridge", "0"),
        ("bridge", "0"),
        ("hall-a/table-1/more/available", "online"),
        ("hall-a//available", "online"),
    ],
)
def test_what_no_bridge_says_of_a_hall_is_left_out(
    broker: Broker, topic: str, payload: str
) -> None:
    hall_says(broker, "hall-a/table-1/available", "online")
    hall_says(broker, topic, payload)
    assert (broker.shown["away"], broker.shown["tables"]) == ([], ["hall-a/table-1"])
    assert broker.shown["available hall-a/table-1"]


def test_a_game_of_the_longest_names_is_in_the_league_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "club.jsonl"
    games = Games(file)
    games.count(game_of(f"{'h' * 32}/{'t' * 32}", ended()))
    with closing(Games(file)) as again, closing(games):
        assert dict(again) == dict(games)


class Clock:
    """Unix time that a test sets."""

    def __init__(self) -> None:
        self.now_s = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock(broker: Broker) -> Clock:
    clock = Clock()
    broker.tables = Tables(
        "dicetray", broker.games, broker.asked.append, broker.show, broker.forgotten.append, clock
    )
    return clock


def publish_kept(broker: Broker, kind: str, payload: str) -> None:
    broker.tables.take_message(f"dicetray/a/{kind}", payload.encode(), retained=True)


def test_a_table_that_is_silent_for_a_day_goes_until_it_sends_something(
    broker: Broker, clock: Clock
) -> None:
    for name in ("a", "b"):
        broker.publish((f"dicetray/{name}/available", "online", 1, True))
    clock.now_s += TABLE_LIFETIME_S - 1
    broker.publish(("dicetray/b/available", "offline", 1, True))
    broker.tables.ask_next_table(0.0)
    assert broker.shown["tables"] == ["a", "b"]
    clock.now_s += 2
    broker.tables.ask_next_table(1.0)
    assert (broker.shown["tables"], broker.forgotten) == (["b"], ["a"])
    publish_kept(broker, "available", "online")
    assert broker.shown["tables"] == ["b"]
    broker.publish(("dicetray/a/available", "online", 1, True))
    assert broker.shown["tables"] == ["a", "b"]


@pytest.mark.parametrize(("age_s", "shown"), [(3600.0, ["a"]), (TABLE_LIFETIME_S + 1, [])])
def test_what_a_broker_kept_of_a_table_is_as_old_as_it_says(
    broker: Broker, clock: Clock, age_s: float, shown: list[str]
) -> None:
    publish_kept(broker, "available", "online")
    publish_kept(broker, "state", standing(at=clock.now_s - age_s))
    broker.tables.ask_next_table(0.0)
    assert broker.shown["tables"] == shown


def test_a_clock_that_is_ahead_keeps_no_table_for_longer(broker: Broker, clock: Clock) -> None:
    publish_kept(broker, "state", standing(at=2 * clock.now_s))
    clock.now_s += TABLE_LIFETIME_S + 1
    broker.tables.ask_next_table(0.0)
    assert broker.shown["tables"] == []


def test_a_new_connection_gives_no_table_more_games(broker: Broker) -> None:
    for number in range(1, 2 * MAX_GAMES_AT_ONCE):
        text = json.dumps(told(number))
        broker.publish((f"dicetray/a/ended/{number % 16}", text, 1, True))
        broker.tables.ask_again(broker.asked.append)
    assert len(broker.games) == MAX_GAMES_AT_ONCE


def standing(**more: Any) -> str:
    what = {"game": 1, "title": "CLASSIC", "round": 1, "turn": 0, "winners": [], "events": 0}
    what |= {"players": ["ANNA"], "totals": [7], "dice": [], "board": "", "alerts": []}
    return json.dumps(what | {"ended": []} | more)

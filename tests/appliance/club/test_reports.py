"""Messages that anybody might send in place of a table, none of which does harm."""

import asyncio
import json
import re
import weakref
from collections.abc import Callable
from contextlib import aclosing, closing, suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.club import evening
from appliance.club.evening import (
    DISCOVERY_INTERVAL_S,
    GAME_INTERVAL_S,
    MAX_GAMES_AT_ONCE,
    Games,
    Tables,
    league,
)
from appliance.club.reports import (
    MAX_BYTES_BY_KIND,
    read_available,
    read_ended,
    read_game,
    read_logged,
    read_standing,
)
from appliance.errors import ReportError
from appliance.web.serving import Channel

STATE: dict[str, Any] = {
    "game": 1,
    "kind": "classic",
    "title": "CLASSIC",
    "round": 3,
    "turn": 0,
    "winners": [],
    "events": 0,
    "players": ["ANNA", "BEN"],
    "totals": [12, 0],
    "dice": [3, None, "double"],
    "board": "ANNA: throw",
    "alerts": ["no camera - plug it in"],
    "ended": [],
    "at": 1.5,
}
LOG: dict[str, Any] = {
    "game": 1,
    "number": 1,
    "verb": "score",
    "text": "score ones",
    "seat": 0,
    "label": "ONES",
    "points": 3,
    "reason": "",
    "scores": [3, 0],
    "celebrated": False,
    "over": False,
}
ENDED: dict[str, Any] = {
    "game": 1,
    "title": "CLASSIC",
    "players": ["ANNA", "BEN"],
    "scores": [200, 150],
    "winners": [0],
    "over": True,
    "log": ["roll 1 2 3 4 5", "score ones"],
}
GAME: dict[str, Any] = {
    "id": "0123456789abcdef",
    "table": "table-1",
    "title": "CLASSIC",
    "players": ["ANNA", "BEN"],
    "scores": [200, 150],
    "winners": [0],
    "over": True,
    "events": 12,
}
KINDS: dict[str, tuple[dict[str, Any], Callable[[bytes], Any]]] = {
    "state": (STATE, read_standing),
    "log": (LOG, read_logged),
    "ended": (ENDED, read_ended),
    "game": (GAME, read_game),
}
UNUSED = {"kind", "scores", "celebrated", "over"}
"""Fields of a state or an event that the page has no use for."""
BREAKS = ("\n", "\r", "\r\n", "\n\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\x00")
BAD_TEXTS = (
    *(f"ANNA{end}event: league{end}data: []{end}" for end in BREAKS),
    *("\ud800", "\udc80", "\u202eANNA", "\u2066ANNA", "\x1b[2J", "\x7f", "M" * 5000),
)
BAD_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 10**12, 10**400, 1.5, float("nan"), float("inf"), "x", "", [], {}),
    *([[]], [None], [True], [float("nan")], ["x"] * 100, {"a": {"b": 1}}, *BAD_TEXTS),
)


def in_json(value: Any) -> bytes:
    return json.dumps(value).encode()


class Page:
    """A club's page: its tables, and what browsers get."""

    def __init__(self, folder: str | Path) -> None:
        self.channel, self.asked = Channel(), list[str]()
        self.games = Games(Path(folder, "club.jsonl"))
        weakref.finalize(self, self.games.close)
        self.tables = Tables("dicetray", self.games, self.asked.append, self.channel.publish)

    def events(self) -> dict[str, Any]:
        """The events for a browser that opens the page now: kinds and their values."""

        async def first() -> bytes:
            async with aclosing(self.channel.events()) as events:  # type: ignore[type-var]
                return await anext(events)

        return parsed(asyncio.run(first()))


def parsed(stream: bytes) -> dict[str, Any]:
    """The events of a stream, as browsers divide it (WHATWG HTML, 9.2.6), each in JSON."""
    found = dict[str, Any]()
    kind, data = "", list[str]()
    for line in re.split("\r\n|\r|\n", stream.decode()):
        if line.startswith("event: "):
            assert kind == "", "an event has one kind"
            kind = line[7:]
        elif line.startswith("data: "):
            data.append(line[6:])
        elif line:
            assert line.startswith(":"), line
        elif kind:
            assert kind not in found, f"{kind} came twice"
            assert len(data) == 1
            found[kind] = json.loads(data[0], parse_constant=pytest.fail)
            kind, data = "", []
        else:
            assert data == [], "data of no event"
    assert (kind, data) == ("", [])
    return found


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_table_sends_is_read_and_fields_of_later_versions_are_left_out(kind: str) -> None:
    good, read = KINDS[kind]
    assert read(in_json(good)) == read(in_json(good | {"later": {"more": [1]}}))


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_that_is_missing_is_named(kind: str) -> None:
    good, read = KINDS[kind]
    for name in good.keys() - (UNUSED if kind in ("state", "log") else set()):
        with pytest.raises(ReportError, match=f"{kind}: the field {name} is missing"):
            read(in_json({key: value for key, value in good.items() if key != name}))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", BAD_TEXTS)
def test_no_field_takes_a_text_that_is_more_than_a_short_line(kind: str, bad: str) -> None:
    good, read = KINDS[kind]
    for name, value in good.items():
        if name in UNUSED and kind in ("state", "log"):
            continue
        with pytest.raises(ReportError):
            read(in_json(good | {name: bad}))
        if isinstance(value, list):
            with pytest.raises(ReportError):
                read(in_json(good | {name: [*value, bad]}))
            with pytest.raises(ReportError):
                read(in_json(good | {name: [bad]}))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", BAD_VALUES, ids=lambda bad: repr(bad)[:20])
def test_a_value_of_any_type_is_read_or_refused(kind: str, bad: object) -> None:
    good, read = KINDS[kind]
    for name in good:
        with suppress(ReportError):
            what = read(in_json(good | {name: bad}))
            json.dumps(asdict(what), allow_nan=False)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"\xff",
        b"\x00",
        b"[" * 10_000,
        b'{"a":' * 3_000,
        b"1" * 5_000,
        '{"game": 1}'.encode("utf-16"),
    ],
)
def test_what_is_no_object_in_json_is_refused(kind: str, payload: bytes) -> None:
    with pytest.raises(ReportError):
        KINDS[kind][1](payload)


def test_what_is_too_large_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json, "loads", lambda _: pytest.fail("it was decoded"))
    for kind, (good, read) in KINDS.items():
        payload = in_json(good).ljust(MAX_BYTES_BY_KIND[kind] + 1)
        with pytest.raises(ReportError, match=f"at most {MAX_BYTES_BY_KIND[kind]} bytes, found"):
            read(payload)
    with pytest.raises(ReportError, match="at most 16 bytes"):
        read_available(b"online".ljust(60_000_000))


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("state", {"players": ["A"] * 9, "totals": [0] * 9}),
        ("state", {"totals": [1]}),
        ("state", {"turn": 2}),
        ("state", {"winners": [2]}),
        ("state", {"winners": [-1]}),
        ("state", {"dice": [1] * 100}),
        ("state", {"game": 0}),
        ("state", {"events": -1}),
        ("state", {"ended": [0]}),
        ("state", {"at": float("inf")}),
        ("state", {"at": float("nan")}),
        ("state", {"alerts": "no camera"}),
        ("log", {"seat": 8}),
        ("log", {"number": 0}),
        ("ended", {"scores": [1, 2, 3]}),
        ("ended", {"winners": [True]}),
        ("ended", {"over": 1}),
        ("ended", {"log": ["x"] * 10_000}),
        ("ended", {"scores": [1e308, 2]}),
    ],
)
def test_what_does_not_fit_together_is_refused(kind: str, wrong: dict[str, Any]) -> None:
    good, read = KINDS[kind]
    with pytest.raises(ReportError, match=f"{kind}.{next(iter(wrong))}: expected|{kind}.totals"):
        read(in_json(good | wrong))


def test_a_bad_table_shows_as_bad_until_it_can_be_read_and_no_other_does(page: Page) -> None:
    page.tables.take_message("dicetray/good/state", in_json(STATE))
    page.tables.take_message("dicetray/bad/state", in_json({"game": 1, "title": "CLASSIC"}))
    events = page.events()
    assert (events["unreadable bad"], events["state bad"]) == (["state"], None)
    assert (events["unreadable good"], events["state good"]["players"]) == ([], ["ANNA", "BEN"])
    assert events["tables"] == ["bad", "good"]
    page.tables.take_message("dicetray/bad/state", in_json(STATE))
    page.tables.take_message("dicetray/bad/log/7", in_json(LOG))
    events = page.events()
    assert (events["unreadable bad"], events["state bad"]["title"]) == (["log"], "CLASSIC")
    page.tables.take_message("dicetray/bad/log/1", in_json(LOG))
    assert page.events()["unreadable bad"] == []


def test_an_available_with_a_line_break_forges_nothing(page: Page) -> None:
    league_of_one = b'data: [{"game":"CLASSIC","player":"MALLORY","wins":99}]'
    for end in (b"\n", b"\r", b"\r\n"):
        forged = end.join((b"offline", b"", b"event: league", league_of_one, b""))
        page.tables.take_message("dicetray/table-1/available", forged)
        forged_nothing = {"tables": ["table-1"], "away": [], "unreadable table-1": ["available"]}
        assert page.events() == forged_nothing


def test_a_message_that_was_deleted_is_nothing_bad(page: Page) -> None:
    page.tables.take_message("dicetray/table-1/available", b"online")
    for topic in ("available", "state", "log/1", "ended/1"):
        page.tables.take_message(f"dicetray/table-1/{topic}", b"")
    events = page.events()
    assert (events["available table-1"], events["unreadable table-1"]) == (False, [])


@pytest.mark.parametrize(
    "topic",
    [
        *("", "/", "dicetray", "dicetray/table-1", "dicetray/table-1/", "dicetray//state"),
        *("dicetray/table-1/trigger", "dicetray/table-1/state/more", "dicetray/Table 1/state"),
        *("dicetray/table-1/log", "dicetray/table-1/log/-1", "dicetray/table-1/log/01"),
        *("dicetray/table-1/log/\u0663", "dicetray/table-1/ended/1e3", "dicetray/a\nb/state"),
        *(
            "dicetray/table-1/state\n",
            "dicetray/table-1\n/state",
            f"dicetray/{33 * 'a'}/state",
        ),
        *("dicetray/table-1/log/99999", "dicetray/../state", "dicetray/\ud800/state"),
    ],
)
def test_a_topic_with_an_odd_name_is_no_table(page: Page, topic: str) -> None:
    page.tables.take_message(topic, in_json(STATE))
    assert page.tables == {}
    assert page.events() == {}


def test_made_up_games_do_not_fill_the_league(page: Page, tmp_path: Path) -> None:
    page.tables.ask_next_table(0.0)
    for number in range(1, 3001):
        what = ENDED | {"game": number, "players": [f"M{number}", "BEN"], "log": [f"roll {number}"]}
        page.tables.take_message(f"dicetray/table-1/ended/{number % 16}", in_json(what))
        long = what | {"players": ["M" * 5000, "BEN"]}
        page.tables.take_message(f"dicetray/table-1/ended/{number % 16}", in_json(long))
    assert len(page.games) == MAX_GAMES_AT_ONCE
    assert (tmp_path / "club.jsonl").stat().st_size < 20_000
    # Another table's game is counted all the same, and what was refused is counted in its time.
    page.tables.take_message("dicetray/table-2/ended/1", in_json(ENDED))
    assert len(page.games) == MAX_GAMES_AT_ONCE + 1
    late = in_json(ENDED | {"game": 5000, "log": ["roll 5000"]})
    page.tables.take_message("dicetray/table-1/ended/0", late)
    assert 5000 not in page.tables["table-1"].ended
    page.tables.ask_next_table(1.01 * GAME_INTERVAL_S)
    page.tables.take_message("dicetray/table-1/ended/0", late)
    assert 5000 in page.tables["table-1"].ended
    assert len(page.games) == MAX_GAMES_AT_ONCE + 2


def test_there_is_a_most_of_games(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evening, "MAX_GAMES", 3)
    for number in range(1, 6):
        what = ENDED | {"game": number, "log": [f"roll {number}"]}
        page.tables.take_message(f"dicetray/table-1/ended/{number}", in_json(what))
    assert len(page.games) == 3
    assert page.tables["table-1"].ended == {1, 2, 3}
    # Those that are counted may still change.
    changed = ENDED | {"log": ["roll 1"], "scores": [300, 150]}
    page.tables.take_message("dicetray/table-1/ended/1", in_json(changed))
    assert max(line["best"] for line in league(page.games.values())) == 300


def test_a_file_of_games_with_any_lines_can_be_used(tmp_path: Path) -> None:
    good = in_json(GAME)
    bad = (
        *(in_json(GAME | {name: value}) for name in GAME for value in BAD_TEXTS),
        *(b"[" * 10_000, b'{"over": Infinity}', in_json(GAME | {"scores": [float("inf"), 1]})),
    )
    (tmp_path / "club.jsonl").write_bytes(b"\n".join((*bad, good, b'{"id": "torn')))
    with closing(Games(tmp_path / "club.jsonl")) as games:
        assert [game.id for game in games.values()] == [GAME["id"]]


def test_who_lies_about_what_is_missing_is_asked_less_and_less(page: Page) -> None:
    page.tables.take_message("dicetray/table-1/state", in_json(STATE | {"events": 500}))
    for tenth in range(10 * 600):
        page.tables.ask_next_table(tenth / 10)
    assert page.asked.count("dicetray/table-1/#") < 20
    # What comes in the end is asked for as soon as ever.
    page.tables.take_message("dicetray/table-1/log/1", in_json(LOG))
    page.asked.clear()
    for tenth in range(10 * 600, 10 * 602 + 1):
        page.tables.ask_next_table(tenth / 10)
    assert page.asked.count("dicetray/table-1/#") == 1


def test_a_table_whose_first_message_was_lost_is_found_later(page: Page) -> None:
    page.asked.clear()
    for second in range(100, 100 + 5 * int(DISCOVERY_INTERVAL_S)):
        page.tables.ask_next_table(float(second))
    assert 3 <= page.asked.count("dicetray/+/available") <= 5


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(BAD_TEXTS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ALMOST = st.sampled_from((STATE, LOG, ENDED)).flatmap(
    lambda good: st.dictionaries(st.sampled_from([*good]), VALUES, max_size=3).map(good.__or__)
)
PAYLOADS = st.binary(max_size=300) | (VALUES | ALMOST).map(in_json)
PLACES = st.sampled_from(("available", "state", "log/1", "ended/1", "trigger")) | st.text()
NAMES = st.sampled_from(("table-1", "table-2")) | st.text()
MESSAGES = st.lists(st.tuples(NAMES, PLACES, PAYLOADS), max_size=8)


@given(MESSAGES)
def test_no_message_raises_or_makes_an_event_of_its_own(
    messages: list[tuple[str, str, bytes]],
) -> None:
    with TemporaryDirectory() as folder:
        page = Page(folder)
        page.channel.publish("league", [])
        for name, place, payload in messages:
            page.tables.take_message(f"dicetray/{name}/{place}", payload)
        events = page.events()
        assert events["league"] == []
        kinds = ("available", "state", "log", "whole", "unreadable")
        known = {f"{kind} {name}" for name in page.tables for kind in kinds}
        assert events.keys() <= known | {"league", "tables", "away"}
        league(page.games.values())
        with closing(Games(Path(folder, "club.jsonl"))) as again:
            assert again == page.games

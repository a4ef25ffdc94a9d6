"""A club's page in a real browser: tables, league, sizes, languages, accessibility."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest

from appliance.club import evening
from appliance.config.settings import MqttConfig
from appliance.mqtt.messages import Composer, Message
from appliance.service.snapshot import Story
from appliance.table.session.session import Setup
from appliance.web import serving
from appliance.words import ENGLISH, say, set_language
from tests.rigs.browser import IN_BROWSER, PATIENCE_MS, chromium, violations
from tests.rigs.examples import examples
from tests.rigs.played_tables import line, lines, played
from tests.rigs.room import free_port

__all__ = ("chromium",)

pytestmark = [*IN_BROWSER]


def messages() -> Iterator[Message]:
    """Messages of three tables: one has finished a game, one is playing, one has gone."""
    for number, (game, players) in enumerate(
        (("classic", ("ANNA", "BEN")), ("power", ("CLEO", "DAN")), ("showdown", ("EVE", "FINN")))
    ):
        teller, story = (
            Composer(MqttConfig(tray=f"table-{number + 1}", names=True), time.time),
            Story(),
        )
        yield from teller.messages(line("hello", {}))
        steps = list(played(Setup(game, players, (("first", 0),)), 1, Random(3)))
        for session in steps if number == 0 else steps[:30]:
            for told in lines(session, story):
                yield from teller.messages(told)
    yield "dicetray/table-3/available", "offline", 1, True


@cache
def published() -> tuple[Message, ...]:
    return tuple(messages())


class Broker:
    """A client whose broker has everything the tables have published, and what a test adds."""

    def __init__(self) -> None:
        self.on_message: Callable[..., None] = lambda *_: None
        self.ended = Event()
        self.waiting = SimpleQueue[tuple[str, bytes]]()
        for topic, text, *_ in published():
            self.waiting.put((topic, text.encode()))

    def is_connected(self) -> bool:
        with suppress(Empty):
            while True:
                topic, payload = self.waiting.get_nowait()
                self.on_message(
                    None, None, SimpleNamespace(topic=topic, payload=payload, retain=True)
                )
        return not self.ended.is_set()

    def enable_logger(self, _: object) -> None:
        pass

    def subscribe(self, *_: object) -> None:
        pass


ALONE = "delete window.SharedWorker"
"""A page of a browser without shared workers asks by itself, where a test can answer it."""


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture(params=[ENGLISH, "de"][: examples(1, 2)])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    set_language(request.param)
    yield request.param
    set_language(ENGLISH)


@pytest.fixture
def address(
    language: str,
    broker: Broker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    port = free_port()
    monkeypatch.setattr(
        evening, "keep_connected", lambda _settings, _make, follow, _limit: follow(broker)
    )
    monkeypatch.setattr(evening, "POLL_INTERVAL_S", 0.05)
    arguments = MqttConfig(), tmp_path / "club.jsonl", "127.0.0.1", port
    served = Thread(target=evening.evening, args=arguments)
    served.start()
    yield f"http://127.0.0.1:{port}/"
    broker.ended.set()
    served.join()


SHOWN = [("de", 390), (ENGLISH, 1920), ("de", 1920), (ENGLISH, 390)]


@pytest.mark.parametrize(("language", "width"), SHOWN[: examples(2, 4)], indirect=["language"])
def test_tables_and_league_are_shown_to_everybody(
    chromium: Any, address: str, language: str, width: int
) -> None:
    german = language == "de"
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme="dark")
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE_MS)
    tab.goto(address)
    tab.locator("#league td", has_text="ANNA").first.wait_for()
    # Each table comes by itself, before or after the league.
    over = "Das Spiel ist aus." if german else "The game is over."
    for text in ("ANNA", "CLEO", "EVE", over):
        tab.locator("#tables", has_text=text).wait_for()
    texts = tab.locator("#tables").inner_text()
    for word in ("ANNA", "CLEO", "EVE"):
        assert word in texts
    said = tab.locator("body").inner_text()
    assert ("Die Tabelle" if german else "The league") in said
    assert over in said
    assert tab.evaluate("document.documentElement.lang") == ("de" if german else "en")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(tab) == []
    # Seats stand by rank, equals share one, and so do the lines of each game in the league.
    seats = tab.locator("#tables ol").all()
    ranks = [
        [int(one.rstrip(".")) for one in of.locator(".rank").all_inner_texts()] for of in seats
    ]
    totals = [[int(one) for one in of.locator("span:last-child").all_inner_texts()] for of in seats]
    assert totals == [sorted(of, reverse=True) for of in totals]
    assert ranks == [[1 + sum(other > one for other in of) for one in of] for of in totals]
    first = tab.locator("#league tbody tr >> nth=0").locator("td >> nth=0")
    assert first.inner_text() == "1."
    average = tab.locator("#league tbody tr >> nth=0").locator("td >> nth=5").inner_text()
    assert average[-2] == ("," if german else ".")
    assert tab.locator("link[rel=icon]").count() == 1
    # On paper there is the league alone.
    tab.emulate_media(media="print")
    assert tab.is_hidden("#title") and tab.is_hidden("#tables") and tab.is_hidden("#export")
    assert tab.is_visible("#league") and tab.is_visible("#night")
    context.close()


UNREADABLE = "Cannot be read (another version?)"
FORGED = [{"game": "CLASSIC", "player": "MALLORY", "games": 9, "wins": 9, "mean": 1.0, "best": 1}]


def card(tab: Any, name: str) -> Any:
    return tab.locator("#tables article", has=tab.locator("h2", has_text=name))


def test_a_bad_table_is_bad_by_itself_and_cannot_write_the_league(
    chromium: Any, address: str, broker: Broker
) -> None:
    tab = chromium.new_page()
    tab.set_default_timeout(PATIENCE_MS)
    errors = list[str]()
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(address)
    tab.locator("#league td", has_text="ANNA").first.wait_for()
    forged = f"offline\n\nevent: league\ndata: {json.dumps(FORGED)}\n\n"
    state = {"game": 1, "title": "CLASSIC", "events": 3, "winners": [], "ended": []}
    broker.waiting.put(("dicetray/table-4/state", json.dumps(state).encode()))
    broker.waiting.put(("dicetray/table-5/available", forged.encode()))
    for name in ("table-4", "table-5"):
        card(tab, name).get_by_text(say(UNREADABLE)).wait_for()
    # The others go on, and so do those who come now.
    broker.waiting.put(("dicetray/table-3/available", b"online"))
    card(tab, "table-3").get_by_text("SHOWDOWN").wait_for()
    other = chromium.new_page()
    other.set_default_timeout(PATIENCE_MS)
    other.goto(address)
    card(other, "table-2").get_by_text("CLEO", exact=False).first.wait_for()
    for page in (tab, other):
        assert card(page, "table-3").get_by_text(say(UNREADABLE)).count() == 0
        assert "MALLORY" not in page.inner_text("#league")
        assert "ANNA" in page.inner_text("#league")
    assert errors == []
    other.close()
    tab.close()


@pytest.mark.parametrize("value", [{}, 5, {"winners": [], "players": None}, {"winners": 3}])
def test_what_the_page_itself_cannot_draw_spoils_one_card(
    chromium: Any, address: str, value: object
) -> None:
    tab = chromium.new_page()
    tab.set_default_timeout(PATIENCE_MS)
    tab.add_init_script(ALONE)
    good = {
        "game": 1,
        "title": "CLASSIC",
        "round": 1,
        "turn": 0,
        "winners": [],
        "events": 0,
        "players": ["ZOE"],
        "totals": [7],
        "dice": [1],
        "board": "",
        "alerts": [],
    }
    told = {
        "tables": ["bad", "good"],
        "state bad": value,
        "state good": good,
        "available bad": True,
    }
    stream = "".join(f"event: {kind}\ndata: {json.dumps(what)}\n\n" for kind, what in told.items())
    tab.route(
        "**/events", lambda route: route.fulfill(content_type="text/event-stream", body=stream)
    )
    tab.goto(address)
    card(tab, "good").get_by_text("ZOE").wait_for()
    card(tab, "bad").get_by_text(say(UNREADABLE)).wait_for()
    assert card(tab, "good").get_by_text(say(UNREADABLE)).count() == 0
    tab.close()


def answering(answer: dict[str, str]) -> Callable[[Any], None]:
    return lambda route: route.fulfill(**answer)


def test_a_table_that_has_gone_is_shown_no_more_until_it_is_back(
    chromium: Any, address: str
) -> None:
    tab = chromium.new_page()
    tab.set_default_timeout(PATIENCE_MS)
    tab.add_init_script(ALONE)
    for names in (["gone", "here"], ["here"], ["gone", "here"]):
        there = (("available gone", True), ("available here", True))
        told = (("tables", ["gone", "here"]), *there, ("tables", names))
        stream = "".join(f"event: {kind}\ndata: {json.dumps(what)}\n\n" for kind, what in told)
        answer = {"content_type": "text/event-stream", "body": stream}
        tab.unroute_all()
        tab.route("**/events", answering(answer))
        tab.goto(address)
        card(tab, "here").wait_for()
        card(tab, "gone").wait_for(state="visible" if "gone" in names else "hidden")
    tab.close()


def playing(players: int) -> dict[str, Any]:
    """How a table stands at which so many play, whose names have twelve letters."""
    names = [f"{letter}ARTHOLOMÄUS" for letter in "ABCDEF"[:players]]
    table = {"game": 1, "title": "CLASSIC", "round": 7, "turn": 1, "winners": [], "events": 0}
    table |= {"players": names, "totals": [100 + 9 * seat for seat in range(players)]}
    return table | {"dice": [1, 3, 3, 5, 6], "board": names[1], "alerts": []}


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800), (390, 844)])
def test_one_table_is_no_card_in_a_desert(
    chromium: Any, address: str, size: tuple[int, int], players: int
) -> None:
    tab = chromium.new_page(viewport={"width": size[0], "height": size[1]})
    tab.set_default_timeout(PATIENCE_MS)
    tab.add_init_script(ALONE)
    told = (("tables", ["here"]), ("state here", playing(players)), ("available here", True))
    stream = "".join(f"event: {kind}\ndata: {json.dumps(what)}\n\n" for kind, what in told)
    tab.route("**/events", answering({"content_type": "text/event-stream", "body": stream}))
    tab.goto(address)
    tab.locator("#tables li.turn").wait_for()
    whole = tab.locator("#tables article").bounding_box()
    dice = tab.locator("#tables .dice .die").first.bounding_box()
    total = tab.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('#tables ol')).fontSize)"
    )
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]
    # No name is broken, and none is cut.
    one_line = """(all) => all.every((one) =>
        one.getClientRects()[0].height < 2 * parseFloat(getComputedStyle(one).fontSize))"""
    assert tab.eval_on_selector_all("#tables .who", one_line)
    if size[0] > 390:
        assert whole["width"] * whole["height"] >= 0.45 * size[0] * size[1]
        assert dice["height"] >= 0.07 * size[1]
        assert total >= 0.04 * size[1]
        assert whole["y"] + whole["height"] <= size[1]
    assert violations(tab) == []
    tab.close()


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("tables", [2, 3])
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800)])
def test_the_cards_of_few_tables_are_filled(
    chromium: Any, address: str, size: tuple[int, int], tables: int, players: int
) -> None:
    tab = chromium.new_page(viewport={"width": size[0], "height": size[1]})
    tab.set_default_timeout(PATIENCE_MS)
    tab.add_init_script(ALONE)
    names = [f"table-{number}" for number in range(tables)]
    told: list[tuple[str, Any]] = [("tables", names)]
    for name in names:
        told += [(f"state {name}", playing(players)), (f"available {name}", True)]
    stream = "".join(f"event: {kind}\ndata: {json.dumps(what)}\n\n" for kind, what in told)
    tab.route("**/events", answering({"content_type": "text/event-stream", "body": stream}))
    tab.goto(address)
    tab.locator("#tables li.turn").nth(tables - 1).wait_for()
    # No quarter of a card's height is empty, and nothing sticks out of it.
    gaps = """(cards) => cards.map((card) => {
        const box = (one) => one.getBoundingClientRect(), all = box(card);
        const seen = [...card.querySelectorAll("h2, .now, .die, li")].map(box);
        const tops = [...seen.map(({ top }) => top).sort((a, b) => a - b), all.bottom];
        const ends = (top) => Math.max(all.top, ...seen.filter((one) => one.top < top)
            .map(({ bottom }) => bottom));
        return [Math.max(...tops.map((top) => top - ends(top))) / all.height,
            card.scrollWidth - card.clientWidth, Math.max(...seen.map(({ bottom }) => bottom))
                - all.bottom];
    })"""
    for gap, wider, lower in tab.eval_on_selector_all("#tables article", gaps):
        assert gap < 0.25
        assert wider <= 0
        assert lower <= 0
    one_line = """(all) => all.every((one) =>
        one.getClientRects()[0].height < 2 * parseFloat(getComputedStyle(one).fontSize))"""
    assert tab.eval_on_selector_all("#tables .who", one_line)
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert violations(tab) == []
    tab.close()


def test_halls_that_are_away_are_named_while_they_are(chromium: Any, address: str) -> None:
    tab = chromium.new_page()
    tab.set_default_timeout(PATIENCE_MS)
    tab.add_init_script(ALONE)
    for away, said in (
        (["hall-a", "hall-b"], say("No connection to {halls}.", halls="hall-a, hall-b")),
        ([], ""),
    ):
        told = (("tables", ["hall-a/table-1"]), ("available hall-a/table-1", True), ("away", away))
        stream = "".join(f"event: {kind}\ndata: {json.dumps(what)}\n\n" for kind, what in told)
        answer = {"content_type": "text/event-stream", "body": stream}
        tab.unroute_all()
        tab.route("**/events", answering(answer))
        tab.goto(address)
        card(tab, "hall-a/table-1").wait_for()
        tab.wait_for_function(
            "said => document.getElementById('away').innerText === said", arg=said
        )
    tab.close()


def test_the_page_tries_again_after_any_answer(chromium: Any, address: str) -> None:
    """It says so; an EventSource would be closed for good by the first answer that is an error."""
    tab = chromium.new_page()
    tab.set_default_timeout(PATIENCE_MS)
    tab.add_init_script(ALONE)
    told = (("tables", ["table-9"]), ("available table-9", True))
    stream = "".join(f"event: {kind}\ndata: {json.dumps(what)}\n\n" for kind, what in told)
    answers: list[dict[str, Any]] = [
        {"content_type": "text/event-stream", "body": stream},
        {"status": 503, "body": "Too many pages are open."},
        {"status": 502, "content_type": "text/html", "body": "<h1>Bad Gateway</h1>"},
        {"status": 500},
        {"status": 403},
    ]
    said = list[str]()

    def answer(route: Any) -> None:
        if answers:
            route.fulfill(**answers.pop(0))
        else:
            said.append(tab.inner_text("#sum"))
            route.continue_()

    tab.route("**/events", answer)
    tab.goto(address)
    card(tab, "table-9").wait_for(state="attached")
    # What the server itself tells, once it answers again.
    card(tab, "table-2").get_by_text("CLEO", exact=False).first.wait_for()
    assert said == [say("No connection. Trying again.")]
    assert tab.inner_text("#sum") == say("{there} of {all} tables connected", there=2, all=3)
    assert not card(tab, "table-9").is_visible()
    tab.close()


def test_who_was_turned_away_comes_in_when_a_place_is_free(
    chromium: Any, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MAX_STREAMS", 1)
    first, second = chromium.new_page(), chromium.new_page()
    for tab in (first, second):
        tab.set_default_timeout(PATIENCE_MS)
        tab.add_init_script(ALONE)
    first.goto(address)
    card(first, "table-2").wait_for()
    with second.expect_response(lambda answer: answer.status == 503):
        second.goto(address)
    second.get_by_text(say("No connection. Trying again.")).wait_for()
    first.close()
    card(second, "table-2").wait_for()
    second.close()

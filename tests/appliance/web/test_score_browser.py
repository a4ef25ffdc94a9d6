"""The score page in a real browser: the PIN, viewers, sizes, restarts, accessibility."""

import socket
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from appliance.inputs import Button
from appliance.service import snapshot as publishing
from appliance.web.pattern import BoardPattern
from appliance.web.score import PinGate, publish_line, score_app
from appliance.web.serving import LOOPBACK, Channel, Server
from appliance.words import ENGLISH, Label, say, set_language, write
from games.registry import find_game
from games.values import Face, Rolled
from tests.builders import throw
from tests.rigs.browser import IN_BROWSER, PATIENCE_MS, PHONE, chromium, violations
from tests.rigs.room import PIN, Room, free_port, serve

__all__ = ("chromium",)

pytestmark = [*IN_BROWSER]
TELEVISION = {"width": 1920, "height": 1080}
LAPTOP = {"width": 1280, "height": 800}
LOW = {"width": 1366, "height": 768}
SIX = [[face, None, face == 3] for face in range(1, 7)]
SCORED = {"game": 7, "number": 4, "verb": "score", "text": "score sixes", "seat": 0} | {
    "label": "SIXES",
    "points": 12,
    "celebrated": False,
    "over": False,
}
JPEG = b64encode(cv2.imencode(".jpg", np.full((3, 4, 3), 90, np.uint8))[1].tobytes()).decode()


def looker(chromium: Any, room: "Room | Page", size: dict[str, int] = PHONE, **how: Any) -> Any:
    """A separate browser that has opened the page."""
    tab = chromium.new_context(viewport=size, **how).new_page()
    tab.set_default_timeout(PATIENCE_MS)
    tab.goto(f"http://127.0.0.1:{room.port}/")
    return tab


def enter(tab: Any, pin: str = PIN) -> None:
    tab.locator("#pin").wait_for()
    tab.keyboard.type(pin)
    tab.keyboard.press("Enter")


def wait_for(tab: Any, selector: str, text: str) -> None:
    tab.locator(selector, has_text=text).first.wait_for()


LABELS = (
    "ACES TWOS THREES FOURS FIVES SIXES,3 ALIKE,4 ALIKE,FULL HOUSE,SMALL STR,LARGE STR,FIVE ALIKE"
)
LONG_NAMES = (
    "MAXIMILIANUS",
    "ANNA-KATHRIN",
    "BARTHOLOMÄUS",
    "WILHELMINA B",
    "CHRISTOPHERS",
    "ELISABETH MM",
)


def snapshot(code: str, turn: int | None, **more: Any) -> dict[str, Any]:
    """A snapshot that an appliance sends of a game of six, as docs/formats.md describes it."""
    words, *others = LABELS.split(",")
    rows = [(label, "-") for label in (*words.split(), *others)]
    sheets = [
        {"player": name, "total": 100 + seat, "rows": rows, "turn": seat == turn}
        for seat, name in enumerate(LONG_NAMES)
    ]
    now: dict[str, Any] = {"game": 7, "kind": "classic", "title": "CLASSIC", "state": 0}
    now |= {"sheets": sheets, "turn": turn, "round": 3, "dice": [], "offers": [["ACES", 3, ""]]}
    now |= {"table": {"places": [], "beside": []}, "winners": [], "line": "", "alerts": []}
    return now | {"language": code, "board": None} | more


class Page:
    """A score page in this process, which gets lines as from an appliance."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.report = folder / "report"
        listening = socket.create_server((LOOPBACK, port))
        self.port, self.channel = listening.getsockname()[1], Channel()
        app = score_app(PinGate(PIN + 32 * "a"), self.channel, self.port, self.report)
        self.board = BoardPattern(self.channel)
        self.close = Server(app, listening, self.channel).close
        self.publish("hello", {"pin": PIN})

    def publish(self, kind: str, value: object) -> None:
        publish_line({kind: value}, self.channel, self.board)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with closing(Page(tmp_path)) as page:
        yield page
    set_language(ENGLISH)


def columns_in_view(tab: Any) -> list[bool]:
    """Of each player whether the column's heading is in view, beside the labels of rows."""
    return list(
        tab.evaluate(
            """() => {
                const box = document.querySelector("#sheets").getBoundingClientRect();
                const labels = document.querySelector("#sheets tbody th").getBoundingClientRect();
                const names = [...document.querySelectorAll("#sheets thead th[scope=col]")];
                return names.map((heading) => {
                    const { left, right, top, bottom } = heading.getBoundingClientRect();
                    return left >= labels.right - 1 && right <= Math.min(box.right, innerWidth) + 1
                        && top >= 0 && bottom <= innerHeight;
                });
            }"""
        )
    )


TURN_IN_VIEW = """() => {
    const box = document.querySelector("#sheets").getBoundingClientRect();
    const turn = document.querySelector("#sheets thead th.turn")?.getBoundingClientRect();
    const labels = document.querySelector("#sheets tbody th").getBoundingClientRect();
    return turn && labels.left >= box.left - 1 && turn.left >= labels.right - 1
        && turn.right <= box.right + 1;
}"""


@pytest.mark.parametrize("code", [ENGLISH, "de"])
@pytest.mark.parametrize("size", [LAPTOP, LOW, TELEVISION])
def test_all_of_six_players_with_long_names_are_in_view(
    chromium: Any, page: Page, size: dict[str, int], code: str
) -> None:
    page.publish("snapshot", snapshot(code, 5, dice=SIX, line=f"{LONG_NAMES[5]} entscheidet"))
    page.publish("event", SCORED)
    page.publish("picture", {"game": 7, "event": 1, "size": [640, 360], "jpeg": JPEG, "dice": []})
    tab = looker(chromium, page, size)
    enter(tab)
    tab.locator("#dice .die").nth(5).wait_for()
    tab.locator("#throw").wait_for()
    wait_for(tab, "#sheets th.turn", LONG_NAMES[5])
    assert columns_in_view(tab) == [True] * 6
    last = tab.locator("#sheets tbody tr").last.bounding_box()
    assert last["y"] + last["height"] <= size["height"]
    # Read from the other end of the room: digits of the DejaVu fonts are 0.729 of their size high.
    totals = tab.evaluate(
        """() => [...document.querySelectorAll("#totals li")].map((one) => {
            const [name, total] = [one.querySelector("span"), one.querySelector("b")];
            const box = one.getBoundingClientRect(), inner = total.getBoundingClientRect();
            const size = parseFloat(getComputedStyle(total).fontSize);
            return [size, name.scrollWidth <= one.clientWidth,
                inner.left >= box.left && inner.right <= box.right];
        })"""
    )
    assert [total[1:] for total in totals] == [[True, True]] * 6
    # Nobody scrolls there.
    assert tab.evaluate("document.documentElement.scrollHeight") <= size["height"]
    if size == TELEVISION:
        assert min(total[0] for total in totals) * 0.729 >= 0.08 * size["height"]
        filled = last["y"] + last["height"]
        assert filled >= 0.95 * size["height"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert tab.evaluate("document.documentElement.lang") == code
    assert violations(tab) == []


@pytest.mark.parametrize("code", [ENGLISH, "de"])
def test_a_phone_shows_whose_turn_it_is_and_the_scores_before_the_picture(
    chromium: Any, page: Page, code: str
) -> None:
    page.publish("snapshot", snapshot(code, 0))
    page.publish("picture", {"game": 7, "event": 1, "size": [4, 3], "jpeg": JPEG, "dice": []})
    tab = looker(chromium, page)
    enter(tab)
    for seat in (0, 5, 1, 4):
        page.publish("snapshot", snapshot(code, seat))
        wait_for(tab, "#sheets th.turn", LONG_NAMES[seat])
        tab.wait_for_function(TURN_IN_VIEW)
    tab.locator("#throw").wait_for()
    assert tab.locator("#scores").bounding_box()["y"] < tab.locator("#throw").bounding_box()["y"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("size", [PHONE, LAPTOP, TELEVISION])
def test_dice_are_outlined_where_the_picture_shows_them(
    chromium: Any, page: Page, size: dict[str, int]
) -> None:
    page.publish("snapshot", snapshot(ENGLISH, 0))
    page.publish("picture", {"game": 7, "event": 1, "size": [4, 3], "jpeg": JPEG, "dice": []})
    tab = looker(chromium, page, size)
    enter(tab)
    tab.locator("#throw").wait_for()
    tab.wait_for_function("() => document.querySelector('#throw svg').hasAttribute('viewBox')")
    assert tab.locator("#throw svg").bounding_box() == tab.locator("#picture").bounding_box()
    end = tab.locator("#picture").bounding_box()
    assert end["y"] + end["height"] <= tab.locator("#caption").bounding_box()["y"]


@pytest.mark.parametrize("code", [ENGLISH, "de"])
def test_a_television_that_nobody_plays_at_shows_the_last_game_and_the_records(
    chromium: Any, page: Page, code: str
) -> None:
    page.report.write_text("CLASSIC  games  wins\nANNA-KATHRIN  12  7\n")
    page.publish("snapshot", snapshot(code, None, winners=[2]))
    page.publish("snapshot", snapshot(code, None, game=None, title="", sheets=[], offers=[]))
    # Whoever comes now has not seen the game.
    tab = looker(chromium, page, TELEVISION)
    enter(tab)
    wait_for(tab, "#scores-name", say("The last game"))
    wait_for(tab, "#sheets th", say("has won"))
    wait_for(tab, "#report td", LONG_NAMES[1])
    assert tab.locator("#report td").all_inner_texts() == [LONG_NAMES[1], "12", "7"]
    for place in ("#sheets tbody tr >> nth=-1", "#report td >> nth=0"):
        box = tab.locator(place).bounding_box()
        assert box["y"] + box["height"] <= TELEVISION["height"]
    assert columns_in_view(tab) == [True] * 6
    assert violations(tab) == []


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    port = free_port()
    with Room(tmp_path, port) as room:
        while not (tmp_path / "page").exists():
            pass
        page = serve(tmp_path, port)
        yield room
        page.kill()
        page.wait()


def test_viewers_with_the_pin_see_each_change(chromium: Any, room: Room) -> None:
    phone, television = looker(chromium, room), looker(chromium, room, TELEVISION)
    enter(phone, "000000")
    wait_for(phone, "#refused", "Wrong PIN")
    assert phone.locator("#room").is_hidden()
    assert violations(phone) == []
    enter(phone)
    enter(television)
    room.does(throw(3, 3, 3, 4, 6))
    for tab in (phone, television):
        wait_for(tab, "#story li", "ANNA threw 3 3 3 4 6")
        assert tab.locator("#dice .die").count() == 5
        row = tab.locator("#sheets tr", has_text="Threes")
        assert row.locator("td i").first.inner_text() == "9"
        tab.locator("#throw svg polygon").first.wait_for()
        assert "3, 3, 3, 4, 6" in tab.locator("#caption").inner_text()
    room.does(presses=(Button.OK,))
    room.does(presses=(Button.OK,))
    for tab in (phone, television):
        wait_for(tab, "#sheets th.turn", "BOB")


@pytest.mark.parametrize("size", [PHONE, TELEVISION], ids=["phone", "television"])
@pytest.mark.parametrize("light", ["light", "dark"])
def test_it_fits_and_is_usable_by_all(
    chromium: Any, room: Room, size: dict[str, int], light: str
) -> None:
    room.does(throw(3, 3, 3, 4, 6))
    tab = looker(chromium, room, size, color_scheme=light)
    enter(tab)
    wait_for(tab, "#story li", "threw")
    for _ in range(2):
        wide = "document.scrollingElement.scrollWidth <= document.scrollingElement.clientWidth"
        assert tab.evaluate(wide)
        assert violations(tab) == []
        tab.locator("#large").focus()
        tab.keyboard.press("Enter")
        assert tab.locator("#large").get_attribute("aria-pressed") in ("true", "false")


def test_it_goes_on_after_a_restart_of_either_side(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A service that is killed leaves the page's flag behind. One that ends takes it away, and the
    # page's server, which looks every second, ends too, unless the next service is quicker.
    monkeypatch.setattr(publishing, "remove_file", lambda _: None)
    port = free_port()
    with Room(tmp_path, port) as room:
        room.does(throw(3, 3, 3, 4, 6))
        page = serve(tmp_path, port)
        tab = looker(chromium, room)
        enter(tab)
        wait_for(tab, "#story li", "threw 3 3 3 4 6")
        page.kill()
        page.wait()
        wait_for(tab, "#link", "Trying again")
        page = serve(tmp_path, port)
        tab.wait_for_function("() => !document.querySelector('#link').textContent")
    wait_for(tab, "#link", "restarting")
    with Room(tmp_path, port) as room:
        tab.wait_for_function("() => !document.querySelector('#link').textContent")
        room.does(presses=(Button.OK,))
        room.does(presses=(Button.OK,))
        wait_for(tab, "#sheets th.turn", "BOB")
        tab.locator("#story li").nth(1).wait_for()
        assert tab.locator("#door").is_hidden()
    page.kill()
    page.wait()


def test_it_goes_on_after_the_appliance_was_switched_off_and_its_clock_began_anew(
    chromium: Any, tmp_path: Path
) -> None:
    with closing(Page(tmp_path)) as page:
        page.publish("snapshot", snapshot(ENGLISH, 5))
        tab = looker(chromium, page)
        enter(tab)
        page.channel.publish("lost", time.monotonic() + 3600.0)
        wait_for(tab, "#link", "restarting")
    wait_for(tab, "#link", "Trying again")
    with closing(Page(tmp_path, page.port)) as page:
        page.publish("snapshot", snapshot(ENGLISH, 4))
        wait_for(tab, "#sheets th.turn", LONG_NAMES[4])
        assert not tab.locator("#link").text_content()


def test_spectators_read_that_somebody_is_asked_and_no_keys(chromium: Any, page: Page) -> None:
    question = {"slot": 1, "kind": None, "answers": [1, 2, 3, 4, 5, 6], "guess": 3}
    said = "BARTHOLOMÄUS is asked about one die"
    page.publish("snapshot", snapshot(ENGLISH, 2, question=question, line=said, rounds=13))
    tab = looker(chromium, page, TELEVISION)
    enter(tab)
    wait_for(tab, "#line.asked", said)
    assert tab.inner_text("#round") == "Round 3 of 13"
    assert tab.locator("kbd").count() == 0
    overlay = chromium.new_page(viewport=TELEVISION)
    overlay.set_default_timeout(PATIENCE_MS)
    overlay.goto(f"http://127.0.0.1:{page.port}/overlay/#{PIN}")
    wait_for(overlay, "#asked", said)
    assert violations(overlay) == []
    page.publish("snapshot", snapshot(ENGLISH, 2, line="BARTHOLOMÄUS decides"))
    overlay.wait_for_selector("#asked", state="hidden")
    overlay.context.close()
    tab.context.close()


@pytest.mark.parametrize("code", [ENGLISH, "de"])
def test_an_overlay_for_streams_needs_one_address_and_hides_nothing_behind_it(
    chromium: Any, page: Page, code: str
) -> None:
    dice = [[6, None, False], [6, "red", True], [None, None, False]]
    page.publish("snapshot", snapshot(code, 1, dice=dice))
    tab = chromium.new_page(viewport=TELEVISION)
    tab.set_default_timeout(PATIENCE_MS)
    tab.goto(f"http://127.0.0.1:{page.port}/overlay/")
    wait_for(tab, "#link", "#123456")
    tab.goto(f"http://127.0.0.1:{page.port}/overlay/#{PIN}")
    wait_for(tab, "#totals .turn", LONG_NAMES[1])
    assert tab.locator("#totals li").count() == 6
    assert tab.locator("#dice .die").count() == 2
    assert tab.locator("#dice .held").count() == 1
    backgrounds = tab.evaluate(
        """["html", "body", "main"].map(
            (one) => getComputedStyle(document.querySelector(one)).backgroundColor)"""
    )
    assert set(backgrounds) == {"rgba(0, 0, 0, 0)"}
    assert tab.is_hidden("#choice")
    page.publish("event", SCORED)
    set_language(code)
    wait_for(tab, "#choice", f"{LONG_NAMES[0]}: {write(Label('sixes'))} +12")
    # Dice bear the name of who has them, who is not the one that scored last.
    assert tab.inner_text("#throw #whose").split("\n") == [LONG_NAMES[1], say("playing now")]
    dice, choice = (tab.locator(one).bounding_box() for one in ("#throw:has(#dice)", "#choice"))
    assert choice["x"] >= dice["x"] + dice["width"] + 0.1 * TELEVISION["width"]
    assert violations(tab) == []
    # The picture above the lower third is free, also of dice and six names.
    page.publish(
        "event", SCORED | {"number": 5, "text": "score small-straight", "label": "SMALL STR"}
    )
    wait_for(tab, "#choice", f"{LONG_NAMES[0]}: {write(Label('small-straight'))} +12")
    for question, line in ((None, ""), ({"slot": 1}, LONG_NAMES[1])):
        page.publish("snapshot", snapshot(code, 1, dice=SIX, question=question, line=line))
        tab.wait_for_selector("#asked", state="visible" if question else "hidden")
        tab.locator("#dice .die").nth(5).wait_for()
        box = tab.locator("main").bounding_box()
        assert box["y"] >= 2 / 3 * TELEVISION["height"]
        assert box["x"] + box["width"] <= TELEVISION["width"]
    # Those in the middle are everybody's.
    table = {"places": [], "beside": [], "shared_dice": True}
    page.publish("snapshot", snapshot(code, 1, dice=SIX, table=table))
    wait_for(tab, "#throw #whose", say("On the table"))
    page.publish("snapshot", snapshot(code, 1))
    tab.wait_for_selector("#throw", state="hidden")
    page.publish("event", SCORED | {"number": 6, "verb": "undo", "text": "undo 1", "label": ""})
    tab.wait_for_selector("#choice", state="hidden")
    page.publish("snapshot", snapshot(code, None, winners=[2]))
    wait_for(tab, "#choice", say("The game is over. {name} has won.", name=LONG_NAMES[2]))
    tab.context.close()


@pytest.mark.parametrize("dice", [(2, 3, 4, 5, 6, "2"), (3, 3, 3, 3, 3, "2"), (2, 2, 2, 5, 5, "2")])
def test_whatever_power_offers_stands_in_its_row(
    chromium: Any, page: Page, dice: tuple[Face, ...]
) -> None:
    power = find_game("power")
    state = power.apply(power.start(("ANNA",), {"first": 0}), Rolled(dice))
    rows = [(Label(row.key), "-") for row in power.sheet(state, 0).rows]
    offers = []
    for choice in power.choices(state):
        points = power.preview(state, choice)
        if points is not None:
            offers.append((Label(choice.key), points.points, Label(points.reason)))
    sheet = {"player": "ANNA", "total": 0, "rows": rows, "turn": True}
    tab = looker(chromium, page)
    enter(tab)
    now = snapshot(ENGLISH, 0, kind="power", shared_rows=True, sheets=[sheet], offers=offers)
    page.publish("snapshot", now)
    wait_for(tab, "#sheets tbody th", "Choice")
    assert tab.locator(".offers").count() == 0
    shown = [int(text) for text in tab.locator("#sheets i").all_inner_texts()]
    best = max(points for _, points, _ in offers)
    assert best in shown

"""The page's server: who may press, what is told to whom, and that nobody waits for it."""

import http.client
import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import cv2
import numpy as np
import pytest

from appliance.cli.shared.boards import open_page
from appliance.guidance import guidance
from appliance.inputs import Picked
from appliance.picture import Picture
from appliance.service.seen_table import record_of
from appliance.service.view import DieView, SeenSheet, View
from appliance.table.session.picking import moment_of
from appliance.table.session.session import Setup, new_session
from appliance.table.session.step import step
from appliance.terminal.keyboard import PEEK_HELD_ACTION, UNKNOWN_ACTION
from appliance.web.page import MAX_WAIT_S, MAX_WAITING_ACTIONS, BrowserPage
from appliance.web.serving import LOOPBACK
from tests.builders import throw

OUTLINE = np.array(((0.25, 0.25), (0.5, 0.25), (0.5, 0.5), (0.25, 0.5)))
DIE = DieView(1, "4", True, False, np.zeros((64, 64, 3), np.uint8), OUTLINE)
VIEW = View(
    Picture(bytes([255] + 127 * [0])),
    np.full((90, 160, 3), 200, np.uint8),
    (DIE,),
    guidance("ANNA", "SPACE|throws 5 dice"),
    (SeenSheet("ANNA", 7, (("ACES", "3"), ("TWOS", "-")), True),),
)


class Browser:
    """Makes requests to a page as a browser would, with headers that a test may override."""

    def __init__(self, address: str) -> None:
        self.host = address.split("/")[2]
        self.headers = {
            "Connection": "close",
            "Host": self.host,
            "Origin": f"http://{self.host}",
            "X-Token": address.partition("#")[2],
        }

    def open(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(LOOPBACK, int(self.host.split(":")[1]), timeout=120)
        given = {k: v for k, v in (self.headers | headers).items() if v}
        connection.putrequest(method, path, skip_host=True)
        for name, value in (given | {"Content-Length": str(len(body.encode()))}).items():
            connection.putheader(name, value)
        connection.endheaders(body.encode())
        return connection.getresponse()

    def status(self, method: str, path: str, body: str = "", **headers: str) -> int:
        with closing(self.open(method, path, body, **headers)) as answer:
            return answer.status

    def told(
        self, path: str, method: str = "GET"
    ) -> "tuple[http.client.HTTPResponse, Callable[[str], str]]":
        """A stream, and a function that reads the next event of a kind from it."""
        answer = self.open(method, path)
        assert answer.status == 200

        def of_kind(kind: str) -> str:
            while (line := answer.readline().decode()).strip() != f"event: {kind}":
                assert line, "the stream has ended"
            return answer.readline().decode().removeprefix("data: ").rstrip("\n")

        return answer, of_kind


@pytest.fixture
def page(tmp_path: Path) -> Iterator[BrowserPage]:
    with closing(BrowserPage(tmp_path / "browser")) as made:
        yield made


@pytest.fixture
def browser(page: BrowserPage) -> Browser:
    return Browser(page.address)


def test_the_next_start_has_the_same_address_which_only_its_owner_can_read(tmp_path: Path) -> None:
    kept = tmp_path / "browser"
    kept.touch(mode=0o644)
    with closing(BrowserPage(kept)) as first:
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with closing(BrowserPage(kept)) as again:
        assert again.address == first.address
    kept.write_bytes(b"\xff nonsense in three words")
    with closing(BrowserPage(kept)) as new:
        assert len(new.address.partition("#")[2]) >= 32


def test_a_second_start_leaves_the_page_of_the_first_as_it_is(tmp_path: Path) -> None:
    kept = tmp_path / "browser"
    with closing(BrowserPage(kept)) as first:
        with closing(BrowserPage(kept)) as second:
            own, other = (page.address.partition("#") for page in (first, second))
            assert own[0] != other[0] and own[2] != other[2]
            assert Browser(second.address).status("POST", "/press", "ok") == 204
        assert Browser(first.address).status("POST", "/press", "ok") == 204
    # An open page finds the next start where the first was.
    with closing(BrowserPage(kept)) as again:
        assert again.address == first.address


def test_what_is_pressed_knows_what_was_on_the_page(page: BrowserPage, browser: Browser) -> None:
    for seen in ("17", "", "17x", "-1", "12345678901"):
        assert browser.status("POST", "/press", "ok", **{"X-Seen": seen}) == 204
    actions = page.poll()
    assert actions == ["ok"] * 5
    assert [getattr(action, "seen", None) for action in actions] == [17, None, None, None, None]
    # What was meant for dice that do not count any more is answered on the page.
    page.occasion = lambda: 18
    answer, of_kind = browser.told("/events")
    with closing(answer):
        for seen in ("17", "18"):
            assert browser.status("POST", "/press", "ok", **{"X-Seen": seen}) == 204
        assert [getattr(action, "seen", None) for action in page.poll()] == [18]
        assert of_kind("late") == "1"


@pytest.mark.parametrize("kind", ["folder", "pipe", "nowhere"])
def test_a_page_needs_no_file_to_keep_its_address(tmp_path: Path, kind: str) -> None:
    kept = tmp_path / "browser"
    if kind == "folder":
        kept.mkdir()
    elif kind == "pipe":
        os.mkfifo(kept)
    else:
        kept = kept / "nowhere"
    with closing(BrowserPage(kept)) as page:
        assert Browser(page.address).status("POST", "/press", "ok") == 204


def test_a_browser_is_told_the_token_by_a_file_that_goes(tmp_path: Path) -> None:
    file = tmp_path / "there"
    with closing(BrowserPage(tmp_path / "browser")) as page:
        browser, token = Browser(page.address), page.address.partition("#")[2]
        for _ in range(2):
            url = page.write_redirect(tmp_path)
            assert url.startswith("file:///") and token not in url
            file = Path(url.removeprefix("file://"))
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert f"0;url={page.address}" in file.read_text()
        assert browser.status("POST", "/press", "ok", **{"X-Token": "wrong"}) == 403
        assert file.exists()
        assert browser.status("POST", "/press", "ok") == 204
        assert not file.exists()
        page.write_redirect(tmp_path)
    assert not file.exists()


def test_no_token_stands_in_the_arguments_of_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[str]()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", opened.append)
    with ExitStack() as stack:
        page = open_page(stack)
        (url,) = opened
        assert page.address.partition("#")[2] not in url
        assert page.address in Path(url.removeprefix("file://")).read_text()


@pytest.mark.parametrize("token", ["", "x", "é"])
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/events"), ("GET", "/tray.jpg"), ("POST", "/press"), ("POST", "/own")],
)
def test_nothing_without_the_token(
    page: BrowserPage, browser: Browser, method: str, path: str, token: str
) -> None:
    page.draw(VIEW)
    for wrong in (token, browser.headers["X-Token"][:-1]):
        assert browser.status(method, path, "ok", **{"X-Token": wrong}) == 403
    assert page.poll() == []


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", "http://localhost:1"])
def test_no_press_from_another_page(page: BrowserPage, browser: Browser, origin: str) -> None:
    assert browser.status("POST", "/press", "ok", Origin=origin) == 403
    assert browser.status("POST", "/own", Origin=origin) == 403
    assert page.poll() == []


def test_no_answer_under_a_foreign_name(browser: Browser) -> None:
    for path in ("/", "/events", "/tray.jpg"):
        assert browser.status("GET", path, Host="evil.example") == 421


def test_presses_come_in_order_and_no_more_wait_than_there_is_room_for(
    page: BrowserPage, browser: Browser
) -> None:
    wanted = ["hold1", "long:ok", "throw", "typed:Ä", "point:0.5,0.25"]
    assert [browser.status("POST", "/press", action) for action in wanted] == [204] * 5
    assert page.poll() == wanted
    statuses = [browser.status("POST", "/press", "ok") for _ in range(MAX_WAITING_ACTIONS + 2)]
    assert statuses == [204] * MAX_WAITING_ACTIONS + [503] * 2
    assert page.poll() == ["ok"] * MAX_WAITING_ACTIONS
    assert page.poll() == []


def test_no_press_is_taken_while_another_waits_for_long(tmp_path: Path) -> None:
    now = [0.0]
    with closing(BrowserPage(tmp_path / "browser", lambda: now[0])) as page:
        browser = Browser(page.address)

        def presses() -> list[int]:
            return [browser.status("POST", "/press", action) for action in ("ok", "back")]

        now[0] = 2 * MAX_WAIT_S
        assert presses() == [204, 204]
        now[0] += MAX_WAIT_S
        assert presses() == [503, 503]
        assert page.poll() == ["ok", "back"]
        assert presses() == [204, 204]


@pytest.mark.parametrize("action", ["", "reboot", "OK", "hold1 ", "x" * 1000])
def test_what_is_no_action_is_refused(page: BrowserPage, browser: Browser, action: str) -> None:
    assert browser.status("POST", "/press", action) == 400
    assert page.poll() == []


def test_what_comes_too_slowly_is_refused(
    page: BrowserPage, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.web.serving.BODY_TIMEOUT_S", 0.02)
    connection = http.client.HTTPConnection(LOOPBACK, int(browser.host.split(":")[1]), timeout=120)
    with closing(connection):
        connection.putrequest("POST", "/press", skip_host=True)
        for name, value in (browser.headers | {"Content-Length": "2"}).items():
            connection.putheader(name, value)
        connection.endheaders(b"o")
        assert connection.getresponse().status == 408
    assert page.poll() == []


def test_a_page_is_told_all_but_what_one_player_asked_to_see(
    page: BrowserPage, browser: Browser
) -> None:
    page.draw(replace(VIEW, secret="ANNA has two aces"), "2 of 9: hold some")
    answer, of_kind = browser.told("/events")
    with closing(answer):
        board = json.loads(of_kind("board"))
        view = json.loads(of_kind("view"))
    assert "aces" not in json.dumps(view)
    assert board["loop"] == [["ff" + "00" * 127, 1.0]]
    assert view["dice"] == [[1, "4", True, False, OUTLINE.tolist()]]
    assert view["guidance"]["line"] == "ANNA: SPACE throws 5 dice"
    assert view["sheets"][0]["rows"] == [["ACES", "3"], ["TWOS", "-"]]
    assert view["first"] == "2 of 9: hold some"


def test_a_page_that_comes_later_is_told_the_newest(page: BrowserPage, browser: Browser) -> None:
    for points in range(1000):
        page.draw(replace(VIEW, sheets=(SeenSheet("ANNA", points, (), True),)))
    answer, of_kind = browser.told("/events")
    with closing(answer):
        assert json.loads(of_kind("view"))["sheets"][0]["total"] == 999


def test_the_picture_is_the_tray(page: BrowserPage, browser: Browser) -> None:
    assert browser.status("GET", "/tray.jpg") == 204
    page.draw(VIEW)
    with closing(browser.open("GET", "/tray.jpg")) as answer:
        image = cv2.imdecode(np.frombuffer(answer.read(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape == (90, 160, 3)
    assert abs(int(image.mean()) - 200) < 3


def test_a_frame_counts_once(page: BrowserPage, browser: Browser) -> None:
    other = replace(VIEW, tray=np.zeros((90, 160, 3), np.uint8))
    for view in (VIEW, VIEW, other, other):
        page.draw(view)
    answer, of_kind = browser.told("/events")
    with closing(answer):
        assert of_kind("frame") == "2"


def test_noise_is_told_only_while_somebody_sets_up_a_camera(
    page: BrowserPage, browser: Browser
) -> None:
    random = np.random.default_rng(1)
    noisy = [random.integers(197, 204, (90, 160, 3)).astype(np.uint8) for _ in range(9)]
    for tray in noisy:
        page.draw(replace(VIEW, tray=tray))
    answer, of_kind = browser.told("/events")
    with closing(answer):
        assert of_kind("frame") == "1"
    for setting in ({"looking": "a webcam"}, {"pointing": True}):
        for tray in noisy:
            page.draw(replace(VIEW, tray=tray, **setting))
    answer, of_kind = browser.told("/events")
    with closing(answer):
        assert of_kind("frame") == "19"


def test_own_dice_are_shown_to_who_holds_the_key_and_until_then(
    page: BrowserPage, browser: Browser
) -> None:
    answer, of_kind = browser.told("/own", "POST")
    page.draw(replace(VIEW, secret="For ANNA alone: red 6"))
    assert json.loads(of_kind("own")) == "For ANNA alone: red 6"
    assert page.poll() == [PEEK_HELD_ACTION]
    assert page.poll() == []
    answer.close()
    actions = list[str]()
    while not actions:
        actions = page.poll()
    assert actions == [UNKNOWN_ACTION]


def test_somebody_chooses_what_to_play(page: BrowserPage, browser: Browser) -> None:
    answers = list[str]()
    asking = Thread(target=lambda: answers.append(page.ask("ANNA 300", lambda: False)))
    asking.start()
    answer, of_kind = browser.told("/events")
    with closing(answer):
        assert json.loads(of_kind("view")) == {"asks": "ANNA 300"}
    for action in ("ok", "tutorial"):
        assert browser.status("POST", "/press", action) == 204
    asking.join(120)
    assert answers == ["tutorial"]
    assert page.ask("", lambda: True) == ""


def test_a_pick_is_queued_as_it_was_clicked_and_ends_a_wait(
    page: BrowserPage, browser: Browser
) -> None:
    assert not page.pause(0)
    assert browser.status("POST", "/press", "pick:1:2:3:yes") == 204
    assert page.pause(0), "who waits for the next frame goes on at once"
    assert page.poll() == ["pick:1:2:3:yes"]
    assert not page.pause(0), "what was taken in is no news"


def test_a_game_is_reviewed_once_it_is_over_for_those_with_the_token(
    page: BrowserPage, browser: Browser
) -> None:
    assert browser.status("GET", "/review") == 404
    setup = Setup("classic", ("ANNA",))
    session = step(new_session(setup), throw(3, 3, 3, 5, 5))
    session = step(session, Picked(session.record.serial, moment_of(session).number, 0))
    page.draw(replace(VIEW, record=record_of(session)))
    with closing(browser.open("GET", "/review")) as answer:
        (anna,) = json.loads(answer.read())
    assert (anna["player"], anna["points"]) == ("ANNA", 25)
    (worst,) = anna["worst"]
    assert (worst["dice"], worst["chosen"], worst["turn"]) == ("3 3 3 5 5", "FULL HOUSE", 1)
    assert worst["best"] == "HOLD 123"
    assert worst["cost"] > 1
    assert browser.status("GET", "/review", **{"X-Token": "wrong"}) == 403

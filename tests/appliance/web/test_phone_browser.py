"""A browser is the camera: Chromium with a fake device that shows rendered dice, then a game."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from appliance import web
from tests.appliance.web.program import running
from tests.rigs.browser import (
    CHROMIUM,
    IN_BROWSER,
    PATIENCE_MS,
    PHONE,
    chromium,
    tab,
    violations,
    when,
)
from tests.rigs.fake_video import chromium_arguments, write_film
from tests.rigs.webcam import over_dice, photograph

__all__ = ("chromium", "tab")

pytestmark = [*IN_BROWSER]
FACES = (3, 3, 5, 6, 2)
PAGES = Path(web.__file__).parent / "pages"


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    floor, dice = photograph(replace(over_dice(0), dice=())), photograph(over_dice(1, FACES))
    return write_film(tmp_path_factory.mktemp("film") / "dice.mjpeg", ((floor, 12), (dice, 12)))


@contextmanager
def phone(chromium: Any, film: Path | None) -> Iterator[Any]:
    """A tab of another browser, whose camera sees the film; it does not know our certificate.

    Without a film, three cameras as Chromium draws them.
    """
    launched = chromium.browser_type.launch(executable_path=CHROMIUM, args=chromium_arguments(film))
    try:
        context = launched.new_context(viewport=PHONE)
        context.set_default_timeout(PATIENCE_MS)
        yield context.new_page()
    finally:
        launched.close()


def invited(tab: Any) -> tuple[str, str]:
    """Address and PIN of the phone's page, from the sentence at the computer."""
    said = when(tab, "now.startsWith('On the phone, open https://')")
    found = re.search(r":(\d+) and enter the PIN (\d{6})", said)
    assert found
    return f"https://localhost:{found[1]}/", found[2]


def says(page: Any, wanted: str) -> None:
    """Waits until the page on the phone says this."""
    page.wait_for_function(
        "(wanted) => ['#says', '#trouble', '#how'].some((id) => "
        "document.querySelector(id).textContent.includes(wanted))",
        arg=wanted,
    )


def test_a_browser_is_the_camera_and_its_first_throw_is_counted(
    chromium: Any, tab: Any, film: Path, tmp_path: Path
) -> None:
    command = ("look", "--camera", "phone", "--board", "browser", "--no-open")
    with running(tmp_path, *command) as (address, _), phone(chromium, film) as page:
        tab.goto(address)
        where, pin = invited(tab)
        page.goto(where)
        page.fill("#pin", "000000" if pin != "000000" else "111111")
        page.click("#pin-form button")
        page.wait_for_function(
            "() => document.querySelector('#refused').textContent.includes('Wrong PIN')"
        )
        assert violations(page) == []
        page.fill("#pin", pin)
        page.click("#pin-form button")
        when(tab, "now.startsWith('ALL 5 READ: PLAY')")
        label = tab.get_attribute("#tray", "aria-label")
        assert sorted(label.removeprefix("What the camera sees: ").split(", ")) == sorted(
            map(str, FACES)
        )
        assert " s delay, " in tab.inner_text("#camera")
        says(page, "ALL 5 READ: PLAY")
        says(page, " s delay")
        assert violations(page) == []
        when(tab, "now.startsWith('NO DICE SEEN')")
        tab.keyboard.press("Enter")
        when(tab, "now.startsWith('PLAYER 1: 1-5 hold')")


GOES_TO_SLEEP = """() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
WAKES_UP = """() => {
    delete document.visibilityState;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_whatever_happens_to_a_phone_is_said_in_a_sentence(
    chromium: Any, tab: Any, film: Path, tmp_path: Path
) -> None:
    command = ("look", "--camera", "phone", "--board", "browser", "--no-open")
    with running(tmp_path, *command) as (address, _), phone(chromium, film) as page:
        tab.goto(address)
        where, pin = invited(tab)
        # As from the code that a phone's camera reads.
        page.goto(f"{where}#{pin}")
        shows = "now.startsWith('ALL 5 READ') || now.startsWith('NO DICE SEEN')"
        when(tab, shows)
        assert page.evaluate("location.hash") == ""
        other = page.context.new_page()
        other.goto(where)
        says(other, "Another phone is the camera. Take this one instead?")
        assert violations(other) == []
        page.reload()
        says(page, " s delay")
        assert other.is_visible("#again")
        other.click("#again")
        says(other, " s delay")
        says(page, "Another phone is the camera. Take this one instead?")
        other.close()
        page.click("#again")
        says(page, " s delay")
        page.evaluate(GOES_TO_SLEEP)
        when(tab, "now.startsWith('The phone sleeps, or shows something else')")
        page.evaluate(WAKES_UP)
        when(tab, shows)
        page.goto("about:blank")
        when(tab, "now.startsWith('The page on the phone was closed')")
        page.goto(where)
        when(tab, shows)


TURNS_BACK = """async ([first, now]) => {
    const { quartersBack } = await import("/turning.js");
    const [wide, high] = [[1280, 720], [720, 1280]];
    const seen = ([upright, angle]) => {
        const [width, height] = upright ? high : wide;
        return { width, height, angle };
    };
    const { quarters, sure } = quartersBack(seen(first), seen(now));
    return [quarters, sure];
}"""
DRAWS_TURNED = """async (quarters) => {
    const { drawTurned } = await import("/turning.js");
    const source = document.createElement("canvas"), canvas = document.createElement("canvas");
    [source.width, source.height] = [40, 20];
    const context = source.getContext("2d");
    context.fillStyle = "#f00";
    context.fillRect(0, 0, 10, 5);
    drawTurned(canvas, source, 40, 20, quarters);
    const at = (x, y) => canvas.getContext("2d").getImageData(x, y, 1, 1).data[0] > 128;
    const right = canvas.width - 2, low = canvas.height - 2;
    const corners = [[1, 1], [right, 1], [right, low], [1, low]];
    return [canvas.width, canvas.height, corners.findIndex(([x, y]) => at(x, y))];
}"""
UPRIGHT, LYING = True, False


LENS = "() => document.querySelector('#seen').srcObject.getVideoTracks()[0].label"
ENDS = """() => {
    const [track] = document.querySelector("#seen").srcObject.getVideoTracks();
    track.stop();
    window.ended = track;
}"""
IS_OPEN_AGAIN = """() => {
    const [track] = document.querySelector("#seen").srcObject.getVideoTracks();
    return track !== window.ended && track.readyState === "live";
}"""
HAS_A_TORCH = """(() => {
    const { getCapabilities, getSettings, applyConstraints } = MediaStreamTrack.prototype;
    Object.assign(MediaStreamTrack.prototype, {
        getCapabilities() { return { ...getCapabilities.call(this), torch: true }; },
        getSettings() { return { ...getSettings.call(this), torch: Boolean(this.shines) }; },
        async applyConstraints(wanted) {
            const torch = wanted.advanced?.[0]?.torch;
            if (torch === undefined) return applyConstraints.call(this, wanted);
            this.shines = torch;
        },
    });
})()"""
"""Chromium's own cameras have none; as the W3C's MediaStream Image Capture has it."""
SHINES = """(wanted) => {
    const [track] = document.querySelector("#seen").srcObject.getVideoTracks();
    return track.getSettings().torch === wanted;
}"""
OTHER_IDS = """() => {
    const { label } = JSON.parse(localStorage.lens);
    localStorage.lens = JSON.stringify({ id: "another", label });
}"""


def test_a_lens_is_chosen_and_stays_and_a_torch_shines(
    chromium: Any, tab: Any, tmp_path: Path
) -> None:
    command = ("look", "--camera", "phone", "--board", "browser", "--no-open")
    with running(tmp_path, *command) as (address, _), phone(chromium, None) as page:
        tab.goto(address)
        where, pin = invited(tab)
        page.goto(f"{where}#{pin}")
        says(page, " s delay")
        assert not page.is_visible("#torch")
        before = page.evaluate(LENS)
        others = set(page.eval_on_selector_all("#lens option", "all => all.map(o => o.label)"))
        assert len(others) == 3
        other = max(others - {before})
        page.select_option("#lens", label=other)
        page.wait_for_function(f"() => ({LENS})() === {other!r}")
        assert violations(page) == []
        # The system took the camera; the browser was closed; it calls its lenses otherwise now.
        page.evaluate(ENDS)
        page.wait_for_function(IS_OPEN_AGAIN)
        assert page.evaluate(LENS) == other
        page.reload()
        says(page, " s delay")
        assert page.evaluate(LENS) == other
        page.evaluate(OTHER_IDS)
        page.add_init_script(HAS_A_TORCH)
        page.reload()
        says(page, " s delay")
        assert page.evaluate(LENS) == other
        page.click("#torch")
        page.wait_for_function(SHINES, arg=True)
        assert page.get_attribute("#torch", "aria-pressed") == "true"
        page.evaluate(ENDS)
        page.wait_for_function(IS_OPEN_AGAIN)
        page.wait_for_function(SHINES, arg=True)
        page.click("#torch")
        page.wait_for_function(SHINES, arg=False)


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    folder = partial(SimpleHTTPRequestHandler, directory=str(PAGES / "phone"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), folder)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("first", "now", "quarters", "sure"),
    [
        ((LYING, 90), (LYING, 90), 0, True),
        ((LYING, 90), (UPRIGHT, 0), 3, True),
        ((UPRIGHT, 0), (LYING, 90), 1, True),
        ((LYING, 90), (LYING, 270), 2, True),
        # A browser that says nothing of it, and one that leaves its pictures as they are.
        ((LYING, 0), (UPRIGHT, 0), 1, False),
        ((LYING, 0), (LYING, 90), 0, True),
    ],
)
def test_a_picture_that_the_phone_has_turned_is_turned_back(
    tab: Any, pages: str, first: object, now: object, quarters: int, sure: bool
) -> None:
    tab.goto(pages)
    assert tab.evaluate(TURNS_BACK, [first, now]) == [quarters, sure]


@pytest.mark.parametrize(
    ("quarters", "drawn"), [(0, [40, 20, 0]), (1, [20, 40, 1]), (2, [40, 20, 2]), (3, [20, 40, 3])]
)
def test_a_picture_is_drawn_turned_clockwise(
    tab: Any, pages: str, quarters: int, drawn: list[int]
) -> None:
    tab.goto(pages)
    assert tab.evaluate(DRAWS_TURNED, quarters) == drawn

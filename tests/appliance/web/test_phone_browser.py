"""A browser is the camera: Chromium with a fake device that shows rendered dice, then a game."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.appliance.web.program import running
from tests.appliance.web.test_browser import (
    CHROMIUM,
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

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="skipped: no Chromium here"),
]
FACES = (3, 3, 5, 6, 2)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    floor, dice = photograph(replace(over_dice(0), dice=())), photograph(over_dice(1, FACES))
    return write_film(tmp_path_factory.mktemp("film") / "dice.mjpeg", ((floor, 12), (dice, 12)))


@contextmanager
def phone(chromium: Any, film: Path) -> Iterator[Any]:
    """A tab of another browser, whose camera sees the film; it does not know our certificate."""
    launched = chromium.browser_type.launch(executable_path=CHROMIUM, args=chromium_arguments(film))
    try:
        context = launched.new_context(viewport=PHONE, ignore_https_errors=True)
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
        assert " s late, " in tab.inner_text("#camera")
        says(page, "ALL 5 READ: PLAY")
        says(page, " s late")
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
        page.reload()
        says(page, " s late")
        other = page.context.new_page()
        other.goto(where)
        says(other, "Another phone is used as the camera.")
        assert violations(other) == []
        other.click("#again")
        says(other, " s late")
        says(page, "Another phone is used as the camera.")
        other.close()
        says(page, " s late")
        page.evaluate(GOES_TO_SLEEP)
        when(tab, "now.startsWith('The phone sleeps, or shows something else')")
        page.evaluate(WAKES_UP)
        when(tab, shows)
        page.goto("about:blank")
        when(tab, "now.startsWith('The page on the phone was closed')")
        page.goto(where)
        when(tab, shows)

"""The score page in a real browser: the PIN, viewers, sizes, restarts, accessibility."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.inputs import Button
from tests.builders import throw
from tests.rigs.room import PIN, Room, free_port, serve

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
playwright = pytest.importorskip("playwright.sync_api", reason="skipped: no Playwright here")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="skipped: no axe here")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="skipped: no Chromium here"),
]
PHONE, TELEVISION = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        # Chromium's own sandbox needs privileges that a container often lacks.
        yield driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


def looker(chromium: Any, room: Room, size: dict[str, int] = PHONE, **how: Any) -> Any:
    """A separate browser that has opened the page."""
    tab = chromium.new_context(viewport=size, **how).new_page()
    tab.set_default_timeout(20_000)
    tab.goto(f"http://127.0.0.1:{room.port}/")
    return tab


def enter(tab: Any, pin: str = PIN) -> None:
    tab.locator("#pin").wait_for()
    tab.keyboard.type(pin)
    tab.keyboard.press("Enter")


def wait_for(tab: Any, selector: str, text: str) -> None:
    tab.locator(selector, has_text=text).first.wait_for()


def wrong_rules(tab: Any) -> list[str]:
    return [found["id"] for found in axe.Axe().run(tab).response["violations"]]


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
    wait_for(phone, "#refused", "not the PIN")
    assert phone.locator("#room").is_hidden()
    assert wrong_rules(phone) == []
    enter(phone)
    enter(television)
    room.does(throw(3, 3, 3, 4, 6))
    for tab in (phone, television):
        wait_for(tab, "#story li", "ANNA threw 3 3 3 4 6")
        assert tab.locator("#dice .die").count() == 5
        row = tab.locator("#sheets tr", has_text="THREES")
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
        assert wrong_rules(tab) == []
        tab.locator("#large").focus()
        tab.keyboard.press("Enter")
        assert tab.locator("#large").get_attribute("aria-pressed") in ("true", "false")


def test_it_goes_on_after_a_restart_of_either_side(chromium: Any, tmp_path: Path) -> None:
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
    # The page's flag went with the service; a service that is killed leaves it behind.
    (tmp_path / "page").touch()
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

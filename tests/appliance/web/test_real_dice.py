"""The page as board and buttons of programs that use a camera, which is a picture here."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.appliance.web.program import running
from tests.appliance.web.test_page import Browser
from tests.rigs.warm import Warm

PAGED = ("--board", "browser", "--buttons", "browser")
pytestmark = pytest.mark.slow


@contextmanager
def served(folder: Path, *command: str) -> Iterator[tuple[Browser, Warm]]:
    picture = folder / "floor.png"
    cv2.imwrite(str(picture), np.full((360, 640, 3), 90, np.uint8))
    camera = ("--camera", f"file:{picture}?hold=100000")
    with running(folder, *command, *camera, *PAGED) as (address, process):
        yield Browser(address), process


def wait_for(browser: Browser, word: str) -> None:
    answer, of_kind = browser.told("/events")
    with closing(answer):
        while word not in of_kind("view"):
            pass


def test_corners_are_clicked_and_then_the_wizard_begins(tmp_path: Path) -> None:
    corners = ("--corners", "--floor", "320x180", "--profile", str(tmp_path / "tray.profile"))
    with served(tmp_path, "calibrate", *corners) as (browser, process):
        for number, place in enumerate(("0.25,0.25", "0.75,0.25", "0.75,0.75", "0.25,0.75")):
            wait_for(browser, f"Corner {number + 1} of 4")
            assert browser.status("POST", "/press", f"point:{place}") == 204
        wait_for(browser, "Is this it?")
        assert browser.status("POST", "/press", "quit") == 204
        assert process.wait(120) == 1
    assert not (tmp_path / "tray.profile").exists()


def test_a_camera_is_tried_from_the_page_that_asks_what_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with running(tmp_path, "play", "--browser", "--no-open") as (address, process):
        browser = Browser(address)
        wait_for(browser, '"asks"')
        assert browser.status("POST", "/press", "look") == 204
        # With a camera here its picture comes, without one the question for one.
        wait_for(browser, '"pointing": false')
        assert browser.status("POST", "/press", "quit") == 204
        wait_for(browser, '"asks"')
        assert process.poll() is None


def test_the_appliance_obeys_the_page(tmp_path: Path) -> None:
    with served(tmp_path, "run", "--game", "classic", "--players", "ANNA") as (browser, process):
        wait_for(browser, "ANNA: throw 5 dice into the tray")
        assert browser.status("POST", "/press", "long:ok") == 204
        wait_for(browser, "Menu: ")
        assert browser.status("POST", "/press", "quit") == 204
        assert process.wait(120) == 0

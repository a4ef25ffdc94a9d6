"""A camera is tried on the page, in a real browser, with a stream of rendered dice; then a game."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.appliance.web.program import running
from tests.rigs.browser import IN_BROWSER, chromium, tab, violations, when
from tests.rigs.stream import streamed
from tests.rigs.webcam import over_dice, photograph
from vision.frame import Image

__all__ = ("chromium", "tab")

pytestmark = [*IN_BROWSER]


class Webcam:
    """A webcam above the dice that it sees now, with the noise of a sensor."""

    def __init__(self) -> None:
        self.sees = photograph(over_dice(3, (4, 2, 5, 1, 6), lean=20))
        self.sent = 0

    def picture(self) -> Image:
        self.sent += 1
        image = self.sees.copy()
        noise = np.random.default_rng(self.sent % 8).integers(0, 3, image.shape, np.uint8)
        return np.asarray(image + np.minimum(noise, 255 - image), np.uint8)


@contextmanager
def looking(folder: Path, webcam: Webcam) -> Iterator[str]:
    """The address of the page while a camera is tried."""
    with streamed(webcam.picture, 10) as url:
        command = ("look", "--camera", url, "--board", "browser", "--no-open")
        with running(folder, *command) as (address, _):
            yield address


def test_a_camera_is_tried_and_its_first_throw_is_counted(tab: Any, tmp_path: Path) -> None:
    webcam = Webcam()
    floor = photograph(replace(over_dice(0), dice=()))
    with looking(tmp_path, webcam) as address:
        tab.goto(address)
        when(tab, "now.startsWith('LOOK STRAIGHT DOWN: the camera leans by about 20 degrees')")
        assert not tab.is_visible("#board")
        assert not tab.is_visible("#readings")
        webcam.sees = photograph(over_dice(1, (3, 3, 5, 6, 2)))
        when(tab, "now.startsWith('ALL 5 READ: PLAY')")
        label = tab.get_attribute("#tray", "aria-label")
        assert label.startswith("What the camera sees: ")
        assert sorted(label.removeprefix("What the camera sees: ").split(", ")) == list("23356")
        assert violations(tab) == []
        webcam.sees = floor
        when(tab, "now.startsWith('NO DICE SEEN')")
        tab.keyboard.press("Enter")
        when(tab, "now === 'PLAYER 1: throw 5 dice into the tray'")
        assert tab.is_visible("#board")
        tab.keyboard.press(" ")
        tab.wait_for_function(
            "() => document.querySelector('#sent').textContent.startsWith('These dice are real')"
        )
        # What already lies there when the game looks for the first time is no throw.
        sent = webcam.sent
        while webcam.sent < sent + 60:
            tab.wait_for_timeout(100)
        webcam.sees = photograph(over_dice(1, (3, 3, 5, 6, 2)))
        when(tab, "now.startsWith('PLAYER 1: 1-5 hold')")

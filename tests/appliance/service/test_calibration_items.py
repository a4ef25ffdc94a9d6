"""CALIBRATE in the appliance, with made-up looks: what is on disk after which item."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.inputs import Button, Pressed
from appliance.service import calibration as service
from appliance.service.calibration import MEASURE_INTERVAL_S, Calibrating
from appliance.service.installation import CalibratedTray
from calibration import store
from calibration.accuracy import Check
from calibration.errors import StoreError
from calibration.problems import Problem
from calibration.wizard.pages import LOOKS_TO_TAKE, Page
from calibration.wizard.state import Seen, Wizard
from tests.calibration.wizard.test_wizard import NOTHING, draft, face, found
from vision.frame import Frame, Image
from vision.reading import POWER_FACES

BLANK = np.full((36, 64, 3), 90, np.uint8)

Look = Callable[[Wizard], Seen]


class Bench:
    """A calibration whose looks are given, and the file that it keeps things in."""

    def __init__(self, path: Path, patched: pytest.MonkeyPatch) -> None:
        self.tray = CalibratedTray(path)
        activity = self.tray.calibrate()
        assert isinstance(activity, Calibrating)
        self.activity = activity
        self.looks: Look = lambda wizard: found()
        self.time_s = 0.0

        def look(wizard: Wizard, frames: Sequence[Frame], darker: Sequence[Image] = ()) -> Seen:
            return self.looks(wizard)

        patched.setattr(service, "look", look)

    def wait(self, looks: int) -> None:
        for _ in range(looks):
            self.time_s += MEASURE_INTERVAL_S
            self.activity.feed(Frame(BLANK, self.time_s, 0))

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.activity.press(Pressed(button))

    def on(self, page: Page) -> bool:
        return self.activity.wizard.page is page


def test_a_power_cut_loses_only_the_item_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    bench = Bench(path, monkeypatch)
    assert bench.on(Page.TRAY)
    bench.wait(LOOKS_TO_TAKE[Page.TRAY] + 1)
    assert bench.on(Page.KEPT)
    assert store.load(path).lens_source == "found"
    # What was kept is shown for some seconds, and passes by itself.
    bench.wait(20)
    assert bench.on(Page.LIST)
    assert bench.activity.wizard.item is Page.POWER
    bench.press(Button.OK)
    bench.looks = lambda wizard: NOTHING
    bench.wait(2)
    bench.looks = lambda wizard: face(wizard, len(wizard.faces), 10.0 * len(wizard.faces))
    while len(bench.activity.wizard.faces) < len(POWER_FACES) - 1:
        bench.wait(1)
    assert store.load(path).profile.power_faces == ()
    # The power is cut, and comes back.
    again = CalibratedTray(path)
    assert again.calibration is not None
    assert again.calibration.lens_source == "found"
    assert not any("BROKEN" in notice[0] for notice in again.notices)
    # Without the cut the sixth face is the last thing that is needed.
    bench.wait(2 + LOOKS_TO_TAKE[Page.POWER])
    assert tuple(f.value for f in store.load(path).profile.power_faces) == POWER_FACES


def test_every_item_is_left_with_one_back_and_what_was_done_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    store.save(path, draft("before"))
    bench = Bench(path, monkeypatch)
    assert bench.on(Page.LIST)
    before = path.read_bytes()
    for item in (Page.TRAY, Page.POWER, Page.HOLDER, Page.CHECK):
        bench.press(Button.OK)
        assert bench.on(item)
        bench.press(Button.BACK)
        assert bench.on(Page.LIST)
        bench.press(Button.RIGHT)
    bench.press(Button.BACK)
    assert bench.activity.done
    assert path.read_bytes() == before


def test_profiles_of_earlier_versions_open_and_can_be_calibrated_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.profile"
    checked = replace(draft("before", POWER_FACES * 2), check=Check(60, 1))
    body = store.encode(checked).split(b"\n", 1)[1]
    # Two takes of each face, a check that did not count what was not read, nothing of the rim.
    old = re.sub(rb',\s*"unread": 0', b"", body)
    old = re.sub(rb'\s*"rim_known": true,', b"", old)
    assert old != body
    head = f"dicetray-profile 2 sha256={store._checksum(2, old)} bytes={len(old)}\n".encode()
    path.write_bytes(head + old)
    bench = Bench(path, monkeypatch)
    assert bench.tray.calibration is not None
    assert bench.tray.calibration.check == Check(60, 1)
    assert len(bench.tray.calibration.profile.power_faces) == 2 * len(POWER_FACES)
    assert bench.on(Page.LIST)
    bench.press(Button.OK)
    bench.wait(LOOKS_TO_TAKE[Page.TRAY] + 1)
    assert store.load(path).check == Check()


def test_a_full_disk_is_said_on_the_page_and_written_to_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path / "tray.profile", monkeypatch)
    tried = []

    def refuse(path: Path, calibration: object) -> None:
        tried.append(path)
        raise StoreError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(store, "save", refuse)
        bench.wait(30)
    assert bench.on(Page.TRAY)
    assert len(tried) == 1
    verdict = bench.activity.wizard.verdict
    assert verdict is not None
    assert verdict.problem is Problem.NOT_SAVED
    bench.press(Button.OK)
    assert bench.on(Page.KEPT)

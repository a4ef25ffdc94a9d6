"""A camera that nobody has set: locked as it is, corrected by its picture, focused if soft."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from appliance.devices.camera.controls import POWER_LINE_FREQUENCY, DeviceControls
from appliance.devices.camera.mains import mains_hz, whole_half_periods
from appliance.devices.camera.mode import Mode, Rate, code_of
from appliance.devices.camera.self_lock import is_incomplete
from appliance.devices.camera.usb import V4L2Camera
from tests.rigs.webcam import over_dice, photograph
from vision.frame import Image

FPS = 30.0
LATE = 4
"""Frames until a value that was set is seen."""
NAMES = {
    cv2.CAP_PROP_AUTO_EXPOSURE: "auto",
    cv2.CAP_PROP_EXPOSURE: "exposure",
    cv2.CAP_PROP_AUTO_WB: "auto_wb",
    cv2.CAP_PROP_AUTOFOCUS: "autofocus",
    cv2.CAP_PROP_FOCUS: "focus",
    cv2.CAP_PROP_FOURCC: "code",
}


@dataclass
class Webcam:
    """Adjusts itself like a UVC camera; what it reports of its exposure may be long gone.

    Attributes:
        light: exposure that gives a picture of the usual brightness.
        reports: the exposure that it reports while it adjusts itself.
        sharp_at: value of the lens at which the picture is sharp; None for one that never moves.
        deaf: whether the exposure, once set, stays as it is.
    """

    light: float = 200.0
    reports: float = 200.0
    sharp_at: float | None = None
    at: float = 0.0
    deaf: bool = False
    count: int = 0
    now_s: float = 0.0
    set_so_far: list[tuple[str, float]] = field(default_factory=list)
    values: dict[str, float] = field(default_factory=dict)
    _late: list[tuple[int, str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = {"auto": 3.0, "exposure": self.reports, "auto_wb": 1.0, "code": 0.0}
        if self.sharp_at is not None:
            self.values |= {"autofocus": 1.0, "focus": 0.0}

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        name = NAMES.get(propId, "")
        if name not in self.values:
            return False
        self.values[name] = value
        self.set_so_far.append((name, value))
        self._late.append((self.count + LATE, name, value))
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        return self.values.get(NAMES.get(propId, ""), -1.0)

    def grab(self) -> bool:
        self.count += 1
        self.now_s = self.count / FPS
        return True

    @property
    def exposed(self) -> float:
        """The exposure of the frame that comes now."""
        seen = {name: value for at, name, value in self._late if at <= self.count}
        return self.light if seen.get("auto", 3.0) == 3.0 or self.deaf else seen["exposure"]

    def retrieve(self) -> tuple[bool, Any]:
        seen = {name: value for at, name, value in self._late if at <= self.count}
        self.at = seen.get("focus", self.at)
        level = 90 * (self.exposed / self.light) ** 0.45
        image = np.full((180, 320, 3), 20, np.uint8)
        image[40:140, 60:260] = min(round(level * 1.5), 255)
        off = 0.0 if self.sharp_at is None else abs(self.at - self.sharp_at) / 25
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 + off), np.uint8)
        image[self.count % 2 :: 2] += 1  # a sensor's noise
        return True, image

    def release(self) -> None:
        pass


class NamedControls:
    def __init__(self, numbers: dict[int, int]) -> None:
        self.numbers = numbers

    def set(self, number: int, value: int) -> None:
        self.numbers[number] = value

    def range(self, number: int) -> tuple[int, int] | None:
        return (0, 250)


def run(tmp_path: Path, webcam: Webcam, seconds: float, mains: int = 50) -> dict[int, int]:
    """Takes frames for so long; returns the controls that were set by number."""
    (tmp_path / "video0").touch()
    numbers: dict[int, int] = {}
    camera = V4L2Camera(
        "0",
        capture=lambda *_: webcam,
        clock=lambda: webcam.now_s,
        dev=tmp_path,
        mains=mains,
        controls=lambda _: NamedControls(numbers),
    )
    device = camera._make()
    device.open()
    while webcam.now_s < seconds:
        device.grab()
    device.close()
    return numbers


def test_it_is_left_alone_for_two_seconds(tmp_path: Path) -> None:
    webcam = Webcam(sharp_at=0.0)
    run(tmp_path, webcam, 1.9)
    assert [name for name, _ in webcam.set_so_far] == ["code"]


def test_what_another_program_has_left_is_ended(tmp_path: Path) -> None:
    # The day before it was locked to a bright room, and the lens to something else.
    webcam = Webcam(sharp_at=0.0)
    webcam.values |= {"auto": 1.0, "exposure": 20.0, "auto_wb": 0.0, "autofocus": 0.0}
    run(tmp_path, webcam, 1.9)
    assert webcam.set_so_far[1:] == [("auto", 3.0), ("auto_wb", 1.0), ("autofocus", 1.0)]


@pytest.mark.parametrize("goes_on", [False, True])
def test_others_get_a_camera_that_adjusts_itself(tmp_path: Path, goes_on: bool) -> None:
    webcam = Webcam(sharp_at=120.0, at=120.0)
    (tmp_path / "video0").touch()
    camera = V4L2Camera(
        "0",
        capture=lambda *_: webcam,
        clock=lambda: webcam.now_s,
        dev=tmp_path,
        controls=lambda _: NamedControls({}),
    )
    device = camera._make()
    device.open()
    assert not camera.settled
    while webcam.now_s < 4.0:
        device.grab()
    assert camera.settled == {"exposure_time_absolute": 200.0}
    camera.stays_set = goes_on
    camera.close()
    device.close()
    left = (0.0, 1.0, 0.0) if goes_on else (1.0, 3.0, 1.0)
    assert (webcam.values["autofocus"], webcam.values["auto"], webcam.values["auto_wb"]) == left


def test_then_it_is_locked_as_bright_as_it_was(tmp_path: Path) -> None:
    webcam = Webcam()
    run(tmp_path, webcam, 4.0)
    assert (webcam.values["auto"], webcam.values["auto_wb"]) == (1.0, 0.0)
    assert webcam.exposed == 200.0


@pytest.mark.parametrize("reports", [100.0, 300.0])
def test_an_exposure_that_is_reported_wrongly_is_corrected(tmp_path: Path, reports: float) -> None:
    webcam = Webcam(reports=reports)
    run(tmp_path, webcam, 6.0)
    assert webcam.values["auto"] == 1.0
    assert 0.8 < webcam.exposed / webcam.light < 1.25


def test_a_camera_that_cannot_be_exposed_is_left_to_itself(tmp_path: Path) -> None:
    webcam = Webcam(light=900.0, reports=100.0)  # a dark room: longer than a frame
    run(tmp_path, webcam, 8.0)
    assert (webcam.values["auto"], webcam.values["auto_wb"]) == (3.0, 1.0)


@pytest.mark.parametrize(("mains", "exposure"), [(50, 200.0), (60, 167.0)])
def test_lamps_do_not_flicker_in_a_locked_camera(
    tmp_path: Path, mains: int, exposure: float
) -> None:
    webcam = Webcam(light=185.0, reports=185.0)
    numbers = run(tmp_path, webcam, 4.0, mains)
    assert webcam.exposed == exposure
    assert numbers == {POWER_LINE_FREQUENCY: {50: 1, 60: 2}[mains]}


def test_a_sharp_lens_stays_where_it_is_without_being_told_where(tmp_path: Path) -> None:
    webcam = Webcam(sharp_at=120.0, at=120.0)
    run(tmp_path, webcam, 8.0)
    assert webcam.values["autofocus"] == 0.0
    assert "focus" not in [name for name, _ in webcam.set_so_far]


@pytest.mark.parametrize("sharp_at", [0.0, 65.0, 140.0, 250.0])
def test_a_soft_lens_is_moved_to_the_sharpest_distance(tmp_path: Path, sharp_at: float) -> None:
    webcam = Webcam(sharp_at=sharp_at, at=(sharp_at + 125) % 250)
    run(tmp_path, webcam, 12.0)
    assert abs(webcam.at - sharp_at) <= 10
    assert webcam.values["autofocus"] == 0.0


def test_what_calibration_has_found_is_not_touched(tmp_path: Path) -> None:
    webcam = Webcam(sharp_at=120.0)
    (tmp_path / "video0").touch()
    kept = {"exposure_time_absolute": 150.0, "focus_absolute": 40.0}
    camera = V4L2Camera(
        "0", capture=lambda *_: webcam, clock=lambda: webcam.now_s, dev=tmp_path, locked=kept
    )
    device = camera._make()
    device.open()
    while webcam.now_s < 12:
        device.grab()
    assert (webcam.values["exposure"], webcam.values["focus"]) == (150.0, 40.0)


def test_how_it_delivers_is_said_once_it_does(tmp_path: Path) -> None:
    webcam = Webcam()
    (tmp_path / "video0").touch()
    camera = V4L2Camera("0", capture=lambda *_: webcam, clock=lambda: webcam.now_s, dev=tmp_path)
    before = camera.mode
    device = camera._make()
    device.open()
    while webcam.now_s < 4:
        device.grab()
    mode = camera.mode
    assert before is None
    assert mode is not None
    assert mode.text == "320x180 MJPG, 30 fps, exposure locked, focus fixed"
    assert list(mode.faults) == ["The camera gives no 1280x720."]


@pytest.mark.parametrize(
    ("mode", "text", "faults"),
    [
        (
            Mode((640, 480), "YUYV", 10.2, False, False, (1280, 720), 30.0),
            "640x480 YUYV, 10 fps, exposure moves, focus moves",
            3,
        ),
        (
            Mode((1280, 720), "MJPG", None, None, None, (1280, 720), 30.0),
            "1280x720 MJPG, auto exposure, focus fixed",
            0,
        ),
    ],
)
def test_what_is_not_as_asked_for_is_said(mode: Mode, text: str, faults: int) -> None:
    assert mode.text == text
    assert len(list(mode.faults)) == faults


def test_a_camera_without_colours_says_so() -> None:
    (fault,) = Mode((1280, 720), "GREY", 30.0, True, True, (1280, 720), 30.0).faults
    assert fault.startswith("The camera sees no colours")


def test_a_rate_is_measured_over_a_second() -> None:
    rate = Rate()
    for k in range(15):
        rate.note(k / 15)
    assert rate.per_second is None
    rate.note(1.0)
    assert rate.per_second == pytest.approx(15.0)


@pytest.mark.parametrize(
    ("number", "text"),
    [(float(cv2.VideoWriter.fourcc(*"YUYV")), "YUYV"), (-1.0, ""), (0.0, ""), (1e12, "")],
)
def test_a_format_is_four_letters(number: float, text: str) -> None:
    assert code_of(number) == text


@pytest.mark.parametrize(
    ("zone", "hz"),
    [
        *(("Europe/Berlin", 50), ("America/New_York", 60), ("America/Argentina/Ushuaia", 50)),
        *(("America/Sao_Paulo", 60), ("Asia/Seoul", 60), ("Asia/Tokyo", 50), ("", 50), ("UTC", 50)),
    ],
)
def test_the_mains_are_known_by_the_time_zone(zone: str, hz: int, tmp_path: Path) -> None:
    assert mains_hz({"TZ": zone}, tmp_path / "none") == hz
    link = tmp_path / "localtime"
    link.symlink_to(f"/usr/share/zoneinfo/{zone}")
    assert mains_hz({}, link) == hz


@pytest.mark.parametrize(
    ("exposure", "hz", "whole"),
    [
        (100, 50, 100),
        (160, 50, 200),
        (333, 50, 300),
        (170, 60, 166.67),
        (20, 50, 20),
        (80, 50, 100),
    ],
)
def test_exposures_are_whole_half_periods(exposure: float, hz: int, whole: float) -> None:
    assert whole_half_periods(exposure, hz) == pytest.approx(whole, abs=0.01)


def cut(image: Image, share: float) -> Image:
    """A picture of which packets were lost, but not its end: OpenCV refuses others as a whole."""
    _, data = cv2.imencode(".jpg", image)
    kept = np.concatenate([data[: int(len(data) * share)], data[-2:]])
    return np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.slow
def test_a_picture_whose_end_is_missing_is_left_out() -> None:
    image = photograph(over_dice(0))
    for share in (0.2, 0.5, 0.8, 0.95):
        assert is_incomplete(cut(image, share)), share
    assert not is_incomplete(cut(image, 1.0))
    assert not is_incomplete(image)
    for level in (0, 255):
        dark = image.copy()
        dark[-100:] = level
        assert not is_incomplete(dark)


def test_a_device_without_controls_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    controls = DeviceControls(tmp_path / "video0")
    controls.set(POWER_LINE_FREQUENCY, 1)
    assert controls.range(POWER_LINE_FREQUENCY) is None
    assert DeviceControls(tmp_path / "none").range(POWER_LINE_FREQUENCY) is None

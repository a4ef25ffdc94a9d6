"""Exposure, gains, white balance and focus: set, locked, kept and restored, on fake cameras."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.devices.camera.exposure import ExposureControl, ExposureRequest, Values
from appliance.devices.camera.pi import PiCamera, shared, values_of
from appliance.devices.camera.usb import V4L2Camera
from appliance.service.ports import Exposing
from tests.appliance.devices.camera.test_threaded import FakePicamera2, loader
from tests.rigs.on_demand import on_demand
from vision.frame import Frame
from vision.image.numeric import levels_of
from vision.watch.darker import Exposure

FRAME_US = 33_333
LAMP = 24_000.0
"""Exposure in microseconds at a gain of 1 that automatic exposure would settle on."""
KEPT = {
    "ExposureTime": 5000.0,
    "AnalogueGain": 1.5,
    "ColourGains[0]": 2.0,
    "ColourGains[1]": 1.8,
    "LensPosition": 3.25,
}


class Sensor(FakePicamera2):
    """Takes frames with what was set some frames ago, or adjusts itself, as libcamera does."""

    DELAY = 4

    def __init__(self, focus: bool = True) -> None:
        super().__init__(focus)
        self.pending: list[tuple[int, dict[str, Any]]] = []
        self.now: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        self.count = 0

    def set_controls(self, controls: dict[str, Any]) -> None:
        super().set_controls(controls)
        for name, value in controls.items():
            if name in ("AeEnable", "AwbEnable"):
                assert isinstance(value, bool)
            elif name == "ExposureTime":
                assert isinstance(value, int)  # libcamera's type is int32
                assert 0 < value <= FRAME_US
            elif name == "ColourGains":
                assert isinstance(value, tuple)
                assert len(value) == 2
            elif name in ("AnalogueGain", "LensPosition"):
                assert isinstance(value, float)
        self.pending.append((self.count + self.DELAY, controls))

    def metadata(self) -> dict[str, Any]:
        self.count += 1
        while self.pending and self.pending[0][0] <= self.count:
            self.now |= self.pending.pop(0)[1]
        by_itself = self.now["AeEnable"]
        found: dict[str, Any] = {
            "SensorTimestamp": self.count * 33_333_000,
            "ExposureTime": 16_000 if by_itself else self.now["ExposureTime"],
            "AnalogueGain": 1.25 if by_itself else self.now["AnalogueGain"],
            "DigitalGain": LAMP / 20_000 if by_itself else 1.0,
            "ColourGains": (1.9, 1.6) if self.now["AwbEnable"] else self.now["ColourGains"],
        }
        if "LensPosition" in self.camera_controls:
            by_hand = self.now.get("AfMode") == "manual"
            found["LensPosition"] = self.now["LensPosition"] if by_hand else 2.75
        return found

    @property
    def light(self) -> float:
        """How bright the last frame was."""
        return float(self.now["ExposureTime"] * self.now["AnalogueGain"])


def camera_of(sensor: Sensor, locked: Values | None = None) -> PiCamera:
    return on_demand(PiCamera(locked=locked, stall_s=5.0, load=loader(sensor)))


def until(frames: Iterator[Frame], true: Callable[[], bool]) -> None:
    """Takes frames until a condition holds."""
    for _ in frames:
        if true():
            return
    raise AssertionError("the frames ended")


def some(frames: Iterator[Frame], sensor: Sensor) -> None:
    """Takes frames until what was requested has taken effect."""
    then = sensor.count + 3 * Sensor.DELAY
    until(frames, lambda: sensor.count > then)


def test_a_pi_camera_is_what_the_wizard_sets(tmp_path: Path) -> None:
    assert isinstance(camera_of(Sensor()), Exposing)
    (tmp_path / "video0").touch()
    assert isinstance(V4L2Camera("0", dev=tmp_path), Exposing)


def test_kept_values_are_set_before_the_first_frame_and_nothing_else() -> None:
    sensor = Sensor()
    camera = camera_of(sensor, KEPT)
    frames = camera.frames()
    until(frames, lambda: sensor.count > 80)
    camera.close()
    assert sensor.controls == [
        {
            "AeEnable": False,
            "ExposureTime": 5000,
            "AnalogueGain": 1.5,
            "AwbEnable": False,
            "ColourGains": (2.0, 1.8),
            "AfMode": "manual",
            "LensPosition": 3.25,
        }
    ]


def test_values_of_another_kind_of_camera_mean_nothing() -> None:
    sensor = Sensor()
    camera = camera_of(sensor, {"exposure_time_absolute": 150.0})
    until(camera.frames(), lambda: len(sensor.controls) > 1)
    camera.close()
    assert sensor.controls[0] == {"AfMode": "continuous"}


def test_the_wizards_way_unlock_expose_lock() -> None:
    sensor = Sensor()
    camera = camera_of(sensor, KEPT)
    frames = camera.frames()
    next(frames)
    camera.unlock()
    some(frames, sensor)
    assert sensor.controls[-1] == {"AeEnable": True, "AwbEnable": True, "AfMode": "continuous"}
    camera.expose(0.5)
    some(frames, sensor)
    assert not sensor.now["AeEnable"]
    # Half of what it would have settled on by itself, digital gain included.
    assert sensor.light == pytest.approx(LAMP / 2, rel=0.01)
    assert sensor.now["AwbEnable"]
    kept = camera.lock()
    some(frames, sensor)
    assert kept == {
        "ExposureTime": 10_000.0,
        "AnalogueGain": 1.2,
        "ColourGains[0]": 1.9,
        "ColourGains[1]": 1.6,
        "LensPosition": 2.75,
    }
    assert sensor.controls[-1] == {
        "AeEnable": False,
        "ExposureTime": 10_000,
        "AnalogueGain": 1.2,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.6),
        "AfMode": "manual",
        "LensPosition": 2.75,
    }
    camera.restore()
    until(frames, lambda: sensor.now["ExposureTime"] == 5000)
    assert sensor.now["LensPosition"] == 3.25
    camera.close()


def test_a_camera_that_is_opened_again_is_set_as_it_was() -> None:
    first, second = Sensor(), Sensor()
    sensors = [first, second]
    load = loader(lambda: sensors.pop(0))
    camera = on_demand(PiCamera(stall_s=5.0, load=load, wait=lambda _: None))
    frames = camera.frames()
    next(frames)
    camera.unlock()
    some(frames, first)
    camera.expose(1.0)
    some(frames, first)
    camera.lock()
    some(frames, first)
    frames.close()  # type: ignore[attr-defined]
    again = camera.frames()
    until(again, lambda: second.count > 60)
    camera.close()
    assert second.controls == [first.controls[-1]]


def test_a_change_of_exposure_is_awaited_before_the_next() -> None:
    exposure = ExposureControl({}, _twice)
    exposure.unlock()
    exposure.report({"light": 8.0})
    exposure.expose(2.0)
    exposure.expose(2.0)
    assert exposure.request()[1] == ExposureRequest({"light": 16.0}, True)
    exposure.report({"light": 16.0})
    exposure.expose(2.0)
    assert exposure.request()[1] == ExposureRequest({"light": 32.0}, True)
    # A camera that cannot comply must not hold up the wizard for ever.
    for _ in range(13):
        exposure.expose(0.5)
    assert exposure.request()[1] == ExposureRequest({"light": 16.0}, True)


def _twice(seen: Values, factor: float) -> Values:
    return {"light": seen["light"] * factor}


def test_exposure_is_only_changed_while_the_camera_is_unlocked() -> None:
    exposure = ExposureControl({"light": 4.0}, _twice)
    exposure.expose(2.0)
    assert exposure.request() == (0, ExposureRequest({"light": 4.0}, False))
    exposure.unlock()
    exposure.report({"light": 4.0, "other": 3.0})
    assert exposure.lock() == {"light": 4.0, "other": 3.0}
    exposure.expose(2.0)
    assert exposure.request()[1] == ExposureRequest({"light": 4.0, "other": 3.0}, False)


def test_a_factor_of_one_only_sets_what_is_not_set_yet() -> None:
    control = ExposureControl({}, lambda seen, factor: {"E": seen["E"] * factor})
    control.unlock()
    control.report({"E": 80.0})
    control.expose(1.0)
    once = control.request()
    assert once[1] == ExposureRequest({"E": 80.0}, True)
    # As good as that, by what the camera says.
    control.report({"E": 80.5})
    control.expose(1.0)
    assert control.request() == once


def test_what_a_camera_settled_on_is_changed_until_somebody_sets_it() -> None:
    control = ExposureControl({}, lambda seen, factor: {"E": seen["E"] * factor})
    control.report({"E": 80.0})
    control.settle()
    control.settle_anew(lambda values: {"E": values["E"] / 2})
    assert control.settled == {"E": 40.0}
    control.unlock()
    asked = control.request()
    control.settle_anew(lambda values: {"E": values["E"] / 2})
    assert control.request() == asked


def test_what_was_kept_last_is_what_is_put_back() -> None:
    exposure = ExposureControl({"light": 4.0}, _twice)
    exposure.unlock()
    exposure.report({"light": 9.0})
    exposure.lock()
    exposure.unlock()
    exposure.restore()
    assert exposure.request()[1] == ExposureRequest({"light": 4.0}, False)
    exposure.unlock()
    exposure.lock()
    exposure.keep()
    exposure.unlock()
    exposure.restore()
    assert exposure.request()[1] == ExposureRequest({"light": 9.0}, False)


@given(st.floats(1.0, 5e6), st.floats(4000.0, 100_000.0))
def test_light_is_split_into_exposure_and_gain(light: float, frame_us: float) -> None:
    exposure, gain = shared(light, frame_us)
    assert 60 <= exposure <= round(frame_us)
    assert 1.0 <= gain <= 8.0
    if 60 <= light <= 8 * frame_us * 0.99:
        assert exposure * gain == pytest.approx(light, rel=0.01)
    # No longer than 10 ms while more gain would do.
    assert exposure <= 10_001 or gain == 8.0


def test_a_camera_without_white_balance_reports_what_it_has() -> None:
    assert values_of({"ExposureTime": 5, "AnalogueGain": 2.0}) == {
        "ExposureTime": 5.0,
        "AnalogueGain": 2.0,
    }
    assert values_of({}) == {}


class UsbCamera:
    """Like `cv2.VideoCapture` on a V4L2 device: values are passed on, -1 means none."""

    def __init__(self, there: dict[int, float]) -> None:
        self.values = dict(there)
        self.asked: list[tuple[int, float]] = []
        self.count = 0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.asked.append((propId, value))
        if propId not in self.values:
            return False
        by_itself = self.values.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3.0
        if propId == cv2.CAP_PROP_EXPOSURE and by_itself:
            return False  # the driver says it is busy
        self.values[propId] = value
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        return self.values.get(propId, -1.0)

    def grab(self) -> bool:
        self.count += 1
        return True

    def retrieve(self) -> tuple[bool, Any]:
        return True, np.zeros((9, 16, 3), np.uint8)

    def release(self) -> None:
        pass


def usb(tmp_path: Path, capture: UsbCamera, locked: Values | None = None) -> V4L2Camera:
    (tmp_path / "video0").touch()
    camera = V4L2Camera(
        "0", stall_s=5.0, capture=lambda *_: capture, clock=lambda: 1.0, dev=tmp_path, locked=locked
    )
    return on_demand(camera)


def test_a_usb_camera_is_exposed_by_hand_and_locked(tmp_path: Path) -> None:
    capture = UsbCamera(
        {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 150.0,
            cv2.CAP_PROP_GAIN: 20.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
        }
    )
    camera = usb(tmp_path, capture)
    frames = camera.frames()
    next(frames)
    camera.unlock()
    until(frames, lambda: (cv2.CAP_PROP_AUTO_WB, 1.0) in capture.asked)
    camera.expose(2.0)
    until(frames, lambda: capture.values[cv2.CAP_PROP_EXPOSURE] == 300.0)
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert capture.values[cv2.CAP_PROP_AUTO_WB] == 1.0
    kept = camera.lock()
    assert kept == {
        "exposure_time_absolute": 300.0,
        "gain": 20.0,
        "white_balance_temperature": 4600.0,
    }
    until(frames, lambda: capture.values[cv2.CAP_PROP_AUTO_WB] == 0.0)
    camera.close()
    # The next start sets the same values, and nothing else.
    other = UsbCamera(dict(capture.values) | {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0})
    other.values[cv2.CAP_PROP_EXPOSURE] = 77.0
    again = usb(tmp_path, other, kept)
    until(again.frames(), lambda: other.count > 3)
    again.close()
    assert other.values[cv2.CAP_PROP_EXPOSURE] == 300.0
    assert other.values[cv2.CAP_PROP_WB_TEMPERATURE] == 4600.0


class DimRoom(UsbCamera):
    """A camera whose exposure alone is not enough; its driver clamps the gain to a range."""

    def __init__(self, gains: tuple[float, float], light: float) -> None:
        there = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 150.0}
        super().__init__(there | {cv2.CAP_PROP_GAIN: gains[0]})
        self.gains = gains
        self.per_exposure = light

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        if propId == cv2.CAP_PROP_GAIN:
            value = min(max(value, self.gains[0]), self.gains[1])
        return super().set(propId, value)

    @property
    def light(self) -> float:
        """The target is 1."""
        gain = 1 + self.values[cv2.CAP_PROP_GAIN] / 32
        return self.per_exposure * self.values[cv2.CAP_PROP_EXPOSURE] * gain


def exposed(camera: V4L2Camera, capture: DimRoom, looks: int = 60) -> Iterator[Frame]:
    """Steps the exposure as the wizard does; returns the camera's frames."""
    frames = camera.frames()
    for _ in range(looks):
        next(frames)
        next(frames)
        near = 0.75 < capture.light < 1.3
        camera.expose(1.0 if near else min(max(1 / capture.light, 0.25), 4.0))
    return frames


@pytest.mark.parametrize("gains", [(0.0, 255.0), (16.0, 128.0), (1.0, 100.0)])
def test_gain_does_what_a_usb_cameras_exposure_cannot(
    tmp_path: Path, gains: tuple[float, float]
) -> None:
    # 33 ms, the duration of a frame, give four tenths of the light that is needed.
    capture = DimRoom(gains, 0.4 / 333 / (1 + gains[0] / 32))
    camera = usb(tmp_path, capture)
    next(camera.frames())
    camera.unlock()
    frames = exposed(camera, capture)
    assert 0.75 < capture.light < 1.3
    assert capture.values[cv2.CAP_PROP_EXPOSURE] == 333.0
    kept = camera.lock()
    assert kept["gain"] == capture.values[cv2.CAP_PROP_GAIN] > gains[0]
    frames.close()  # type: ignore[attr-defined]
    camera.close()


def test_gain_goes_down_again_before_exposure_does(tmp_path: Path) -> None:
    capture = DimRoom((10.0, 255.0), 0.4 / 333)
    camera = usb(tmp_path, capture)
    next(camera.frames())
    camera.unlock()
    exposed(camera, capture).close()  # type: ignore[attr-defined]
    assert capture.values[cv2.CAP_PROP_GAIN] > 10
    capture.per_exposure *= 10  # somebody has switched on the lamp
    exposed(camera, capture).close()  # type: ignore[attr-defined]
    camera.close()
    assert 0.75 < capture.light < 1.3
    assert capture.values[cv2.CAP_PROP_GAIN] == 10.0
    assert capture.values[cv2.CAP_PROP_EXPOSURE] < 333


def test_a_gain_at_its_end_stays_there(tmp_path: Path) -> None:
    capture = DimRoom((0.0, 64.0), 0.05 / 333)
    camera = usb(tmp_path, capture)
    next(camera.frames())
    camera.unlock()
    exposed(camera, capture, 150).close()  # type: ignore[attr-defined]
    camera.close()
    assert capture.values[cv2.CAP_PROP_GAIN] == 64.0
    assert max(v for prop, v in capture.asked if prop == cv2.CAP_PROP_GAIN) <= 96.0


def test_where_there_is_light_enough_gain_is_left_alone(tmp_path: Path) -> None:
    capture = DimRoom((20.0, 255.0), 2 / 333)
    camera = usb(tmp_path, capture)
    next(camera.frames())
    camera.unlock()
    exposed(camera, capture).close()  # type: ignore[attr-defined]
    camera.close()
    assert 0.75 < capture.light < 1.3
    assert cv2.CAP_PROP_GAIN not in [prop for prop, _ in capture.asked]


def test_a_usb_camera_that_has_no_controls_goes_on_by_itself(tmp_path: Path) -> None:
    capture = UsbCamera({})
    camera = usb(tmp_path, capture)
    frames = camera.frames()
    next(frames)
    camera.unlock()
    until(frames, lambda: capture.asked[-1] == (cv2.CAP_PROP_AUTOFOCUS, 1.0))
    camera.expose(2.0)
    assert camera.lock() == {}
    camera.close()


def shares(frames: Iterator[Frame], count: int) -> list[float]:
    return [round(next(frames).exposure, 3) for _ in range(count)]


def test_a_pi_says_of_each_frame_whether_it_is_darker() -> None:
    sensor = Sensor()
    camera = camera_of(sensor, KEPT)
    assert isinstance(camera, Exposure)
    frames = camera.frames()
    some(frames, sensor)
    assert shares(frames, 3) == [1.0] * 3
    assert camera.darken(1 / 8)
    seen = shares(frames, 40)
    assert set(seen) <= {1.0, 0.125}
    assert seen[-1] == 0.125
    assert sensor.light == pytest.approx(5000 * 1.5 / 8, rel=0.01)
    camera.brighten()
    camera.brighten()
    seen = shares(frames, 40)
    assert set(seen) <= {1.0, 0.125}
    assert seen[-1] == 1.0
    assert sensor.light == 5000 * 1.5
    camera.close()


def test_a_camera_that_adjusts_itself_is_not_darkened() -> None:
    sensor = Sensor()
    camera = camera_of(sensor, KEPT)
    frames = camera.frames()
    next(frames)
    camera.unlock()
    some(frames, sensor)
    assert not camera.darken(1 / 8)
    # Its own adjustments do not count as darker frames.
    assert set(shares(frames, 10)) == {1.0}
    camera.close()


def test_what_is_kept_is_the_usual_exposure_and_calibration_ends_a_darker_one() -> None:
    control = ExposureControl({"E": 80.0}, lambda seen, factor: {"E": seen["E"] * factor})
    assert control.exposure_of(80.0, True) == 1.0
    assert control.darken(0.25)
    assert control.darken(0.25)
    assert control.request()[1] == ExposureRequest({"E": 20.0}, False)
    assert control.exposure_of(20.0, True) == 0.25
    control.keep()
    control.restore()
    assert control.request()[1] == ExposureRequest({"E": 80.0}, False)
    # Whatever comes now counts as what calibration wanted.
    assert control.exposure_of(20.0, True) == 1.0


def test_frames_are_usual_again_in_the_end_even_if_the_light_has_changed() -> None:
    control = ExposureControl({"E": 80.0}, lambda seen, factor: {"E": seen["E"] * factor})
    control.exposure_of(80.0, True)
    control.darken(0.25)
    control.exposure_of(20.0, True)
    control.brighten()
    seen = [control.exposure_of(60.0, True) for _ in range(100)]
    assert seen[0] == 0.0
    assert seen[-1] == 1.0


class UsbEye(UsbCamera):
    """Pictures are as bright as its exposure makes them, three frames late and over two frames."""

    def __init__(self, deaf: bool = False) -> None:
        super().__init__(
            {cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_EXPOSURE: 80.0, cv2.CAP_PROP_GAIN: 0.0}
        )
        self.deaf = deaf
        self.late = [80.0] * 4

    def retrieve(self) -> tuple[bool, Any]:
        self.late = [*self.late[1:], 80.0 if self.deaf else self.values[cv2.CAP_PROP_EXPOSURE]]
        light = (self.late[0] + self.late[1]) / 2 / 160
        return True, np.full((90, 160, 3), levels_of(light), np.uint8)


def test_of_a_usb_camera_the_pictures_say_whether_they_are_darker(tmp_path: Path) -> None:
    capture = UsbEye()
    camera = usb(tmp_path, capture, {"exposure_time_absolute": 80.0})
    frames = camera.frames()
    assert set(shares(frames, 5)) == {1.0}
    assert camera.darken(1 / 8)
    until(frames, lambda: capture.values[cv2.CAP_PROP_EXPOSURE] == 10.0)
    seen = shares(frames, 40)
    # While it changes, the exposure is neither.
    assert seen[-1] == pytest.approx(0.125, abs=0.02)
    camera.brighten()
    seen = shares(frames, 40)
    assert seen[-1] == 1.0
    assert all(share in (0.0, 1.0) or share == pytest.approx(0.125, abs=0.02) for share in seen)
    camera.close()


def test_a_usb_camera_that_does_not_obey_delivers_usual_frames(tmp_path: Path) -> None:
    capture = UsbEye(deaf=True)
    camera = usb(tmp_path, capture, {"exposure_time_absolute": 80.0})
    frames = camera.frames()
    next(frames)
    assert camera.darken(1 / 8)
    assert set(shares(frames, 30)) == {1.0}
    camera.close()
    without = usb(tmp_path, UsbCamera({}), {"gain": 3.0})
    assert not without.darken(1 / 8)

"""A camera that does not hold its exposure, gain or focus is noticed; one that does never is."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from appliance.alerts import BLINDING_ALERTS, Alert
from appliance.devices.camera.health import CameraHealth
from appliance.devices.camera.held import MAX_LATE_FRAMES, Held
from appliance.devices.camera.pi import shared
from tests.appliance.devices.camera.test_exposure import FRAME_US, KEPT, Sensor, camera_of
from vision.frame import Frame

FRAMES_AN_HOUR = 30 * 3600


class Deaf(Sensor):
    """Ignores a fixed exposure and gain, as under picamera2 0.3.26; its light wanders."""

    ignored: tuple[str, ...] = ("AeEnable", "ExposureTime", "AnalogueGain")

    def set_controls(self, controls: dict[str, Any]) -> None:
        super().set_controls({k: v for k, v in controls.items() if k not in self.ignored})

    def metadata(self) -> dict[str, Any]:
        found = super().metadata()
        return {**found, "ExposureTime": 12_000 + self.count * 40}


class DeafToFocus(Sensor):
    """Its lens stays where it is."""

    def metadata(self) -> dict[str, Any]:
        return {**super().metadata(), "LensPosition": 1.0}


class NeedsModes(Deaf):
    """Fixed only where both modes are manual, as under libcamera 0.5."""

    def __init__(self) -> None:
        super().__init__()
        self.camera_controls |= {"ExposureTimeMode": (0, 1, 0), "AnalogueGainMode": (0, 1, 0)}

    def set_controls(self, controls: dict[str, Any]) -> None:
        manual = controls.get("ExposureTimeMode") == controls.get("AnalogueGainMode") == 1
        self.ignored = () if manual else Deaf.ignored
        super().set_controls(controls)

    def metadata(self) -> dict[str, Any]:
        return Sensor.metadata(self)


def frames_of(sensor: Sensor, count: int = 60, locked: Any = KEPT) -> list[Frame]:
    camera = camera_of(sensor, locked)
    frames = list(islice(camera.frames(), count))
    camera.close()
    return frames


def alerts_after(frames: list[Frame]) -> tuple[frozenset[Alert], bool]:
    """The alerts at the end, and whether the last frame is trusted."""
    health, trusted = CameraHealth(soft=lambda _: 2.0), True
    for number, frame in enumerate(frames):
        image = np.asarray(frame.image ^ np.uint8(number % 2 + 100), np.uint8)
        noisy = Frame(image, number / 30, number, held=frame.held)
        trusted = health.see(noisy, number / 30)
    return health.alerts(len(frames) / 30), trusted


@pytest.mark.parametrize("sensor", [Deaf, DeafToFocus])
def test_a_camera_that_ignores_its_controls_is_not_read(sensor: Callable[[], Sensor]) -> None:
    alerts, trusted = alerts_after(frames_of(sensor(), 150))
    assert alerts == {Alert.LIGHT_NOT_HELD}
    assert not trusted
    assert alerts <= BLINDING_ALERTS


def test_a_camera_that_holds_is_read() -> None:
    frames = frames_of(Sensor(), 150)
    assert all(frame.held for frame in frames)
    assert alerts_after(frames) == (frozenset(), True)


def test_one_that_nobody_has_calibrated_is_held_to_what_it_has_found_itself() -> None:
    assert all(frame.held for frame in frames_of(Sensor(), 150, locked=None))
    assert not frames_of(Deaf(), 150, locked=None)[-1].held


def test_where_exposure_has_modes_they_are_set() -> None:
    sensor = NeedsModes()
    frames = frames_of(sensor)
    assert all(frame.held for frame in frames)
    assert sensor.now["ExposureTime"] == KEPT["ExposureTime"]
    assert sensor.controls[0]["ExposureTimeMode"] == 1


def test_what_a_film_or_webcam_cannot_say_is_no_fault() -> None:
    held = Held("e", "g", "f")
    held.ask({"e": 5000.0, "g": 2.0, "f": 3.0}, {})
    assert all(held.see({}) for _ in range(100))
    assert all(held.see({"e": 5000.0}) for _ in range(100))


def test_of_a_camera_whose_gain_is_its_own_the_exposure_counts() -> None:
    held = Held("e", "g", "f")
    held.ask({"e": 5000.0}, {})
    assert all(held.see({"e": 5000.0, "g": 1.0 + n / 50}) for n in range(100))
    assert not held.see({"e": 9000.0, "g": 1.0})


@dataclass(frozen=True)
class Steps:
    """How a sensor rounds, and how late it is."""

    gain: Callable[[float], float]
    gains: tuple[float, float]
    line_us: float
    delays: tuple[int, int]
    digital: bool = True
    lens_step: float = 0.0

    def taken(self, exposure: float, gain: float) -> tuple[float, float, float]:
        """Exposure, gain and digital gain of a frame for which these were asked."""
        lines = max(1, math.floor(min(exposure, FRAME_US - 22 * self.line_us) / self.line_us))
        real = self.gain(min(max(gain, self.gains[0]), self.gains[1]))
        real = max(real, self.gains[0])
        digital = max(1.0, exposure * gain / (lines * self.line_us * real)) if self.digital else 1.0
        return lines * self.line_us, real, min(digital, 4.0)


def _sony(whole: int) -> Callable[[float], float]:
    return lambda gain: whole / (whole - math.floor(whole - whole / gain))


def _decibels(gain: float) -> float:
    return float(10 ** (math.floor(200 * math.log10(gain)) / 200))


SENSORS = {
    "imx708": Steps(_sony(1024), (1.1228, 16.0), 12.7, (2, 2), lens_step=1 / 32),
    "imx219": Steps(_sony(256), (1.0, 10.67), 18.9, (2, 1)),
    "imx477": Steps(_sony(1024), (1.0, 22.3), 21.9, (2, 2)),
    "imx500": Steps(_sony(1024), (1.0, 22.3), 21.9, (2, 2)),
    "imx296": Steps(_decibels, (1.0, 15.7), 14.8, (2, 2)),
    "ov5647": Steps(lambda g: math.floor(g * 16) / 16, (1.0, 63.9), 43.0, (2, 2)),
}


@pytest.mark.parametrize("name", SENSORS)
@pytest.mark.parametrize("digital", [True, False])
def test_in_an_hour_of_a_sensors_own_steps_and_delays_nothing_is_said(
    name: str, digital: bool
) -> None:
    """Exposures from sunlight to dusk, darker frames among them, asked for every second or so."""
    steps, random = SENSORS[name], Random(name)
    held = Held("e", "g", "f")
    ranges = {"e": (steps.line_us, 1e8), "g": steps.gains, "f": (0.0, 32.0)}
    waiting = deque[tuple[int, int, dict[str, float]]]()
    exposure = gain = focus = 0.0
    next_request, wrong = 0, 0
    for frame in range(FRAMES_AN_HOUR):
        if frame >= next_request:
            light = 10 ** random.uniform(math.log10(70.0), math.log10(8 * FRAME_US))
            asked = dict(zip("eg", shared(light, FRAME_US), strict=True))
            asked["f"] = random.uniform(0.0, 12.0)
            held.ask(asked, ranges)
            late = random.randrange(3, 9)
            waiting.append((frame + late + steps.delays[0], frame + late + steps.delays[1], asked))
            next_request = frame + random.randrange(10, 60)
        for exposure_at, gain_at, asked in waiting:
            exposure = asked["e"] if frame >= exposure_at else exposure
            gain = asked["g"] if frame >= gain_at else gain
            step = steps.lens_step or 1e-6
            focus = math.floor(asked["f"] / step) * step if frame >= gain_at else focus
        while waiting and frame >= max(waiting[0][:2]):
            waiting.popleft()
        if not exposure or not gain:
            continue
        real_e, real_g, extra = steps.taken(exposure, gain)
        seen = {"e": float(round(real_e)), "g": real_g * (extra if digital else 1.0), "f": focus}
        wrong += not held.see(seen)
    assert wrong == 0


@pytest.mark.parametrize("name", SENSORS)
@pytest.mark.parametrize(
    ("more", "gain"), [(1.2, 1.0), (0.8, 1.0), (1.0, 1.25), (1.0, 0.8), (2.0, 0.5)]
)
def test_a_fifth_more_or_less_is_seen_on_every_sensor(name: str, more: float, gain: float) -> None:
    """Also where exposure and gain have changed by themselves, but not their product."""
    steps = SENSORS[name]
    held = Held("e", "g", "f")
    held.ask({"e": 8000.0, "g": 3.0}, {"g": steps.gains})
    real_e, real_g, extra = steps.taken(8000.0 * more, 3.0 * gain)
    seen = [held.see({"e": real_e, "g": real_g * extra}) for _ in range(MAX_LATE_FRAMES + 1)]
    assert seen == [True] * MAX_LATE_FRAMES + [False]

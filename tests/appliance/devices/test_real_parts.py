"""Calls to libraries that only a Raspberry Pi has, checked against their real signatures.

Where picamera2 or lgpio can be imported, their own signatures are used; everywhere, the calls are
bound to those written down here.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from typing import Any

import cv2
import gpiozero
import pytest

from appliance.devices.buttons import DEBOUNCE_S, Buttons
from appliance.devices.buzzer import Buzzer, Sound
from appliance.devices.camera.pi import PiCamera
from appliance.errors import CameraError, PinsError
from appliance.inputs import Button, Pressed
from tests.appliance.devices import fake_lgpio
from tests.appliance.devices.camera.test_threaded import FakePicamera2, FakeRequest, loader
from tests.rigs.on_demand import on_demand


class Picamera2:
    """Signatures of picamera2/picamera2.py, 2025; empty dictionaries are None here."""

    def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None): ...  # type: ignore[no-untyped-def]
    def create_video_configuration(  # type: ignore[no-untyped-def]
        self,
        main=None,
        lores=None,
        raw=None,
        transform=None,
        colour_space=None,
        buffer_count=6,
        controls=None,
        display="main",
        encode="main",
        queue=True,
        sensor=None,
        use_case="video",
    ): ...
    def configure(self, camera_config="preview"): ...  # type: ignore[no-untyped-def]
    def start(self, config=None, show_preview=False): ...  # type: ignore[no-untyped-def]
    def set_controls(self, controls): ...  # type: ignore[no-untyped-def]
    def capture_request(self, wait=None, signal_function=None, flush=None): ...  # type: ignore[no-untyped-def]
    def cancel_all_and_flush(self): ...  # type: ignore[no-untyped-def]
    def stop(self): ...  # type: ignore[no-untyped-def]
    def close(self): ...  # type: ignore[no-untyped-def]


class CompletedRequest:
    """Signatures of picamera2/request.py."""

    def make_array(self, name): ...  # type: ignore[no-untyped-def]
    def get_metadata(self): ...  # type: ignore[no-untyped-def]
    def release(self): ...  # type: ignore[no-untyped-def]


CONTROLS = {
    "AeEnable",
    "AfMode",
    "AnalogueGain",
    "AwbEnable",
    "ColourGains",
    "ExposureTime",
    "FrameDurationLimits",
    "LensPosition",
}
"""The controls in appendix C of the manual that are set."""


def real(name: str) -> Any | None:
    try:
        return import_module(name)
    except (ImportError, ValueError):
        return None


class Bound:
    """Passes calls on after binding each to every known signature of it."""

    def __init__(self, inner: object, *sources: type) -> None:
        self._inner, self._sources = inner, sources
        self.called: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        @wraps(found)
        def call(*args: object, **kwargs: object) -> object:
            self.called.add(name)
            for source in self._sources:
                inspect.signature(getattr(source, name)).bind(None, *args, **kwargs)
            given = found(*args, **kwargs)
            return self._wrapped(given)

        return call

    def _wrapped(self, given: object) -> object:
        if not isinstance(given, FakeRequest):
            return given
        requests = real("picamera2.request")
        known = [CompletedRequest, *([requests.CompletedRequest] if requests else [])]
        return Bound(given, *known)


def taken(camera: PiCamera) -> int:
    frames = 0
    with pytest.raises(CameraError, match="camera has gone"):
        for _ in on_demand(camera).frames():
            frames += 1
    return frames


def test_all_calls_of_picamera2_fit_its_signatures() -> None:
    installed = real("picamera2")
    known = [Picamera2, *([installed.Picamera2] if installed else [])]
    fake = FakePicamera2(frames=60)
    bound = Bound(fake, *known)
    for source in known:
        inspect.signature(source).bind()  # it is constructed without arguments
    camera = PiCamera((1536, 864), 30.0, stall_s=5.0, load=loader(lambda: bound))
    assert taken(camera) == 60
    # Called only after a stall.
    bound.cancel_all_and_flush()
    methods = {name for name, value in vars(Picamera2).items() if inspect.isfunction(value)}
    assert bound.called == methods - {"__init__"}
    assert set().union(*fake.controls, fake.config["controls"]) <= CONTROLS
    # picamera2's check_stream_config: even sizes as tuples; a Pi 5 aligns rows to 64 bytes.
    for name in ("main", "lores"):
        size = fake.config[name]["size"]
        assert isinstance(size, tuple)
        assert size[0] % 64 == 0 and size[1] % 2 == 0


def test_a_call_that_does_not_fit_is_found() -> None:
    bound = Bound(FakePicamera2(), Picamera2)
    with pytest.raises(TypeError):
        bound.configure({}, {})
    with pytest.raises(TypeError):
        bound.start(preview=True)


@pytest.mark.parametrize("name", ["isOpened", "set", "get", "grab", "retrieve", "release"])
def test_opencv_has_what_is_called_of_a_v4l2_camera(name: str) -> None:
    assert callable(getattr(cv2.VideoCapture, name))


@pytest.mark.parametrize("name", sorted(fake_lgpio.functions(fake_lgpio.Chip())))
def test_the_fake_lgpio_is_called_as_the_real_one(name: str) -> None:
    lgpio = real("lgpio")
    if lgpio is None:
        pytest.skip("no lgpio here: python3-lgpio of Raspberry Pi OS")
    here = inspect.signature(fake_lgpio.functions(fake_lgpio.Chip())[name])
    assert list(here.parameters) == list(inspect.signature(getattr(lgpio, name)).parameters)


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[fake_lgpio.Chip]:
    made = fake_lgpio.Chip()
    monkeypatch.setitem(sys.modules, "lgpio", fake_lgpio.module(made))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    # The factory asks which Pi it runs on: a Pi 4.
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC03114)
    yield made
    sys.modules.pop("gpiozero.pins.lgpio", None)


@pytest.fixture
def factory(chip: fake_lgpio.Chip) -> Iterator[Any]:
    made = import_module("gpiozero.pins.lgpio").LGPIOFactory()
    yield made
    made.close()
    assert not chip.open


def test_buttons_and_lights_work_through_gpiozeros_lgpio(
    chip: fake_lgpio.Chip, factory: Any
) -> None:
    pins = {Button.OK: 4, Button.HOLD1: 5}
    with Buttons(pins, (12,), pin_factory=factory) as buttons:
        assert chip.flags[4] == fake_lgpio.SET_PULL_UP
        assert chip.debounce[4] == DEBOUNCE_S * 1e6
        for gpio in (5, 4):
            chip.pull(gpio, 0)
            chip.pull(gpio, 1)
        assert buttons.poll() == (Pressed(Button.HOLD1), Pressed(Button.OK))
        buttons.light({0})
        assert chip.levels[12] == 1
        buttons.light(())
        assert chip.levels[12] == 0


def test_the_buzzer_sounds_through_gpiozeros_lgpio(chip: fake_lgpio.Chip, factory: Any) -> None:
    with Buzzer(10, pin_factory=factory) as buzzer:
        buzzer.play(Sound.READ, 0.0)
        assert chip.levels[10] == 880
        buzzer.tick(1.0)
        assert chip.levels[10] == 0


def test_pins_that_cannot_be_opened_are_an_error_with_advice(
    chip: fake_lgpio.Chip, factory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> int:
        raise fake_lgpio.error("GPIO busy")

    monkeypatch.setattr(sys.modules["lgpio"], "gpio_claim_alert", busy)
    with pytest.raises(PinsError, match=r"GPIO busy.*dicetray doctor"):
        Buttons({Button.OK: 4}, pin_factory=factory)


def test_what_is_called_of_gpiozero_is_there() -> None:
    calls: tuple[tuple[Callable[..., object], dict[str, object]], ...] = (
        (gpiozero.Button, {"pull_up": True, "bounce_time": 0.02, "hold_time": 1.0}),
        (gpiozero.LED, {}),
        (gpiozero.TonalBuzzer, {"octaves": 2}),
    )
    for make, options in calls:
        assert callable(make)
        inspect.signature(make.__init__).bind(None, 4, pin_factory=None, **options)

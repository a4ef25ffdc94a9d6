"""The Pi's camera when it stalls, is missing, is in use or lacks a control; on a fake picamera2."""

import logging
import re
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from appliance.devices.camera import pi
from appliance.devices.camera.pi import PiCamera
from appliance.errors import CameraError, CameraStalled
from tests.appliance.devices.camera.test_threaded import (
    FakeLibcamera,
    FakePicamera2,
    FakeRequest,
    loader,
)
from tests.rigs.on_demand import on_demand
from tests.rigs.sensor_modes import picamera2_source


def a_pi(load: Callable[[str], Any], wait: Callable[[float], None] = lambda _: None) -> PiCamera:
    return on_demand(PiCamera(stall_s=5.0, load=load, wait=wait))


class Stalling(FakePicamera2):
    """Delivers some frames and then no more, without an error, as when the ribbon cable moves."""

    def __init__(self, frames: int) -> None:
        super().__init__(frames=frames)
        self.waiting = 0

    def capture_request(self, wait: object = None, signal_function: object = None) -> FakeRequest:
        if self.left:
            return super().capture_request(wait, signal_function)
        assert wait == 5.0, "picamera2 would wait for ever"
        self.waiting += 1
        raise TimeoutError

    def cancel_all_and_flush(self) -> None:
        self.log.append("cancel")
        self.waiting = 0

    def stop(self) -> None:
        assert not self.waiting, "picamera2 would stop after a frame that never comes"
        super().stop()


def test_a_camera_comes_back_from_a_stall() -> None:
    stalls, works = Stalling(3), FakePicamera2()
    cameras = [stalls, works]
    camera = a_pi(loader(lambda: cameras.pop(0)))
    with pytest.raises(CameraStalled, match=r"within 5 s; check its cable"):
        list(camera.frames())
    assert stalls.log == ["start", "cancel", "stop", "close"]
    assert len(list(islice(camera.frames(), 5))) == 5
    camera.close()


def test_a_camera_that_never_gives_a_frame_is_closed_every_time() -> None:
    made: list[Stalling] = []

    def make() -> Stalling:
        made.append(Stalling(0))
        return made[-1]

    camera = a_pi(loader(make))
    for _ in range(5):
        with pytest.raises(CameraStalled):
            list(camera.frames())
    assert [each.log for each in made] == [["start", "cancel", "stop", "close"]] * 5


def never_made() -> Any:
    raise AssertionError("a constructor of picamera2 that fails leaves descriptors open")


class ListedOnce(FakeLibcamera):
    """Lists its cameras when it starts, and never hears of one that comes later."""

    def __init__(self) -> None:
        super().__init__(there=False)
        self.plugged_in = False

    def list_anew(self) -> None:
        super().list_anew()
        self.there = self.plugged_in


def test_a_camera_that_comes_later_is_found_within_half_a_minute() -> None:
    libcamera = ListedOnce()
    waited_s: list[float] = []
    camera = a_pi(loader(FakePicamera2(), libcamera), waited_s.append)
    for _ in range(3):
        with pytest.raises(CameraError, match="no camera was found"):
            list(camera.frames())
    libcamera.plugged_in = True
    waited_s.clear()
    for _ in range(100):
        with suppress(CameraError):
            assert len(list(islice(camera.frames(), 5))) == 5
            break
    else:
        pytest.fail("it is never found")
    assert sum(waited_s) <= 30
    assert libcamera.lists == 1
    camera.close()


def test_picamera2_lists_the_cameras_anew_when_it_is_reset() -> None:
    """DICETRAY_PICAMERA2 names a picamera2.py where it is not installed."""
    source = picamera2_source()
    found = re.search(r"^class CameraManager:\n(?:(?:    .*)?\n)+", source, re.MULTILINE)
    assert found is not None, "picamera2 has another manager now"
    there = list[str]()

    class Manager:
        """libcamera's: one for the process, for as long as anybody holds it."""

        alive: Any = None

        def __init__(self) -> None:
            self.cameras = tuple(there)

        @classmethod
        def singleton(cls) -> "Manager":
            held: Manager | None = cls.alive and cls.alive()
            if held is None:
                held = cls()
                cls.alive = weakref.ref(held)
            return held

    names: dict[str, Any] = {
        "threading": threading,
        "libcamera": SimpleNamespace(CameraManager=Manager),
    }
    exec(found[0], names)
    manager = names["CameraManager"]()
    assert manager.cms.cameras == ()
    there.append("imx708")
    assert manager.cms.cameras == (), "it is listed by itself now"
    manager.reset()
    assert manager.cms.cameras == ("imx708",)


def test_where_there_is_no_camera_none_is_made() -> None:
    libcamera = FakeLibcamera(there=False)
    camera = a_pi(loader(never_made, libcamera))
    for _ in range(20):
        with pytest.raises(CameraError, match=r"^pi: no camera was found; .*ribbon"):
            list(camera.frames())
    assert not libcamera.acquired


def test_a_camera_in_use_is_not_made_until_it_is_free() -> None:
    libcamera = FakeLibcamera(busy=True)
    cameras = [FakePicamera2()]
    camera = a_pi(loader(lambda: cameras.pop(), libcamera))
    for _ in range(20):
        with pytest.raises(CameraError, match="no other program uses it") as caught:
            list(camera.frames())
        assert caught.value.busy
    libcamera.busy = False
    assert len(list(islice(camera.frames(), 5))) == 5
    camera.close()


class Hanging(FakePicamera2):
    """Does not return from `stop` until it is released."""

    def __init__(self) -> None:
        super().__init__(frames=1)
        self.released = threading.Event()

    def stop(self) -> None:
        self.released.wait()
        super().stop()


def test_a_camera_that_does_not_close_is_not_opened_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hangs, works = Hanging(), FakePicamera2()
    cameras = [hangs, works]
    camera = a_pi(loader(lambda: cameras.pop(0)))
    with pytest.raises(CameraError, match="camera has gone"):
        list(camera.frames())
    with monkeypatch.context() as patched:
        patched.setattr(pi, "_MAX_CLOSING_S", 0.0)
        for _ in range(3):
            with pytest.raises(
                CameraStalled, match="driver has hung since its last use; wait ten minutes"
            ):
                list(camera.frames())
    assert cameras == [works]
    hangs.released.set()
    assert len(list(islice(camera.frames(), 5))) == 5
    camera.close()


def test_controls_that_a_camera_lacks_are_named_once(caplog: pytest.LogCaptureFixture) -> None:
    plain = FakePicamera2(focus=False, frames=60)
    del plain.camera_controls["FrameDurationLimits"]
    camera = a_pi(loader(plain))
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            plain.left = 60
            with pytest.raises(CameraError, match="camera has gone"):
                list(camera.frames())
    assert plain.config["controls"] == {}
    names = ("FrameDurationLimits", "AfMode", "LensPosition")
    assert [record.getMessage() for record in caplog.records] == [
        f"pi: the camera has no {name}; left alone" for name in names
    ]

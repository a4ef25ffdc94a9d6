"""Cameras that deliver frames by themselves, on fake devices."""

import math
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from appliance.devices.camera import webcams
from appliance.devices.camera.pi import PiCamera
from appliance.devices.camera.threaded import MAX_HANGING_THREADS, LiveCamera, Shot
from appliance.devices.camera.usb import V4L2Camera
from appliance.errors import CameraError, CameraStalled
from appliance.terminal.looking import named_camera
from tests.paths import ROOT
from tests.rigs.on_demand import on_demand
from tests.rigs.sensor_modes import sensor_modes
from vision.frame import Image
from vision.geometry.sight import Sight

PICTURE = np.zeros((90, 160, 3), np.uint8)
SHORT = 0.05  # seconds; long enough for a thread that does not wait for anything


class FakeDevice:
    """Delivers what a script says: a number of pictures, then an error or silence."""

    def __init__(self, pictures: int, then: CameraError | Exception | None) -> None:
        self.pictures, self.then = pictures, then
        self.released = threading.Event()
        self.opened = self.closed = False
        self.count = 0

    def open(self) -> None:
        self.opened = True

    def grab(self) -> Shot:
        if self.count >= self.pictures:
            if self.then is not None:
                raise self.then
            self.released.wait()
            raise CameraError("given up")
        self.count += 1
        return Shot(PICTURE, self.count / 10)

    def close(self) -> None:
        self.closed = True


def test_frames_are_numbered_and_carry_the_device_s_time() -> None:
    device = FakeDevice(3, CameraError("unplugged"))
    camera = on_demand(LiveCamera("fake", lambda: device, stall_s=5.0))
    seen = []
    with pytest.raises(CameraError, match="unplugged"):
        for frame in camera.frames():
            seen.append((frame.index, frame.time_s))
    assert seen == [(0, 0.1), (1, 0.2), (2, 0.3)]
    assert device.closed


def test_a_driver_that_hangs_takes_no_more_than_a_few_threads() -> None:
    device = FakeDevice(0, None)

    def openings(count: int) -> list[str]:
        """The errors of this many openings, by cameras of one name."""
        said = []
        for _ in range(count):
            camera = LiveCamera("stuck", lambda: device, stall_s=SHORT, wait=lambda _: None)
            with pytest.raises(CameraStalled) as caught:
                next(camera.frames())
            said.append(str(caught.value))
        return said

    said = openings(MAX_HANGING_THREADS + 4)
    hung = [thread for thread in threading.enumerate() if thread.name == "camera stuck"]
    assert len(hung) == MAX_HANGING_THREADS
    assert all("no picture came" in text for text in said[:MAX_HANGING_THREADS])
    assert all("hanging; switch off and on" in text for text in said[MAX_HANGING_THREADS:])
    device.released.set()
    for thread in hung:
        thread.join(120)
    with pytest.raises(CameraError, match="given up"):
        next(LiveCamera("stuck", lambda: device, stall_s=5.0).frames())


def test_a_stall_is_an_error_after_a_bounded_time() -> None:
    device = FakeDevice(1, None)
    camera = on_demand(LiveCamera("fake", lambda: device, stall_s=5.0))
    frames = camera.frames()
    assert next(frames).index == 0
    camera._stall_s = SHORT  # not before: on a busy machine the first picture may take as long
    with pytest.raises(CameraError, match=r"within 0\.05 s"):
        next(frames)
    device.released.set()


@pytest.mark.skipif(find_spec("_testcapi") is None, reason="this Python lacks its own tests")
def test_no_allocation_that_fails_leaves_anybody_waiting_for_ever() -> None:
    command = [sys.executable, "-m", "tests.appliance.devices.camera.starved_reader"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[-2000:]


def test_frames_may_be_asked_for_again_after_a_growing_wait() -> None:
    waits: list[float] = []
    devices: list[FakeDevice] = []

    def make() -> FakeDevice:
        device = FakeDevice(2 if len(devices) == 3 else 0, CameraError("gone"))
        devices.append(device)
        return device

    camera = on_demand(LiveCamera("fake", make, stall_s=5.0, wait=waits.append))
    for _ in range(3):
        with pytest.raises(CameraError, match="gone"):
            list(camera.frames())
    assert waits == [0.5, 1.0]
    frames = camera.frames()
    assert next(frames).index == 0
    assert next(frames).index == 1
    with pytest.raises(CameraError, match="gone"):
        next(frames)
    assert waits == [0.5, 1.0, 2.0]
    with pytest.raises(CameraError, match="gone"):
        list(camera.frames())
    assert waits == [0.5, 1.0, 2.0, 0.5]  # a camera that delivered starts from the shortest wait


def test_the_wait_has_a_bound() -> None:
    waits: list[float] = []
    camera = LiveCamera(
        "fake", lambda: FakeDevice(0, CameraError("gone")), stall_s=5.0, wait=waits.append
    )
    for _ in range(8):
        with pytest.raises(CameraError, match="gone"):
            list(camera.frames())
    assert max(waits) == 2.0


def test_whatever_a_driver_throws_becomes_a_camera_error() -> None:
    camera = LiveCamera("fake", lambda: FakeDevice(0, KeyError("stream")), stall_s=5.0)
    with pytest.raises(CameraError, match="driver failed: KeyError"):
        list(camera.frames())


def test_closing_ends_the_frames_and_closes_the_device() -> None:
    device = FakeDevice(5, CameraError("never reached"))
    camera = on_demand(LiveCamera("fake", lambda: device, stall_s=5.0))
    frames = camera.frames()
    assert next(frames).index == 0
    camera.close()
    assert list(frames) == []
    assert device.closed
    assert list(camera.frames()) == []


class FakeCapture:
    """Behaves as `cv2.VideoCapture` on a V4L2 device does; None is data that is no picture."""

    def __init__(self, pictures: list[Image | None], opens: bool = True) -> None:
        self.pictures, self.opens = list(pictures), opens
        self.asked: dict[int, float] = {}
        self.released = False
        self.opened_with: tuple[str, int] | None = None

    def isOpened(self) -> bool:  # noqa: N802
        return self.opens

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.asked[propId] = value
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        return self.asked.get(propId, -1.0)

    def grab(self) -> bool:
        return bool(self.pictures)

    def retrieve(self) -> tuple[bool, Any]:
        return self.handed_over(self.pictures.pop(0))

    def handed_over(self, picture: Image | None) -> tuple[bool, Any]:
        """A picture, or with conversion off what was sent, in one row of bytes."""
        if self.asked.get(cv2.CAP_PROP_CONVERT_RGB, 1.0):
            return picture is not None, picture
        sent = np.ones(9, np.uint8) if picture is None else cv2.imencode(".jpg", picture)[1]
        return True, sent.reshape(1, -1)

    def release(self) -> None:
        self.released = True


def v4l2(tmp_path: Path, capture: FakeCapture) -> V4L2Camera:
    (tmp_path / "video2").touch()

    def make(path: str, api: int) -> FakeCapture:
        capture.opened_with = (path, api)
        return capture

    camera = V4L2Camera(
        "2", (1920, 1080), 15.0, stall_s=5.0, capture=make, clock=lambda: 7.5, dev=tmp_path
    )
    return on_demand(camera)


def test_a_usb_camera_is_asked_for_what_usb_can_carry(tmp_path: Path) -> None:
    grey = np.zeros((90, 160), np.uint8)
    capture = FakeCapture([grey])
    camera = v4l2(tmp_path, capture)
    frames = camera.frames()
    frame = next(frames)
    assert frame.image.shape == (90, 160, 3)
    assert frame.time_s == 7.5
    with pytest.raises(CameraError, match="unplugged"):
        next(frames)
    assert capture.opened_with == (str(tmp_path / "video2"), cv2.CAP_V4L2)
    assert capture.asked == {
        cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),
        cv2.CAP_PROP_FRAME_WIDTH: 1920,
        cv2.CAP_PROP_FRAME_HEIGHT: 1080,
        cv2.CAP_PROP_FPS: 15,
        cv2.CAP_PROP_CONVERT_RGB: 0,
    }
    assert capture.released


def test_a_usb_camera_says_which_one_it_is_and_how_wide_it_looks(tmp_path: Path) -> None:
    (tmp_path / "video2").touch()
    capture = FakeCapture([np.zeros((90, 160, 3), np.uint8)])
    camera = V4L2Camera(
        "2", capture=lambda *_: capture, dev=tmp_path, view=78.0, usb_id=lambda _: "046d:082d"
    )
    sight = next(camera.frames()).sight
    camera.close()
    assert sight == Sight("usb 046d:082d", (160, 90), (0, 0, 160, 90), 78.0)


class Streaming(FakeCapture):
    """A driver with buffers, and a camera that sends a frame into a free one or nowhere.

    As OpenCV's cap_v4l.cpp has it: `grab` gives the last picture's buffer back, then waits for the
    next full one. A frame is lost where no buffer is free as it begins.
    """

    def __init__(self, fps: float = 30.0, decoding_s: float = 0.01) -> None:
        super().__init__([])
        self.frame_s, self.decoding_s = 1 / fps, decoding_s
        self.now_s = 0.0
        self.sent = 0
        self.full: list[int] = []
        self.held: int | None = None
        self.free = 4
        self.filling = False

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        if propId == cv2.CAP_PROP_BUFFERSIZE:
            self.free = int(value)
        return super().set(propId, value)

    def wait(self, until_s: float) -> None:
        """Lets time pass; frames that end meanwhile are in their buffers, others have begun."""
        while (end_s := (self.sent + 1) * self.frame_s) <= until_s:
            if self.filling:
                self.full.append(self.sent)
            self.sent += 1
            self.filling = self.free > 0
            self.free -= self.filling
            self.now_s = end_s
        self.now_s = max(self.now_s, until_s)

    def grab(self) -> bool:
        if self.held is not None:
            self.held = None
            self.free += 1
        while not self.full:
            self.wait((self.sent + 1) * self.frame_s)
        self.held = self.full.pop(0)
        return True

    def retrieve(self) -> tuple[bool, Any]:
        self.wait(self.now_s + self.decoding_s)
        return self.handed_over(np.full((2, 2, 3), 9, np.uint8))


def opened_usb(tmp_path: Path, capture: Any) -> Any:
    """The reading thread's part of a USB camera, without the thread."""
    device = tmp_path / "video2"
    device.touch()
    clock = lambda: getattr(capture, "now_s", 0.0)  # noqa: E731
    camera = V4L2Camera("2", capture=lambda *_: capture, clock=clock, dev=tmp_path)
    made = camera._make()
    made.open()
    return made


def test_every_frame_of_a_usb_camera_arrives(tmp_path: Path) -> None:
    capture = Streaming()
    device = opened_usb(tmp_path, capture)
    times = [device.grab().time_s for _ in range(60)]
    assert 59 / (times[-1] - times[0]) == pytest.approx(30.0, rel=0.02)


def test_after_a_pause_old_frames_are_soon_read_away(tmp_path: Path) -> None:
    """Reading is faster than the camera: the thread that only reads catches up."""
    capture = Streaming()
    device = opened_usb(tmp_path, capture)
    device.grab()
    capture.wait(capture.now_s + 1.0)
    ages = []
    for _ in range(8):
        device.grab()
        ages.append(capture.sent - (capture.held or 0))
    assert ages[0] > 20, "the driver kept the oldest"
    assert max(ages[-3:]) <= 1


def test_a_picture_that_cannot_be_decoded_is_skipped(tmp_path: Path) -> None:
    picture = np.full((90, 160, 3), 7, np.uint8)
    capture = FakeCapture([None, picture, None, None, picture])
    device = opened_usb(tmp_path, capture)
    assert [int(device.grab().image.max()) for _ in range(2)] == [7, 7]
    with pytest.raises(CameraError, match="unplugged"):
        device.grab()


class Garbled(FakeCapture):
    """Sends thirty times a second what is no picture, some time after some pictures."""

    def __init__(self, raises: bool) -> None:
        super().__init__([])
        self.now_s, self.raises, self.count = 0.0, raises, 0

    def grab(self) -> bool:
        self.now_s += 1 / 30
        self.count += 1
        return True

    def retrieve(self) -> tuple[bool, Any]:
        if self.count == 20:
            return self.handed_over(np.zeros((2, 2, 3), np.uint8))
        if self.raises:
            raise cv2.error("imdecode")
        return self.handed_over(None)


@pytest.mark.parametrize("raises", [False, True])
def test_a_camera_that_only_sends_garbage_has_failed(tmp_path: Path, raises: bool) -> None:
    capture = Garbled(raises)
    device = opened_usb(tmp_path, capture)
    device.grab()
    with pytest.raises(CameraError, match=r"for 1 s that cannot be decoded; try another USB port"):
        device.grab()
    assert capture.now_s == pytest.approx(20 / 30 + 1.0, abs=0.05)


def test_a_camera_for_which_the_bus_has_no_room_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="take other cameras off this USB hub"):
        list(v4l2(tmp_path, FakeCapture([])).frames())


@pytest.mark.parametrize(
    ("wrong", "found", "busy"),
    [
        ("", "that is busy; close other programs", True),
        ("gone", "that it is gone; plug it in", False),
        ("refused", "that you may not use; join the group video", False),
        ("data", "a device without pictures; .* try the number before", False),
    ],
)
def test_a_camera_that_does_not_open_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, found: str, busy: bool
) -> None:
    camera = v4l2(tmp_path, FakeCapture([], opens=False))
    if wrong == "gone":
        (tmp_path / "video2").unlink()
    monkeypatch.setattr(os, "access", lambda *_: wrong != "refused")
    monkeypatch.setattr(webcams, "can_capture", lambda _: wrong != "data")
    with pytest.raises(CameraError, match=f"found (one )?{found}") as caught:
        list(camera.frames())
    assert caught.value.busy is busy


def test_on_other_systems_it_says_where_cameras_are_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(webcams, "HAS_CONTROLS", False)
    error = webcams.why_not_opened("0")
    assert "settings under privacy" in str(error)
    assert "group" not in str(error)


def test_a_missing_usb_camera_names_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    with pytest.raises(CameraError, match="video0"):
        V4L2Camera("3", dev=tmp_path)


METADATA: dict[str, Any] = {
    "SensorTimestamp": 12_500_000_000,
    "ExposureTime": 8000,
    "AnalogueGain": 2.0,
    "ColourGains": (1.9, 1.6),
    "LensPosition": 2.75,
}


class FakeRequest:
    """Like picamera2's CompletedRequest: must be released exactly once."""

    def __init__(self, camera: "FakePicamera2") -> None:
        self.camera = camera
        self.held = True
        self.metadata = camera.metadata()

    def make_array(self, name: str) -> np.ndarray:
        assert self.held
        width, height = self.camera.config[name]["size"]
        if name == "main":
            return np.full((height, width, 3), 50, np.uint8)
        stride = width + 64  # rows are padded
        return np.full((height * 3 // 2, stride), 128, np.uint8)

    def get_metadata(self) -> Mapping[str, Any]:
        assert self.held
        return self.metadata

    def release(self) -> None:
        assert self.held
        self.held = False
        self.camera.held -= 1


class FakePicamera2:
    """The methods of picamera2.Picamera2 that are used, with their signatures.

    Args:
        focus: whether its lens can move.
        frames: how many it delivers before it has gone.
    """

    def __init__(self, focus: bool = True, frames: float = math.inf) -> None:
        self.config: dict[str, Any] = {}
        self.controls: list[dict[str, Any]] = []
        names = ["AeEnable", "AwbEnable", "ColourGains", "FrameDurationLimits"]
        names += ["AfMode"] if focus else []
        self.camera_controls: dict[str, Any] = dict.fromkeys(names, (0, 1, 0))
        self.camera_controls |= {
            "ExposureTime": (26, 220_417_486, None),
            "AnalogueGain": (1.12, 16.0, None),
        }
        if focus:
            self.camera_controls["LensPosition"] = (0.0, 32.0, 1.0)
        self.camera_properties: dict[str, Any] = {"Model": "imx708"}
        self.held = 0
        self.left = frames
        self.log: list[str] = []

    @property
    def sensor_modes(self) -> Any:
        return sensor_modes("imx708")

    def create_video_configuration(
        self,
        main: dict[str, Any] | None = None,
        lores: dict[str, Any] | None = None,
        raw: dict[str, Any] | None = None,
        transform: object = None,
        colour_space: object = None,
        buffer_count: int = 6,
        controls: dict[str, Any] | None = None,
        display: str | None = "main",
        encode: str | None = "main",
        queue: bool = True,
        sensor: dict[str, Any] | None = None,
        use_case: str = "video",
    ) -> dict[str, Any]:
        config = {"main": main, "lores": lores, "raw": raw, "sensor": sensor}
        return {**config, "controls": controls, "queue": queue}

    def configure(self, camera_config: dict[str, Any]) -> None:
        self.config = camera_config

    def start(self, config: object = None, show_preview: bool = False) -> None:
        self.log.append("start")

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls.append(controls)

    def capture_request(self, wait: object = None, signal_function: object = None) -> FakeRequest:
        if self.left == 0:
            raise RuntimeError("camera has gone")
        self.left -= 1
        self.held += 1
        assert self.held == 1, "a request was not given back"
        return FakeRequest(self)

    def metadata(self) -> dict[str, Any]:
        return METADATA

    def cancel_all_and_flush(self) -> None:
        self.log.append("cancel")

    def stop(self) -> None:
        self.log.append("stop")

    def close(self) -> None:
        self.log.append("close")


class FakeLibcamera:
    """libcamera's manager, which hands out one camera or has none."""

    CAMERA_ID = "/base/soc/i2c0mux/i2c@1/imx708@1a"

    def __init__(self, there: bool = True, busy: bool = False) -> None:
        self.there, self.busy = there, busy
        self.models, self.opened = ["imx708"], list[int]()
        self.lists = 0
        self.acquired = 0
        self.CameraManager = SimpleNamespace(singleton=lambda: SimpleNamespace(get=self.get))
        modes = SimpleNamespace(Manual="manual", Continuous="continuous")
        self.controls = SimpleNamespace(AfModeEnum=modes)

    def global_camera_info(self) -> list[dict[str, Any]]:
        """The cameras as picamera2 lists them."""
        return [
            {"Model": model, "Location": 2, "Rotation": 180, "Id": self.id_of(n), "Num": n}
            for n, model in enumerate(self.models if self.there else ())
        ]

    def id_of(self, number: int) -> str:
        """libcamera's name of a camera; a webcam's has the USB port in it."""
        if self.models[number].startswith("USB"):
            return f"/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.{number}:1.0-046d:0825"
        return self.CAMERA_ID if number == 0 else f"/base/i2c0mux/i2c@0/{self.models[number]}@1a"

    def list_anew(self) -> None:
        self.lists += 1

    def get(self, camera_id: str) -> "FakeLibcamera":
        assert self.there and camera_id in {c["Id"] for c in self.global_camera_info()}
        return self

    def acquire(self) -> None:
        if self.busy:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.acquired += 1

    def release(self) -> None:
        self.acquired -= 1


def loader(
    camera: FakePicamera2 | Callable[[], Any], libcamera: FakeLibcamera | None = None
) -> Callable[[str], Any]:
    found = libcamera or FakeLibcamera()

    def make(camera_num: int = 0) -> Any:
        assert not found.acquired, "picamera2 takes the camera itself"
        found.opened.append(camera_num)
        return camera() if callable(camera) else camera

    vars(make)["global_camera_info"] = found.global_camera_info
    vars(make)["_cm"] = SimpleNamespace(reset=found.list_anew)
    modules = {"picamera2": SimpleNamespace(Picamera2=make), "libcamera": found}
    return modules.__getitem__


def run(camera: PiCamera) -> list[tuple[int, ...]]:
    shapes: list[tuple[int, ...]] = []
    with pytest.raises(CameraError):
        for frame in on_demand(camera).frames():
            assert frame.small is not None
            assert frame.time_s == 12.5
            shapes += [frame.image.shape, frame.small.shape]
    return shapes


def test_a_pi_camera_delivers_both_streams_and_gives_requests_back() -> None:
    fake = FakePicamera2(frames=60)
    shapes = run(PiCamera((1536, 864), 30.0, stall_s=5.0, load=loader(fake)))
    assert shapes == [(864, 1536, 3), (180, 320, 3)] * 60
    assert fake.config["main"] == {"size": (1536, 864), "format": "RGB888"}
    assert fake.config["lores"] == {"size": (320, 180), "format": "YUV420"}
    assert fake.config["controls"] == {"FrameDurationLimits": (33333, 33333)}
    assert fake.held == 0
    assert fake.log == ["start", "stop", "close"]


def test_a_pi_camera_locks_what_the_warm_up_found() -> None:
    fake = FakePicamera2(frames=60)
    run(PiCamera(stall_s=5.0, load=loader(fake)))
    assert fake.controls == [
        {"AfMode": "continuous"},
        {
            "AeEnable": False,
            "ExposureTime": 8000,
            "AnalogueGain": 2.0,
            "AwbEnable": False,
            "ColourGains": (1.9, 1.6),
            "AfMode": "manual",
            "LensPosition": 2.75,
        },
    ]


def test_a_lens_that_cannot_move_is_not_asked_to() -> None:
    fake = FakePicamera2(focus=False, frames=60)
    run(PiCamera(stall_s=5.0, load=loader(fake)))
    assert all("AfMode" not in controls for controls in fake.controls)


def test_a_pi_without_camera_is_an_error() -> None:
    def none_there() -> Any:
        raise RuntimeError("Camera(s) not found")

    camera = PiCamera(stall_s=5.0, load=loader(none_there))
    with pytest.raises(CameraError, match="ribbon cable"):
        list(camera.frames())


@pytest.mark.parametrize(
    "error", [ImportError("No module named 'picamera2'"), ValueError("numpy.dtype size changed")]
)
def test_a_picamera2_that_does_not_load_is_an_error(error: Exception) -> None:
    def load(_: str) -> Any:
        raise error

    with pytest.raises(CameraError, match="python3-picamera2"):
        PiCamera(load=load)


def test_opencv_keeps_quiet_about_a_camera_that_does_not_open() -> None:
    """A missing camera is retried every two seconds; the program reports it once."""
    program = (
        "from appliance.cli.main import main; main(['config', 'default']); import cv2;"
        "print(cv2.VideoCapture('/dev/null', cv2.CAP_V4L2).isOpened())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.endswith("False\n")
    assert done.stderr == ""


def test_where_the_system_lists_no_cameras_the_first_numbers_are_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(webcams, "HAS_CONTROLS", False)
    cameras = webcams.webcams_here()
    assert [camera.spec for camera in cameras] == ["usb:0", "usb:1", "usb:2"]
    assert cameras[0].name == "camera 0"
    assert named_camera(cameras[:1]) is None

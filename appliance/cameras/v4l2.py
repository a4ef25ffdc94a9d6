"""USB cameras (UVC) and whatever else Linux shows as /dev/video*, through OpenCV."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from appliance.cameras.live import STALL_S, LiveCamera, Shot
from appliance.errors import CameraError

_DEV = Path("/dev")


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used."""

    def isOpened(self) -> bool:  # noqa: N802
        """Whether a device was opened."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        """Asks for a property."""

    def get(self, propId: int) -> float:  # noqa: N803
        """Tells a property."""

    def read(self) -> tuple[bool, cv2.typing.MatLike]:
        """Waits for a picture, ten seconds at most."""

    def release(self) -> None:
        """Closes the device."""


class V4L2Camera(LiveCamera):
    """A V4L2 camera.

    Args:
        device: its number or path: `0`, `/dev/video0`, `/dev/v4l/by-id/...`.
        size: width and height to ask for, pixels; the camera may deliver another.
        fps: frames a second to ask for.
        stall_s: seconds without a picture that count as a stall.
        capture: opens a device for OpenCV.
        clock: monotonic seconds.
        wait: waits a number of seconds.
        dev: folder of the devices.

    Raises:
        CameraError: there is no such device.
    """

    def __init__(
        self,
        device: str,
        size: tuple[int, int] = (1280, 720),
        fps: float = 30.0,
        stall_s: float = STALL_S,
        capture: Callable[[str, int], Capture] = cv2.VideoCapture,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
        dev: Path = _DEV,
    ) -> None:
        path = dev / f"video{int(device)}" if device.isdecimal() else Path(device)
        if not path.exists():
            there = ", ".join(sorted(str(p) for p in dev.glob("video*"))) or "no /dev/video* at all"
            raise CameraError(
                f"v4l2:{device}: expected a camera at {path}, found {there}; plug it in or name "
                "another"
            )
        super().__init__(
            f"v4l2:{device}",
            lambda: _V4L2Device(path, size, fps, capture, clock),
            stall_s,
            wait,
        )


class _V4L2Device:
    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        fps: float,
        capture: Callable[[str, int], Capture],
        clock: Callable[[], float],
    ) -> None:
        self._path, self._size, self._fps = path, size, fps
        self._make, self._clock = capture, clock
        self._capture: Capture | None = None

    def open(self) -> None:
        capture = self._capture = self._make(str(self._path), cv2.CAP_V4L2)
        if not capture.isOpened():
            raise CameraError(
                f"{self._path}: expected a camera that opens, found one that is busy, not "
                "allowed or no camera; close other programs, join the group video, or try "
                "the next number (cameras show up twice, only one of them has pictures)"
            )
        # Raw pictures of this size do not fit through USB 2 at 30 a second.
        capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, float(self._size[0]))
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, float(self._size[1]))
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1.0)  # old pictures are of no use

    def grab(self) -> Shot:
        if self._capture is None:
            raise CameraError(f"{self._path}: not open")
        delivered, image = self._capture.read()
        time_s = self._clock()
        if not delivered or image is None or image.size == 0:
            raise CameraError(
                f"{self._path}: expected a picture, found none; the camera was unplugged or "
                "has stalled"
            )
        if image.ndim == 2:
            image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
        return Shot(np.array(image[:, :, :3], np.uint8, order="C"), time_s)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

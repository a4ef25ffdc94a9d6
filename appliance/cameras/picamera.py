"""Raspberry Pi cameras through picamera2.

Two streams of each frame are asked for: the full picture and a small one for the watcher. Focus,
exposure and white balance are locked, to given values or to those found during a short warm-up: a
camera that adjusts itself while dice roll looks like movement.

picamera2 comes from the system's packages and is imported only when such a camera is opened. Its
calls are those of the Picamera2 Manual (https://datasheets.raspberrypi.com/camera/
picamera2-manual.pdf): `create_video_configuration`, `capture_request`, `make_array`,
`get_metadata`, `release`, and the controls of its appendix C.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from appliance.cameras.live import STALL_S, LiveCamera, Shot
from appliance.errors import CameraError
from vision.frame import Image

_WARM_UP = 45
"""Frames that automatic focus, exposure and white balance get before they are locked."""

_SMALL_WIDTH = 320  # a multiple of 64, which YUV 4:2:0 rows are aligned to


@dataclass(frozen=True, slots=True)
class Locked:
    """Values to which the camera is locked.

    Attributes:
        exposure_us: exposure, microseconds.
        gain: analogue gain.
        red: colour gain of red.
        blue: colour gain of blue.
        lens: lens position, dioptres (1 / metres); None for a lens that cannot move.
    """

    exposure_us: int
    gain: float
    red: float
    blue: float
    lens: float | None = None

    def controls(self) -> dict[str, Any]:
        """Exposure and white balance as libcamera controls."""
        return {
            "AeEnable": False,
            "ExposureTime": self.exposure_us,
            "AnalogueGain": self.gain,
            "AwbEnable": False,
            "ColourGains": (self.red, self.blue),
        }


class Request(Protocol):
    """The part of picamera2's `CompletedRequest` that is used."""

    def make_array(self, name: str) -> NDArray[np.uint8]:
        """A copy of a stream's picture."""

    def get_metadata(self) -> Mapping[str, Any]:
        """What the camera says of the frame."""

    def release(self) -> None:
        """Gives the buffers back."""


class PiCamera(LiveCamera):
    """A camera on the Pi's own connector.

    Args:
        size: width and height of the full picture, pixels; width a multiple of 32.
        fps: frames a second.
        locked: what to lock the camera to; None for what the warm-up finds.
        stall_s: seconds without a picture that count as a stall.
        load: imports a module; so that tests can do without picamera2.
        wait: waits a number of seconds.

    Raises:
        CameraError: picamera2 is not installed.
    """

    def __init__(
        self,
        size: tuple[int, int] = (1536, 864),
        fps: float = 30.0,
        locked: Locked | None = None,
        stall_s: float = STALL_S,
        load: Callable[[str], Any] = import_module,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        try:
            picamera2, libcamera = load("picamera2"), load("libcamera")
        except (ImportError, ValueError) as error:
            # A numpy other than the one it was built for shows up as a ValueError.
            raise CameraError(
                f"pi: expected picamera2 to load, found {error}; install python3-picamera2 from "
                "Raspberry Pi OS and use an environment that sees the system's packages"
            ) from error
        super().__init__(
            "pi",
            lambda: _PiDevice(picamera2.Picamera2, libcamera.controls, size, fps, locked),
            stall_s,
            wait,
        )


class _PiDevice:
    def __init__(
        self,
        make: Callable[[], Any],
        controls: Any,
        size: tuple[int, int],
        fps: float,
        locked: Locked | None,
    ) -> None:
        self._make, self._controls = make, controls
        self._size, self._fps, self._locked = size, fps, locked
        self._camera: Any = None
        self._small = (_SMALL_WIDTH, round(_SMALL_WIDTH * size[1] / size[0] / 2) * 2)

    def open(self) -> None:
        try:
            camera = self._camera = self._make()
            frame_us = round(1e6 / self._fps)
            camera.configure(
                camera.create_video_configuration(
                    main={"size": self._size, "format": "RGB888"},  # blue first in memory
                    lores={"size": self._small, "format": "YUV420"},
                    buffer_count=4,
                    queue=False,  # wait for a new frame rather than take an old one
                    display=None,
                    encode=None,
                    controls={"FrameDurationLimits": (frame_us, frame_us)},
                )
            )
            camera.start()
            self._lock()
        except (RuntimeError, IndexError, OSError) as error:
            raise CameraError(
                f"pi: expected a camera that starts, found {error}; check its ribbon cable and "
                "that no other program uses it"
            ) from error

    def _lock(self) -> None:
        camera = self._camera
        can_focus = "LensPosition" in camera.camera_controls
        locked = self._locked
        if locked is None:
            if can_focus:
                camera.set_controls({"AfMode": self._controls.AfModeEnum.Continuous})
            metadata: Mapping[str, Any] = {}
            for _ in range(_WARM_UP):
                request: Request = camera.capture_request()
                try:
                    metadata = request.get_metadata()
                finally:
                    request.release()
            red, blue = metadata["ColourGains"]
            locked = Locked(
                int(metadata["ExposureTime"]),
                float(metadata["AnalogueGain"]),
                float(red),
                float(blue),
                float(metadata["LensPosition"]) if "LensPosition" in metadata else None,
            )
            # The next opening finds the same light and need not adjust again.
            self._locked = locked
        values = locked.controls()
        if can_focus and locked.lens is not None:
            values |= {"AfMode": self._controls.AfModeEnum.Manual, "LensPosition": locked.lens}
        camera.set_controls(values)

    def grab(self) -> Shot:
        request: Request = self._camera.capture_request()
        try:
            # make_array copies; the buffers go back to the camera at once.
            image = request.make_array("main")
            yuv = request.make_array("lores")
            metadata = request.get_metadata()
        finally:
            request.release()
        time_s = float(metadata["SensorTimestamp"]) / 1e9  # nanoseconds since boot
        return Shot(np.ascontiguousarray(image[:, :, :3], np.uint8), time_s, self._to_bgr(yuv))

    def _to_bgr(self, yuv: NDArray[np.uint8]) -> Image:
        """Converts the small stream; its rows may be padded."""
        width, height = self._small
        picture = cv2.cvtColor(yuv[: height * 3 // 2], cv2.COLOR_YUV2BGR_I420)
        return np.ascontiguousarray(picture[:height, :width], np.uint8)

    def close(self) -> None:
        if self._camera is not None:
            try:
                self._camera.stop()
            finally:
                self._camera.close()
                self._camera = None

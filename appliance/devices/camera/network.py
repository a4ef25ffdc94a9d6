"""Cameras in the network: a phone's app or an IP camera, by the address of its stream.

MJPEG over HTTP and RTSP, through OpenCV's FFmpeg. A phone's app names the address, such as
http://PHONE:8080/video.

A stream does not say when its pictures were taken, so how old they are is not known. Frames have
the time at which they came, of which rest and motion are made, so a late stream is read late, not
wrongly. FFmpeg queues nothing here, and the reading thread keeps only the newest picture.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import cv2
import numpy as np

from appliance.devices.camera.address import spoken
from appliance.devices.camera.threaded import LiveCamera, Shot
from appliance.devices.camera.usb import Capture
from appliance.errors import CameraError
from vision.geometry.sight import webcam_sight

OPEN_TIMEOUT_S = 6.0
READ_TIMEOUT_S = 4.0
"""FFmpeg itself would wait for 30 seconds (OpenCV, modules/videoio/src/cap_ffmpeg_impl.hpp)."""
STALLED_AFTER_S = 5.0
"""Seconds without a picture that count as a stall: Wi-Fi pauses for longer than a cable."""
_OPTIONS_VARIABLE = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
_FFMPEG_OPTIONS = "fflags;nobuffer|flags;low_delay|analyzeduration;500000|rtsp_transport;tcp"
"""No queue, no five seconds of looking at a stream first, and
no lost packets, which smear a picture."""
_MAX_GARBLED = 30
"""Pictures in a row that cannot be decoded before the stream counts as failed."""

OpenStream = Callable[[str, int, Sequence[int]], Capture]


class NetworkCamera(LiveCamera):
    """A stream, opened when its frames are asked for.

    Args:
        url: http, https, rtsp or rtsps.
        capture: opens a stream with OpenCV.
        wait: waits a number of seconds.
        view: angle of view across the diagonal, degrees; None if nobody has given it.
    """

    def __init__(
        self,
        url: str,
        capture: OpenStream = cv2.VideoCapture,
        wait: Callable[[float], None] = time.sleep,
        view: float | None = None,
    ) -> None:
        name = spoken(url)
        super().__init__(
            name, lambda: _Stream(url, name, capture, time.monotonic, view), STALLED_AFTER_S, wait
        )


@contextmanager
def _ffmpeg_options() -> Iterator[None]:
    """Sets what FFmpeg is told, unless somebody has; OpenCV looks there when it opens a stream.

    Files that are opened later would lose their first frames by it.
    """
    if _OPTIONS_VARIABLE in os.environ:
        yield
        return
    os.environ[_OPTIONS_VARIABLE] = _FFMPEG_OPTIONS
    try:
        yield
    finally:
        del os.environ[_OPTIONS_VARIABLE]


class _Stream:
    def __init__(
        self,
        url: str,
        name: str,
        capture: OpenStream,
        clock: Callable[[], float],
        view: float | None,
    ) -> None:
        self._url, self._name, self._make, self._clock = url, name, capture, clock
        self._view = view
        self._capture: Capture | None = None

    def open(self) -> None:
        limits = (
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * OPEN_TIMEOUT_S)),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * READ_TIMEOUT_S)),
        )
        with _ffmpeg_options():
            capture = self._capture = self._make(self._url, cv2.CAP_FFMPEG, limits)
        if not capture.isOpened():
            raise CameraError(
                f"{self._name}: no pictures come from there",
                "start the phone's camera app, compare the address, and use the same Wi-Fi",
            )

    def grab(self) -> Shot:
        if self._capture is None:
            raise CameraError(f"{self._name}: not open")
        failed = False
        for _ in range(_MAX_GARBLED):
            before_s = self._clock()
            if not self._capture.grab():
                # OpenCV says so once of a picture that was cut off, too, and goes on after it.
                if failed or self._clock() - before_s > READ_TIMEOUT_S / 2:
                    raise CameraError(
                        f"{self._name}: the stream has ended",
                        "keep the phone's screen on, and the app in front",
                    )
                failed = True
                continue
            time_s = self._clock()
            try:
                decoded, image = self._capture.retrieve()
            except cv2.error:
                continue
            if decoded and image is not None and image.size:
                if image.ndim == 2:
                    image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
                picture = np.array(image[:, :, :3], np.uint8, order="C")
                shown = (picture.shape[1], picture.shape[0])
                return Shot(picture, time_s, sight=webcam_sight("", shown, self._view))
        raise CameraError(f"{self._name}: what comes cannot be decoded as pictures")

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

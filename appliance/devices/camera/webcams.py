"""Which way OpenCV opens a webcam on Linux, macOS and Windows, and what each needs first."""

import sys
from pathlib import Path

import cv2

from appliance.errors import CameraError

if sys.platform == "win32":
    BACKEND = cv2.CAP_DSHOW
    """The way; the other one of Windows, MSMF, takes minutes to open some cameras
    (https://github.com/opencv/opencv/issues/17687)."""
elif sys.platform == "darwin":
    BACKEND = cv2.CAP_AVFOUNDATION
else:
    BACKEND = cv2.CAP_V4L2

HAS_CONTROLS = BACKEND == cv2.CAP_V4L2
"""Whether exposure and focus have the kernel's units; others keep adjusting themselves."""


def open_capture(where: str, backend: int) -> cv2.VideoCapture:
    """Opens a path, or the camera of a number."""
    return cv2.VideoCapture(int(where) if where.isdecimal() else where, backend)


def find_webcam(device: str, dev: Path) -> str:
    """What OpenCV opens for a number or a path: the path below `dev`, or just the number.

    Raises:
        CameraError: there is no such device, or it needs a number here.
    """
    if not HAS_CONTROLS:
        if not device.isdecimal():
            raise CameraError(
                f"v4l2:{device}: expected the number of a camera on this system, found a path",
                "the first is usb:0, the next usb:1",
            )
        return device
    path = dev / f"video{int(device)}" if device.isdecimal() else Path(device)
    if not path.exists():
        there = ", ".join(sorted(str(p) for p in dev.glob("video*"))) or "no /dev/video* at all"
        raise CameraError(
            f"v4l2:{device}: expected a camera at {path}, found {there}",
            "plug it in or name another",
        )
    return str(path)


def ask_for_permission(where: str) -> None:
    """Opens a camera once, so that macOS asks whether this program may; to be called at the start.

    It asks from the main thread only, and refuses the camera to all others until it was answered
    (`setupReadingAt` and the constructor in modules/videoio/src/cap_avfoundation_mac.mm).
    """
    if sys.platform == "darwin":
        open_capture(where, BACKEND).release()

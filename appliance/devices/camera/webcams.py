"""Which way OpenCV opens a webcam on Linux, macOS and Windows, and what each needs first."""

import os
import sys
from pathlib import Path

import cv2

from appliance.devices.camera.listing import ListedCamera, can_capture, list_cameras
from appliance.errors import CameraError
from appliance.words import say

if sys.platform == "win32":
    BACKEND = cv2.CAP_DSHOW
    """The way; the other one of Windows, MSMF, takes minutes to open some cameras
    (https://github.com/opencv/opencv/issues/17687)."""
elif sys.platform == "darwin":
    BACKEND = cv2.CAP_AVFOUNDATION
else:
    BACKEND = cv2.CAP_V4L2

_MAX_NUMBERED = 3
"""Cameras that are offered by their numbers."""
HAS_CONTROLS = BACKEND == cv2.CAP_V4L2
"""True if exposure and focus have the kernel's units; others keep adjusting themselves."""


def open_capture(where: str, backend: int) -> cv2.VideoCapture:
    """Opens a path, or the camera of a number."""
    return cv2.VideoCapture(int(where) if where.isdecimal() else where, backend)


def webcams_here() -> tuple[ListedCamera, ...]:
    """The cameras that are there; where the system does not list them, the first few numbers.

    Of those nobody knows which is part of the computer. To be called on the main thread.
    """
    if HAS_CONTROLS:
        return list_cameras()
    ask_for_permission("0")
    return tuple(
        ListedCamera(f"usb:{n}", say("camera {number}", number=n), number=n, doubtful=True)
        for n in range(_MAX_NUMBERED)
    )


def find_webcam(device: str, dev: Path) -> str:
    """The device that OpenCV opens for a number or path: its path below `dev`, or just the number.

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


def why_not_opened(where: str) -> CameraError:
    """Why a webcam that is named so was not opened, as far as the system says, and what helps."""
    expected = f"{where}: expected a camera that opens"
    others = "close other programs that may use it, such as calls and browser tabs"
    if not HAS_CONTROLS:
        privacy = "let this terminal use it in the settings under privacy, camera"
        return CameraError(f"{expected}, found none", f"{privacy}; {others}")
    path = Path(where)
    if not path.exists():
        return CameraError(f"{expected}, found that it is gone", "plug it in again")
    if not os.access(path, os.R_OK | os.W_OK):
        return CameraError(
            f"{expected}, found one that you may not use",
            "join the group video with `sudo usermod -aG video $USER`, then log in again",
        )
    if not can_capture(path):
        return CameraError(
            f"{expected}, found a device without pictures",
            "most cameras have a second device for data; try the number before",
        )
    return CameraError(f"{expected}, found one that is busy", others, busy=True)


def ask_for_permission(where: str) -> None:
    """Opens a camera once, so that macOS asks whether this program may; to be called at the start.

    It asks from the main thread only, and refuses the camera to all others until it was answered
    (`setupReadingAt` and the constructor in modules/videoio/src/cap_avfoundation_mac.mm).
    """
    if sys.platform == "darwin":
        open_capture(where, BACKEND).release()

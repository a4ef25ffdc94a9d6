"""Controls of V4L2 that OpenCV has no name for, by ioctl; a camera without one is left alone.

Numbers are those of the kernel's include/uapi/linux/videodev2.h and v4l2-controls.h.
"""

import struct
from contextlib import suppress
from pathlib import Path
from typing import Protocol

_SET = 0xC008561C  # VIDIOC_S_CTRL
_QUERY = 0xC0445624  # VIDIOC_QUERYCTRL
_CONTROL = struct.Struct("Ii")
"""`struct v4l2_control`: number, value."""
_QUERIED = struct.Struct("II32siiiiIII")
"""`struct v4l2_queryctrl`: number, type, name, least, most, step, usual, flags."""

POWER_LINE_FREQUENCY = 0x00980918
FOCUS_ABSOLUTE = 0x009A090A
POWER_LINE_VALUES = {50: 1, 60: 2}
"""Values of the first by the frequency of the mains, hertz."""


class Controls(Protocol):
    """Controls of a camera by their numbers."""

    def set(self, number: int, value: int) -> None:
        """Sets a control, if there is one."""

    def range(self, number: int) -> tuple[int, int] | None:
        """Least and greatest value; None if there is no such control."""


class DeviceControls:
    """The controls of a device, which may be open elsewhere at the same time."""

    def __init__(self, device: Path) -> None:
        self._device = device

    def set(self, number: int, value: int) -> None:
        """Sets a control, if there is one."""
        self._ask(_SET, bytearray(_CONTROL.pack(number, value)))

    def range(self, number: int) -> tuple[int, int] | None:
        """Least and greatest value; None if there is no such control."""
        asked = bytearray(_QUERIED.pack(number, 0, b"", 0, 0, 0, 0, 0, 0, 0))
        if not self._ask(_QUERY, asked):
            return None
        least, most = _QUERIED.unpack(asked)[3:5]
        return (least, most) if least < most else None

    def _ask(self, request: int, value: bytearray) -> bool:
        with suppress(OSError, ModuleNotFoundError):
            from fcntl import ioctl

            with self._device.open("rb+", buffering=0) as file:
                ioctl(file, request, value)
            return True
        return False

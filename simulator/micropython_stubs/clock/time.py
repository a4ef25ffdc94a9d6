# mypy: ignore-errors
"""MicroPython's `time`, with a clock that the simulator can put forward.

The file that DICETRAY_BOARD_CLOCK names says by how many ms: eight bytes, little endian. Without
that variable this is MicroPython's module, no more.
"""

# ruff: noqa: F403, F405 - all that MicroPython has, whatever that is

import os

import utime
from utime import *

if os.getenv("DICETRAY_BOARD_CLOCK"):
    _file = open(os.getenv("DICETRAY_BOARD_CLOCK"), "rb")  # noqa: PTH123, SIM115
    _forward = bytearray(8)

    def ticks_ms() -> int:
        """Milliseconds of the clock as it was put forward."""
        _file.seek(0)
        _file.readinto(_forward)
        return ticks_add(utime.ticks_ms(), int.from_bytes(_forward, "little"))

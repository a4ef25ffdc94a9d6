"""The Pico's pins for a PC: SPI and chip select go to the simulator through a pipe.

Runs under MicroPython and CPython. The pipe's descriptor is in the environment as
DICETRAY_BOARD_FD. Records, each starting with a letter:

    C level            chip select
    S low high data    bytes shifted out, with their number
    W 4 bytes          watchdog armed, time-out in ms, little endian
    F                  watchdog fed (sent at most every 50 ms)
    R                  reset
    B                  reset into the boot loader
"""

import os
import sys
import time

_pipe = open(int(os.getenv("DICETRAY_BOARD_FD") or "1"), "wb", 0)  # noqa: PTH123, SIM115
_service = os.getenv("DICETRAY_BOARD_SERVICE") == "1"
_SERVICE_PIN = 22


class Pin:
    """A pin that is an output for chip select, or an input with a pull-up."""

    IN = 0
    OUT = 1
    PULL_UP = 2

    def __init__(self, number: int, mode: int = IN, pull: int = 0, value: int = 1) -> None:
        """Takes the pin's number as printed on the board (GP)."""
        self._record = bytearray(b"C\x01")
        self._output = mode == Pin.OUT
        self._value = 0 if _service and number == _SERVICE_PIN else value
        if self._output:
            self(value)

    def __call__(self, value: int) -> None:
        """Sets an output."""
        self._record[1] = value
        _pipe.write(self._record)

    def value(self) -> int:
        """Reads an input: high, except for the service pin when service is asked for."""
        return self._value


class SPI:
    """The bus to the chips; only writing is simulated."""

    def __init__(
        self,
        number: int,
        baudrate: int = 1_000_000,
        sck: "Pin | None" = None,
        mosi: "Pin | None" = None,
        miso: "Pin | None" = None,
    ) -> None:
        """Takes what machine.SPI takes."""
        self._head = bytearray(b"S\x00\x00")

    def write(self, data: "bytearray | memoryview") -> None:
        """Shifts `data` out, most significant bit first."""
        self._head[1] = len(data) & 0xFF
        self._head[2] = len(data) >> 8
        _pipe.write(self._head)
        _pipe.write(data)


class WDT:
    """The hardware watchdog: the simulator resets the firmware when it is not fed."""

    def __init__(self, timeout: int = 5000) -> None:
        """Arms it; `timeout` in ms. A Pico takes at most 8388."""
        if timeout > 8388:
            raise ValueError("timeout exceeds 8388")
        _pipe.write(b"W" + timeout.to_bytes(4, "little"))
        self._fed = time.ticks_ms()  # type: ignore[attr-defined]

    def feed(self) -> None:
        """Puts the reset off."""
        now = time.ticks_ms()  # type: ignore[attr-defined]
        if time.ticks_diff(now, self._fed) >= 50:  # type: ignore[attr-defined]
            self._fed = now
            _pipe.write(b"F")


def unique_id() -> bytes:
    """The chip's serial number."""
    text = os.getenv("DICETRAY_BOARD_UID") or "e660000000000001"
    return bytes(int(text[i : i + 2], 16) for i in range(0, 16, 2))


def reset() -> None:
    """Starts the firmware again."""
    _pipe.write(b"R")
    sys.exit(0)


def bootloader() -> None:
    """Leaves the firmware for the chip's own boot loader."""
    _pipe.write(b"B")
    sys.exit(0)

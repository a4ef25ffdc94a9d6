"""Runs the board without a clock and with a locked heap: the message path must not allocate.

Usage under MicroPython: ``heap.py COUNT``. Every byte goes through the real parser, board and
chain; the line and the pins are stand-ins that keep nothing.
"""

import gc
import struct
import sys

import board  # type: ignore[import-not-found]
import config  # type: ignore[import-not-found]
import framing  # type: ignore[import-not-found]
import max7219  # type: ignore[import-not-found]
import micropython  # type: ignore[import-not-found]


class Line:
    """A line that gives one frame after the other."""

    def __init__(self, frames: "list[bytes]") -> None:
        """Takes the frames to repeat."""
        self._frames = frames
        self._frame = 0
        self._at = 0
        self.left = 0

    def ready(self, wait_ms: int) -> bool:
        """Whether a byte is left."""
        return self.left > 0

    def read(self) -> int:
        """The next byte; the sequence number is not changed, HELLO_REQUEST resets it."""
        frame = self._frames[self._frame]
        byte = frame[self._at]
        self._at += 1
        if self._at == len(frame):
            self._at = 0
            self._frame = (self._frame + 1) % len(self._frames)
            self.left -= 1
        return byte

    def write(self, data: bytearray) -> None:
        """Forgets it."""


class Bus:
    """SPI and chip select that keep nothing."""

    def write(self, data: bytearray) -> None:
        """Forgets it."""

    def __call__(self, level: int) -> None:
        """Forgets it."""


def main(count: int) -> None:
    """Prints the free memory before and after."""
    frames = []
    for i in range(8):
        frames.append(framing.encode(framing.HELLO_REQUEST, 0, b"\x01\x00"))
        frames.append(framing.encode(framing.BRIGHTNESS, 1, bytes([i])))
        frames.append(framing.encode(framing.PING, 2))
        frames.append(framing.encode(framing.FRAME, 3, bytes([(k * i) & 0xFF for k in range(128)])))
        frames.append(b"\x05noise\x00")
    line = Line(frames)
    bus = Bus()
    scoreboard = board.Board(line, max7219.Chain(bus, bus, config), None, config, 1, bytes(8))
    line.left = len(frames)
    while line.left:
        scoreboard.turn(0)
    gc.collect()
    before = gc.mem_free()  # type: ignore[attr-defined]
    micropython.heap_lock()
    line.left = count
    while line.left:
        scoreboard.turn(0)
    micropython.heap_unlock()
    after = gc.mem_free()  # type: ignore[attr-defined]
    print(struct.unpack("<H", struct.pack("<H", 1))[0], before, after)


main(int(sys.argv[1]))

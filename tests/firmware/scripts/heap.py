"""Runs the board with a locked heap: handling a picture must not allocate.

Usage under MicroPython: ``heap.py``, with what a host sends on standard input until it ends. The
firmware is the real one except for the pins, which keep nothing. What the board sends goes to
standard output; standard error gets the free bytes before and after, and how many messages were
taken and pictures shown in between.
"""

import gc
import sys

import board  # type: ignore[import-not-found]
import config
import line  # type: ignore[import-not-found]
import max7219
import micropython  # type: ignore[import-not-found]


class Bus:
    """SPI and chip select that keep nothing but the number of pictures."""

    def __init__(self) -> None:
        """None yet."""
        self.shown = 0

    def write(self, data: bytearray) -> None:
        """Counts writes to the last line of lights."""
        if data[0] == 8:
            self.shown += 1

    def __call__(self, level: int) -> None:
        """Ignores it."""


def main() -> None:
    """Runs until the line ends."""
    config.LINK_TIMEOUT_MS = 1 << 29  # the board's own screens do allocate
    bus = Bus()
    chain = max7219.Chain(bus, bus, config)
    scoreboard = board.Board(line.Line(), chain, None, config, 1, bytes(8))
    while bus.shown < 50:
        scoreboard.turn(5)
    gc.collect()
    before = gc.mem_free()  # type: ignore[attr-defined]
    parser = scoreboard._parser
    good = parser.good
    shown = bus.shown
    micropython.heap_lock()
    while scoreboard.turn(5):
        pass
    micropython.heap_unlock()
    after = gc.mem_free()  # type: ignore[attr-defined]
    sys.stderr.write(f"{before} {after} {parser.good - good} {bus.shown - shown}\n")


main()

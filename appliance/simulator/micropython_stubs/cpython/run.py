"""Runs the firmware under CPython: ``run.py DIR-OF-MAIN SEARCH-PATH...``.

It gives the firmware what MicroPython has and CPython lacks: `machine`, `micropython`,
`time.ticks_ms`, `time.ticks_diff`, and a standard input that does not read ahead.
"""

import os
import runpy
import sys
import time
from pathlib import Path

_PERIOD = 1 << 30


def _ticks_ms() -> int:
    # simulator/micropython_stubs/clock/time.py says what the file holds.
    path = os.environ.get("DICETRAY_BOARD_CLOCK")
    forward = int.from_bytes(Path(path).read_bytes(), "little") if path else 0
    return (time.monotonic_ns() // 1_000_000 + forward) % _PERIOD


def _difference(a: int, b: int) -> int:
    return (a - b + _PERIOD // 2) % _PERIOD - _PERIOD // 2


class _Raw:
    def __init__(self, fd: int, mode: str) -> None:
        self.buffer = open(fd, mode, buffering=0, closefd=False)  # noqa: SIM115

    def write(self, text: str) -> int:
        return self.buffer.write(text.encode())

    def flush(self) -> None:
        pass


def _main() -> None:
    here = Path(__file__).parent
    firmware, *paths = sys.argv[1:]
    sys.path[:0] = [firmware, str(here), str(here.parent), *paths]
    time.ticks_ms = _ticks_ms  # type: ignore[attr-defined]
    time.ticks_diff = _difference  # type: ignore[attr-defined]
    sys.stdin, sys.stdout = _Raw(0, "rb"), _Raw(1, "wb")
    runpy.run_path(str(Path(firmware) / "main.py"), run_name="__main__")


_main()

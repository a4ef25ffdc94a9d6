"""Runs the firmware under CPython: ``run.py DIR-OF-MAIN SEARCH-PATH...``.

It gives the firmware what MicroPython has and CPython lacks: `machine`, `micropython`,
`time.ticks_ms`, `time.ticks_diff`, and a standard input that does not read ahead.
"""

import os
import runpy
import sys
import time
from pathlib import Path

_TICKS_PERIOD = 1 << 30


def _ticks_ms() -> int:
    # simulator/micropython_stubs/clock/time.py says what the file holds.
    path = os.environ.get("DICETRAY_BOARD_CLOCK")
    forward = int.from_bytes(Path(path).read_bytes(), "little") if path else 0
    return (time.monotonic_ns() // 1_000_000 + forward) % _TICKS_PERIOD


def _ticks_diff(a: int, b: int) -> int:
    return (a - b + _TICKS_PERIOD // 2) % _TICKS_PERIOD - _TICKS_PERIOD // 2


class _RawStream:
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
    time.ticks_diff = _ticks_diff  # type: ignore[attr-defined]
    sys.stdin = _RawStream(0, "rb")
    sys.stdout = _RawStream(1, "wb")
    runpy.run_path(str(Path(firmware) / "main.py"), run_name="__main__")


_main()

#!/usr/bin/env python3
"""Measures in wall-clock time how soon `dicetray play` shows something, and its first prompt.

    .venv/bin/python scripts/bench_play.py [--starts 5]

Each start has a terminal of its own. The folder for games is empty at the first one: what is drawn
and learnt then is kept for the others.
"""

import argparse
import os
import pty
import select
import signal
import statistics
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

PROGRAM = Path(sys.executable).with_name("dicetray")
ARGUMENTS = ("play", "--human", "--new", "--game", "classic", "--players", "ANNA")
BOARD = "█".encode()
"""A dot above another, as letters on the board have them; the pattern without a link has none."""
PATIENCE_S = 120.0


def start(folder: Path) -> tuple[float, float]:
    """Starts it once; returns seconds until the first sign and until the first prompt."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "TERM": "xterm-256color"}
    begun = time.monotonic()
    child, terminal = pty.fork()
    if child == 0:
        os.execve(PROGRAM, ("dicetray", *ARGUMENTS), environment)
    seen, sign = b"", 0.0
    while BOARD not in seen and time.monotonic() < begun + PATIENCE_S:
        if select.select([terminal], [], [], 1.0)[0]:
            seen += os.read(terminal, 1 << 16)
            sign = sign or time.monotonic() - begun
    prompt = time.monotonic() - begun
    os.kill(child, signal.SIGTERM)
    with suppress(OSError):
        while os.read(terminal, 1 << 16):
            pass
    os.waitpid(child, 0)
    os.close(terminal)
    return sign, prompt


def main() -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--starts", type=int, default=5)
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        first = start(Path(folder))
        others = [start(Path(folder)) for _ in range(args.starts)]
    print(f"the very first start: sign after {first[0]:.2f} s, prompt after {first[1]:.2f} s")
    sign, prompt = (statistics.median(each) for each in zip(*others, strict=True))
    print(f"median of {args.starts} others: sign after {sign:.2f} s, prompt after {prompt:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

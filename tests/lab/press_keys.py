#!/usr/bin/env python3
"""Runs a program of the menu in a terminal of its own: an unknown key, W to watch, Q after a throw.

    press_keys.py scripts/play

Prints how long the menu took and what was said at the end; exits with 1 if something expected did
not come, or the program ended otherwise than with status 0, such as by a signal. Needs only
Python, as systems are that nothing was installed in.
"""

import os
import pty
import re
import select
import sys
import time
from contextlib import suppress

MENU = b"W, P, T, C, B or Q?"
STEPS = (
    (MENU, b"z"),
    (b"That key does nothing here.", b"w"),
    # The line that names the keys while a game is watched.
    (b"q quit", b""),
    (b"BEEP", b"q"),
    (b"To resume it: ", b""),
)
"""The texts that are waited for, in this order, and the key that is then pressed."""
LONGEST_S = 900.0
"""Seconds for each step: the first sets everything up."""


def main() -> int:
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.environ |= {"COLUMNS": "100", "LINES": "40"}
        os.execvp(sys.argv[1], sys.argv[1:])
    started_s = time.monotonic()
    said = b""
    for expected, key in STEPS:
        until_s = time.monotonic() + LONGEST_S
        while expected not in said:
            ready, _, _ = select.select([terminal], [], [], 1.0)
            try:
                said += os.read(terminal, 65536) if ready else b""
            except OSError:
                until_s = 0.0
            if time.monotonic() > until_s:
                print(f"expected {expected.decode()}, found: {said[-400:]!r}")
                return 1
        if expected == MENU:
            print(f"the menu after {time.monotonic() - started_s:.0f} s")
        os.write(terminal, key)
        said = said[said.index(expected) :] if key == b"" else b""
    with suppress(OSError):
        # It reads as an error that nobody has the terminal any more.
        while more := os.read(terminal, 65536):
            said += more
    text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", said).decode(errors="replace")
    print(" ".join(text.split()))
    _, ended = os.waitpid(child, 0)
    if status := os.waitstatus_to_exitcode(ended):
        print(f"expected exit status 0, found {status}" + " (a signal)" * (status < 0))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

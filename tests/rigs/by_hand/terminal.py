"""A program in its own terminal: keys go in, and what it draws is examined frame by frame.

Nothing waits for time to pass: what counts is how often the program has drawn.
"""

import contextlib
import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from appliance.terminal.screen import CUT_LINES, HIDE_CURSOR, SHOW_CURSOR, WRAP_LINES

HANGS_S = 60.0
"""Real seconds without any output after which a program counts as hung."""

_POLL_S = 0.01
_SHELL = Path(__file__).with_name("shell.py")
_FRAME_END = b"\x1b[K\x1b[J"
_HOME = b"\x1b[H"
_STYLE = re.compile(rb"\x1b\[[0-9;]*m")


class Stuck(AssertionError):
    """A program that makes no progress."""


class Terminal:
    """A pseudo-terminal with a program in it.

    Args:
        program: its path and arguments.
        environment: its environment.
        size: columns and rows.

    Attributes:
        frames: how often it has drawn.
        stops: how often it was suspended.
        status: its exit status, negative for the signal it died of; None while it runs.
        ended_s: when it had ended, monotonic seconds.
        unlike: what was wrong with the terminal's modes when the program gave it back.
    """

    def __init__(
        self, program: Sequence[str], environment: Mapping[str, str], size: tuple[int, int]
    ) -> None:
        self._master, slave = os.openpty()
        self.resize(*size)
        self._reports, reports = os.pipe()
        self._shell = subprocess.Popen(
            [sys.executable, str(_SHELL), str(reports), *program],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=dict(environment),
            pass_fds=(reports,),
            start_new_session=True,
        )
        os.close(slave)
        os.close(reports)
        self._group = 0
        self._lines = b""
        self._text = b""
        self._last = b""
        self.frames = self.stops = 0
        self.status: int | None = None
        self.ended_s = 0.0
        self.unlike = ""
        self.printed = b""

    def resize(self, columns: int, rows: int) -> None:
        """Makes the window larger or smaller; the kernel sends SIGWINCH."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: bytes) -> None:
        """Types keys; nothing happens if the program has just ended."""
        with contextlib.suppress(OSError):
            os.write(self._master, keys)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the program, once it has begun; nothing happens if it has ended."""
        self._wait_until_begun()
        if self.status is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._group, number)

    def hang_up(self) -> None:
        """Closes the window: the shell gets SIGHUP, and passes it on."""
        self._wait_until_begun()
        os.close(self._master)
        self._master = -1

    def _wait_until_begun(self) -> None:
        """Waits until the program has the terminal: its process group is known from then on."""
        while not self._group and self.status is None:
            group = os.tcgetpgrp(self._master)
            self._group = 0 if group == self._shell.pid else group
            self.read(_POLL_S)

    @property
    def screen(self) -> list[str]:
        """The lines last drawn, without colours."""
        text = _STYLE.sub(b"", self._last).decode("utf-8", "replace")
        return [line.rstrip() for line in text.replace("\x1b[K", "").split("\r\n")]

    @property
    def latest(self) -> bytes:
        """The text that came since the last whole frame, such as a question before the first."""
        return self._text

    def read(self, patience_s: float | None = None) -> bool:
        """Waits for something new; False once the program has ended and everything is read.

        Args:
            patience_s: seconds after which nothing new is fine; None if it is not.

        Raises:
            Stuck: no output came.
        """
        if self._master < 0 and self.status is not None:
            return False
        streams = [self._master] if self.status is not None else [self._master, self._reports]
        streams = [stream for stream in streams if stream >= 0]
        ready = select.select(streams, [], [], HANGS_S if patience_s is None else patience_s)[0]
        if not ready and patience_s is not None:
            return True
        if not ready:
            raise Stuck(f"nothing was drawn for {HANGS_S:g} s; last:\n" + "\n".join(self.screen))
        if self._reports in ready:
            self._take_reports()
        if self._master not in ready:
            return True
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:
            data = b""
        if not data:
            while self.status is None and self._take_reports():
                pass
            return False
        self._take(data)
        return True

    def _take(self, data: bytes) -> None:
        self._text += data
        end = self._text.rfind(_FRAME_END)
        if end >= 0:
            start = self._text.rfind(_HOME, 0, end)
            self.frames += self._text.count(_FRAME_END)
            if start >= 0:
                self._last = self._text[start + len(_HOME) : end]
            self.printed += self._between(self._text[: end + len(_FRAME_END)])
            self._text = self._text[end + len(_FRAME_END) :]

    def _between(self, text: bytes) -> bytes:
        """The text printed outside frames."""
        parts = re.split(rb"\x1b\[H.*?\x1b\[K\x1b\[J", text, flags=re.DOTALL)
        return b"".join(parts)

    def _take_reports(self) -> bool:
        more = os.read(self._reports, 4096)
        self._lines += more
        *whole, self._lines = self._lines.split(b"\n")
        for line in whole:
            report: dict[str, Any] = json.loads(line)
            if not report["same"]:
                self.unlike += f"modes differ: {report}; "
            if "stopped" in report:
                self.stops += 1
            else:
                self.status, self.ended_s = report["status"], time.monotonic()
        return bool(more)

    def ended(self) -> str:
        """Reads on until the program has ended; returns what it printed last, in plain text."""
        while self.read():
            pass
        self._shell.wait()
        left = self.printed + self._text
        for given, taken in ((SHOW_CURSOR, HIDE_CURSOR), (WRAP_LINES, CUT_LINES)):
            if left.rfind(given.encode()) < left.rfind(taken.encode()):
                self.unlike += f"{taken!r} was not taken back; "
        plain = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", left)
        return plain.decode("utf-8", "replace").replace("\r\n", "\n")

    def close(self) -> None:
        """Ends the program if it still runs."""
        if self._shell.poll() is None:
            os.killpg(self._shell.pid, signal.SIGKILL)
        if self._master >= 0:
            os.close(self._master)
        os.close(self._reports)
        deadline = time.monotonic() + 10
        self._shell.wait(max(0.0, deadline - time.monotonic()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

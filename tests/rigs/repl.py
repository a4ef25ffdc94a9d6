"""MicroPython's raw REPL on standard input and output, as on a Pico once main.py has ended.

The interpreter for PCs has none. Runs under MicroPython only, and executes what it is sent.
Protocol: MicroPython's documentation, "The raw REPL"; the flow control of raw paste is refused.
"""

import os
import sys

RAW_BANNER = b"raw REPL; CTRL-B to exit\r\n>"
PROMPT = b"\r\n>>> "
CTRL_A = b"\x01"
CTRL_B = b"\x02"
CTRL_C = b"\x03"
CTRL_D = b"\x04"
CTRL_E = b"\x05"


class _Os:
    """`os` as on a Pico, where the name of the current folder may be empty."""

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def stat(self, path: str) -> object:
        return os.stat(path or ".")  # noqa: PTH116


class Repl:
    """The REPL on a line: what came in so far, and in which mode it is."""

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._raw = False
        self._text = b""
        self._names = {"__name__": "__main__"}

    def work(self) -> None:
        """Takes bytes until the line closes or the interpreter is left."""
        self._out.write(b"MicroPython stand-in" + PROMPT)
        while True:
            byte = self._in.read(1)
            if not byte or (byte == CTRL_D and not self._raw):
                return
            if byte in (CTRL_A, CTRL_B):
                self._set_raw(byte == CTRL_A)
            elif byte == CTRL_C:
                self._text = b""
                if not self._raw:
                    self._out.write(PROMPT)
            elif byte == CTRL_D:
                self._run()
            elif self._raw:
                self._take(byte)
            elif byte == b"\r":
                self._out.write(PROMPT)

    def _set_raw(self, raw: bool) -> None:
        self._raw, self._text = raw, b""
        self._out.write(RAW_BANNER if raw else PROMPT)

    def _take(self, byte: bytes) -> None:
        """Takes a byte of a program; refuses raw paste, which would begin here."""
        if byte == CTRL_E and not self._text:
            self._in.read(2)
            self._out.write(b"R\x00")
        else:
            self._text += byte

    def _run(self) -> None:
        """Executes the program that came in; without one, forgets all names as a reset does."""
        if self._text:
            self._out.write(b"OK")
            _execute(self._text, self._names, self._out)
            self._text = b""
        else:
            self._names = {"__name__": "__main__"}
            self._out.write(b"OK\r\nMPY: soft reboot\r\n" + RAW_BANNER)


def _execute(text: bytes, names: dict, out: object) -> None:  # type: ignore[type-arg]
    import io

    error = ""
    try:
        exec(text.decode(), names)
    except SystemExit:
        raise
    except Exception as problem:
        printed = io.StringIO()
        sys.print_exception(problem, printed)  # type: ignore[attr-defined]
        error = printed.getvalue()
    out.write(b"\x04" + error.encode() + b"\x04>")  # type: ignore[attr-defined]


sys.modules["os"] = _Os()  # type: ignore[assignment]
Repl().work()

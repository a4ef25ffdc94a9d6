"""MicroPython's raw REPL on standard input and output, as on a Pico once main.py has ended.

The interpreter for PCs has none. Runs under MicroPython only, and executes what it is sent.
Protocol: MicroPython's documentation, "The raw REPL"; the flow control of raw paste is refused.
"""

import os
import sys

BANNER = b"raw REPL; CTRL-B to exit\r\n>"


class _Os:
    """`os` as on a Pico, where the name of the current folder may be empty."""

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def stat(self, path: str) -> object:
        return os.stat(path or ".")  # noqa: PTH116


def work() -> None:
    """Takes bytes until the line closes."""
    sys.modules["os"] = _Os()  # type: ignore[assignment]
    line = sys.stdin.buffer
    out = sys.stdout.buffer
    raw = False
    text = b""
    names = {"__name__": "__main__"}
    out.write(b"MicroPython stand-in\r\n>>> ")
    while True:
        byte = line.read(1)
        if not byte:
            return
        if byte == b"\x03":
            text = b""
            if not raw:
                out.write(b"\r\n>>> ")
        elif byte == b"\x01":
            raw, text = True, b""
            out.write(BANNER)
        elif byte == b"\x02":
            raw, text = False, b""
            out.write(b"\r\n>>> ")
        elif byte == b"\x05" and raw and not text:
            line.read(2)
            out.write(b"R\x00")
        elif byte == b"\x04":
            if not raw:
                return
            if text:
                out.write(b"OK")
                _execute(text, names, out)
                text = b""
            else:
                names = {"__name__": "__main__"}
                out.write(b"OK\r\nMPY: soft reboot\r\n" + BANNER)
        elif raw:
            text += byte
        elif byte == b"\r":
            out.write(b"\r\n>>> ")


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


work()

"""The terminal whose keys are read one by one, without Enter and without echo: on any system.

What is typed comes as the bytes that Linux's terminals send: UTF-8, and sequences of ECMA-48.
"""

import os
import sys
from contextlib import suppress

if sys.platform == "win32":
    import ctypes
    import msvcrt
else:
    import select
    import termios
    import tty

_SEQUENCES = {"H": b"\x1b[A", "P": b"\x1b[B", "K": b"\x1b[D", "M": b"\x1b[C"}
"""Arrows by what follows the first half of a special key (getwch of Microsoft's C library,
https://learn.microsoft.com/cpp/c-runtime-library/reference/getch-getwch)."""

_SPECIAL = ("\x00", "\xe0")
"""First halves of special keys."""

_UNKNOWN_KEY = b"\x1b[0~"
"""Stands for a special key that does nothing here."""

_READ_BYTES = 64


class Console:
    """Standard input, a terminal, taken over by `open` and put back by `close`."""

    def open(self) -> None:
        """Takes over the terminal, also again after `close`."""
        if sys.platform != "win32":
            self._fd = sys.stdin.fileno()
            self._saved = termios.tcgetattr(self._fd)
            # What was typed before stays: somebody may want to leave.
            tty.setcbreak(self._fd, termios.TCSADRAIN)
            modes = termios.tcgetattr(self._fd)
            # Ctrl-S would freeze the picture, and nobody would know why.
            modes[0] &= ~termios.IXON
            # A read never waits, even if the keys that were there a moment ago are gone.
            modes[6][termios.VMIN] = 0
            termios.tcsetattr(self._fd, termios.TCSADRAIN, modes)

    def close(self) -> None:
        """Puts the terminal back as it was."""
        if sys.platform != "win32":
            with suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSADRAIN, self._saved)

    def read(self) -> bytes | None:
        """The bytes typed since the last call, without waiting; None once the terminal is gone."""
        data, gone = b"", False
        if sys.platform == "win32":
            data = _typed_on_windows()
        else:
            try:
                while select.select([self._fd], [], [], 0)[0]:
                    more = os.read(self._fd, _READ_BYTES)
                    if not more and gone:
                        return None
                    # One empty read is not the end: Ctrl-C and Ctrl-Z discard what was typed.
                    gone = not more
                    data += more
            except OSError:
                return None
        return data


def read_key() -> str:
    """Waits for one key, without Enter; "" if the terminal is gone, and for Ctrl-D."""
    key = ""
    if sys.platform == "win32":
        key = msvcrt.getwch()
        if key in _SPECIAL:
            msvcrt.getwch()
            key = "?"
        if key == "\x03":
            raise KeyboardInterrupt
    else:
        stdin = sys.stdin.fileno()
        with suppress(OSError, termios.error):
            saved = termios.tcgetattr(stdin)
            try:
                tty.setcbreak(stdin, termios.TCSADRAIN)
                key = os.read(stdin, 1).decode("ascii", "replace")
            finally:
                termios.tcsetattr(stdin, termios.TCSADRAIN, saved)
    return key.replace("\x04", "")


def draw_sequences() -> None:
    """Has an older console of Windows obey sequences rather than print them; others do.

    Source: ENABLE_VIRTUAL_TERMINAL_PROCESSING in
    https://learn.microsoft.com/windows/console/setconsolemode.
    """
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        output, mode = kernel.GetStdHandle(-11), ctypes.c_uint32()
        if kernel.GetConsoleMode(output, ctypes.byref(mode)):
            kernel.SetConsoleMode(output, mode.value | 4)


if sys.platform == "win32":

    def _typed_on_windows() -> bytes:
        text, data = "", b""
        while msvcrt.kbhit():
            key = msvcrt.getwch()
            # An "à" looks like the first half of a special key, whose second half is there at once.
            if key == "\x00" or (key == "\xe0" and msvcrt.kbhit()):
                data += _utf_8(text) + _SEQUENCES.get(msvcrt.getwch(), _UNKNOWN_KEY)
                text = ""
            else:
                text += key
        return data + _utf_8(text)

    def _utf_8(text: str) -> bytes:
        # Characters beyond the first 65,536 come in two halves.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()

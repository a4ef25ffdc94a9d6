"""The keyboard of a person who plays with the simulated tray."""

import os
import select
import sys
import termios
import tty
from typing import Self

from appliance.errors import ApplianceError
from appliance.table.inputs import Button

THROW = "throw"
QUIT = "quit"
SHUT_DOWN_KEY = "shut down"
LONG = "long:"
"""Stands before the button that is to be pressed long."""

KEYS: dict[bytes, str] = {
    b"1": Button.HOLD1,
    b"2": Button.HOLD2,
    b"3": Button.HOLD3,
    b"4": Button.HOLD4,
    b"5": Button.HOLD5,
    b"6": Button.HOLDP,
    b"\x1b[D": Button.LEFT,
    b"\x1b[C": Button.RIGHT,
    b"<": LONG + Button.LEFT,
    b">": LONG + Button.RIGHT,
    b"\r": Button.OK,
    b"\n": Button.OK,
    b"\x7f": Button.BACK,
    b"\x08": Button.BACK,
    b"b": Button.BACK,
    b"h": Button.HINT,
    b"u": LONG + Button.BACK,
    b"m": LONG + Button.OK,
    b"o": SHUT_DOWN_KEY,
    b"!": LONG + Button.HOLD1,
    b"@": LONG + Button.HOLD2,
    b"#": LONG + Button.HOLD3,
    b"$": LONG + Button.HOLD4,
    b"%": LONG + Button.HOLD5,
    b" ": THROW,
    b"t": THROW,
    b"q": QUIT,
    b"\x03": QUIT,
}

HELP = (
    "space throw  1-6 hold  ←/→ look  Enter OK  b BACK  h HINT  m menu  u undo  o off  "
    "!@#$% put right  q quit"
)


def decode(data: bytes) -> tuple[list[str], bytes]:
    """The actions in what was typed, and the bytes of an escape sequence not yet complete."""
    actions: list[str] = []
    while data:
        if data[:1] == b"\x1b":
            if len(data) < 3:
                return actions, data
            key, data = data[:3], data[3:]
        else:
            key, data = data[:1], data[1:]
        if key in KEYS:
            actions.append(KEYS[key])
    return actions, b""


class Keyboard:
    """Reads keys without waiting and without echo, until it is closed.

    Raises:
        ApplianceError: standard input is no terminal.
    """

    def __init__(self) -> None:
        if not sys.stdin.isatty():
            raise ApplianceError(
                "--human: expected a terminal to read keys from, standard input is none; "
                "start it in a terminal, or leave --human out and watch"
            )
        self._fd = sys.stdin.fileno()
        self._saved = termios.tcgetattr(self._fd)
        self._rest = b""
        tty.setcbreak(self._fd)

    def poll(self) -> list[str]:
        """What was typed since the last call: names of buttons, `THROW`, `QUIT`."""
        data = self._rest
        while select.select([self._fd], [], [], 0)[0]:
            more = os.read(self._fd, 64)
            if not more:
                return [QUIT]
            data += more
        actions, self._rest = decode(data)
        return actions

    def close(self) -> None:
        """Puts the terminal back as it was."""
        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._saved)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

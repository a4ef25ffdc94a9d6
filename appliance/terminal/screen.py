"""The board and the camera's view in a terminal: half blocks, two lights or pixels a character."""

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

import cv2
import numpy as np

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.terminal.style import Style
from vision.frame import Image

RESET = "\x1b[0m"
HOME = "\x1b[H"
CLEAR = "\x1b[2J"
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
CUT, WRAP = "\x1b[?7l", "\x1b[?7h"
"""Whether lines that are too long for the terminal are cut or go on below (DECAWM)."""
_GAP = 3
_FRAME = 2
ROOM = (80, 24)
"""Columns and rows below which only words are shown."""
LEAST, ENOUGH = 4, 12
"""Rows of the camera's view: fewer show nothing, and it keeps so many before news are shown."""


def board_lines(picture: Picture | None) -> list[str]:
    """The board as 8 rows of 64 half blocks, without colour; blank for a dark board."""
    blocks = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    if picture is None:
        return [" " * WIDTH for _ in range(HEIGHT // 2)]
    return [
        "".join(blocks[picture.lit(x, y), picture.lit(x, y + 1)] for x in range(WIDTH))
        for y in range(0, HEIGHT, 2)
    ]


def framed_board(picture: Picture | None, style: Style) -> list[str]:
    """The board in red lights with a frame around it, 10 rows of 66 columns."""
    dark = RESET if style.lit else ""
    inside = [f"│{style.lit}{line}{dark}│" for line in board_lines(picture)]
    framed = [f"┌{'─' * WIDTH}┐", *inside, f"└{'─' * WIDTH}┘"]
    return [style.plain(line) for line in framed]


def image_lines(image: Image, columns: int, rows: int, style: Style) -> list[str]:
    """A picture as rows of half blocks, no larger than columns x rows."""
    scale = min(columns / image.shape[1], 2 * rows / image.shape[0])
    width = max(1, int(image.shape[1] * scale))
    height = max(2, int(image.shape[0] * scale) // 2 * 2)
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return style.picture_lines(np.asarray(small, np.uint8))


class TerminalView:
    """Redraws board, camera's view and a few lines of text in place.

    Args:
        out: the terminal.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._style = Style.of(out, os.environ)
        self.open()

    def open(self) -> None:
        """Takes the terminal, once more after `close`."""
        self._size: tuple[int, int] | None = None
        self._out.write(CLEAR + HIDE + CUT)

    @property
    def columns(self) -> int:
        """Columns for text now; erasing the rest of a line would take the very last one."""
        return self._room().columns - 1

    def _room(self) -> os.terminal_size:
        """The window's size: COLUMNS and LINES, which may be of another one, count least."""
        with suppress(OSError):
            size = os.get_terminal_size(self._out.fileno())
            if size.columns and size.lines:
                return size
        return shutil.get_terminal_size()

    def draw(
        self,
        picture: Picture | None,
        image: Image | None,
        text: Sequence[str],
        more: Sequence[str] = (),
    ) -> None:
        """Draws everything anew.

        Args:
            picture: what the lights show.
            image: what the camera sees.
            text: lines below.
            more: lines below these, as many as there is room for beside the camera's view.
        """
        size = self._room()
        columns, rows = size.columns, size.lines
        if columns < ROOM[0] or rows < ROOM[1]:
            wish = f"The window needs {ROOM[0]}x{ROOM[1]} characters, it has {columns}x{rows}."
            self._write(
                [self._style.plain(line)[:columns] for line in (wish, *text)], columns, rows
            )
            return
        board = framed_board(picture, self._style)
        beside = columns >= WIDTH + _FRAME + _GAP + 40
        free = rows - len(board) - len(text) - 1
        text = [*text, *more[: max(0, free if beside else free - ENOUGH)]]
        room = columns - (WIDTH + _FRAME + _GAP) if beside else min(columns, WIDTH + _FRAME)
        high = rows - len(text) - 1 if beside else rows - len(board) - len(text) - 1
        image = image if high >= LEAST else None
        view = [] if image is None else image_lines(image, min(room, 96), high, self._style)
        if beside:
            left = [*board, *(" " * (WIDTH + _FRAME) for _ in range(len(view) - len(board)))]
            view += [""] * (len(left) - len(view))
            lines = [a + " " * _GAP + b for a, b in zip(left, view, strict=True)]
        else:
            lines = [*board, *view]
        lines += [self._style.plain(line)[: columns - 1] for line in text]
        self._write(lines, columns, rows)

    def _write(self, lines: Sequence[str], columns: int, rows: int) -> None:
        start = HOME if self._size == (columns, rows) else CLEAR + HOME
        self._size = (columns, rows)
        self._out.write(start + "\x1b[K\n".join(lines[: max(1, rows - 1)]) + "\x1b[K\x1b[J")
        self._out.flush()

    def close(self) -> None:
        """Gives cursor and long lines back."""
        with suppress(OSError):
            self._out.write(SHOW + WRAP + RESET + "\n")
            self._out.flush()

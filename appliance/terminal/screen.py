"""A view of the appliance in a terminal: half blocks, two lights or pixels per character."""

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple, TextIO

import cv2
import numpy as np

from appliance.inputs import Key
from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.service.pointing import MARK_BGR
from appliance.service.view import DieView, SeenSheet, View
from appliance.terminal.console import draw_sequences
from appliance.terminal.keyboard import (
    HELP_ACTION,
    KEY_HELP,
    READINGS_ACTION,
    WATCH_HELP,
    help_lines,
)
from appliance.terminal.style import Style
from appliance.words import say
from vision.frame import Image

RESET_STYLE = "\x1b[0m"
CURSOR_HOME = "\x1b[H"
CLEAR_SCREEN = "\x1b[2J"
HIDE_CURSOR = "\x1b[?25l"
SHOW_CURSOR = "\x1b[?25h"
CUT_LINES = "\x1b[?7l"
WRAP_LINES = "\x1b[?7h"
"""Lines that are too long for the terminal are cut or wrapped (DECAWM)."""
_GAP_COLUMNS = 3
_FRAME_COLUMNS = 2
MIN_WINDOW_SIZE = (80, 24)
"""Columns and rows below which only words are shown."""
KEYS_ALWAYS = "q quit  ? help  v readings"
KEYS_AS_BUTTONS = "h HINT  u undo  m menu"
"""The keys to name where they press buttons, too."""
KEYS_WHILE_TYPING = "Ctrl-C quit"
_SHEET_ROW_COLUMNS = 20
_MIN_DIE_PX = 4
_MIN_DIE_COLUMNS = 9
"""Columns that a die takes with the words below it."""
_SURE_BGR = (80, 200, 60)
_DOUBT_BGR = (0, 165, 255)
_TRAY_SHARES = (0.65, 0.55, 0.45, 0.35, 0.25)
"""Shares of the columns that the tray may take: the first that leaves room for the dice."""
_MAX_DRAWING_PX = 64
"""Longer side of what is no photograph."""
_MIN_READABLE_DIE_PX = 12  # its pips can be counted at a glance


def board_lines(picture: Picture | None) -> list[str]:
    """The board as 8 rows of 64 half blocks, without colour; blank for a dark board."""
    blocks = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    if picture is None:
        return [" " * WIDTH for _ in range(HEIGHT // 2)]
    return [
        "".join(blocks[picture.is_lit(x, y), picture.is_lit(x, y + 1)] for x in range(WIDTH))
        for y in range(0, HEIGHT, 2)
    ]


def framed_board(picture: Picture | None, style: Style) -> list[str]:
    """The board in red lights with a frame around it, 10 rows of 66 columns."""
    dark = RESET_STYLE if style.lit else ""
    inside = [f"│{style.lit}{line}{dark}│" for line in board_lines(picture)]
    return [f"┌{'─' * WIDTH}┐", *inside, f"└{'─' * WIDTH}┘"]


def fitted(image: Image, columns: int, rows: int) -> Image:
    """A picture with two rows of pixels per line, scaled to fit columns x rows.

    It is empty where a drawing, of one pixel for each square, has not even that much room.
    """
    scale = min(columns / image.shape[1], 2 * rows / image.shape[0])
    if max(image.shape[:2]) <= _MAX_DRAWING_PX:
        # Squares that are blurred or of unequal size are no code any more.
        return image.repeat(int(scale), axis=0).repeat(int(scale), axis=1)
    width = max(1, int(image.shape[1] * scale))
    height = max(2, int(image.shape[0] * scale) // 2 * 2)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (width, height), interpolation=how), np.uint8)


class Block(NamedTuple):
    """Lines of the same width."""

    lines: list[str]
    columns: int


def join_side_by_side(left: Block, right: Block) -> list[str]:
    """Both side by side, with a gap; the shorter one is padded below."""
    high = max(len(left.lines), len(right.lines))
    first = left.lines + [" " * left.columns] * (high - len(left.lines))
    return [a + " " * _GAP_COLUMNS + b for a, b in zip_longest(first, right.lines, fillvalue="")]


def tray_block(view: View, columns: int, rows: int, style: Style, *, readings: bool) -> Block:
    """The tray, with kept dice outlined; with `readings` all dice, and what was read in each."""
    if view.tray is None or rows < 1 or columns < 1:
        return Block([], 0)
    image = fitted(view.tray, columns, rows)
    height, width = image.shape[:2]
    if not height:
        return Block([], 0)
    words: dict[tuple[int, int], str] = {}
    for die in view.dice:
        if not (readings or die.kept) or not len(die.outline):
            continue
        corners = die.outline * (width, height)
        colour = MARK_BGR if die.kept else _SURE_BGR if die.sure else _DOUBT_BGR
        cv2.polylines(image, [np.rint(corners - 0.5).astype(np.int32)], True, colour)
        x, y = corners.mean(axis=0)
        if readings:
            first = min(max(0, round(x - len(die.face) / 2)), max(0, width - len(die.face)))
            line = min(max(0, int(y / 2)), height // 2 - 1)
            words |= {(first + k, line): letter for k, letter in enumerate(die.face)}
    return Block(style.picture_lines(image, words), width)


def dice_grid(count: int, columns: int, rows: int) -> tuple[int, int]:
    """The largest side of this many dice in this room, in pixels, and how many fit side by side."""
    sizes = []
    for across in range(1, count + 1):
        down = -(-count // across)
        sizes.append((min(columns // across - 1, 2 * (rows // down - 1)) // 2 * 2, across))
    return max(sizes, default=(0, 1))


def dice_block(dice: Sequence[DieView], columns: int, rows: int, style: Style) -> Block:
    """The dice magnified, each with its number and face below, as large as there is room for."""
    side, across = dice_grid(len(dice), columns, rows)
    if side < _MIN_DIE_PX:
        return Block([], 0)
    wide = max(side + 1, min(_MIN_DIE_COLUMNS, columns // across))
    lines: list[str] = []
    for first in range(0, len(dice), across):
        row = [_die_block(die, side, wide, style) for die in dice[first : first + across]]
        lines += ["".join(parts) for parts in zip(*row, strict=True)]
    return Block(lines, across * wide)


def _die_block(die: DieView, side: int, wide: int, style: Style) -> list[str]:
    picture = np.asarray(cv2.resize(die.picture, (side, side), interpolation=cv2.INTER_AREA))
    if die.kept:
        cv2.rectangle(picture, (0, 0), (side - 1, side - 1), MARK_BGR)
    gap = " " * (wide - side)
    number = "" if die.number is None else f"{die.number}:"
    kept = f" {say('KEPT')}" if die.kept else ""
    words = f"{number}{die.face}{kept}"[: wide - 1]
    below = (style.strong(words) if die.kept else words) + " " * (wide - len(words))
    return [*(line + gap for line in style.picture_lines(np.asarray(picture, np.uint8))), below]


def sheet_lines(sheets: Sequence[SeenSheet], columns: int, rows: int) -> list[str]:
    """All players' points, then the rows of the one whose turn it is, in columns, if they fit."""
    if columns < 10:
        return []
    wide = min(columns, _SHEET_ROW_COLUMNS)
    lines = [_sheet_row(f"{'>' if s.turn else ' '}{s.player}", str(s.total), wide) for s in sheets]
    rows_of = (row for s in sheets if s.turn for row in s.rows)
    cells = [_sheet_row(f" {say(label)}", text, _SHEET_ROW_COLUMNS) for label, text in rows_of]
    high = rows - len(lines) - 1
    if high < 1 or (columns + 2) // (_SHEET_ROW_COLUMNS + 2) * high < len(cells):
        return lines[:rows]
    return [*lines, "", *("  ".join(cells[k::high]) for k in range(min(high, len(cells))))]


def _sheet_row(label: str, text: str, columns: int) -> str:
    return f"{_cut(label, columns - len(text) - 1):<{columns - len(text)}}{text}"


def _cut(label: str, columns: int) -> str:
    """A label without the letters that find no room; stars and a number at its end stay."""
    if len(label) <= columns:
        return label
    tail = label[len(label.rstrip("*0123456789")) :]
    return f"{label[: columns - len(tail)].rstrip()}{tail}"


def screen_lines(
    view: View,
    columns: int,
    rows: int,
    style: Style,
    first: str = "",
    log: Sequence[str] = (),
    keys: Mapping[Key, str] = KEY_HELP,
    readings: bool = False,
    helping: bool = False,
) -> list[str]:
    """All lines of a window of this many columns and rows.

    `first` stands above the line that says what can be done, `log` below everything; `readings`
    draws what was read over the tray, `helping` shows what `keys` do instead of the tray.
    """
    lines = _lines(view, columns, rows, style, first, log, keys, readings, helping)
    # Names of cameras and players, too, may have letters that the terminal lacks.
    return [style.plain(line) for line in lines]


def _lines(
    view: View,
    columns: int,
    rows: int,
    style: Style,
    first: str,
    log: Sequence[str],
    keys: Mapping[Key, str],
    readings: bool,
    helping: bool,
) -> list[str]:
    # Erasing the rest of a line would also erase the last column.
    wide = max(columns - 1, 1)
    words = [line for text in (first, view.line) for line in wrap(text, wide)]
    if columns < MIN_WINDOW_SIZE[0] or rows < MIN_WINDOW_SIZE[1]:
        wish = "The window needs {needed} characters, it has {size}."
        wish = say(
            wish, needed=f"{MIN_WINDOW_SIZE[0]}x{MIN_WINDOW_SIZE[1]}", size=f"{columns}x{rows}"
        )
        return [line[:columns] for line in (wish, *words, say("q quit"))]
    if view.looking:
        return _looking_lines(view, wide, rows, style)
    board = Block(framed_board(view.board, style), WIDTH + _FRAME_COLUMNS)
    scores = sheet_lines(view.sheets, wide - board.columns - _GAP_COLUMNS, len(board.lines))
    top = join_side_by_side(board, Block(scores, 0))
    shown = (
        (KEYS_WHILE_TYPING,)
        if view.typing
        else (KEYS_ALWAYS,)
        if keys == WATCH_HELP
        else (KEYS_ALWAYS, KEYS_AS_BUTTONS)
    )
    always = "  ".join(map(say, shown))
    words = [*words, always, *log]
    high = rows - 1 - len(top) - len(words)
    if helping:
        middle = in_columns(help_lines(keys), wide)
    elif view.dice:
        for share in _TRAY_SHARES:
            tray = tray_block(view, int(share * wide), high, style, readings=readings)
            left = wide - tray.columns - _GAP_COLUMNS
            if dice_grid(len(view.dice), left, high)[0] >= _MIN_READABLE_DIE_PX:
                break
        middle = join_side_by_side(tray, dice_block(view.dice, left, high, style))
    else:
        middle = tray_block(view, wide, high, style, readings=readings).lines
    middle = [*middle[:high], *[""] * (high - len(middle))]
    return [*top, *middle, *(line[:wide] for line in words)]


def _looking_lines(view: View, columns: int, rows: int, style: Style) -> list[str]:
    """A camera that is tried: its picture as large as there is room for, and what to do."""
    said = [style.strong(line) for line in wrap(view.guidance.says, columns)]
    does = "  ".join(f"{key.name} {key.does}" for key in view.guidance.keys)
    below = [line for text in (does, view.looking) for line in wrap(text, columns)]
    below = [*below, say("q quit")]
    high = rows - 1 - len(said) - len(below)
    picture = tray_block(view, columns, high, style, readings=True).lines
    return [*said, *picture, *[""] * (high - len(picture)), *below]


def in_columns(items: Sequence[str], columns: int) -> list[str]:
    """Items one below another, in as many columns as there is room for."""
    wide = max(map(len, items)) + 3
    high = -(-len(items) // max(1, columns // wide))
    return ["".join(item.ljust(wide) for item in items[k::high]).rstrip() for k in range(high)]


class TerminalView:
    """Redraws a view in place in a terminal; the help says what `keys` do, one per line."""

    def __init__(self, out: TextIO, keys: Mapping[Key, str] = KEY_HELP) -> None:
        self._out = out
        self._keys = keys
        self._style = Style.of(out, os.environ)
        self._readings = self._helping = False
        self.open()

    def open(self) -> None:
        """Takes over the terminal, also again after `close`."""
        self._size: tuple[int, int] | None = None
        draw_sequences()
        self._out.write(CLEAR_SCREEN + HIDE_CURSOR + CUT_LINES)

    def _window_size(self) -> os.terminal_size:
        """The window's size; COLUMNS and LINES, which may be another's, are the last resort."""
        with suppress(OSError):
            size = os.get_terminal_size(self._out.fileno())
            if size.columns and size.lines:
                return size
        return shutil.get_terminal_size()

    def obey(self, actions: Sequence[str]) -> None:
        """Shows or hides what keys ask for; any other key closes the help."""
        for action in actions:
            self._helping = action == HELP_ACTION and not self._helping
            self._readings ^= action == READINGS_ACTION

    def draw(self, view: View, first: str = "", log: Sequence[str] = ()) -> None:
        """Redraws everything; `first` and `log` as in `screen_lines`."""
        columns, rows = self._window_size()
        keys, shown = self._keys, (self._readings, self._helping)
        lines = screen_lines(view, columns, rows, self._style, first, log, keys, *shown)
        start = CURSOR_HOME if self._size == (columns, rows) else CLEAR_SCREEN + CURSOR_HOME
        self._size = (columns, rows)
        self._out.write(start + "\x1b[K\n".join(lines[: max(1, rows - 1)]) + "\x1b[K\x1b[J")
        self._out.flush()

    def close(self) -> None:
        """Restores the cursor and the wrapping of long lines."""
        with suppress(OSError):
            self._out.write(SHOW_CURSOR + WRAP_LINES + RESET_STYLE + "\n")
            self._out.flush()

"""Everybody's points at a glance as a turn begins or a game ends, a crown over the leader's."""

from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.font import NARROW, SMALL, Font
from appliance.screens.drawing.layout import shorten_to_fit, two_lines
from appliance.table.prompts.turn import Standing
from appliance.words import say

_CROWN = ("#.#.#", "#####")
_TALL_CROWN = ("#.#.#", "#.#.#", "#####", "#####")
_CELL_ROWS = 8
"""Rows of a player's cell: the crown, a dark row, a row of letters."""
_TEXT_ROW = 3
"""The first row of the letters in a cell."""
_MAX_CELLS_TWO_WIDE = 4
"""Up to this many players are shown two to a line, more of them three to a line."""
_BAR_COLUMNS = 3


class ShortName(NamedTuple):
    """How a player is named where the whole name does not fit.

    Attributes:
        name: the whole name.
        least: the letters that its beginning needs to be told from all others.
        short: its first letter and, where others begin with it too, the first in which it differs.
    """

    name: str
    least: int
    short: str

    @property
    def letter(self) -> str:
        """One letter: the number of a player who has no name, else the first."""
        return self.short[-1:] if self.short[-1:].isdigit() else self.short[:1]

    def cut_to(self, room: int, font: Font) -> str:
        """The part of it that fits into this many columns."""
        begin = self.name
        while begin and font.width(begin) > room:
            begin = begin[:-1]
        if len(begin) >= self.least or begin == self.name:
            return begin.rstrip()
        fitting = (text for text in (self.short, self.letter) if font.width(text) <= room)
        return next(fitting, "")


def labels(names: Sequence[str]) -> tuple[ShortName, ...]:
    """Labels that tell names apart: AN and AT of ANNA and ANTON, P1 and P2 of those without one."""
    found = []
    for seat, name in enumerate(names):
        others = (other for place, other in enumerate(names) if place != seat)
        shared = max((_shared_letters(name, other) for other in others), default=0)
        short = name[:1] + name[shared : shared + 1] if shared else name[:1]
        found.append(ShortName(name, shared + 1, short))
    return tuple(found)


def _shared_letters(name: str, other: str) -> int:
    """How many letters two names begin with alike."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(name, other, strict=False))
    return sum(1 for _ in alike)


def closing_page(standing: Standing) -> Picture:
    """The announcement that the end is near."""
    first, _, rest = say(standing.closing).partition(" ")
    return two_lines(first, rest)


def banked_page(player: str, points: int) -> Picture:
    """The page on the points of a card that was banked."""
    return two_lines(player, say("BANKED"), "", f"+{points}")


def standing_page(player: str, todo: str, standing: Standing) -> Picture:
    """The page on what a player is to do or has done, and everybody's points below it.

    Of more players than figures fit, the points are bars beside the first letters of their names.
    """
    canvas = Canvas()
    canvas.line(0, shorten_to_fit(player, todo), todo)
    figures = shows_figures(standing)
    most = max(total for _, total in standing.totals)
    names = labels([name for name, _ in standing.totals])
    cells = zip(standing.totals, _cell_edges(len(standing.totals)), strict=True)
    for seat, ((_, total), (left, right)) in enumerate(cells):
        leads = seat in standing.leaders
        if figures:
            _draw_cell(
                canvas, names[seat], str(total), left, HEIGHT - _CELL_ROWS, right - left, leads
            )
        else:
            _draw_bar(
                canvas, names[seat].letter, total / most if most > 0 else 0.0, left, right, leads
            )
    return canvas.picture


def shows_figures(standing: Standing) -> bool:
    """True if everybody's points fit as figures below what is to be done."""
    cells = zip(standing.totals, _cell_edges(len(standing.totals)), strict=True)
    return all(
        SMALL.width(name[:1]) + 2 + NARROW.width(str(total)) <= right - left
        for (name, total), (left, right) in cells
    )


def totals_page(standing: Standing) -> Picture:
    """Everybody's points in figures, on the whole board."""
    canvas = Canvas()
    across = 2 if len(standing.totals) <= _MAX_CELLS_TWO_WIDE else 3
    edges = _cell_edges(across)
    names = labels([name for name, _ in standing.totals])
    for seat, (_, total) in enumerate(standing.totals):
        left, right = edges[seat % across]
        y = 1 + seat // across * (HEIGHT - _TEXT_ROW - SMALL.height + 1)
        if seat in standing.leaders:
            canvas.bitmap(left, y, _TALL_CROWN)
            left += len(_CROWN[0]) + 1
        _draw_texts(canvas, names[seat], str(total), left, y, right - left)
    return canvas.picture


def _cell_edges(count: int) -> list[tuple[int, int]]:
    """The columns of the cells of this many players beside each other: from, and up to."""
    gap = 3 if count <= 3 else 2
    edges = [round((WIDTH + gap) * n / count) for n in range(count + 1)]
    return [(left, right - gap) for left, right in pairwise(edges)]


def _draw_cell(
    canvas: Canvas, label: ShortName, figures: str, left: int, y: int, columns: int, leads: bool
) -> None:
    """As many letters of a name as fit, and the points, below the crown of who leads."""
    _draw_texts(canvas, label, figures, left, y + _TEXT_ROW, columns)
    if leads:
        canvas.bitmap(left, y, _CROWN)


def _draw_texts(
    canvas: Canvas, label: ShortName, figures: str, left: int, row: int, columns: int
) -> None:
    fits = SMALL.width(label.short) + 2 + SMALL.width(figures) <= columns
    font: Font = SMALL if fits else NARROW
    room = columns - font.width(figures) - 2
    name_font = SMALL if SMALL.width(label.name) <= room else NARROW
    canvas.text(left, row, label.cut_to(room, name_font), name_font)
    canvas.text(left + columns - font.width(figures), row, figures, font)


def _draw_bar(
    canvas: Canvas, letter: str, share: float, left: int, right: int, leads: bool
) -> None:
    """A letter of a name, and beside it a bar as long as the share of the most points."""
    top = HEIGHT - _CELL_ROWS
    canvas.text(left, top + _TEXT_ROW, letter, SMALL)
    tall = max(round(_CELL_ROWS * share), 1)
    bar = min(left + 6, right - _BAR_COLUMNS)
    canvas.block(bar, HEIGHT - tall, _BAR_COLUMNS, tall)
    if leads:
        canvas.bitmap(left, top, _CROWN if bar - left > 5 else ("#.#", "###"))

"""Everybody's points at a glance as a turn begins or a game ends, a crown over the leader's."""

from itertools import pairwise

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


def closing_page(standing: Standing) -> Picture:
    """The announcement that the end is near."""
    first, _, rest = say(standing.closing).partition(" ")
    return two_lines(first, rest)


def banked_page(player: str, points: int) -> Picture:
    """What a card brings that was banked."""
    return two_lines(player, say("BANKED"), "", f"+{points}")


def standing_page(player: str, todo: str, standing: Standing) -> Picture:
    """What a player is to do or has done, and everybody's points below it.

    Of more players than figures fit, the points are bars beside the first letters of their names.
    """
    canvas = Canvas()
    canvas.line(0, shorten_to_fit(player, todo), todo)
    figures = shows_figures(standing)
    most = max(total for _, total in standing.totals)
    cells = zip(standing.totals, _cell_edges(len(standing.totals)), strict=True)
    for seat, ((name, total), (left, right)) in enumerate(cells):
        leads = seat in standing.leaders
        if figures:
            _draw_cell(canvas, name, str(total), left, HEIGHT - _CELL_ROWS, right - left, leads)
        else:
            _draw_bar(canvas, name, total / most if most > 0 else 0.0, left, right, leads)
    return canvas.picture


def shows_figures(standing: Standing) -> bool:
    """Whether everybody's points fit as figures below what is to be done."""
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
    for seat, (name, total) in enumerate(standing.totals):
        left, right = edges[seat % across]
        y = 1 + seat // across * (HEIGHT - _TEXT_ROW - SMALL.height + 1)
        if seat in standing.leaders:
            canvas.bitmap(left, y, _TALL_CROWN)
            left += len(_CROWN[0]) + 1
        _draw_texts(canvas, name, str(total), left, y, right - left)
    return canvas.picture


def _cell_edges(count: int) -> list[tuple[int, int]]:
    """The columns of the cells of this many players beside each other: from, and up to."""
    gap = 3 if count <= 3 else 2
    edges = [round((WIDTH + gap) * n / count) for n in range(count + 1)]
    return [(left, right - gap) for left, right in pairwise(edges)]


def _draw_cell(
    canvas: Canvas, name: str, figures: str, left: int, y: int, columns: int, leads: bool
) -> None:
    """As many letters of a name as fit, and the points, below the crown of who leads."""
    _draw_texts(canvas, name, figures, left, y + _TEXT_ROW, columns)
    if leads:
        canvas.bitmap(left, y, _CROWN)


def _draw_texts(canvas: Canvas, name: str, figures: str, left: int, row: int, columns: int) -> None:
    font: Font = SMALL if SMALL.width(name[:1]) + 2 + SMALL.width(figures) <= columns else NARROW
    room = columns - font.width(figures) - 2
    letters, letter_font = name, SMALL if SMALL.width(name) <= room else NARROW
    while letters and letter_font.width(letters) > room:
        letters = letters[:-1]
    canvas.text(left, row, letters.rstrip(), letter_font)
    canvas.text(left + columns - font.width(figures), row, figures, font)


def _draw_bar(canvas: Canvas, name: str, share: float, left: int, right: int, leads: bool) -> None:
    """The first letter of a name, and beside it a bar as long as the share of the most points."""
    top = HEIGHT - _CELL_ROWS
    canvas.text(left, top + _TEXT_ROW, name[:1], SMALL)
    tall = max(round(_CELL_ROWS * share), 1)
    bar = min(left + 6, right - _BAR_COLUMNS)
    canvas.block(bar, HEIGHT - tall, _BAR_COLUMNS, tall)
    if leads:
        canvas.bitmap(left, top, _CROWN if bar - left > 5 else ("#.#", "###"))

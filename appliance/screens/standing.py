"""Everybody's points at a glance as a turn begins, the leader's on a lit ground."""

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.drawing.layout import LOWER_LINE_ROW, shorten_to_fit, two_lines
from appliance.table.prompts.turn import Standing
from appliance.words import say

_CELL_ROWS = 7
"""Rows of a player's cell: a row of letters with one dark row around it."""
_MAX_CELLS_TWO_WIDE = 4
"""Up to this many players are shown two to a line, more of them three to a line."""


def standing_pages(standing: Standing) -> tuple[Picture, ...]:
    """The announcement that the end is near, if it is; then everybody's points."""
    totals = (_totals_page(standing),) if standing.totals else ()
    if not standing.closing:
        return totals
    first, _, rest = say(standing.closing).partition(" ")
    return (two_lines(first, rest), *totals)


def _totals_page(standing: Standing) -> Picture:
    canvas = Canvas()
    count = len(standing.totals)
    if count <= 2:
        for seat, (name, total) in enumerate(standing.totals):
            y = seat * (LOWER_LINE_ROW + 1)
            canvas.line(y, shorten_to_fit(name, str(total)), str(total))
            if seat in standing.leaders:
                canvas.invert(0, y, WIDTH, _CELL_ROWS)
        return canvas.picture
    across = 2 if count <= _MAX_CELLS_TWO_WIDE else 3
    for seat, (name, total) in enumerate(standing.totals):
        left, right = (WIDTH * edge // across for edge in (seat % across, seat % across + 1))
        wide = right - left - (right < WIDTH)
        y = seat // across * (HEIGHT - _CELL_ROWS)
        figures = str(total)
        font = SMALL if SMALL.width(figures) + 2 <= wide else NARROW
        room = wide - font.width(figures) - 3
        letters = name
        while letters and SMALL.width(letters) > room:
            letters = letters[:-1]
        canvas.text(left + 1, y + 1, letters.rstrip(), SMALL)
        canvas.text(left + wide - font.width(figures) - 1, y + 1, figures, font)
        if seat in standing.leaders:
            canvas.invert(left, y, wide, _CELL_ROWS)
    return canvas.picture

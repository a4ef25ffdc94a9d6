"""The table as everybody sees it: single places in words, and a ring as a map.

The map is the board seen from above: the first place in the top left corner, the others clockwise,
five to a side. A card is a row of lights, one per ten points; the player's own is two lights thick.
The player's pawn is a block of four lights, any other pawn a single one. Wild corners are dotted.
The line in the middle names the place where the player stands.
"""

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.font import NARROW, SMALL, TALL
from appliance.screens.drawing.layout import LOWER_LINE_ROW, draw_page_bar, shorten_to_fit
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.words import say

_PLACES_PER_SIDE = 5
"""Places along each side of the map."""
_COLUMNS_PER_PLACE = 13
"""Columns from place to place."""
_ROWS_PER_PLACE = 3
"""Rows from place to place."""
_LABEL_COLUMNS = 3 * _COLUMNS_PER_PLACE - 1
"""Columns for the text in the middle."""
_BAR_COLUMN = 3
"""The column of a place where its bar begins; pawns stand before it."""
_POINTS_PER_LIGHT = 10
_MAX_BAR_LIGHTS = 8
_PLACE_COLUMNS = _BAR_COLUMN + _MAX_BAR_LIGHTS


def told_lines(table: TableSpots, at: int) -> tuple[str, ...]:
    """The words in the middle of the map on a place, one text after another."""
    spot = table.spots[at]
    name = spot.label if spot.points is None else f"{spot.label} {spot.points}"
    whose = [say("{player}'S", player=spot.owner)] if spot.owner else []
    lines = [say(spot.label), *whose, say(spot.note)]
    if spot.points is not None:
        lines[0] = say(name)
    if spot.label == "EMPTY" and table.beside:
        lines.append(say("{count} LEFT", count=len(table.beside)))
    return tuple(line for line in lines if line)


def ring_cells(count: int) -> tuple[tuple[int, int], ...]:
    """The left column and top row of each place of a ring of `count` places, clockwise.

    ValueError for a ring that is not four equal sides of the map.
    """
    last = _PLACES_PER_SIDE - 1
    if count != 4 * last:
        raise ValueError(f"expected a ring of {4 * last} places, found {count}")
    walk = [(n, 0) for n in range(last)] + [(last, n) for n in range(last)]
    walk += [(last - n, last) for n in range(last)] + [(0, last - n) for n in range(last)]
    return tuple((_COLUMNS_PER_PLACE * across, 1 + _ROWS_PER_PLACE * down) for across, down in walk)


def table_map(
    table: TableSpots, blink: bool = False, *, at: int | None = None, text: str | None = None
) -> Picture:
    """A ring as a map; `blink` leaves out the player's own pawn, or lights up the place `at`.

    The text in the middle is that of the place, or the one given.
    """
    canvas = Canvas()
    canvas.drawings += 1
    told = table.here if at is None else at
    for number, (spot, (x, y)) in enumerate(
        zip(table.spots, ring_cells(len(table.spots)), strict=True)
    ):
        _draw_place(canvas, spot, x, y, blink and at is None)
        if blink and number == at:
            canvas.invert(x, y, _PLACE_COLUMNS, 2)
    label = say(table.spots[told].label) if text is None else text
    font = TALL if TALL.width(label) <= _LABEL_COLUMNS else SMALL
    font = font if font.width(label) <= _LABEL_COLUMNS else NARROW
    while font.width(label) > _LABEL_COLUMNS:
        label = label[:-1]
    left = _COLUMNS_PER_PLACE + (_LABEL_COLUMNS - font.width(label)) // 2
    canvas.text(left, (HEIGHT - font.height + 1) // 2, label, font)
    return canvas.picture


def _draw_place(canvas: Canvas, spot: Spot, x: int, y: int, blink: bool) -> None:
    if spot.here:
        canvas.block(x, y, 2, 2, on=not blink)
    else:
        for pawn in range(min(len(spot.pawns), 4)):
            canvas.light(x + pawn % 2, y + pawn // 2)
    if spot.points is not None:
        length = min(-(-spot.points // _POINTS_PER_LIGHT), _MAX_BAR_LIGHTS)
        canvas.block(x + _BAR_COLUMN, y, length, 2 if spot.mine else 1)
        if spot.fits:
            canvas.invert(x + _BAR_COLUMN, y, _MAX_BAR_LIGHTS, 2)
    elif spot.label == "WILD":
        for dx in range(0, _MAX_BAR_LIGHTS - 1, 2):
            canvas.light(x + _BAR_COLUMN + dx, y)
            canvas.light(x + _BAR_COLUMN + 1 + dx, y + 1)
    else:
        canvas.light(x + _BAR_COLUMN, y)


def spot_pages(spot: Spot, index: int = 0, count: int = 1) -> tuple[Picture, ...]:
    """A place in words: what it is and its number, what it takes, whose it is, who stands there.

    A bar at the right shows which page of a longer list it is.
    """
    room = WIDTH if count == 1 else WIDTH - 2
    note = say(spot.note)
    below = [(note, "")] if note else []
    if spot.owner:
        below.append(_named(spot.owner, say("HAS IT"), room))
    if not below and not spot.pawns:
        below = [("", "")]
    below += (_named(name, say("IS HERE"), room) for name in spot.pawns)
    shown = []
    for left, right in below:
        canvas = _spot_canvas(spot, room, index, count)
        canvas.line(LOWER_LINE_ROW, left, right, room)
        shown.append(canvas.picture)
    return tuple(shown)


def _named(name: str, what: str, room: int) -> tuple[str, str]:
    """A player and what is said of the player: as one text where that fits."""
    if SMALL.width(f"{name} {what}") <= room:
        return f"{name} {what}", ""
    return shorten_to_fit(name, what, room), what


def _spot_canvas(spot: Spot, room: int, index: int, count: int) -> Canvas:
    canvas = Canvas()
    canvas.line(0, say(spot.label), "" if spot.points is None else str(spot.points), room)
    draw_page_bar(canvas, index, count)
    return canvas

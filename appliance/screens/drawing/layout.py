"""Layouts that many screens share: lines of text, a row of dice, bars."""

import re
from collections.abc import Sequence

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import DIE_PITCH, MIN_TEXT_GAP, Canvas
from appliance.screens.drawing.font import NARROW, SMALL, TALL
from appliance.words import say
from games.values import Face

LOWER_LINE_ROW = 8
"""First row of the lower line."""
DICE_ROW = 6
"""First row of dice under a small line of text: the rows under them are for the held marks."""

STAR = "*"
"""Ends the name of a computer player, one or more of them."""
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
"""Stands for the letters of a name that a line has no room for."""


def two_lines(top: str, bottom: str, top_right: str = "", bottom_right: str = "") -> Picture:
    """Two lines of text, each with an optional text at its right end.

    TooWideError if a line does not fit even in the narrow font, and drawing is strict.
    """
    canvas = Canvas()
    canvas.line(0, top, top_right)
    canvas.line(LOWER_LINE_ROW, bottom, bottom_right)
    return canvas.picture


def two_lines_with_place(texts: Sequence[str], place: int) -> Picture:
    """Two lines as `two_lines` has them; below them the place of one of five dice is marked."""
    canvas = Canvas()
    above, below, above_right, below_right = (*texts, "", "")[:4]
    canvas.line(0, above, above_right)
    rise = SMALL.rise(below + below_right)
    canvas.small_line(LOWER_LINE_ROW + rise, below, below_right)
    for slot in range(5):
        wide = 6 if slot == place else 2
        # A mark above a letter takes a row.
        top = HEIGHT - 1 - (slot == place and not rise)
        canvas.block(slot * DIE_PITCH + 3 - wide // 2, top, wide, HEIGHT - top)
    return canvas.picture


def draw_dice(
    canvas: Canvas, faces: Sequence[Face | None], held: Sequence[int] = (), y: int = LOWER_LINE_ROW
) -> int:
    """Draws dice from row y on, held ones marked on the lowest rows; returns the columns left."""
    pitch = DIE_PITCH if len(faces) <= 5 else DIE_PITCH - 1
    for slot, face in enumerate(faces):
        x = slot * pitch
        canvas.die(x, y, face)
        if slot in held:
            top = min(y + 8, HEIGHT - 1)
            canvas.block(x, top, 7 if isinstance(face, str) else 6, HEIGHT - top)
    return WIDTH - len(faces) * pitch + 1


def dice_under(
    header: tuple[str, str], faces: Sequence[Face | None], held: Sequence[int] = (), right: str = ""
) -> Canvas:
    """A small line of text, dice under it, held ones marked with a bar, a short text beside them.

    The header has the texts at the left and at the right end of the line. There are at most six
    dice; None is drawn as `?`. The text beside them is left out where there is no room.
    """
    canvas = Canvas()
    canvas.small_line(0, *header)
    y = DICE_ROW + SMALL.rise("".join(header), "")
    room = draw_dice(canvas, faces, held, y)
    if right and room >= NARROW.width(right):
        draw_at_right(canvas, y, right, room)
    return canvas


def fits_small_line(left: str, right: str, width: int = WIDTH) -> bool:
    """True if two texts fit beside each other on a line of this many columns in the small font."""
    return SMALL.width(left) + 3 + SMALL.width(right) <= width


def shorten_to_fit(name: str, right: str, width: int = WIDTH, most: int = WIDTH) -> str:
    """A name that fits on a line beside a text, of at most so many letters.

    A sign stands for the letters left out. The stars of a computer stay, and a number at the end:
    they tell it from others.
    """
    room = width - MIN_TEXT_GAP - NARROW.width(right)
    begin = name.rstrip(STAR)
    sign = stars = name[len(begin) :]
    number = _NUMBER_AT_END.search(name)
    while begin and (NARROW.width(begin + sign) > room or len(begin + sign) > most):
        if number and begin == name:
            begin, stars = number[1], f"{ELLIPSIS}{number[2]}"
        begin, sign = begin[:-1].rstrip(), stars or ELLIPSIS
    return begin + sign


_NUMBER_AT_END = re.compile(r"(.+) (\d+)$")


def draw_at_right(canvas: Canvas, y: int, text: str, room: int) -> None:
    """Draws a text at the right end of the line from row y, in the font that `room` allows."""
    font = next((f for f in (TALL, SMALL) if f.width(text) <= room), NARROW)
    canvas.text(WIDTH - font.width(text), y + (7 - font.height) // 2, text, font)


def draw_steps(canvas: Canvas, x: int, width: int, done: int, count: int) -> None:
    """A dot for each of `count` steps on the lowest rows: thick where done, else a single light.

    They are no bars: a bar is under dice that are held.
    """
    pitch = width // count
    for step in range(count):
        size = 2 if step < done else 1
        canvas.block(x + step * pitch, HEIGHT - size, size, size)


def draw_list_bar(canvas: Canvas, index: int, count: int, tall: int = 2) -> None:
    """Where in a list this is: a dot for each entry on the lowest rows, this one wide and thick.

    In a long list there is a piece of the row instead; nothing for a single entry.
    """
    if 1 < count <= _MOST_DOTS:
        # A bar as wide as its share of the row was taken for time that runs out.
        for n in range(count):
            x = _DOT_PITCH * n + _DOT_EXTRA * (n > index)
            wide, high = (_DOT + _DOT_EXTRA, tall) if n == index else (_DOT, 1)
            canvas.block(x, HEIGHT - high, wide, high)
    elif count > 1:
        left, right = (WIDTH * i // count for i in (index, index + 1))
        canvas.block(left, HEIGHT - tall, max(right - left, 2 if left < WIDTH - 1 else 1), tall)


_DOT, _DOT_EXTRA, _DOT_PITCH, _MOST_DOTS = 2, 2, 4, 15
"""Columns of a dot, how many more that of this entry has, and from dot to dot; most dots."""


def draw_page_bar(canvas: Canvas, index: int, count: int) -> None:
    """Where in a long sheet this is: a piece of the last column; nothing for a single page."""
    if count > 1:
        # Shorter, it is taken for a full stop.
        tall = max(3, HEIGHT // count)
        top = (HEIGHT - tall) * index // (count - 1)
        canvas.block(WIDTH - 1, top, 1, tall)


def draw_progress(canvas: Canvas, y: int, now: int, needed: int) -> None:
    """How far a sum has come, as a frame of four rows that fills from the left."""
    canvas.block(0, y, WIDTH, 4)
    canvas.block(1, y + 1, WIDTH - 2, 2, on=False)
    canvas.block(1, y + 1, (WIDTH - 2) * min(now, needed) // needed, 2)


def split_lines(text: str, room: int = 46) -> tuple[str, ...]:
    """A text in lines of whole words that take at most `room` columns in the small font."""
    lines: list[str] = []
    for word in text.split():
        if lines and SMALL.width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def dice_count(count: int) -> str:
    """The words for this many dice."""
    return say("{count} DIE" if count == 1 else "{count} DICE", count=count)

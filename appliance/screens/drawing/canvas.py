"""A drawing surface of 64x16 lights that becomes a `Picture`."""

from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache, lru_cache

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.font import NARROW, SMALL, TALL, Font

DIE_SIZE = 7
"""Lights along the edge of the box that a die is drawn in."""
DIE_PITCH = 10
"""Columns from die to die: the gap is wider than that between a die's own pips."""
MIN_TEXT_GAP = 3
"""The least number of free columns between two texts on a line."""

PIPS: dict[int, tuple[str, ...]] = {
    1: ("......", "......", "..##..", "..##..", "..##..", "......", "......"),
    2: ("##....", "##....", "......", "......", "......", "....##", "....##"),
    3: ("##....", "##....", "......", "..##..", "......", "....##", "....##"),
    4: ("##..##", "##..##", "......", "......", "......", "##..##", "##..##"),
    5: ("##..##", "##..##", "......", "..##..", "......", "##..##", "##..##"),
    6: ("##..##", "##..##", "......", "##..##", "......", "##..##", "##..##"),
}
"""Pips of four lights can be told apart from two metres away; single lights cannot."""

SYMBOLS: dict[str, tuple[str, ...]] = {
    # A snowflake, two dice in one, and a flash of lightning.
    "freeze": ("...#...", ".#.#.#.", "..###..", "#######", "..###..", ".#.#.#.", "...#..."),
    "double": ("####...", "#..#...", "#.#####", "####..#", "..#...#", "..#...#", "..#####"),
    "power": ("....##.", "...##..", "..##...", ".#####.", "...##..", "..##...", ".##...."),
}
"""The faces of the Power die that are not numbers."""

_FULL_ROW = (1 << WIDTH) - 1
STRICT_DRAWING: ContextVar[bool] = ContextVar("strict", default=False)
"""True if a light outside the board is an error, as in tests; at the table it is left out."""


class TooWideError(ValueError):
    """A text that does not fit: screens must choose another font or wording."""


class OffBoardError(ValueError):
    """A light outside the board, while drawing is strict."""


class Canvas:
    """Lights that can be set; `picture` is the finished picture.

    Attributes:
        drawings: how many drawings are on it so far, such as dice.
    """

    def __init__(self) -> None:
        # One number a row, the leftmost light in the highest bit.
        self._rows = [0] * HEIGHT
        self._words: list[str] = []
        self.drawings = 0

    def light(self, x: int, y: int, on: bool = True) -> None:
        """Sets one light; OffBoardError if it lies outside the board, and drawing is strict."""
        self.block(x, y, 1, 1, on)

    def block(self, x: int, y: int, width: int, height: int, on: bool = True) -> None:
        """Sets a rectangle of lights with its top left at (x, y); raises as `light` does."""
        for dy in range(height):
            self._set_row(x, y + dy, (1 << width) - 1, width, on)

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Swaps lit and dark in a rectangle that lies on the board."""
        bits = ((1 << width) - 1) << (WIDTH - x - width)
        for row in range(y, y + height):
            self._rows[row] ^= bits

    def bitmap(self, x: int, y: int, rows: Sequence[str]) -> None:
        """Draws a bitmap given as strings; `#` is on, anything else leaves the light as it was."""
        self.drawings += 1
        for dy, (bits, width) in enumerate(_bitmap_rows(tuple(rows))):
            self._set_row(x, y + dy, bits, width, on=True)

    def _set_row(self, x: int, y: int, bits: int, width: int, on: bool) -> None:
        """Sets the lights of a row that are in `bits`, whose lowest is in column x + width - 1."""
        shift = WIDTH - x - width
        there = bits << shift if shift >= 0 else bits >> -shift
        inside = there & _FULL_ROW
        off_board = not 0 <= y < HEIGHT or inside.bit_count() != bits.bit_count()
        if off_board and bits and STRICT_DRAWING.get():
            raise OffBoardError(f"expected lights on the board, found some at ({x}, {y})")
        if 0 <= y < HEIGHT:
            self._rows[y] = self._rows[y] | inside if on else self._rows[y] & ~inside

    def text(self, x: int, y: int, text: str, font: Font = TALL) -> int:
        """Draws a text with its top left at (x, y); returns its width in columns.

        TooWideError if it would run over the right edge, and drawing is strict.
        """
        width = font.width(text)
        if x + width > WIDTH or x < 0:
            if STRICT_DRAWING.get():
                raise TooWideError(f"{text!r} takes {width} columns, {WIDTH - x} are left")
            # A board with half a word is better than none.
            while text and x + font.width(text) > WIDTH:
                text = text[:-1]
        self._words.append(text)
        top, columns, rows = _text_rows(font, text)
        for dy, bits in enumerate(rows, start=top):
            self._set_row(x, y + dy, bits, columns, on=True)
        return width

    def line(self, y: int, left: str, right: str = "", width: int = WIDTH) -> None:
        """Draws a line of up to 7 rows from row y: a text at the left and one that ends at `width`.

        The tall font is used where both fit, else the small one for the longer text or both.
        TooWideError if they do not fit even in the narrow font, and drawing is strict.
        """
        pairs = ((TALL, TALL), (SMALL, TALL), (TALL, SMALL), (SMALL, SMALL), (NARROW, SMALL))
        self._draw_two_texts(y, 7, left, right, width, pairs)

    def small_line(self, y: int, left: str, right: str = "", width: int = WIDTH) -> int:
        """Draws a line of 5 rows from row y, as `line` does, in the small font.

        Letters with a mark take a sixth row, above or below; at the upper edge the text moves down.
        Returns how many more rows it takes there.
        """
        y += SMALL.rise(left + right) if y == 0 else 0
        self._draw_two_texts(y, 5, left, right, width, ((SMALL, SMALL), (NARROW, SMALL)))
        return SMALL.rise(left + right, "")

    def _draw_two_texts(
        self,
        y: int,
        rows: int,
        left: str,
        right: str,
        width: int,
        pairs: Sequence[tuple[Font, Font]],
    ) -> None:
        """Two texts on a line in the first pair of fonts in which they fit."""
        for a, b in (*pairs, (NARROW, NARROW)):
            gap = MIN_TEXT_GAP if left and right else 0
            if a.width(left) + gap + b.width(right) <= width:
                break
        else:
            if STRICT_DRAWING.get():
                raise TooWideError(f"{left!r} and {right!r} do not fit on {width} columns")
            right = ""
        self.text(0, y + (rows - a.height) // 2, left, a)
        if right:
            self.text(width - b.width(right), y + (rows - b.height) // 2, right, b)

    def die(self, x: int, y: int, face: int | str | None) -> None:
        """Draws a die in 7x7 lights: its pips, a symbol of the Power die, or `?`.

        Pips are lit on dark, without a body: dark pips drown in the glare around them.
        """
        if isinstance(face, int):
            self.bitmap(x, y, PIPS[face])
        elif face in SYMBOLS:
            self.bitmap(x, y, SYMBOLS[face])
        elif face is None:
            self.bitmap(x + 1, y, TALL.glyph("?"))
        else:
            times, number = SMALL.glyph("X"), SMALL.glyph(face)
            self.bitmap(x, y + 1, [f"{a}.{b}" for a, b in zip(times, number, strict=True)])

    @property
    def picture(self) -> Picture:
        """The drawing as a picture."""
        lights = b"".join(row.to_bytes(WIDTH // 8, "big") for row in self._rows)
        return Picture(lights, words=tuple(self._words), drawings=self.drawings)


@lru_cache(maxsize=1024)
def _text_rows(font: Font, text: str) -> tuple[int, int, tuple[int, ...]]:
    """The first row of a text, its width, and its rows; the same ones are drawn all the time."""
    width, lines = font.width(text), dict[int, int]()
    for dx, dy, glyph in font.place(text):
        for line, (bits, columns) in enumerate(_bitmap_rows(glyph), start=dy):
            lines[line] = lines.get(line, 0) | bits << (width - dx - columns)
    top, end = min(lines, default=0), max(lines, default=-1) + 1
    return top, width, tuple(lines.get(line, 0) for line in range(top, end))


@cache
def _bitmap_rows(rows: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Each row of a bitmap as a number, with its width."""
    return tuple((int("0" + "".join("01"[c == "#"] for c in row), 2), len(row)) for row in rows)

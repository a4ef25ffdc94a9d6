"""A drawing surface of 64x16 lights that ends as a `Picture`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.font import SMALL, TALL, Font

DIE = 7
"""Lights along the edge of the box that a die is drawn in."""
PITCH = 10
"""Columns from die to die: the gap is wider than a die's own pips are apart."""

PIPS: dict[int, tuple[str, ...]] = {
    1: ("......", "......", "..##..", "..##..", "..##..", "......", "......"),
    2: ("##....", "##....", "......", "......", "......", "....##", "....##"),
    3: ("##....", "##....", "......", "..##..", "......", "....##", "....##"),
    4: ("##..##", "##..##", "......", "......", "......", "##..##", "##..##"),
    5: ("##..##", "##..##", "......", "..##..", "......", "##..##", "##..##"),
    6: ("##..##", "##..##", "......", "##..##", "......", "##..##", "##..##"),
}
"""Pips of four lights, told apart from two metres away; a single light is not."""

SYMBOLS: dict[str, tuple[str, ...]] = {
    # A snowflake, two dice in one, and a flash of lightning.
    "freeze": ("...#...", ".#.#.#.", "..###..", "#######", "..###..", ".#.#.#.", "...#..."),
    "double": ("####...", "#..#...", "#.#####", "####..#", "..#...#", "..#...#", "..#####"),
    "power": ("....##.", "...##..", "..##...", ".#####.", "...##..", "..##...", ".##...."),
}
"""The faces of the Power die that are no number."""

_STRICT: ContextVar[bool] = ContextVar("strict", default=False)


class TooWideError(ValueError):
    """A text that does not fit: screens choose another font or wording, they never cut."""


class OffBoardError(ValueError):
    """A light outside the board, while drawing is strict."""


@contextmanager
def strict_drawing() -> Iterator[None]:
    """Makes every light outside the board an error, for tests; at the table it is left out."""
    token = _STRICT.set(True)
    try:
        yield
    finally:
        _STRICT.reset(token)


class Canvas:
    """Lights that can be set; `picture` gives the finished picture."""

    def __init__(self) -> None:
        self._rows = [[False] * WIDTH for _ in range(HEIGHT)]

    def light(self, x: int, y: int, on: bool = True) -> None:
        """Sets one light.

        Raises:
            OffBoardError: it lies outside the board, and drawing is strict.
        """
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            self._rows[y][x] = on
        elif _STRICT.get():
            raise OffBoardError(f"expected a light on the board, found ({x}, {y})")

    def block(self, x: int, y: int, width: int, height: int, on: bool = True) -> None:
        """Sets a rectangle of lights with its top left at (x, y)."""
        for dy in range(height):
            for dx in range(width):
                self.light(x + dx, y + dy, on)

    def bitmap(self, x: int, y: int, rows: Sequence[str]) -> None:
        """Draws a bitmap given as strings; `#` is on, all else leaves the light as it was."""
        for dy, row in enumerate(rows):
            for dx, character in enumerate(row):
                if character == "#":
                    self.light(x + dx, y + dy)

    def text(self, x: int, y: int, text: str, font: Font = TALL) -> int:
        """Draws a text with its top left at (x, y); returns its width in columns.

        Raises:
            TooWideError: it would run over the right edge.
        """
        width = font.width(text)
        if x + width > WIDTH or x < 0:
            raise TooWideError(f"{text!r} takes {width} columns, {WIDTH - x} are left")
        for dx, rows in font.place(text):
            self.bitmap(x + dx, y, rows)
        return width

    def line(self, y: int, left: str, right: str = "", width: int = WIDTH) -> None:
        """Draws a line of up to 7 rows from row y: a text at the left and one at the right.

        The tall font is used where both fit, else the small one for the longer text or both.

        Args:
            y: its first row.
            left: the text at the left edge.
            right: the text that ends in the last column.
            width: how many columns there are.

        Raises:
            TooWideError: they do not fit even in the small font.
        """
        for a, b in ((TALL, TALL), (SMALL, TALL), (TALL, SMALL), (SMALL, SMALL)):
            gap = 3 if left and right else 0
            if a.width(left) + gap + b.width(right) <= width:
                self.text(0, y + (7 - a.height) // 2, left, a)
                if right:
                    self.text(width - b.width(right), y + (7 - b.height) // 2, right, b)
                return
        raise TooWideError(f"{left!r} and {right!r} do not fit on one line of {width} columns")

    def small_line(self, y: int, left: str, right: str = "", width: int = WIDTH) -> None:
        """Draws a line of 5 rows from row y in the small font; raises TooWideError."""
        taken = SMALL.width(left) + (3 if left and right else 0) + SMALL.width(right)
        if taken > width:
            raise TooWideError(f"{left!r} and {right!r} take {taken} columns of {width}")
        self.text(0, y, left, SMALL)
        if right:
            self.text(width - SMALL.width(right), y, right, SMALL)

    def die(self, x: int, y: int, face: int | str | None) -> None:
        """Draws a die in 7x7 lights: its pips, a symbol of the Power die, or `?`.

        Pips are lit on dark, without a body: dark pips drown in the glare of the lights around.
        """
        if isinstance(face, int):
            self.bitmap(x, y, PIPS[face])
        elif face in SYMBOLS:
            self.bitmap(x, y, SYMBOLS[face])
        elif face is None:
            self.bitmap(x + 1, y, TALL.glyph("?"))
        else:
            self.bitmap(x, y + 1, SMALL.glyph("X"))
            self.bitmap(x + 4, y + 1, SMALL.glyph(face))

    def invert(self) -> None:
        """Turns every light that is on off, and every other one on."""
        self._rows = [[not light for light in row] for row in self._rows]

    @property
    def picture(self) -> Picture:
        """What is drawn, as a picture."""
        return Picture.from_rows("".join("#" if c else "." for c in row) for row in self._rows)

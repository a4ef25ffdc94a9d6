"""A drawing surface of 64x16 lights that ends as a `Picture`."""

from collections.abc import Sequence

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.font import SMALL, TALL, Font

DIE = 7
"""Lights along the edge of a drawn die."""
PITCH = 10
"""Columns from die to die: the gap is wider than a die's own pips are apart."""

PIPS: dict[int, tuple[str, ...]] = {
    1: ("...", ".#.", "..."),
    2: ("#..", "...", "..#"),
    3: ("#..", ".#.", "..#"),
    4: ("#.#", "...", "#.#"),
    5: ("#.#", ".#.", "#.#"),
    6: ("#.#", "#.#", "#.#"),
}

_SYMBOLS: dict[str, tuple[str, ...]] = {
    "freeze": ("...#...", ".#.#.#.", "..###..", ".#.#.#.", "...#..."),
    "double": ("..#..#.", ".##.##.", "###.###", "...#...", ".#####."),
    "power": ("##..##.", "#.#...#", "##...#.", "#.....#", "#...##."),
}


class TooWideError(ValueError):
    """A text that does not fit: screens choose another font or wording, they never cut."""


class Canvas:
    """Lights that can be set; `picture` gives the finished picture."""

    def __init__(self) -> None:
        self._rows = [[False] * WIDTH for _ in range(HEIGHT)]

    def light(self, x: int, y: int, on: bool = True) -> None:
        """Sets one light; what lies outside the board is left out."""
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            self._rows[y][x] = on

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

    def line(self, y: int, left: str, right: str = "") -> None:
        """Draws a line of up to 7 rows from row y: a text at the left and one at the right.

        The tall font is used where both fit, else the small one for the longer text or both.

        Raises:
            TooWideError: they do not fit even in the small font.
        """
        for a, b in ((TALL, TALL), (SMALL, TALL), (TALL, SMALL), (SMALL, SMALL)):
            gap = 3 if left and right else 0
            if a.width(left) + gap + b.width(right) <= WIDTH:
                self.text(0, y + (7 - a.height) // 2, left, a)
                if right:
                    self.text(WIDTH - b.width(right), y + (7 - b.height) // 2, right, b)
                return
        raise TooWideError(f"{left!r} and {right!r} do not fit on one line")

    def die(self, x: int, y: int, face: int | str | None) -> None:
        """Draws a die in 7x7 lights: its pips, a Power symbol, or `?`.

        Pips are lit on dark, without a body: dark pips drown in the glare of the lights around.
        """
        if isinstance(face, int):
            for dy, row in enumerate(PIPS[face]):
                for dx, character in enumerate(row):
                    if character == "#":
                        self.light(x + 1 + 2 * dx, y + 1 + 2 * dy)
        elif face in _SYMBOLS:
            self.bitmap(x, y + 1, _SYMBOLS[face])
        elif face is None:
            self.bitmap(x + 2, y + 1, SMALL.glyph("?"))
        else:
            self.bitmap(x, y + 1, SMALL.glyph("X"))
            self.bitmap(x + 4, y + 1, SMALL.glyph(face))

    @property
    def picture(self) -> Picture:
        """What is drawn, as a picture."""
        return Picture.from_rows("".join("#" if c else "." for c in row) for row in self._rows)

"""Two proportional pixel fonts: 7 rows for what matters, 5 rows where more must fit.

A third one has the letters of the small font with the wide ones narrowed, for lines that would not
fit otherwise, such as a name of twelve M's beside a number.

Letters with accents are put together from a flattened letter and its mark. In the tall font they
take the seven rows of any other letter; in the small ones an accent takes the row above, a cedilla
or ogonek the row below.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

Rows = tuple[str, ...]


def _read_glyph_tables() -> dict[str, list[list[str]]]:
    """The lines of `glyphs.txt` by their heading: a character and its rows, `#` a light."""
    found: dict[str, list[list[str]]] = {}
    for line in Path(__file__).with_name("glyphs.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            table = found.setdefault(line.strip("[]"), [])
        else:
            table.append(line.split(" "))
    return found


_GLYPH_TABLES = _read_glyph_tables()
_MARK_ROWS: dict[str, tuple[Rows, ...]] = {
    chr(int(code, 16)): tuple(tuple(rows.split(",")) for rows in widths)
    for code, *widths in _GLYPH_TABLES["marks"]
}
"""Marks for letters three, four and five lights wide, by Unicode's combining character."""
_MARKS_BELOW = "\u0327\u0328"
_GAP_BELOW_ACCENT = {7: "HUWY", 5: "HOUWY"}
"""Letters that an accent would run into: a row between them stays dark."""
_SPARE_ROWS: dict[int, dict[str, tuple[int, ...]]] = {
    7: {"Y": (1, 4, 5), "Z": (1, 5, 3)},
    5: {"J": (1, 2), "N": (0, 2), "W": (1, 0)},
}
"""Rows that a letter can best do without, by the height of the font."""
_USUAL_SPARE_ROWS = {7: (2, 4, 5), 5: (3, 1)}


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """A proportional font.

    Attributes:
        height: rows of every glyph except those with a mark above or below.
        space: columns of a blank.
        glyphs: the rows of each character from top to bottom; `#` is a light that is on.
        composed: the glyphs put together so far, of a letter and its mark.
    """

    height: int
    space: int
    glyphs: dict[str, Rows]
    composed: dict[str, Rows] = field(default_factory=dict)

    def glyph(self, character: str) -> Rows:
        """The rows of a character; lower case is shown as capitals, unknown ones as `?`."""
        if character == " ":
            return (" " * self.space,) * self.height
        capital = character.upper()
        found = self.glyphs.get(capital) or self.composed.get(capital)
        if found is None:
            letter, mark, *_ = (*normalize("NFD", capital), "", "")
            known = mark in _MARK_ROWS and 3 <= len(self.glyphs.get(letter, ("",))[0]) <= 5
            found = self._glyph_with_mark(letter, mark) if known else self.glyphs["?"]
            self.composed[capital] = found
        return found

    def _glyph_with_mark(self, letter: str, mark: str) -> Rows:
        """A letter with a mark; in a small font it has one more row than the letter alone."""
        rows = self.glyphs[letter]
        marks = _MARK_ROWS[mark][len(rows[0]) - 3]
        needs_gap = letter in _GAP_BELOW_ACCENT[self.height] and "#" in marks[-1]
        dark = ("." * len(rows[0]),) if needs_gap else ()
        room = max(self.height, 6) - len(marks) - (0 if mark in _MARKS_BELOW else len(dark))
        spare = _SPARE_ROWS[self.height].get(letter, _USUAL_SPARE_ROWS[self.height])
        spare = spare[: self.height - room]
        body = tuple(row for number, row in enumerate(rows) if number not in spare)
        return (*body, *marks) if mark in _MARKS_BELOW else (*marks, *dark, *body)

    def rise(self, text: str, hanging: str = _MARKS_BELOW) -> int:
        """Rows that marks take above a text; above and below it if `hanging` is empty."""
        if text.isascii():
            # No letter of those has a mark.
            return 0
        marked = (c for c in text if normalize("NFD", c)[-1] not in hanging)
        return max((len(self.glyph(c)) - self.height for c in marked), default=0)

    def width(self, text: str) -> int:
        """Columns that a text takes, with one free column between characters."""
        return _width(self, text)

    def place(self, text: str) -> Iterator[tuple[int, int, Rows]]:
        """Column, first row and rows of each character of a text; an accent may be in row -1."""
        x = 0
        for character in text:
            rows = self.glyph(character)
            yield x, -self.rise(character), rows
            x += len(rows[0]) + 1


@lru_cache(maxsize=1024)
def _width(font: Font, text: str) -> int:
    """Columns that a text takes; screens ask again and again for the same ones."""
    return sum(len(font.glyph(c)[0]) + 1 for c in text) - 1 if text else 0


def _font_of_table(name: str, height: int, space: int, base: Font | None = None) -> Font:
    glyphs = dict(base.glyphs) if base is not None else {}
    for character, *rows in _GLYPH_TABLES[name]:
        if len(rows) != height or len({len(row) for row in rows}) != 1:
            raise ValueError(f"glyph {character!r}: expected {height} rows of equal width")
        glyphs[character] = tuple(rows)
    return Font(height, space, glyphs)


TALL = _font_of_table("tall", height=7, space=2)
SMALL = _font_of_table("small", height=5, space=2)
NARROW = _font_of_table("narrow", height=5, space=1, base=SMALL)

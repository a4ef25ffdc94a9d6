"""Entries line by line, in words; or in small tables: names, a line, under each its figures."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import MIN_TEXT_GAP, Canvas
from appliance.screens.drawing.film import are_within_a_cycle, letters_of
from appliance.screens.drawing.font import NARROW, SMALL, TALL
from appliance.screens.drawing.layout import LOWER_LINE_ROW
from appliance.words import say

T = TypeVar("T")

_BETWEEN = 2
"""Columns between two cells of a table, at least."""
_WIDEST_GAP = 8
_RULE_ROW = 7
"""The row of the line between signs and figures."""


class Cell(NamedTuple):
    """A name and its figures."""

    name: str
    figures: str

    @property
    def wide(self) -> int:
        """The columns that it takes in a table."""
        return max(SMALL.width(self.name), SMALL.width(self.figures))


Line = tuple[str, str]
"""Texts at the left and at the right end of a line."""
_BESIDE = 5
"""Columns between two entries on a line, at least."""
MOST_SCREENS = 2
"""On so many screens there is all that is looked at."""
MOST_LINES = 2 * MOST_SCREENS
"""Lines of so many screens."""


def pages_of_lines(lines: Sequence[Line]) -> list[Picture]:
    """Two lines a screen."""
    shown = []
    for at in range(0, len(lines), 2):
        canvas = Canvas()
        for y, (left, right) in zip((0, LOWER_LINE_ROW), lines[at : at + 2], strict=False):
            if any(map(str.isalpha, right)) and not _fit_tall(left, right):
                # Two entries of one size: else the larger would look like another matter.
                canvas.small_line(y + 1, left, right)
            else:
                canvas.line(y, left, right)
        shown.append(canvas.picture)
    return shown


def _fit_tall(left: str, right: str) -> bool:
    """True if two texts fit beside each other in the tall font."""
    return TALL.width(left) + MIN_TEXT_GAP + TALL.width(right) <= WIDTH


def readable_pages(lines: Sequence[Line], most: int | None = None) -> list[Picture]:
    """Two lines a screen, on at most so many screens; nothing if a cycle has no time for them."""
    letters = (
        letters_of(*chain.from_iterable(lines[at : at + 2])) for at in range(0, len(lines), 2)
    )
    has_room = most is None or len(lines) <= 2 * most
    return pages_of_lines(lines) if has_room and are_within_a_cycle(letters) else []


def packed(entries: Sequence[Line]) -> list[Line]:
    """Entries of a text and a figure each, in their order, two on a line where they fit."""
    said = [" ".join(entry).strip() for entry in entries]
    left, lines = list(range(len(entries))), list[Line]()
    while left:
        at = left.pop(0)
        room = WIDTH - SMALL.width(said[at]) - _BESIDE
        beside = next((other for other in left if SMALL.width(said[other]) <= room), None)
        if beside is None:
            lines.append(entries[at])
        else:
            left.remove(beside)
            lines.append((said[at], said[beside]))
    return lines


def ever_fewer(entries: Sequence[T]) -> Iterator[tuple[Sequence[T], Line]]:
    """Fewer and fewer of the entries, the last left out first; and how many more there are."""
    for told in range(len(entries) - 1, 0, -1):
        yield entries[:told], (say("AND {count} MORE", count=len(entries) - told), "")


def listed(names: Sequence[str], title: str = "", columns: int = WIDTH) -> list[Line]:
    """A title and names with commas, on as many lines of so many columns as they take."""
    lines, text = list[Line](), title
    for left, name in enumerate(names, 1 - len(names)):
        # Without a comma `6 LS` could be six of them.
        told = name + "," * (left < 0)
        longer = f"{text} {told}".strip()
        if text and NARROW.width(longer) > columns:
            lines.append((text, ""))
            text = told
        else:
            text = longer
    return [*lines, (text, "")]


def with_verb(verb: str, line: Line) -> Line | None:
    """An entry after a verb; None if there is no room for both."""
    text, figure = line
    wide = NARROW.width(f"{verb} {text}") + 3 + NARROW.width(figure)
    return (f"{verb} {text}", figure) if wide <= WIDTH else None


def after_verb(verb: str, lines: Sequence[Line]) -> list[Line]:
    """Entries of which the first is after a verb, or all below it."""
    first = with_verb(verb, lines[0]) if lines else None
    if first is not None:
        return [first, *lines[1:]]
    return [(verb, ""), *lines] if lines else []


def two_tables(cells: Sequence[Cell]) -> list[Picture]:
    """All cells in at most two tables, alike in width; nothing if they don't fit.

    What takes most room is placed first; in a table all keep their order.
    """
    parts: tuple[list[int], list[int]] = ([], [])
    for at in sorted(range(len(cells)), key=lambda n: -cells[n].wide):
        widths = [_width_of([cells[n] for n in (*part, at)]) for part in parts]
        narrower = widths.index(min(widths))
        if widths[narrower] > WIDTH:
            return []
        parts[narrower].append(at)
    ordered = sorted(map(sorted, filter(None, parts)))
    return [_table([cells[n] for n in part]) for part in ordered]


def _width_of(cells: Sequence[Cell]) -> int:
    return sum(cell.wide for cell in cells) + _BETWEEN * (len(cells) - 1)


def _table(cells: Sequence[Cell]) -> Picture:
    canvas, x = Canvas(), 0
    spare = (WIDTH - _width_of(cells)) // max(len(cells) - 1, 1)
    gap = min(_BETWEEN + spare, _WIDEST_GAP)
    for cell in cells:
        for y, text in ((1, cell.name), (LOWER_LINE_ROW + 2, cell.figures)):
            canvas.text(x + (cell.wide - SMALL.width(text)) // 2, y, text, SMALL)
        canvas.block(x, _RULE_ROW, cell.wide, 1)
        x += cell.wide + gap
    return canvas.picture

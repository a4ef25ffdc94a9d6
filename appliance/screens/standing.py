"""Everybody's points at a glance as a turn begins or a game ends, a crown over the leader's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import NamedTuple, Self

from appliance.picture import HEIGHT, LETTERS_OF_DRAWING, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.font import NARROW, SMALL, Font
from appliance.screens.drawing.layout import STAR, draw_progress, shorten_to_fit, two_lines
from appliance.table.prompts.turn import Standing
from appliance.words import say

_CROWN = ("#.#.#", "#####")
_CELL_ROWS = 8
"""Rows of a player's cell: the crown, a dark row, a row of letters."""
_TEXT_ROW = 3
"""The first row of the letters in a cell."""
_LEAST_LETTERS = 2
"""No name is cut to fewer letters to be read in time."""
MOST_TWO_ACROSS = 4
"""Up to this many cells are shown two to a line, more of them three to a line."""


class ShortName(NamedTuple):
    """How a player is named where the whole name does not fit.

    Attributes:
        name: the whole name.
        least: the letters that its beginning needs to be told from all others.
        short: two letters at most, by which it is told from all others.
        letter: one of these: the first, unless others begin with it.
    """

    name: str
    least: int
    short: str
    letter: str

    def cut_to(self, room: int, font: Font) -> str:
        """The part of it that fits into this many columns."""
        begin = self.name
        while begin and font.width(begin) > room:
            begin = begin[:-1]
        if len(begin.rstrip()) >= self.least or begin == self.name:
            return begin.rstrip()
        fitting = (text for text in (self.short, self.letter) if font.width(text) <= room)
        return next(fitting, "")


def labels(names: Sequence[str]) -> tuple[ShortName, ...]:
    """Labels that tell names apart: AN and AT of ANNA and ANTON, P1 and P2 of those without one.

    A computer has as many points behind its letter as stars: R2 and R3 of ROBO ** and ROBO ***.
    """
    found = []
    for seat, name in enumerate(names):
        others = [other for place, other in enumerate(names) if place != seat]
        shared = max((_shared_letters(name, other) for other in others), default=0)
        short = name[:1] + name[shared:].strip()[:1] if shared else name[:1]
        if stars := name.count(STAR):
            short, shared = f"{name[:1]}{stars}", len(name) - 1
        alone = all(other[:1] != name[:1] for other in others)
        found.append(ShortName(name, shared + 1, short, short[:1] if alone else short[-1:]))
    return tuple(found)


def _shared_letters(name: str, other: str) -> int:
    """How many letters two names begin with alike."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(name, other, strict=False))
    return sum(1 for _ in alike)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A player's cell: as much of the name as fits, the points, and the crown of who leads.

    The crown is above the name: in a line of letters it would be read as a W.
    """

    label: ShortName
    name: str
    figures: str
    leads: bool
    left: int
    right: int

    @classmethod
    def fitted(cls, label: ShortName, total: int | str, leads: bool, left: int, right: int) -> Self:
        """The cell between two columns."""
        figures = str(total)
        room = right - left - _figures_font(label, figures, right - left).width(figures) - 2
        name = label.cut_to(room, SMALL if SMALL.width(label.name) <= room else NARROW)
        return cls(label, name, figures, leads, left, right)

    @property
    def letters(self) -> int:
        """How many letters there are to read."""
        return len(self.name.replace(" ", "")) + len(self.figures) + LETTERS_OF_DRAWING * self.leads

    @property
    def shorter(self) -> Self:
        """The cell with a letter less, or with the name in short."""
        name = self.name[:-1].rstrip()
        enough = len(name) >= self.label.least
        return replace(self, name=name if enough else self.label.short)

    def draw(self, canvas: Canvas, row: int) -> None:
        """Draws the cell from this row on."""
        font = _figures_font(self.label, self.figures, self.right - self.left)
        room = self.right - self.left - font.width(self.figures) - 2
        name_font = SMALL if SMALL.width(self.name) <= room else NARROW
        canvas.text(self.left, row + _TEXT_ROW, self.name, name_font)
        canvas.text(self.right - font.width(self.figures), row + _TEXT_ROW, self.figures, font)
        if self.leads:
            canvas.bitmap(self.left, row, _CROWN)


def _figures_font(label: ShortName, figures: str, columns: int) -> Font:
    return SMALL if SMALL.width(label.short) + 2 + SMALL.width(figures) <= columns else NARROW


def closing_page(standing: Standing) -> Picture:
    """The announcement that the end is near."""
    words = say(standing.closing)
    if " " not in words:
        # A compound breaks at its hyphen.
        words = words.replace("-", "- ")
    first, _, rest = words.partition(" ")
    return two_lines(first, rest)


def round_page(standing: Standing) -> Picture:
    """Which round of how many begins, and a bar of how far the game has come."""
    canvas = Canvas()
    canvas.line(0, say("ROUND"), f"{standing.round}/{standing.rounds}")
    draw_progress(canvas, HEIGHT - 5, standing.round, standing.rounds)
    return canvas.picture


def banked_page(player: str, points: int) -> Picture:
    """The page on the points of a card that was banked."""
    return two_lines(player, say("BANKED"), "", f"+{points}")


def standing_page(player: str, todo: str, standing: Standing) -> Picture:
    """The page on what a player is to do or has done, and everybody's points below it."""
    canvas, named = Canvas(), shorten_to_fit(player, todo)
    # A crown is nearer to the name below it than to this line.
    if standing.leaders:
        canvas.small_line(0, named, todo)
    else:
        canvas.line(0, named, todo)
    edges = cell_edges(len(standing.totals))
    for seat, (label, total) in enumerate(_named(standing.totals)):
        cell = _Cell.fitted(label, total, seat in standing.leaders, *edges[seat])
        cell.draw(canvas, HEIGHT - _CELL_ROWS)
    return canvas.picture


def shows_figures(standing: Standing) -> bool:
    """True if everybody's points fit in a row, each behind letters that tell the name."""
    if not standing.totals:
        return False
    cells = zip(_named(standing.totals), cell_edges(len(standing.totals)), strict=True)
    return all(
        NARROW.width(label.short) + 2 + NARROW.width(str(total)) <= right - left
        for (label, total), (left, right) in cells
    )


def totals_page(
    totals: Sequence[tuple[str, int | str]],
    leaders: Sequence[int] = (),
    ok: str = "",
    letters: int | None = None,
) -> Picture:
    """Everybody's points on the whole board; `ok` in a cell that is left says what OK does.

    Leaders come first, so that no crown is under a name. Names are the shorter the fewer `letters`
    the page may have.
    """
    across = 2 if len(totals) + bool(ok) <= MOST_TWO_ACROSS else 3
    seats = ((seat in leaders, named) for seat, named in enumerate(_named(totals)))
    ranked = sorted(seats, key=lambda each: not each[0])
    cells = [
        _Cell.fitted(label, total, leads, *cell_edges(across)[at % across])
        for at, (leads, (label, total)) in enumerate(ranked)
    ]
    while letters is not None and len(ok) + sum(cell.letters for cell in cells) > letters:
        longest = max(cells, key=lambda cell: len(cell.name))
        if len(longest.name) <= _LEAST_LETTERS:
            break
        cells[cells.index(longest)] = longest.shorter
    canvas = Canvas()
    for seat, cell in enumerate(cells):
        cell.draw(canvas, seat // across * _CELL_ROWS)
    if ok and len(totals) < 2 * across:
        canvas.text(WIDTH - SMALL.width(ok), HEIGHT - SMALL.height, ok, SMALL)
    return canvas.picture


def _named(totals: Sequence[tuple[str, int | str]]) -> list[tuple[ShortName, int | str]]:
    names = labels([name for name, _ in totals])
    return [(label, total) for label, (_, total) in zip(names, totals, strict=True)]


def cell_edges(count: int) -> list[tuple[int, int]]:
    """The columns of the cells of this many players beside each other: from, and up to."""
    gap = 3 if count < 3 else 2
    edges = [round((WIDTH + gap) * n / count) for n in range(count + 1)]
    return [(left, right - gap) for left, right in pairwise(edges)]

"""The sheet of games with boxes: six boxes of an upper section with its bonus, then all others.

A game's own sheet is a subclass that says what its boxes are, and what the bonus is:

    @dataclass(frozen=True, slots=True)
    class Sheet(BoxSheet):
        BOX = Box
        UPPER_BONUS = 50
        boxes: tuple[int | None, ...] = (None,) * len(Box)
        open: int = all_open(Box)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar, Self

from games.checks import side_by_side, with_item
from games.dice import FIVE_DICE, Pattern, rolls
from games.notation.positions import check_part, take_if_next
from games.notation.words import Words
from games.views import Goal, Row

UPPER_BOXES = 6
"""The boxes below this number are the upper section."""
UPPER_BONUS_FROM = 63
"""The sum of the upper section that earns its bonus."""


MAX_BOX_POINTS = 50
"""The most points that a box can have."""


def all_open(boxes: type[Pattern]) -> int:
    """`BoxSheet.open` while all boxes are open."""
    return (1 << len(boxes)) - 1


@dataclass(frozen=True, slots=True)
class BoxSheet:
    """One player's sheet.

    Attributes:
        BOX: the boxes in the order of the sheet.
        UPPER_BONUS: the bonus of the upper section.
        boxes: the score in every box, None while it is open.
        open: bit b is set while box b is open; always agrees with `boxes`.
    """

    BOX: ClassVar[type[Pattern]]
    UPPER_BONUS: ClassVar[int]
    boxes: tuple[int | None, ...]
    open: int

    @classmethod
    def of(cls, boxes: Sequence[int | None]) -> Self:
        """A sheet with these boxes."""
        return cls(tuple(boxes), sum(1 << b for b, points in enumerate(boxes) if points is None))

    def with_points(self, box: int, points: int) -> Self:
        """The sheet with these points in an open box."""
        return replace(self, boxes=with_item(self.boxes, box, points), open=self.open & ~(1 << box))

    def to_words(self) -> str:
        """The sheet in the line of a position: the points of its boxes, `-` for an open one."""
        return " ".join("-" if points is None else str(points) for points in self.boxes)

    @classmethod
    def from_words(cls, words: Words) -> Self:
        """The sheet that `to_words` wrote; raises RecordError."""
        return cls.of([_read_points(words) for _ in cls.BOX])

    def check(self, scores: Callable[[tuple[int, ...]], Sequence[int]]) -> None:
        """Makes sure that dice can have brought the points in all its boxes.

        Args:
            scores: what five dice score in each box.

        Raises:
            BadPosition: for points that no dice bring.
        """
        for box in self.BOX:
            points = self.boxes[box]
            good = points is None or points in _possible_scores(scores)[box]
            check_part(good, f"a score of {box.word}", points)

    @property
    def filled(self) -> int:
        """How many boxes are filled."""
        return len(self.BOX) - self.open.bit_count()

    @property
    def upper(self) -> int:
        """The sum of the upper section, without its bonus."""
        return sum(filter(None, self.boxes[:UPPER_BOXES]))

    @property
    def upper_bonus(self) -> int:
        """The bonus of the upper section once its sum is 63 or more, else 0."""
        return self.UPPER_BONUS if self.upper >= UPPER_BONUS_FROM else 0

    @property
    def lower(self) -> int:
        """The sum of all other boxes."""
        return sum(filter(None, self.boxes[UPPER_BOXES:]))

    @property
    def other_bonuses(self) -> tuple[tuple[str, int], ...]:
        """The game's other bonuses: what they are called in plain text, and their points."""
        return ()

    @property
    def total(self) -> int:
        """The grand total so far, all bonuses included."""
        others = sum(points for _, points in self.other_bonuses)
        return sum(filter(None, self.boxes)) + self.upper_bonus + others

    @property
    def rows(self) -> tuple[Row, ...]:
        """The boxes with their points."""
        return tuple(Row(box.word, self.boxes[box]) for box in self.BOX)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The bonus of the upper section, until its sum reaches what is needed."""
        if self.upper >= UPPER_BONUS_FROM:
            return ()
        return (Goal("upper", self.upper, UPPER_BONUS_FROM, self.UPPER_BONUS),)

    def upper_reason(self, after: "BoxSheet") -> str:
        """The reason for the points of the bonus, if it is earned by what leads to `after`."""
        return f"upper +{self.UPPER_BONUS}" if after.upper_bonus > self.upper_bonus else ""


@cache
def _possible_scores(
    scores: Callable[[tuple[int, ...]], Sequence[int]],
) -> tuple[frozenset[int], ...]:
    """The scores that each box can have: what some dice bring, or a zero."""
    every = zip(*(scores(dice) for dice, _ in rolls(FIVE_DICE)), strict=True)
    return tuple(frozenset(found) | {0} for found in every)


def _read_points(words: Words) -> int | None:
    if take_if_next(words, "-"):
        return None
    return words.number(0, MAX_BOX_POINTS, "'-' or the points of a box")


def describe_sheets(names: Sequence[str], sheets: Sequence[BoxSheet]) -> list[str]:
    """The sheets as lines of plain text, one column each, the names on top."""
    table: list[tuple[str, Sequence[object]]] = [("", names)]
    for box in sheets[0].BOX:
        if box == UPPER_BOXES:
            bonus = sheets[0].UPPER_BONUS
            table.append((f"bonus {bonus}", [sheet.upper_bonus for sheet in sheets]))
        points = [sheet.boxes[box] for sheet in sheets]
        table.append((box.word, ["-" if p is None else p for p in points]))
    for others in zip(*(sheet.other_bonuses for sheet in sheets), strict=True):
        table.append((others[0][0], [points for _, points in others]))
    table.append(("total", [sheet.total for sheet in sheets]))
    return side_by_side(table, least=5)

"""The sheet of Classic: thirteen boxes, and what a roll is worth in each, jokers included."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from appliance.rules import dice as roll
from appliance.rules.checks import side_by_side, with_item
from appliance.rules.dice import Pattern
from appliance.rules.game import Points, Row


class Box(Pattern):
    """The boxes in the order of the sheet."""

    ACES = 0
    TWOS = 1
    THREES = 2
    FOURS = 3
    FIVES = 4
    SIXES = 5
    THREE_ALIKE = 6
    FOUR_ALIKE = 7
    FULL_HOUSE = 8
    SMALL_STRAIGHT = 9
    LARGE_STRAIGHT = 10
    FIVE_ALIKE = 11
    CHANCE = 12


BOXES = len(Box)
UPPER_BOXES = 6
"""The boxes below this number are the upper section."""
UPPER_BONUS = 35
UPPER_BONUS_FROM = 63
FIVE_ALIKE_BONUS = 100
FIXED_SCORES: Mapping[Box, int] = MappingProxyType(
    {Box.FULL_HOUSE: 25, Box.SMALL_STRAIGHT: 30, Box.LARGE_STRAIGHT: 40, Box.FIVE_ALIKE: 50}
)
"""The boxes that score the same whatever the dice add up to."""
_FIVE_ALIKE_BOX = int(Box.FIVE_ALIKE)
_UPPER_MASK = (1 << UPPER_BOXES) - 1
_ALL_OPEN = (1 << BOXES) - 1


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's sheet.

    Attributes:
        boxes: the score in every box, None while it is open.
        bonuses: how many five-alike bonuses were earned.
        open: bit b is set while box b is open; always agrees with `boxes`.
    """

    boxes: tuple[int | None, ...] = (None,) * BOXES
    bonuses: int = 0
    open: int = _ALL_OPEN

    @classmethod
    def of(cls, boxes: Sequence[int | None], bonuses: int = 0) -> "Sheet":
        """A sheet with these boxes."""
        mask = sum(1 << b for b, points in enumerate(boxes) if points is None)
        return cls(tuple(boxes), bonuses, mask)

    @property
    def filled(self) -> int:
        """How many boxes are filled."""
        return BOXES - self.open.bit_count()

    @property
    def upper(self) -> int:
        """The sum of the upper section, without its bonus."""
        return sum(filter(None, self.boxes[:UPPER_BOXES]))

    @property
    def upper_bonus(self) -> int:
        """35 once the upper section has 63 or more, else 0."""
        return UPPER_BONUS if self.upper >= UPPER_BONUS_FROM else 0

    @property
    def lower(self) -> int:
        """The sum of the lower section, without the five-alike bonuses."""
        return sum(filter(None, self.boxes[UPPER_BOXES:]))

    @property
    def total(self) -> int:
        """The grand total so far, all bonuses included."""
        filled = sum(filter(None, self.boxes))
        return filled + self.upper_bonus + FIVE_ALIKE_BONUS * self.bonuses

    @property
    def rows(self) -> tuple[Row, ...]:
        """The boxes with their points."""
        return tuple(Row(box.word, self.boxes[box]) for box in Box)


def ordinary_scores(dice: tuple[int, ...]) -> tuple[int, ...]:
    """What five dice score in each box by the ordinary rules, without joker and bonuses."""
    # Sorted, there are only 252 rolls to remember.
    return _ordinary_scores(tuple(sorted(dice)))


@cache
def _ordinary_scores(dice: tuple[int, ...]) -> tuple[int, ...]:
    total = sum(dice)
    return (
        *(roll.sum_of(dice, face) for face in roll.FACES),
        total if roll.alike(dice, 3) else 0,
        total if roll.alike(dice, 4) else 0,
        FIXED_SCORES[Box.FULL_HOUSE] if roll.full_house(dice) else 0,
        FIXED_SCORES[Box.SMALL_STRAIGHT] if roll.small_straight(dice) else 0,
        FIXED_SCORES[Box.LARGE_STRAIGHT] if roll.large_straight(dice) else 0,
        FIXED_SCORES[Box.FIVE_ALIKE] if roll.five_alike(dice) else 0,
        total,
    )


def fitting_boxes(dice: tuple[int, ...]) -> int:
    """The boxes in which five dice score points by the ordinary rules: bit b for box b."""
    return _fitting_boxes(tuple(sorted(dice)))


@cache
def _fitting_boxes(dice: tuple[int, ...]) -> int:
    return sum(1 << box for box, points in enumerate(_ordinary_scores(dice)) if points)


@cache
def _joker_scores(face: int) -> tuple[int, ...]:
    """What five dice of `face` score in each box as a joker; zero in the other upper boxes.

    Only the full house and the straights differ from the ordinary rules.
    """
    scores = list(ordinary_scores((face,) * roll.FIVE_DICE))
    for box in (Box.FULL_HOUSE, Box.SMALL_STRAIGHT, Box.LARGE_STRAIGHT):
        scores[box] = FIXED_SCORES[box]
    return tuple(scores)


def joker_face(sheet: Sheet, dice: tuple[int, ...]) -> int:
    """The face of five alike that must be used as a joker on this sheet, 0 for none.

    Five alike is a joker once the five-alike box is filled, with 50 or with 0.
    """
    return 0 if sheet.boxes[_FIVE_ALIKE_BOX] is None else roll.five_alike(dice)


def legal_boxes(sheet: Sheet, dice: tuple[int, ...]) -> int:
    """The boxes that this roll may be scored in: bit b for box b.

    A joker goes into the upper box of its number; if that is filled, into any open lower box;
    if those are filled, into any open upper box.
    """
    face = joker_face(sheet, dice)
    if not face:
        return sheet.open
    return sheet.open & 1 << face - 1 or sheet.open & ~_UPPER_MASK or sheet.open


def boxes_to_give_up(sheet: Sheet, dice: tuple[int, ...]) -> int:
    """The open boxes that this roll fits but in which players may take a zero instead, as bits.

    For a joker there are none, as it leaves no free choice.
    """
    return 0 if joker_face(sheet, dice) else sheet.open & fitting_boxes(dice)


def give_up_box(sheet: Sheet, box: int) -> Sheet:
    """The sheet with a zero in an open box."""
    return Sheet(with_item(sheet.boxes, box, 0), sheet.bonuses, sheet.open & ~(1 << box))


def fill_box(sheet: Sheet, dice: tuple[int, ...], box: int) -> Sheet:
    """The sheet with this roll scored in an open box, the five-alike bonus included."""
    boxes = sheet.boxes
    face = joker_face(sheet, dice)
    points = _joker_scores(face)[box] if face else ordinary_scores(dice)[box]
    bonus = 1 if face and boxes[_FIVE_ALIKE_BOX] else 0
    return Sheet(with_item(boxes, box, points), sheet.bonuses + bonus, sheet.open & ~(1 << box))


def points_gained(sheet: Sheet, dice: tuple[int, ...], box: int) -> Points:
    """How much the grand total grows when this roll is scored in an open box, and why.

    Raises no error for a box that the joker rule forbids; see `legal_boxes`.
    """
    after = fill_box(sheet, dice, box)
    reasons = []
    if joker_face(sheet, dice):
        bonus = FIVE_ALIKE_BONUS * (after.bonuses - sheet.bonuses)
        reasons.append(f"joker +{bonus}" if bonus else "joker")
    if after.upper_bonus > sheet.upper_bonus:
        reasons.append(f"upper +{UPPER_BONUS}")
    return Points(after.total - sheet.total, " ".join(reasons))


def describe_sheets(names: Sequence[str], sheets: Sequence[Sheet]) -> list[str]:
    """The sheets as lines of plain text, one column each, the names on top."""
    table: list[tuple[str, Sequence[object]]] = [("", names)]
    for box in Box:
        if box == UPPER_BOXES:
            table.append((f"bonus {UPPER_BONUS}", [s.upper_bonus for s in sheets]))
        points = [s.boxes[box] for s in sheets]
        table.append((box.word, ["-" if p is None else p for p in points]))
    table.append((f"bonus {FIVE_ALIKE_BONUS}", [s.bonuses * FIVE_ALIKE_BONUS for s in sheets]))
    table.append(("total", [s.total for s in sheets]))
    return side_by_side(table, least=5)

"""Classic: thirteen boxes, five dice, three rolls; rules in `docs/rules/classic.md`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Self

from games import dice as roll
from games.boxes import UPPER_BOXES, BoxGame, BoxSheet, BoxState, all_open
from games.checks import with_item
from games.dice import Pattern
from games.notation.positions import check_part
from games.notation.words import Words
from games.wording import Wording


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


FIVE_ALIKE_BONUS = 100
FIXED_SCORES: Mapping[Box, int] = MappingProxyType(
    {Box.FULL_HOUSE: 25, Box.SMALL_STRAIGHT: 30, Box.LARGE_STRAIGHT: 40, Box.FIVE_ALIKE: 50}
)
"""The boxes that score the same whatever the dice add up to."""
_FIVE_ALIKE_BOX = int(Box.FIVE_ALIKE)
_UPPER_MASK = (1 << UPPER_BOXES) - 1


@dataclass(frozen=True, slots=True)
class Sheet(BoxSheet):
    """One player's sheet.

    Attributes:
        bonuses: how many five-alike bonuses were earned.
    """

    BOX = Box
    UPPER_BONUS = 35
    boxes: tuple[int | None, ...] = (None,) * len(Box)
    open: int = all_open(Box)
    bonuses: int = 0

    def with_points(self, box: int, points: int, bonus: int = 0) -> Self:
        """The sheet with these points in an open box, and this many five-alike bonuses more."""
        # Half the time of the general way, by `replace`.
        boxes = with_item(self.boxes, box, points)
        return type(self)(boxes, self.open & ~(1 << box), self.bonuses + bonus)

    @property
    def other_bonuses(self) -> tuple[tuple[str, int], ...]:
        """The five-alike bonuses together."""
        return ((f"bonus {FIVE_ALIKE_BONUS}", FIVE_ALIKE_BONUS * self.bonuses),)

    def to_words(self) -> str:
        """The boxes, and how many five-alike bonuses there are."""
        return f"{BoxSheet.to_words(self)} bonuses {self.bonuses}"

    @classmethod
    def from_words(cls, words: Words) -> Self:
        """The sheet that `to_words` wrote; raises RecordError."""
        sheet = super(Sheet, cls).from_words(words)
        words.literal("bonuses")
        return replace(sheet, bonuses=words.number(0, len(Box) - 1, "the five-alike bonuses"))

    def check(self, scores: Callable[[tuple[int, ...]], Sequence[int]]) -> None:
        """Makes sure that dice can have brought the points, and the bonuses."""
        BoxSheet.check(self, scores)
        earned = max(self.filled - 1, 0) if self.boxes[Box.FIVE_ALIKE] == 50 else 0
        check_part(0 <= self.bonuses <= earned, f"0 to {earned} five-alike bonuses", self.bonuses)


def ordinary_scores(dice: tuple[int, ...]) -> tuple[int, ...]:
    """The scores of five dice in each box by the ordinary rules, without joker and bonuses."""
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


@cache
def _fitting_boxes(dice: tuple[int, ...]) -> int:
    """The boxes in which ascending dice score points by the ordinary rules: bit b for box b."""
    return sum(1 << box for box, points in enumerate(_ordinary_scores(dice)) if points)


@cache
def _joker_scores(face: int) -> tuple[int, ...]:
    """The scores of five dice of `face` in each box as a joker; zero in the other upper boxes.

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


@dataclass(frozen=True, slots=True)
class State(BoxState[Sheet]):
    """A game of Classic between two events."""


class Classic(BoxGame[State]):
    """A box game in which five alike may be a joker."""

    def legal(self, sheet: Sheet, dice: tuple[int, ...]) -> int:
        """The boxes that this roll may be scored in: bit b for box b.

        A joker goes into the upper box of its number; if that is filled, into any open lower box;
        if those are filled, into any open upper box.
        """
        face = joker_face(sheet, dice)
        if not face:
            return sheet.open
        return sheet.open & 1 << face - 1 or sheet.open & ~_UPPER_MASK or sheet.open

    def zeros(self, sheet: Sheet, dice: tuple[int, ...]) -> int:
        """The open boxes that this roll fits but in which players may take a zero, as bits.

        For a joker there are none, as it leaves no free choice.
        """
        if joker_face(sheet, dice):
            return 0
        return sheet.open & _fitting_boxes(tuple(sorted(dice)))

    def fill(self, sheet: Sheet, dice: tuple[int, ...], box: int) -> Sheet:
        """The sheet with this roll scored in an open box, the five-alike bonus included."""
        face = joker_face(sheet, dice)
        if not face:
            return sheet.with_points(box, ordinary_scores(dice)[box])
        bonus = 1 if sheet.boxes[_FIVE_ALIKE_BOX] else 0
        return sheet.with_points(box, _joker_scores(face)[box], bonus)

    def reason(self, sheet: Sheet, dice: tuple[int, ...], after: Sheet) -> str:
        """Why the total grows as it does: a joker, a bonus."""
        reasons = []
        if joker_face(sheet, dice):
            bonus = FIVE_ALIKE_BONUS * (after.bonuses - sheet.bonuses)
            reasons.append(f"joker +{bonus}" if bonus else "joker")
        reasons.append(sheet.upper_reason(after))
        return " ".join(filter(None, reasons))


GAME = Classic(
    name="classic",
    edition="2009",
    rarest=("five-alike", "joker"),
    state=State,
    empty_sheet=Sheet(),
    box_scores=ordinary_scores,
    takes_zeros=True,
    wording={
        "en": Wording(
            telling=(
                ("THREE ROLLS,", "THEN ONE BOX"),
                ("HOLD WHAT FITS", "ROLL THE REST"),
                ("13 BOXES, EACH", "FILLED ONCE"),
                ("NOTHING FITS?", "A ZERO SOMEWHERE"),
                ("63 IN ACES TO", "SIXES: 35 MORE"),
            ),
            pitch="plays like Yahtzee®, with its thirteen boxes, bonuses and jokers",
            played="five dice, one to six players, thirteen boxes, jokers",
        ),
        "de": Wording(
            {
                "classic": "CLASSIC",
                "joker": "JOKER",
            },
            telling=(
                ("DREI WÜRFE,", "DANN EIN FELD"),
                ("HALTE PASSENDE", "WIRF DEN REST"),
                ("13 FELDER, JEDES", "NUR EINMAL"),
                ("PASST NICHTS?", "EIN FELD WIRD 0"),
                ("63 BEI 1 BIS 6", "BRINGEN 35 MEHR"),
            ),
        ),
    },
)

"""Yatzy: fifteen boxes, five dice, three rolls; rules in `docs/rules/yatzy.md`."""

from dataclasses import dataclass
from functools import cache

from games import dice as roll
from games.boxes import (
    BOX_GAME_OPTIONS,
    ORDER_OPTION,
    ORDER_WORDS,
    BoxGame,
    BoxSheet,
    BoxState,
    all_open,
)
from games.dice import Pattern
from games.values import WHO_BEGINS, OptionWords
from games.wording import Wording


class Box(Pattern):
    """The boxes in the order of the sheet."""

    ONES = 0
    TWOS = 1
    THREES = 2
    FOURS = 3
    FIVES = 4
    SIXES = 5
    PAIR = 6
    TWO_PAIRS = 7
    THREE_ALIKE = 8
    FOUR_ALIKE = 9
    SMALL_STRAIGHT = 10
    LARGE_STRAIGHT = 11
    FULL_HOUSE = 12
    CHANCE = 13
    YATZY = 14


YATZY_POINTS = 50
SMALL_STRAIGHT = (1, 2, 3, 4, 5)
LARGE_STRAIGHT = (2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Sheet(BoxSheet):
    """One player's sheet."""

    BOX = Box
    UPPER_BONUS = 50
    boxes: tuple[int | None, ...] = (None,) * len(Box)
    open: int = all_open(Box)


def box_scores(
    dice: tuple[int, ...], two_pairs_of_four: bool = False, house_of_five: bool = False
) -> tuple[int, ...]:
    """The scores of five dice in each box.

    Args:
        dice: their faces.
        two_pairs_of_four: whether four alike are two pairs.
        house_of_five: whether five alike are a full house.
    """
    # Sorted, there are only 252 rolls to remember.
    return _box_scores(tuple(sorted(dice)), two_pairs_of_four, house_of_five)


@cache
def _box_scores(dice: tuple[int, ...], of_four: bool, of_five: bool) -> tuple[int, ...]:
    count = dict(zip(roll.FACES, roll.face_counts(dice), strict=True))
    pairs = [face for face in roll.FACES if count[face] >= 2]
    two_pairs = [face for face in roll.FACES if of_four and count[face] >= 4] * 2 or pairs
    house = roll.full_house(dice) or (of_five and roll.five_alike(dice))
    return (
        *(roll.sum_of(dice, face) for face in roll.FACES),
        2 * max(pairs, default=0),
        2 * sum(two_pairs) if len(two_pairs) == 2 else 0,
        _sum_of_alike(count, 3),
        _sum_of_alike(count, 4),
        sum(SMALL_STRAIGHT) if dice == SMALL_STRAIGHT else 0,
        sum(LARGE_STRAIGHT) if dice == LARGE_STRAIGHT else 0,
        sum(dice) if house else 0,
        sum(dice),
        YATZY_POINTS if roll.five_alike(dice) else 0,
    )


def _sum_of_alike(count: dict[int, int], number: int) -> int:
    """The sum of this many dice of one face, of the highest face that has them; 0 for none."""
    return number * max((face for face in count if count[face] >= number), default=0)


@dataclass(frozen=True, slots=True)
class State(BoxState[Sheet]):
    """A game of Yatzy between two events."""


_YES_OR_NO = {False: "no", True: "yes"}

GAME = BoxGame(
    name="yatzy",
    edition="1",
    options={
        **BOX_GAME_OPTIONS,
        "two_pairs_of_four": (False, True),
        "house_of_five": (False, True),
        **ORDER_OPTION,
    },
    option_words={
        "first": WHO_BEGINS,
        "two_pairs_of_four": OptionWords("two-pairs-of-4", _YES_OR_NO, asked=False),
        "house_of_five": OptionWords("house-of-5", _YES_OR_NO, asked=False),
        **ORDER_WORDS,
    },
    rarest=("yatzy",),
    state=State,
    empty_sheet=Sheet(),
    box_scores=box_scores,
    wording={
        "en": Wording(
            {"two-pairs-of-4": "2 PAIRS OF 4"},
            telling=(
                ("THREE ROLLS,", "THEN ONE BOX"),
                ("HOLD WHAT FITS", "ROLL THE REST"),
                ("15 BOXES, EACH", "FILLED ONCE"),
                ("NOTHING FITS?", "A ZERO SOMEWHERE"),
                ("63 IN ONES TO", "SIXES: 50 MORE"),
            ),
            pitch="the Scandinavian version, with fifteen boxes",
            played="five dice, one to six players, fifteen boxes; "
            "played by families in Scandinavia",
        ),
        "de": Wording(
            {
                "pair": "PAAR",
                "yatzy": "YATZY",
                "two-pairs-of-4": "2 PAARE AUS 4",
                "house-of-5": "HOUSE AUS 5",
            },
            telling=(
                ("DREI WÜRFE,", "DANN EIN FELD"),
                ("HALTE PASSENDE", "WIRF DEN REST"),
                ("15 FELDER, JEDES", "NUR EINMAL"),
                ("PASST NICHTS?", "EIN FELD WIRD 0"),
                ("63 VON 1 BIS 6", "BRINGEN 50 MEHR"),
            ),
        ),
    },
)

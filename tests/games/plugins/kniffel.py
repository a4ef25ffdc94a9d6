"""Kniffel as Germans write it: the boxes of Classic, without jokers.

A game as somebody else's package brings it: what differs from Classic, and nothing else.
"""

from dataclasses import dataclass

from games.boxes import (
    BOX_GAME_OPTIONS,
    ORDER_OPTION,
    ORDER_WORDS,
    BoxGame,
    BoxSheet,
    BoxState,
    all_open,
)
from games.classic import ordinary_scores as box_scores
from games.dice import Pattern
from games.values import WHO_BEGINS
from games.wording import Wording


class Box(Pattern):
    """The boxes in the order of the German block."""

    ONES = 0
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
    KNIFFEL = 11
    CHANCE = 12


@dataclass(frozen=True, slots=True)
class Sheet(BoxSheet):
    """One player's column on the block."""

    BOX = Box
    UPPER_BONUS = 35
    boxes: tuple[int | None, ...] = (None,) * len(Box)
    open: int = all_open(Box)


@dataclass(frozen=True, slots=True)
class State(BoxState[Sheet]):
    """A game between two events."""


GAME = BoxGame(
    name="kniffel",
    edition="1",
    options={**BOX_GAME_OPTIONS, **ORDER_OPTION},
    option_words={"first": WHO_BEGINS, **ORDER_WORDS},
    rarest=("kniffel",),
    state=State,
    empty_sheet=Sheet(),
    box_scores=box_scores,
    wording={
        "en": Wording(
            telling=(
                ("THREE ROLLS,", "THEN ONE BOX"),
                ("HOLD WHAT FITS", "ROLL THE REST"),
                ("13 BOXES, EACH", "FILLED ONCE"),
                ("NOTHING FITS?", "A ZERO SOMEWHERE"),
                ("63 IN ONES TO", "SIXES: 35 MORE"),
            ),
            pitch="as Germans write it",
            played="five dice, one to six players, thirteen boxes",
        ),
        "de": Wording(
            {"kniffel": "KNIFFEL"},
            telling=(
                ("DREI WÜRFE,", "DANN EIN FELD"),
                ("HALTE PASSENDE", "WIRF DEN REST"),
                ("13 FELDER, JEDES", "NUR EINMAL"),
                ("PASST NICHTS?", "EIN FELD WIRD 0"),
                ("63 VON 1 BIS 6", "BRINGEN 35 MEHR"),
            ),
        ),
    },
)

"""The cards of Showdown, and the chips that a roll puts on each."""

from functools import cache

from games import dice as roll
from games.dice import Pattern

CHIP_POINTS = 10
"""The points of one chip."""
MAX_NUMBER_CHIPS = 4
"""The most chips that a number card can hold."""
CHANCE_MIN_TOTAL = 25
"""The total that the dice must reach for the chance card."""


class Card(Pattern):
    """The cards: number n is `Card(n - 1)`, then the combinations."""

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
    CHANCE = 11

    @property
    def is_number(self) -> bool:
        """True for aces to sixes, whose chips depend on the roll."""
        return self < NUMBER_CARDS


CARD_COUNT = len(Card)
NUMBER_CARDS = 6
"""The cards below this number are the number cards."""
MAX_CHIPS_BY_CARD = (MAX_NUMBER_CHIPS,) * NUMBER_CARDS + (3, 4, 5, 5, 7, 6)
"""The most chips that each card can hold: what five alike puts on it, whatever its number. On a
combination card there are never fewer."""


def combination_chips(dice: tuple[int, ...]) -> tuple[int, ...]:
    """The chips that five dice put on each card by its own combination; 0 where they put none."""
    # Sorted, there are only 252 rolls to remember.
    return _combination_chips(tuple(sorted(dice)))


@cache
def _combination_chips(dice: tuple[int, ...]) -> tuple[int, ...]:
    combinations = (
        roll.alike(dice, 3),
        roll.alike(dice, 4),
        roll.full_house(dice),
        roll.small_straight(dice),
        roll.large_straight(dice),
        sum(dice) >= CHANCE_MIN_TOTAL,
    )
    numbers = (min(dice.count(face), MAX_NUMBER_CHIPS) for face in roll.FACES)
    fixed = (
        chips if ok else 0
        for ok, chips in zip(combinations, MAX_CHIPS_BY_CARD[NUMBER_CARDS:], strict=True)
    )
    return (*numbers, *fixed)


def chips_by_card(dice: tuple[int, ...]) -> tuple[int, ...]:
    """The chips that five dice can put on each card; with five alike, on any card."""
    return MAX_CHIPS_BY_CARD if roll.five_alike(dice) else combination_chips(dice)


def can_hold(card: Card, chips: int) -> bool:
    """True if a card can hold this many chips."""
    return 1 <= chips <= MAX_NUMBER_CHIPS if card.is_number else chips == MAX_CHIPS_BY_CARD[card]

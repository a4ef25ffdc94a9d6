"""The cards of Free for All: what a roll must show for them, and when it beats another roll."""

import re
from dataclasses import dataclass

from games import dice as roll
from games.dice import Pattern

MAX_CARD_POINTS = 99
"""The most points that a card can be worth: two digits."""


class Kind(Pattern):
    """The dice that a card asks for: number n is `Kind(n - 1)`, then the combinations."""

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
    CHANCE = 11
    FIVE_ALIKE = 12


NUMBER_KINDS = 6
"""The kinds below this number are the number cards."""
KIND_BY_WORD = {kind.word: kind for kind in Kind}
_CARD_WORD = re.compile(r"([a-z-]+):([0-9]{1,2})")


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card: what it asks for and the points printed on it. Equal cards are interchangeable."""

    kind: Kind
    points: int

    @property
    def key(self) -> str:
        """The dice that it asks for, and its points."""
        return f"{Kind(self.kind).word} {self.points}"

    @property
    def word(self) -> str:
        """The card as written in a record or a deck, such as `fours:4`."""
        return f"{Kind(self.kind).word}:{self.points}"


def card_from_word(word: str) -> Card | None:
    """The card that `Card.word` wrote; None for any other word."""
    found = _CARD_WORD.fullmatch(word)
    if found is None or found[1] not in KIND_BY_WORD:
        return None
    card = Card(KIND_BY_WORD[found[1]], int(found[2]))
    return card if card.word == word else None


def makes(dice: tuple[int, ...], kind: Kind) -> bool:
    """True if five dice show what a card of this kind asks for."""
    if kind < NUMBER_KINDS:
        return kind + 1 in dice
    if kind in _ALIKE_COUNTS:
        return roll.alike(dice, _ALIKE_COUNTS[kind])
    if kind is Kind.FULL_HOUSE:
        return roll.full_house(dice)
    if kind is Kind.SMALL_STRAIGHT:
        return roll.small_straight(dice)
    if kind is Kind.LARGE_STRAIGHT:
        return roll.large_straight(dice)
    return True


_ALIKE_COUNTS = {Kind.THREE_ALIKE: 3, Kind.FOUR_ALIKE: 4, Kind.FIVE_ALIKE: 5}


def strength(dice: tuple[int, ...], kind: Kind) -> int:
    """The figure that counts when a card of this kind is stolen, for dice that make it.

    For a number card, how many dice show the number; for five alike, the number that they show;
    for the other combinations, the total of all dice.
    """
    if kind < NUMBER_KINDS:
        return dice.count(kind + 1)
    return roll.five_alike(dice) if kind is Kind.FIVE_ALIKE else sum(dice)


def beats(dice: tuple[int, ...], owner: tuple[int, ...], kind: Kind) -> bool:
    """True if dice steal a card of this kind from a player who made it with the `owner` dice."""
    return makes(dice, kind) and strength(dice, kind) > strength(owner, kind)

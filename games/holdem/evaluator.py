"""Hands of Hold'em: what five dice with colours are worth, and the best five of up to seven.

Hands are compared by their rank, then by the faces of the combination, the most significant
first, then by how many dice of one colour they have.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from games.dice import FACES, FIVE_DICE, Pattern
from games.values import DieKind, ShownDie

SUITS = (DieKind.RED, DieKind.BLACK, DieKind.WHITE, DieKind.YELLOW)
"""The colours in the bag."""
DICE_PER_SUIT = 5
"""How many dice of each colour are in the bag."""
BAG = tuple(kind for kind in SUITS for _ in range(DICE_PER_SUIT))
"""The dice that the game is played with."""


class Rank(Pattern):
    """The kind of hand that five dice make, from the lowest to the highest.

    Seven dice always make two pairs or more; `PAIR` and `NOTHING` are for five or six.
    """

    NOTHING = 0
    PAIR = 1
    TWO_PAIRS = 2
    THREE_ALIKE = 3
    FULL_HOUSE = 4
    STRAIGHT = 5
    FOUR_ALIKE = 6
    FLUSH = 7
    FIVE_ALIKE = 8
    STRAIGHT_FLUSH = 9
    FIVE_FLUSH = 10


_RANK_BY_GROUPS = {
    (5,): Rank.FIVE_ALIKE,
    (4, 1): Rank.FOUR_ALIKE,
    (3, 2): Rank.FULL_HOUSE,
    (3, 1, 1): Rank.THREE_ALIKE,
    (2, 2, 1): Rank.TWO_PAIRS,
    (2, 1, 1, 1): Rank.PAIR,
    (1, 1, 1, 1, 1): Rank.NOTHING,
}
"""The rank of five dice by how many are alike, the largest group first, colours aside."""
_STRAIGHTS = ((6, 5, 4, 3, 2), (5, 4, 3, 2, 1))


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """The worth of five dice; the greater hand wins, and equal hands split the pot.

    Attributes:
        rank: what the dice make.
        faces: the five faces, the most significant first: larger groups before smaller ones, then
            higher before lower; in flushes and straights simply from the highest down.
        alike: how many of the five have the same colour.
    """

    rank: Rank
    faces: tuple[int, ...]
    alike: int


def hand_of_five(dice: Sequence[ShownDie]) -> Hand:
    """The hand that exactly five dice make."""
    faces = sorted((die.face for die in dice), reverse=True)
    kinds = [die.kind for die in dice]
    alike = max(map(kinds.count, kinds))
    flush = alike == FIVE_DICE
    groups = sorted(((faces.count(face), face) for face in set(faces)), reverse=True)
    rank = _RANK_BY_GROUPS[tuple(count for count, _ in groups)]
    if tuple(faces) in _STRAIGHTS:
        rank = Rank.STRAIGHT_FLUSH if flush else Rank.STRAIGHT
    elif flush:
        rank = Rank.FIVE_FLUSH if rank is Rank.FIVE_ALIKE else Rank.FLUSH
    if rank is not Rank.FLUSH:
        faces = [face for count, face in groups for _ in range(count)]
    return Hand(rank, tuple(faces), alike)


@lru_cache(maxsize=256)
def best_five(dice: tuple[ShownDie, ...]) -> tuple[Hand, tuple[ShownDie, ...]]:
    """The best hand that five of these five to seven dice make, and the five that make it."""
    every = ((hand_of_five(five), five) for five in combinations(dice, FIVE_DICE))
    return max(every, key=lambda made: made[0])


def surplus_colour(dice: Collection[ShownDie]) -> DieKind | None:
    """A colour of which there are more dice than the bag has; None if there is none."""
    kinds = [die.kind for die in dice]
    return next((kind for kind in SUITS if kinds.count(kind) > DICE_PER_SUIT), None)


def is_bag_die(die: object) -> bool:
    """True for a die with one of the four colours and a face from 1 to 6."""
    # Not isinstance or ==: True must not pass for a 1, nor "red" for a kind.
    return (
        isinstance(die, ShownDie)
        and type(die.kind) is DieKind
        and die.kind in SUITS
        and type(die.face) is int
        and die.face in FACES
    )

"""The exact odds of Hold'em: every five and every seven dice that can be drawn from the bag."""

from fractions import Fraction
from functools import cache
from itertools import chain, combinations_with_replacement
from math import comb, factorial

import numpy as np
import pytest

from games.dice import FACES
from games.holdem.evaluator import DICE_PER_SUIT, SUITS, Rank
from games.strategy.holdem.vectorised import strengths
from tests.rigs.examples import only_in_full

SIDES = len(SUITS) * len(FACES)


@cache
def chances(size: int) -> dict[Rank, Fraction]:
    """How likely each rank is for this many dice, drawn blind and thrown once.

    Every distinct set of coloured faces is evaluated and weighted by the ways to draw and throw it:
    `comb(5, n)` choices for n dice of a colour, times `n!` orders, divided by those of equal faces.
    """
    every = combinations_with_replacement(range(SIDES), size)
    picked = np.fromiter(chain.from_iterable(every), np.int64).reshape(-1, size)
    where = picked + SIDES * np.arange(len(picked))[:, None]
    have = np.bincount(where.ravel(), minlength=SIDES * len(picked))
    have = have.reshape(-1, len(SUITS), len(FACES))
    orders = np.array([factorial(n) for n in range(size + 1)])
    drawn = np.array([comb(DICE_PER_SUIT, n) for n in range(size + 1)]) * orders
    ways = drawn[have.sum(axis=2)].prod(axis=1) // orders[have].prod(axis=(1, 2))
    ranks = strengths(picked // len(FACES), picked % len(FACES) + 1) >> 18
    total = comb(len(SUITS) * DICE_PER_SUIT, size) * len(FACES) ** size
    assert ways.sum() == total
    return {rank: Fraction(int(ways[ranks == rank].sum()), total) for rank in Rank}


def test_holdem_6_chances_of_five_dice_are_exact() -> None:
    found = chances(5)
    all_red = Fraction(4, comb(20, 5))
    of_faces = {n: Fraction(w, 6**5) for n, w in ((5, 6), (4, 150), (32, 300), (1, 240))}
    assert found[Rank.FIVE_FLUSH] == all_red * of_faces[5]
    assert found[Rank.STRAIGHT_FLUSH] == all_red * of_faces[1]
    assert found[Rank.FIVE_ALIKE] == of_faces[5] * (1 - all_red)
    assert found[Rank.FLUSH] == all_red * (1 - of_faces[5] - of_faces[1])
    assert found[Rank.FOUR_ALIKE] == of_faces[4] * (1 - all_red)
    assert found[Rank.STRAIGHT] == of_faces[1] * (1 - all_red)
    assert found[Rank.FULL_HOUSE] == of_faces[32] * (1 - all_red)


@pytest.mark.parametrize(
    ("rank", "chance", "digits"),
    [
        (Rank.FIVE_FLUSH, 1.99e-7, 1e-9),
        (Rank.STRAIGHT_FLUSH, 7.96e-6, 1e-8),
        (Rank.FLUSH, 2.50e-4, 1e-6),
        (Rank.FIVE_ALIKE, 7.71e-4, 1e-6),
        (Rank.FOUR_ALIKE, 0.0193, 1e-4),
        (Rank.STRAIGHT, 0.0309, 1e-4),
        (Rank.FULL_HOUSE, 0.0386, 1e-4),
    ],
)
def test_holdem_6_published_chances_of_five_dice(rank: Rank, chance: float, digits: float) -> None:
    assert float(chances(5)[rank]) == pytest.approx(chance, abs=digits / 2)


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, pytest.param(7, marks=only_in_full)])
def test_holdem_6_chances_of_more_dice_are_exact(size: int) -> None:
    found = chances(size)
    assert found[Rank.NOTHING] == 0
    # All five dice of a colour among them, and all show one face.
    five_of_a_suit = Fraction(4 * comb(15, size - 5), comb(20, size))
    # Of six dice, one face is missing and another there twice; without the 1 or the 6 it is a
    # straight, and five of a colour are a flush. Seven have more than a pair.
    one_missing = Fraction(4 * 5 * factorial(6) // 2, 6**6)
    assert found[Rank.PAIR] == (one_missing * (1 - five_of_a_suit) if size == 6 else 0)
    assert found[Rank.FIVE_FLUSH] == five_of_a_suit * Fraction(6, 6**5)
    assert found[Rank.STRAIGHT_FLUSH] == five_of_a_suit * Fraction(240, 6**5)
    # Five alike leave no room for a straight, so only colours can make more of them.
    alike = Fraction(sum(6 * comb(size, n) * 5 ** (size - n) for n in range(5, size + 1)), 6**size)
    assert found[Rank.FIVE_ALIKE] == alike - found[Rank.FIVE_FLUSH]
    assert sum(found.values()) == 1

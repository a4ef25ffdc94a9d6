"""The chance to win with a final total, against what the others will still score.

The others are assumed to play for points, whatever the player does. A spread is an array: the
chance of each total from 0 on.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from games.dice import FIVE_DICE
from games.strategy.turn import (
    HANDS,
    KEEP_INDEX,
    KEEPS,
    Floats,
    best_keep_worth,
    expected_worth,
)

# Gauss-Legendre with three points is exact up to the fifth power: up to five opponents.
_GAUSS_LEGENDRE = np.polynomial.legendre.leggauss(3)  # from -1 to 1
QUADRATURE_NODES = (_GAUSS_LEGENDRE[0] + 1) / 2
QUADRATURE_WEIGHTS = _GAUSS_LEGENDRE[1] / 2


def win_shares(others: Sequence[Floats]) -> Floats:
    """The share of the win by a player's final total, against independent spreads of equal length.

    A player who ties with t others gets 1 / (t + 1), the integral of x ** t from 0 to 1: so beaten
    opponents count 1 and tied ones x, and the product is integrated exactly.
    """
    below = [np.cumsum(spread) - spread for spread in others]
    pairs = list(zip(below, others, strict=True))
    every = zip(QUADRATURE_NODES, QUADRATURE_WEIGHTS, strict=True)
    return np.asarray(sum(w * np.prod([b + x * e for b, e in pairs], axis=0) for x, w in every))


_THROW_CHANCES = expected_worth(np.eye(len(HANDS)))
"""(462, 252) the chance of each hand after a keep is kept and the rest thrown."""
_KEEPS_WITHIN_HAND = np.array(
    [
        [KEEP_INDEX[kept] for dice in range(FIVE_DICE, -1, -1) for kept in combinations(hand, dice)]
        for hand in HANDS
    ]
)
"""(252, 32) the keeps within each hand, the whole hand first."""


def final_hand_chances(worth: Floats, throws: int, kept: Sequence[int] = ()) -> Floats:
    """(252,) the chance that a turn ends with each hand, where keeps maximise its worth.

    Args:
        worth: (252,) what each hand is worth.
        throws: how many throws are left, one or more.
        kept: the faces that are kept for the first of them, ascending.
    """
    later = list[Floats]()
    for _ in range(throws - 1):
        hands = best_keep_worth(later[-1].copy()).copy() if later else worth
        later.append(expected_worth(hands))
    chance = _THROW_CHANCES[KEEP_INDEX[tuple(kept)]]
    for keeps in reversed(later):
        kept = _KEEPS_WITHIN_HAND[np.arange(len(HANDS)), keeps[_KEEPS_WITHIN_HAND].argmax(axis=1)]
        chance = np.bincount(kept, chance, len(KEEPS)) @ _THROW_CHANCES
    return np.asarray(chance)

"""What to hold of five dice on the table, when the worth of every hand is known."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from appliance.rules.dice import FIVE
from appliance.strategy.turn import INDEX, best, expected

SUBSETS: tuple[tuple[int, ...], ...] = tuple(
    slots for n in range(FIVE, -1, -1) for slots in combinations(range(FIVE), n)
)
"""All ways to hold some of five dice by slot, most dice first."""


def keep_worth(hands: NDArray[np.float64], throws: int) -> NDArray[np.float64]:
    """What each keep is worth when the rest is thrown, and then the best is done.

    A hand may be used as it lies after any throw, so that its worth never falls.

    Args:
        hands: (252, ...) the worth of each hand once it is used.
        throws: how many throws are left, at least one.

    Returns:
        (462, ...) the worth of each keep, in the order of `turn.KEEPS`.
    """
    worth = expected(hands)
    for _ in range(throws - 1):
        worth = expected(best(worth).copy())
    return worth


def best_keep(worth: NDArray[np.float64], dice: Sequence[int]) -> tuple[tuple[int, ...], float]:
    """The slots to hold for the next throw, not all of them, and what that is worth.

    Args:
        worth: (462,) from `keep_worth`.
        dice: five faces by slot.
    """
    found = [
        (float(worth[INDEX[tuple(sorted(dice[slot] for slot in slots))]]), slots)
        for slots in SUBSETS[1:]
    ]
    value, slots = max(found, key=lambda pair: pair[0])
    return slots, value

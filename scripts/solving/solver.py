"""Best solo play of a sheet of boxes, by dynamic programming over the tables of `table`.

Between turns only three things matter: the open boxes, the upper sum up to 63, and what the special
boxes hold. A position is worth the best expected number of points still to come. J. Verhoeff,
"Optimal Solitaire Yahtzee Strategies" (1999), describes the method.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.dice import FIVE_DICE, rolls
from games.strategy.boxes.values import UPPER_SUMS
from games.strategy.turn import (
    FEWER_DICE_STEPS,
    FIRST_HAND_INDEX,
    HANDS,
    KEEPS,
    best_keep_worth,
    expected_worth,
)
from scripts.solving.table import Table

WAYS: NDArray[np.int64] = np.array([ways for _, ways in rolls(FIVE_DICE)])
"""In how many of the 7776 throws of five dice each hand comes up."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The worth of every position between two turns.

    Attributes:
        values: (special, masks, 64) expected points to come under best play, without an upper bonus
            already earned; by the number of what the special boxes hold, mask of open boxes (bit b
            for box b), and upper sum; NaN where a position is impossible.
    """

    values: NDArray[np.float64]

    @property
    def game(self) -> float:
        """The expected grand total of a whole game."""
        return float(self.values[0, -1, 0])

    def turn(self, table: Table, number: int, mask: int) -> NDArray[np.float64]:
        """The worth of each hand after the last roll, when it is scored in the best box.

        Args:
            table: what the rules say.
            number: of what the special boxes hold.
            mask: the open boxes.

        Returns:
            (252, 64) expected points to come, by hand and upper sum.
        """
        legal, variant = table.legal[number, mask], table.variant(number, mask)
        most = np.full((len(HANDS), UPPER_SUMS), -np.inf)
        worth = np.empty_like(most)
        for box in range(table.special.boxes):
            if not mask >> box & 1:
                continue
            after = self.values[:, mask ^ 1 << box] + table.bonus
            # Every index is within bounds; "clip" only spares numpy a copy.
            np.take(after, _next(table, variant, box), out=worth, mode="clip")
            worth += table.points[variant, box][:, None]
            worth[(legal >> box & 1) == 0] = -np.inf
            np.maximum(most, worth, out=most)
        most -= table.bonus
        return most


def follow(table: Table, believed: NDArray[np.float64], masks: int | None = None) -> Solution:
    """The real worth of play by slightly wrong values, such as rounded ones.

    Args:
        table: what the rules say.
        believed: values as in `Solution` that play goes by.
        masks: as in `solve`.

    Returns:
        what it really scores; takes about as long as `solve`.
    """
    rounded, really = Solution(believed), _unsolved(table)
    for number, mask in _positions(table, masks):
        really.values[number, mask] = _followed(rounded, really, table, number, mask)
    return really


def followed(keeps: NDArray[Any], really: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The worth of each hand when the keep that is best by one measure is valued by another.

    Args:
        keeps: (462, ...) the measure to choose by; used as scratch space.
        really: (462, ...) the other measure; used as scratch space.

    Returns:
        (252, ...) the worth of each hand by either measure.
    """
    for block, one_less in FEWER_DICE_STEPS:
        for index in one_less:
            better = keeps[index] > keeps[block]
            keeps[block] = np.where(better, keeps[index], keeps[block])
            really[block] = np.where(better, really[index], really[block])
    return keeps[FIRST_HAND_INDEX:], really[FIRST_HAND_INDEX:]


def _followed(
    believed: Solution, really: Solution, table: Table, number: int, mask: int
) -> NDArray[np.float64]:
    """The worth of a position, by the values of `really`, under play by those of `believed`."""
    legal, variant = table.legal[number, mask], table.variant(number, mask)
    hands = np.full((len(HANDS), UPPER_SUMS), -np.inf)
    gained = np.zeros_like(hands)
    for box in range(table.special.boxes):
        if not mask >> box & 1:
            continue
        index = _next(table, variant, box)
        points = table.points[variant, box][:, None]
        by_believed, by_really = (
            np.take(values[:, mask ^ 1 << box] + table.bonus, index) + points
            for values in (believed.values, really.values)
        )
        better = (by_believed > hands) & (legal >> box & 1 == 1)[:, None]
        hands = np.where(better, by_believed, hands)
        gained = np.where(better, by_really, gained)
    for _ in range(2):
        hands, gained = (a.copy() for a in followed(expected_worth(hands), expected_worth(gained)))
    return first_throw(gained) - table.bonus


@lru_cache(maxsize=64)
def _next(table: Table, variant: int, box: int) -> NDArray[np.int64]:
    """(252, 64) where a score leads, by hand and upper sum: index into the rows of values."""
    sums = np.minimum(table.upper[variant, box][:, None] + np.arange(UPPER_SUMS), UPPER_SUMS - 1)
    index: NDArray[np.int64] = sums + table.after[variant, box][:, None] * UPPER_SUMS
    return index


def solve(table: Table, masks: int | None = None) -> Solution:
    """Values for all positions.

    Args:
        table: what the rules say.
        masks: only positions whose open boxes are among these; by default all.

    Returns:
        the solution, with NaN for all other positions; takes half a minute for thirteen boxes.
    """
    solution = _unsolved(table)
    keeps = np.empty((len(KEEPS), UPPER_SUMS))
    for number, mask in _positions(table, masks):
        hands = solution.turn(table, number, mask)
        for _ in range(2):
            hands = best_keep_worth(expected_worth(hands, out=keeps)).copy()
        solution.values[number, mask] = first_throw(hands)
    return solution


def _unsolved(table: Table) -> Solution:
    """Zeros where no box is open, NaN elsewhere."""
    values = np.full((table.special.size, 1 << table.special.boxes, UPPER_SUMS), np.nan)
    values[:, 0] = 0
    return Solution(values)


def _positions(table: Table, masks: int | None) -> list[tuple[int, int]]:
    """The numbers and masks to solve, fewest open boxes first."""
    wanted = -1 if masks is None else masks
    found = [
        (number, mask)
        for number in range(table.special.size)
        for mask in table.special.masks(number).tolist()
        if mask and mask & wanted == mask and table.legal[number, mask].any()
    ]
    return sorted(found, key=lambda at: (at[1].bit_count(), at[1], at[0]))


def first_throw(hands: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean worth of a throw of all five dice.

    Args:
        hands: (252, ...) the worth of each hand.
    """
    mean: NDArray[np.float64] = np.tensordot(WAYS, hands, axes=1) / WAYS.sum()
    return mean

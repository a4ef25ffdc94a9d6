"""Best solo play of Classic, by dynamic programming over the tables of `table`.

Between turns only three things matter: the open boxes, the upper sum up to 63, and what the
five-alike box holds. A position is worth the best expected number of points still to come.
J. Verhoeff, "Optimal Solitaire Yahtzee Strategies" (1999), describes the method.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.classic import Box, Sheet
from games.dice import FIVE_DICE, rolls
from games.strategy.classic.values import (
    BOXES,
    FIFTY,
    OPEN,
    OPEN_MASKS,
    UPPER_SUMS,
    ZERO,
    five_alike_state,
)
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
        values: (2, 8192, 64) expected points to come under best play, without an upper bonus
            already earned, which `classic.scores` counts; by whether the five-alike box
            holds 50 (0 also while it is open), mask of open boxes (bit b for box b), and upper
            sum. One array of a single type, so that it can be stored as it is; with float32 it
            takes 4 MiB and a turn's hint needs only the 13 rows that one score leads to.
    """

    values: NDArray[np.float64]

    @property
    def game(self) -> float:
        """The expected grand total of a whole game."""
        return float(self.values[0, OPEN_MASKS - 1, 0])

    def to_come(self, sheet: Sheet) -> float:
        """The expected points that are still to come on a sheet before its next turn."""
        flag = int(five_alike_state(sheet) == FIFTY)
        return float(self.values[flag, sheet.open, min(sheet.upper, UPPER_SUMS - 1)])

    def turn(self, table: Table, fifty: int, mask: int) -> NDArray[np.float64]:
        """The worth of each hand after the last roll, when it is scored in the best box.

        Args:
            table: what the rules say.
            fifty: what the five-alike box holds, `OPEN`, `ZERO` or `FIFTY`.
            mask: the open boxes.

        Returns:
            (252, 64) expected points to come, by hand and upper sum.
        """
        legal = table.legal[fifty, mask]
        most = np.full((len(HANDS), UPPER_SUMS), -np.inf)
        worth = np.empty_like(most)
        for box in range(BOXES):
            if not mask >> box & 1:
                continue
            after = self.values[:, mask ^ 1 << box] + table.bonus
            # Every index is within bounds; "clip" only spares numpy a copy.
            np.take(after, _next(table, fifty, box), out=worth, mode="clip")
            worth += table.points[fifty, box][:, None]
            worth[(legal >> box & 1) == 0] = -np.inf
            np.maximum(most, worth, out=most)
        most -= table.bonus
        return most


def follow(table: Table, believed: NDArray[np.float64], masks: int = OPEN_MASKS - 1) -> Solution:
    """The real worth of play by slightly wrong values, such as rounded ones.

    Args:
        table: what the rules say.
        believed: values as in `Solution` that play goes by.
        masks: as in `solve`.

    Returns:
        what it really scores; takes about a minute.
    """
    values = np.full((2, OPEN_MASKS, UPPER_SUMS), np.nan)
    values[:, 0] = 0
    rounded, really = Solution(believed), Solution(values)
    wanted = [mask for mask in range(1, OPEN_MASKS) if mask & masks == mask]
    for mask in sorted(wanted, key=int.bit_count):
        if mask >> Box.FIVE_ALIKE & 1:
            values[:, mask] = _followed(rounded, really, table, OPEN, mask)
        else:
            values[0, mask] = _followed(rounded, really, table, ZERO, mask)
            values[1, mask] = _followed(rounded, really, table, FIFTY, mask)
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
    believed: Solution, really: Solution, table: Table, fifty: int, mask: int
) -> NDArray[np.float64]:
    """The worth of a position, by the values of `really`, under play by those of `believed`."""
    legal = table.legal[fifty, mask]
    hands = np.full((len(HANDS), UPPER_SUMS), -np.inf)
    gained = np.zeros_like(hands)
    for box in range(BOXES):
        if not mask >> box & 1:
            continue
        index = _next(table, fifty, box)
        points = table.points[fifty, box][:, None]
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


@lru_cache(maxsize=3 * BOXES)
def _next(table: Table, fifty: int, box: int) -> NDArray[np.int64]:
    """(252, 64) where a score leads, by hand and upper sum: index into two rows of values."""
    sums = np.minimum(table.upper[fifty, box][:, None] + np.arange(UPPER_SUMS), UPPER_SUMS - 1)
    flags = (table.fifty[fifty, box] == FIFTY)[:, None]
    index: NDArray[np.int64] = sums + flags * UPPER_SUMS
    return index


def solve(table: Table, masks: int = OPEN_MASKS - 1) -> Solution:
    """Values for all positions.

    Args:
        table: what the rules say.
        masks: only positions whose open boxes are among these; the others keep NaN.

    Returns:
        the solution; takes half a minute for all.
    """
    values = np.full((2, OPEN_MASKS, UPPER_SUMS), np.nan)
    values[:, 0] = 0
    solution = Solution(values)
    wanted = [mask for mask in range(1, OPEN_MASKS) if mask & masks == mask]
    for mask in sorted(wanted, key=int.bit_count):
        if mask >> Box.FIVE_ALIKE & 1:
            values[:, mask] = _worth(solution, table, OPEN, mask)
        else:
            values[0, mask] = _worth(solution, table, ZERO, mask)
            values[1, mask] = _worth(solution, table, FIFTY, mask)
    return solution


def _worth(solution: Solution, table: Table, fifty: int, mask: int) -> NDArray[np.float64]:
    hands = solution.turn(table, fifty, mask)
    keeps = np.empty((len(KEEPS), UPPER_SUMS))
    for _ in range(2):
        hands = best_keep_worth(expected_worth(hands, out=keeps)).copy()
    return first_throw(hands)


def first_throw(hands: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean worth of a throw of all five dice.

    Args:
        hands: (252, ...) the worth of each hand.
    """
    mean: NDArray[np.float64] = np.tensordot(WAYS, hands, axes=1) / WAYS.sum()
    return mean

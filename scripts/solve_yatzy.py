#!/usr/bin/env python3
"""Solves solo Yatzy from the rules as shipped and prints the expected grand total.

Takes two minutes on one core. `--pack` writes the rounded values that hints read into the package.

The method is that of `scripts/solve_classic.py`: dynamic programming over the open boxes and the
upper sum, fewest open boxes first.
"""

import argparse
import sys
import time
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.boxes import UPPER_BOXES
from games.strategy.turn import HANDS, KEEPS, best_keep_worth, expected_worth
from games.strategy.yatzy.values import (
    OPEN_MASKS,
    UPPER_SUMS,
    YATZY_VALUES_FILE,
    pack_values,
)
from games.yatzy import Box, Sheet, box_scores
from scripts.solving.solver import first_throw

POINTS: NDArray[np.int64] = np.array([box_scores(hand) for hand in HANDS]).T
"""(15, 252) what a hand scores in each box."""
_SUMS = np.arange(UPPER_SUMS)
_NEXT = np.minimum(POINTS[:UPPER_BOXES, :, None] + _SUMS, UPPER_SUMS - 1)
"""(6, 252, 64) the upper sum after scoring a hand in an upper box."""
_BONUS = np.where((_SUMS == UPPER_SUMS - 1), Sheet.UPPER_BONUS, 0)


def hand_worth(values: NDArray[np.float64], mask: int) -> NDArray[np.float64]:
    """(252, 64) what hands are worth in their best open box, by upper sum before it.

    Args:
        values: (32768, 64) those of all positions with fewer open boxes.
        mask: the open boxes.
    """
    most = np.full((len(HANDS), UPPER_SUMS), -np.inf)
    for box in Box:
        if not mask >> box & 1:
            continue
        after = values[mask ^ 1 << box]
        if box < UPPER_BOXES:
            worth = (after + _BONUS)[_NEXT[box]] - _BONUS
        else:
            worth = np.broadcast_to(after, most.shape)
        np.maximum(most, worth + POINTS[box][:, None], out=most)
    return most


def solve(masks: int = OPEN_MASKS - 1) -> NDArray[np.float64]:
    """(32768, 64) the points to come under best play.

    Args:
        masks: only positions whose open boxes are among these; the others keep NaN.
    """
    values = np.full((OPEN_MASKS, UPPER_SUMS), np.nan)
    values[0] = 0
    keeps = np.empty((len(KEEPS), UPPER_SUMS))
    wanted = [mask for mask in range(1, OPEN_MASKS) if mask & masks == mask]
    for mask in sorted(wanted, key=int.bit_count):
        hands = hand_worth(values, mask)
        for _ in range(2):
            hands = best_keep_worth(expected_worth(hands, out=keeps)).copy()
        values[mask] = first_throw(hands)
    return values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pack", action="store_true")
    args = parser.parse_args()
    start = time.perf_counter()
    values = solve()
    print(f"expected grand total {values[(1 << len(Box)) - 1, 0]:.10f}")
    print(f"solved in {time.perf_counter() - start:.1f} s")
    if args.pack:
        file = Path(str(files("games.strategy.yatzy") / YATZY_VALUES_FILE))
        np.savez_compressed(file, allow_pickle=False, **pack_values(values))
        print(f"packed into {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()

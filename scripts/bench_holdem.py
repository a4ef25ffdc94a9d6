#!/usr/bin/env python3
"""Measures how many hands of seven dice a second are evaluated, one by one and in batches.

Run it in the environment that the README sets up; it takes a few seconds on one core.
"""

import argparse
import time

import numpy as np

from games.holdem.evaluator import DICE_PER_SUIT, SUITS, best_five
from games.strategy.holdem.vectorised import MAX_DICE, from_hand, strengths
from games.values import ShownDie


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=200_000, help="hands in each batch run")
    parser.add_argument("--singly", type=int, default=2_000, help="hands evaluated one by one")
    parser.add_argument("--runs", type=int, default=5, help="runs; the best one is told")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    bag = np.repeat(np.arange(len(SUITS)), DICE_PER_SUIT)
    order = np.argsort(rng.random((args.hands, len(bag))), axis=1)
    suits = bag[order[:, :MAX_DICE]]
    faces = rng.integers(1, 7, suits.shape)
    strengths(suits[:1], faces[:1])  # Builds the tables.
    for size in (100, 1_000, 10_000, args.hands):
        rate = max(_batches(suits, faces, size) for _ in range(args.runs))
        print(f"in batches of {size:>7}: {rate:>12,.0f} hands a second")
    worth = strengths(suits, faces)
    dice = [
        tuple(ShownDie(SUITS[s], int(f)) for s, f in zip(*row, strict=True))
        for row in zip(suits[: args.singly], faces[: args.singly], strict=True)
    ]
    start = time.perf_counter()
    singly = [best_five(seven)[0] for seven in dice]
    rate = len(dice) / (time.perf_counter() - start)
    print(f"one by one, 21 fives each: {rate:>7,.0f} hands a second")
    agree = sum(from_hand(hand) == w for hand, w in zip(singly, worth, strict=False))
    print(f"both agree on {agree} of {len(dice)} hands")


def _batches(suits: np.ndarray, faces: np.ndarray, size: int) -> float:
    """Hands a second."""
    start = time.perf_counter()
    for first in range(0, len(suits), size):
        strengths(suits[first : first + size], faces[first : first + size])
    return len(suits) / (time.perf_counter() - start)


if __name__ == "__main__":
    main()

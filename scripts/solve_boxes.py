#!/usr/bin/env python3
"""Solves a game with a sheet of boxes from its rules and prints the expected grand total.

    scripts/solve_boxes.py classic
    scripts/solve_boxes.py yatzy --pack

Takes a minute on one core for Classic, and about three for Yatzy, which has more positions.
`--pack` writes the rounded values that hints read, beside the module that has the game's state: for
a game of a package of your own, too. `--check` says what play by the values packed now really
scores, and so what the rounding costs. `--save FILE` keeps tables and values (NumPy's .npz).
"""

import argparse
import sys
import time
from dataclasses import fields
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.boxes import BoxGame
from games.registry import GAMES
from games.strategy.boxes.values import load_values, pack, values_file
from scripts.solving.solver import follow, solve
from scripts.solving.table import tabulate


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [name for name, game in GAMES.items() if isinstance(game, BoxGame)]
    parser.add_argument("game", choices=names)
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--pack", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    game = GAMES[args.game]
    assert isinstance(game, BoxGame)
    start = time.perf_counter()
    table = tabulate(game)
    asked = time.perf_counter()
    solution = solve(table)
    solved = time.perf_counter()
    print(f"expected grand total {solution.game:.10f}")
    print(f"rules asked in {asked - start:.1f} s, solved in {solved - asked:.1f} s")
    if args.pack:
        file = values_file(game)
        arrays = pack(solution.values, table.special, table.most_upper)
        # Equal values give equal bytes.
        np.savez_compressed(file, allow_pickle=False, **arrays)
        print(f"packed into {file.stat().st_size} bytes: {file}")
    if args.check:
        values = load_values(game)
        if values is None:
            print(f"dicetray: no values are packed at {values_file(game)}", file=sys.stderr)
            return 2
        really = follow(table, values.steps / values.steps_per_point)
        print(f"play by the packed values gets {really.game:.10f}")
    if args.save:
        every = {f.name: getattr(table, f.name) for f in fields(table)}
        kept = {name: array for name, array in every.items() if isinstance(array, np.ndarray)}
        np.savez(args.save, allow_pickle=False, values=solution.values, **kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Solves solo Classic from the rules as shipped and prints the expected grand total.

Takes about a minute on one core. `--save FILE` keeps the tables and values (NumPy's .npz). `--pack`
writes the rounded values that hints read into the package; `--check` says what play by the values
packed now really scores, and so what the rounding costs.
"""

import argparse
import sys
import time
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.strategy.classic.values import CLASSIC_VALUES_FILE, STEPS_PER_POINT, load_values
from scripts.solving.packing import save
from scripts.solving.solver import follow, solve
from scripts.solving.table import tabulate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--pack", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    start = time.perf_counter()
    table = tabulate()
    asked = time.perf_counter()
    solution = solve(table)
    solved = time.perf_counter()
    print(f"expected grand total {solution.game:.10f}")
    print(f"rules asked in {asked - start:.1f} s, solved in {solved - asked:.1f} s")
    if args.pack:
        file = Path(str(files("games.strategy.classic") / CLASSIC_VALUES_FILE))
        save(solution.values, file)
        print(f"packed into {file.stat().st_size} bytes")
    if args.check:
        really = follow(table, load_values() / STEPS_PER_POINT)
        print(f"play by the packed values gets {really.game:.10f}")
    if args.save:
        arrays = {field.name: getattr(table, field.name) for field in fields(table)}
        np.savez(args.save, values=solution.values, **arrays)


if __name__ == "__main__":
    main()

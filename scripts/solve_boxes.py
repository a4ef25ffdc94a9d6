#!/usr/bin/env python3
"""Solves a game with a sheet of boxes from its rules and prints the expected grand total.

    scripts/solve_boxes.py classic
    scripts/solve_boxes.py yatzy --pack
    scripts/solve_boxes.py yatzy --house order=top-down

A game that has house rules is solved by each combination of them. Takes a minute on one core for
Classic, and about three for each of Yatzy's four in any order, which has more positions. `--house`
solves it by these house rules only; none of them for the usual ones. `--pack` writes the rounded
values that hints read, beside the module that has the game's state: for a game of a package of your
own, too. `--check` says what play by the values packed now really scores, and so what the rounding
costs. `--save FILE` keeps tables and values (NumPy's .npz).
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.boxes import BoxGame, House, house_words
from games.registry import GAMES
from games.strategy.boxes.values import load_values, pack, save_values, values_file
from scripts.solving.solver import follow, solve
from scripts.solving.table import tabulate


def houses_of(game: BoxGame[Any]) -> Iterator[House]:
    """Every combination of house rules that a game has, the usual one first."""
    names = sorted(name for name in game.options if name != "first")
    for values in product(*(game.options[name] for name in names)):
        pairs = zip(names, values, strict=True)
        yield tuple((name, value) for name, value in pairs if value != game.options[name][0])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [name for name, game in GAMES.items() if isinstance(game, BoxGame)]
    parser.add_argument("game", choices=names)
    parser.add_argument("--house", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--pack", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    game = GAMES[args.game]
    assert isinstance(game, BoxGame)
    houses = {house_words(house): house for house in houses_of(game)}
    if args.house is not None:
        wanted = " ".join(sorted(args.house))
        if wanted not in houses:
            parser.error(f"--house {wanted}: expected one of {', '.join(filter(None, houses))}")
        houses = {wanted: houses[wanted]}
    for words, house in houses.items():
        print(f"{args.game} {words}".rstrip())
        if not solve_by(game.by_house(house), args):
            return 2
    return 0


def solve_by(game: BoxGame[Any], args: argparse.Namespace) -> bool:
    """Solves a game by its house rules; False if there is nothing to check."""
    start = time.perf_counter()
    table = tabulate(game)
    asked = time.perf_counter()
    solution = solve(table)
    solved = time.perf_counter()
    print(f"expected grand total {solution.game:.10f}")
    print(f"rules asked in {asked - start:.1f} s, solved in {solved - asked:.1f} s", flush=True)
    if args.pack:
        usual = load_values(game.by_house(())) if game.house else None
        file = save_values(game, pack(solution.values, table.special, table.most_upper, usual))
        print(f"packed into {file.stat().st_size} bytes: {file}")
    if args.check:
        values = load_values(game)
        if values is None:
            print(f"dicetray: no values are packed at {values_file(game)}", file=sys.stderr)
            return False
        really = follow(table, values.steps / values.steps_per_point)
        print(f"play by the packed values gets {really.game:.10f}")
    if args.save:
        every = {f.name: getattr(table, f.name) for f in fields(table)}
        kept = {name: array for name, array in every.items() if isinstance(array, np.ndarray)}
        np.savez(args.save, allow_pickle=False, values=solution.values, **kept)
    return True


if __name__ == "__main__":
    sys.exit(main())

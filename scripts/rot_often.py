#!/usr/bin/env python3
"""Damages the files of running games; what is lost must be said.

    .venv/bin/python scripts/rot_often.py [--times 300]
    .venv/bin/python scripts/rot_often.py --ways [--games 12]

Each game is played a while, damaged, played on, ended or killed, and started again. Prints how many
shown lines were lost by each kind of damage, and how many without a word; ends with an error if
there are any.

With `--ways` nothing is played after the damage: what a game that was killed left is salvaged page
by page, as the appliance does, and from a copy of the journal made when the game before had ended.
Prints the lines lost of `--games` that had ended, and of the game that was going on.
"""

import argparse
import sys
import tempfile
from collections import Counter
from itertools import cycle, islice, product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.appliance.journal.rot_ways import WAYS, killed_game, lost_by
from tests.appliance.journal.rotting import ENDS, FILES, KINDS, try_damage

KILLED_GAMES = 12
"""Games that are played and killed, each to be damaged in many ways."""


def compare(times: int, games: int, seed: int) -> None:
    """Prints what each way of salvaging loses."""
    columns = list(product(("ended", "going on"), WAYS))
    plans = list(product(KINDS, FILES))
    lost: dict[str, Counter[tuple[str, str]]] = {f"{k}, {f or 'file'}": Counter() for k, f in plans}
    there = Counter[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as top:
        left = []
        for number in range(KILLED_GAMES):
            place = Path(top) / str(number)
            place.mkdir()
            left.append(killed_game(place, games, seed + number))
        for number in range(times):
            kind, file = plans[number % len(plans)]
            killed = left[number // len(plans) % KILLED_GAMES]
            for way in WAYS:
                there["ended", way] += sum(map(len, killed.ended.values()))
                there["going on", way] += sum(map(len, killed.present.values()))
                with tempfile.TemporaryDirectory() as folder:
                    found = lost_by(way, killed, Path(folder), KINDS[kind], file, seed + number)
                for what, lines in zip(("ended", "going on"), found, strict=True):
                    lost[f"{kind}, {file or 'file'}"][what, way] += lines
    lost |= {"all": sum(lost.values(), Counter()), "of": there}
    print(f"{'lines lost':<26}" + "".join(f"{f'{what}, by {way}':>20}" for what, way in columns))
    for name, row in lost.items():
        print(f"{name:<26}" + "".join(f"{row[column]:>20}" for column in columns))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", action="store_true", help="compare two ways of salvaging")
    parser.add_argument("--games", type=int, default=12, help="that had ended, with --ways")
    options = parser.parse_args()
    if options.ways:
        compare(options.times, options.games, options.seed)
        return 0
    tried, lost, silent, lines = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    plans = islice(cycle(product(KINDS, FILES, ENDS)), options.times)
    for number, (kind, file, end) in enumerate(plans):
        with tempfile.TemporaryDirectory() as folder:
            outcome = try_damage(Path(folder), kind, file, end, options.seed + number)
        name = f"{kind}, {outcome.file}"
        tried[name] += 1
        lost[name] += outcome.lost
        silent[name] += outcome.silent
        lines[name] += outcome.lost * outcome.silent
    print(f"{'damage':<30}{'times':>6}{'lines lost':>12}{'silent':>8}{'their lines':>13}")
    for name in tried:
        print(f"{name:<30}{tried[name]:>6}{lost[name]:>12}{silent[name]:>8}{lines[name]:>13}")
    total = f"{silent.total()} of {tried.total()} damages lost {lines.total()} lines without a word"
    print(total)
    return int(silent.total() > 0)


if __name__ == "__main__":
    sys.exit(main())

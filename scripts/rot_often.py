#!/usr/bin/env python3
"""Damages the files of running games; what is lost must be said.

    .venv/bin/python scripts/rot_often.py [--times 300]

Each game is played a while, damaged, played on, ended or killed, and started again. Prints how many
shown lines were lost by each kind of damage, and how many without a word; ends with an error if
there are any.
"""

import argparse
import sys
import tempfile
from collections import Counter
from itertools import cycle, islice, product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.appliance.journal.rotting import ENDS, FILES, KINDS, try_damage


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
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

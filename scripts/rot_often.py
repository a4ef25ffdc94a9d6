#!/usr/bin/env python3
"""Damages the files of running games; nothing may be lost from one damage, and nothing silently.

    .venv/bin/python scripts/rot_often.py [--times 300]

Each game is played a while after some that ended, damaged, played on, ended or killed, and started
again. Half of the damages hit the game going on, in either place; a third of the runs have two,
the second in the file of another kind or place. Prints the shown lines that were lost; ends with an
error if one damage lost any, or any was lost without a word, or one of an ended game.
"""

import argparse
import logging
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.appliance.journal.rotting import (
    ALL_KINDS,
    ENDED,
    ENDS,
    GOING,
    OTHERS,
    Hit,
    Outcome,
    try_damages,
)


def plans(times: int, rng: random.Random) -> Iterator[tuple[Hit, ...]]:
    """The damages of each run: half of them are of the game going on."""
    rest = (*ENDED, *OTHERS)
    for number in range(times):
        turn, half = divmod(number // 2, len(ALL_KINDS))
        kind = ALL_KINDS[half]
        target = GOING[(turn + half) % 2] if number % 2 else rest[(turn + half) % len(rest)]
        first = Hit(kind, target)
        if number % 6 < 4:
            yield (first,)
        else:
            yield first, Hit(rng.choice(ALL_KINDS), rng.choice((*GOING, *rest)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger().addHandler(logging.NullHandler())
    found = defaultdict[str, Counter[str]](Counter)
    silent: list[Outcome] = []
    faults = 0
    for number, hits in enumerate(plans(options.times, random.Random(options.seed))):
        end = ENDS[number // 3 % len(ENDS)]
        with tempfile.TemporaryDirectory() as folder:
            outcome = try_damages(Path(folder), hits, end, options.seed + number)
        first = hits[0]
        name = "two damages" if len(hits) > 1 else f"{_kind(first)}, {first.target}"
        row = Counter(times=1, ended=outcome.ended, going=outcome.going, silent=outcome.silent)
        for line in (name, "all"):
            found[line].update(row)
        if outcome.silent:
            silent.append(outcome)
        if outcome.silent or outcome.ended or (outcome.going and len(hits) == 1):
            faults += 1
            print(f"run {number}: {outcome}", flush=True)
    print(f"{'damage':<42}{'times':>6}{'ended: lost':>13}{'going: lost':>13}{'silent':>8}")
    for name in (*sorted(found.keys() - {"two damages", "all"}), "two damages", "all"):
        row = found[name]
        print(f"{name:<42}{row['times']:>6}{row['ended']:>13}{row['going']:>13}{row['silent']:>8}")
    return int(faults > 0)


def _kind(hit: Hit) -> str:
    return "gone" if hit.target.startswith("name") else hit.kind


if __name__ == "__main__":
    sys.exit(main())

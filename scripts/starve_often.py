#!/usr/bin/env python3
"""Lets memory run out mid-game, hundreds of times; nothing shown may be lost, and a sentence said.

    .venv/bin/python scripts/starve_often.py [--times 200]

Each process resumes the game that the one before left. Half of the times any allocation may fail,
half of the times mostly SQLite's. Ends with an error at the first loss, or if a process ended
otherwise than with a sentence. Needs gcc and glibc.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.appliance.journal.starving import MOST_ALLOCATIONS, starve


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    unclean = 0
    for allocator in MOST_ALLOCATIONS:
        ends = Counter[str]()
        lines = 0
        with tempfile.TemporaryDirectory() as folder:
            for one in starve(Path(folder), options.times // 2, options.seed, allocator):
                lines += one.lines
                reached = "" if one.failed else ", not reached"
                ends[f"status {one.status}{reached}"] += 1
                if not one.clean:
                    unclean += 1
                    print(f"after {one.after}, {one.failed} failed, status {one.status}:")
                    print(one.said[-2000:], flush=True)
        how = ", ".join(f"{end}: {count}" for end, count in sorted(ends.items()))
        print(f"{allocator}: {lines} lines were looked for and found; {how}", flush=True)
    return int(unclean > 0)


if __name__ == "__main__":
    sys.exit(main())

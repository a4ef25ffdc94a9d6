#!/usr/bin/env python3
"""Restores a stick while games begin, a thousand times; no number twice, no line lost.

    .venv/bin/python scripts/restore_often.py [--times 1000]

Two processes do it, as on the appliance. Ends with an error at the first loss.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.appliance.journal.restoring import restore_while_playing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    games = refused = 0
    for n in range(options.times):
        with tempfile.TemporaryDirectory() as folder:
            played = restore_while_playing(Path(folder), options.seed + n)
        games, refused = games + len(played.lines), refused + played.refused
        if (n + 1) % 100 == 0:
            print(f"{n + 1} times, nothing lost", flush=True)
    print(f"{options.times} times: {games} games begun meanwhile, {refused} tries had to wait")
    return 0


if __name__ == "__main__":
    sys.exit(main())

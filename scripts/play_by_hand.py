#!/usr/bin/env python3
"""Plays whole games by keyboard in a real terminal, with random keys of all kinds in between.

Drives `dicetray play --human` through a pseudo-terminal. Prints a row for each game, and exits with
1 if one ended badly: with a traceback, stuck, with a record that replays to other scores, or
without restoring the terminal.
"""

import argparse
import sys
import tempfile
from pathlib import Path

# The rig belongs to the tests.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.rigs.by_hand.games import MIN_PLAYERS, play


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=("all", *MIN_PLAYERS), default="all")
    parser.add_argument("--keys", type=int, default=2000, help="random keys a game")
    parser.add_argument("--bursts", type=int, default=20, help="in how many lots")
    parser.add_argument("--seed", type=int, default=0, help="chance")
    args = parser.parse_args()
    names = tuple(MIN_PLAYERS) if args.game == "all" else (args.game,)
    print("| game | keys | throws | seconds | starts | suspended | ended |")
    print("|---|---|---|---|---|---|---|", flush=True)
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            report = play(name, Path(folder), seed=args.seed, keys=args.keys, bursts=args.bursts)
        how = "WRONG" if report.fault else report.shown
        cells = (
            name,
            report.keys,
            report.throws,
            f"{report.seconds:.0f}",
            report.starts,
            report.stops,
            how,
        )
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
        if report.fault:
            wrong += 1
            print(f"{name}: {report.fault}", file=sys.stderr, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

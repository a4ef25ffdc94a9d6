#!/usr/bin/env python3
"""Kills the appliance mid-game with SIGKILL, a thousand times; nothing shown may be lost.

    .venv/bin/python scripts/kill_often.py [--times 1000]

Each process resumes where the one before was killed. Ends with an error at the first loss.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.appliance.journal.killing import Shown, check, play_and_kill

KILLS_PER_JOURNAL = 25
"""Kills after which a new journal is begun, so that the lines stay short."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lines = games = 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(options.times):
            path = Path(folder) / f"games-{n // KILLS_PER_JOURNAL}.sqlite3"
            if n % KILLS_PER_JOURNAL == 0:
                shown = Shown()
            shown = play_and_kill(path, options.seed + n, shown)
            check(path, shown)
            lines += shown.log.count(";") + 1
            games = max(games, shown.game)
            if (n + 1) % 100 == 0:
                print(f"{n + 1} kills, nothing lost", flush=True)
    print(f"{options.times} kills: {lines} lines were looked for and found, up to {games} games")
    return 0


if __name__ == "__main__":
    sys.exit(main())

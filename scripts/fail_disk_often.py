#!/usr/bin/env python3
"""Lets the disk fail, and then the power, mid-game and while damage is mended; nothing may go.

    .venv/bin/python scripts/fail_disk_often.py [--times 200]

Half of the times a game is played: of its calls to the disk one, 3 or 30 fail, and within the next
200 calls the process is killed. Half of the times a start finds something damaged, where also every
later call may fail. Ends with an error at the first loss. Needs gcc and Linux.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.appliance.journal.failing import mend, play


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    each = options.times // 2
    with tempfile.TemporaryDirectory() as folder:
        games = list(play(Path(folder), each, options.seed))
    lines = sum(one.lines for one in games)
    noticed = sum(one.refused for one in games)
    print(f"{each} games, {noticed} with a fault noticed: {lines} lines looked for and found")
    with tempfile.TemporaryDirectory() as folder:
        mended = list(mend(Path(folder), each, options.seed))
    lost = [one for one in mended if not one.lossless]
    refused = sum(one.refused for one in mended)
    killed = sum(one.calls < 0 for one in mended)
    print(f"{each} starts with damage, {refused} refused and {killed} killed: lost in {len(lost)}")
    for one in lost:
        print(one)
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())

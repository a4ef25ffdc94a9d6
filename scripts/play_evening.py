#!/usr/bin/env python3
"""People play whole games on the page, in Chromium: twice, at once, late, anywhere, by wrong keys.

    .venv/bin/python scripts/play_evening.py
    .venv/bin/python scripts/play_evening.py --games classic --people 0 2 --speed 4

Prints a row for each game, and exits with 1 if one did not end, if anything was scored that nobody
meant, or if the same question was asked three times. Meanwhile it says how each game goes.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

# The rig belongs to the tests.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.rigs.browser import launched
from tests.rigs.by_hand.evening import PEOPLE, Evening, play_evening
from tests.rigs.proof.games import SETUPS


def _tell(evening: Evening) -> None:
    """Says how a game goes."""
    done = f"{evening.presses} presses, {evening.counted} choices, {evening.throws} throws"
    print(f"{done}: {evening.line}", file=sys.stderr, flush=True)


def main() -> int:
    """Plays; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", nargs="+", choices=(*SETUPS,), default=[*SETUPS])
    everybody = range(len(PEOPLE))
    parser.add_argument("--people", nargs="+", type=int, choices=everybody, default=[*everybody])
    parser.add_argument("--seed", type=int, default=0, help="chance")
    speed = "simulated seconds in a second; default: as fast as possible"
    parser.add_argument("--speed", type=float, default=0.0, help=speed)
    slow = "how many times as slow the browser is made"
    parser.add_argument("--slow", type=float, default=1.0, help=slow)
    args = parser.parse_args()
    print("| game | who | size | presses | counted | throws | seconds | ended | wrong |")
    print(f"|{'---|' * 9}", flush=True)
    wrong = 0
    with launched() as browser, tempfile.TemporaryDirectory() as folder:
        for game in args.games:
            for number in args.people:
                setup = SETUPS[game][(number + args.seed) % len(SETUPS[game])]
                begun_s = time.monotonic()
                evening = play_evening(
                    *(browser, PEOPLE[number], setup, 100 * args.seed + number, Path(folder)),
                    speed=args.speed,
                    slow=args.slow,
                    tell=_tell,
                )
                cells = (
                    *(game, PEOPLE[number].name, "{} x {}".format(*PEOPLE[number].size)),
                    *(evening.presses, evening.counted, evening.throws),
                    *(f"{time.monotonic() - begun_s:.0f}", evening.ended, len(evening.faults)),
                )
                print(f"| {' | '.join(map(str, cells))} |", flush=True)
                for fault in evening.faults:
                    print(f"{game}, {PEOPLE[number].name}: {fault}", file=sys.stderr, flush=True)
                wrong += not evening.ended or bool(evening.faults)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

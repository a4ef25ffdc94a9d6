#!/usr/bin/env python3
"""Leaves programs in every way at moments from 0 to 20 s, 200 times; nothing may be left of them.

    .venv/bin/python scripts/leave_often.py [--times 200] [--jobs 2] [--only W,run]

Looks at the exit status and the signal, the time it takes, the last line, the terminal, children,
and files. Ends with an error if anything was wrong.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.rigs.leaving import PROGRAMS, WAYS, Left, Trial, leave, stand_in_camera

LATEST_S = 20.0


def trials(times: int, seed: int, programs: list[str]) -> list[Trial]:
    """Every program in every way in turn, each at a moment by chance, mostly an early one."""
    random = Random(seed)
    cells = [(program, way) for program in programs for way in WAYS]
    return [Trial(*cells[n % len(cells)], LATEST_S * random.random() ** 2) for n in range(times)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default=",".join(PROGRAMS), help="programs, with commas between")
    options = parser.parse_args()
    wanted = trials(options.times, options.seed, options.only.split(","))
    wrong, took_s = 0, {trial.limit_s: 0.0 for trial in wanted}

    with stand_in_camera() as camera, ThreadPoolExecutor(options.jobs) as pool:

        def one(trial: Trial) -> Left:
            return leave(trial, camera)

        for trial, left in zip(wanted, pool.map(one, wanted), strict=True):
            fault = "; ".join(left.wrong)
            words = f"{trial.program:9} {trial.way:7} after {trial.moment_s:6.2f} s"
            print(f"{words}: status {left.status}, {left.took_s:.2f} s  {fault}", flush=True)
            if left.wrong:
                wrong += 1
                print("    " + left.said[-1500:].replace("\n", "\n    "), flush=True)
            took_s[trial.limit_s] = max(took_s[trial.limit_s], left.took_s)
    longest = ", ".join(f"{took:.2f} of {limit:g} s" for limit, took in sorted(took_s.items()))
    print(f"{options.times} times left, {wrong} wrong; it took at most {longest}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

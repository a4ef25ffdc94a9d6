#!/usr/bin/env python3
"""Cuts the power a thousand times at any step of the disk; nothing shown may be lost.

    .venv/bin/python scripts/cut_often.py [--times 100] [--syncs]

Plays evenings on a disk that forgets what was not synced, and cuts so many times in each kind of
work: as it is left, and with each of the two places of all files rotted besides. With `--syncs`
each sync is also left out, one at a time, and some cut must show that something is lost then.
"""

import argparse
import logging
import sys
import tempfile
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.appliance.journal.cutting import (
    KINDS,
    Recording,
    cuts,
    evening,
    fault_of,
    found_without,
    steps_of,
    syncs,
)

EVENINGS = 10
STATES = 4
"""Of what a cut may leave: nothing that was not synced, everything, and two at random."""


def cut(evenings: list[Recording], kind: str, times: int, random: Random) -> int:
    """Cuts in one kind of work; how many states had something lost."""
    tried = faults = 0
    for n in range(times):
        recording = evenings[n % len(evenings)]
        steps = [random.choice(steps_of(recording, kind))]
        for step, state, promised, coming in cuts(recording, STATES, random, steps):
            tried += 1
            if fault := fault_of(state, promised, coming):
                faults += 1
                print(f"{kind}, step {step}: {fault[:300]}", flush=True)
    print(f"{kind:<14}{times:>6}{tried:>8}{faults:>8}", flush=True)
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=100, help="in each kind of work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--syncs", action="store_true", help="leave out each sync, too")
    options = parser.parse_args()
    # What is mended is logged each time.
    logging.disable()
    evenings = []
    for n in range(EVENINGS):
        with tempfile.TemporaryDirectory() as folder:
            evenings.append(evening(Path(folder), options.seed + n))
    random = Random(options.seed)
    print(f"{'cut during':<14}{'cuts':>6}{'states':>8}{'faults':>8}")
    faults = sum(cut(evenings, kind, options.times, random) for kind in KINDS)
    if options.syncs:
        all_syncs = syncs(evenings[0].tape)
        needless = [at for at in all_syncs if not found_without(evenings[0], at, 12, random)]
        for at in needless:
            print(f"nobody notices that step {at} is left out: {evenings[0].tape[at]}")
        print(f"{len(all_syncs)} syncs left out, one at a time: {len(needless)} not noticed")
        faults += len(needless)
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""How far off positions on the tops of dice are, in rendered trays with known ground truth.

    .venv/bin/python scripts/bench_geometry.py [--scenes 24] [--jobs 1] [--seed 0]

Each scene draws another tray, table, light, lens (of the module's kind, every piece a little
different), height, turn and tilt (up to 10 degrees). The plates are glued on slightly off; where no
board measures it, the rim's height is known to 0.2 millimetres (one standard deviation). A grid
over the tray's floor, at the height of the tops, is projected through the true camera and back
through the calibrated one. The error is the distance, in millimetres, with no alignment afterwards:
the frame is that of the true plates.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.campaign.stopping import run, workers
from tests.calibration.setups import HOW, measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    seeds = range(args.seed, args.seed + args.scenes)
    with workers(args.jobs) as pool:
        found = pool.map(measured, seeds, chunksize=1)
    print(
        "| calibrated with | trays | refused | median mm | 95 % mm | worst mm | doubt stated, mm |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    for how in HOW:
        results = [one[how] for one in found]
        good = [one for one in results if not isinstance(one, str)]
        refused = len(results) - len(good)
        if not good:
            print(f"| {how} | {len(results)} | {refused} | | | | |")
            continue
        worst = np.array([one[0] for one in good])
        doubt = np.median([one[1] for one in good])
        print(
            f"| {how} | {len(results)} | {refused} | {np.median(worst):.2f} | "
            f"{np.quantile(worst, 0.95):.2f} | {worst.max():.2f} | {doubt:.2f} |"
        )
        for one, seed in zip(results, seeds, strict=True):
            if isinstance(one, str):
                print(f"    seed {seed}: {one}", file=sys.stderr)
    print("\nEach tray counts with its worst place.")


if __name__ == "__main__":
    sys.exit(run(main))

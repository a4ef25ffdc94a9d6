#!/usr/bin/env python3
"""How many polished dice are read under lamps that they reflect, with and without darker frames.

    .venv/bin/python scripts/bench_glare.py [--seed 900000] [--sites 20] [--throws 8] [--jobs 2]

Renders installations that nothing was tuned on: a tray under an extra lamp, a set of polished dice.
Each is learnt from the empty tray, the set and two pictures of each Power face; then its throws are
read, each from one picture at the usual exposure and one at an eighth of it. Some seconds a site.
"""

import argparse
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.campaign.polished import SET, polished
from scripts.campaign.stopping import run, workers
from simulator.render.renderer import render
from simulator.render.scene import (
    LIVE_QUALITY,
    Scene,
    camera_parameters,
    with_exposure_share,
)
from tests.rigs.rendering.truth import DieTruth, truth
from vision.exposures import DARKER_EXPOSURE_SHARE
from vision.frame import Image
from vision.learning import learn_dice
from vision.reader import Reader
from vision.reading import POWER_FACES, DieReading, Kind

TAKES = 2
Counts = Counter[tuple[str, str]]
MIN_HIDING_GLARE_SHARE = 0.2
"""Share of a top above which glare counts as hiding it."""


def site(throws: int, seed: int) -> Counts:
    """Counts what is read in one installation."""
    rng = np.random.default_rng((seed, 99))
    place = polished(seed, rng)

    def pictures(scene: Scene) -> list[Image]:
        shares = (1.0, DARKER_EXPOSURE_SHARE)
        return [
            render(with_exposure_share(scene, share), rng=rng, quality=LIVE_QUALITY)
            for share in shares
        ]

    empty = pictures(place.scene)[0]
    laid = pictures(place.laid(rng, SET, 12.0))
    faces = [
        (face, pictures(place.laid(rng, [(Kind.POWER, face)], 15.0)))
        for face in POWER_FACES
        for _ in range(TAKES)
    ]
    thrown: list[tuple[list[Image], tuple[DieTruth, ...]]] = []
    for _ in range(throws):
        scene = place.laid(rng, SET)
        thrown.append((pictures(scene), truth(scene)))
    counts: Counts = Counter()
    for name, many in (("lit", 1), ("with darker frames", None)):
        own = [(face, shots[:many]) for face, shots in faces]
        learnt = learn_dice(camera_parameters(place.scene), empty, laid[:many], own)
        reader = Reader(learnt.profile)
        for shots, dice in thrown:
            first, *darker = shots[:many]
            found = reader.read(first, darker).dice
            for die in dice:
                count(counts, name, die, found)
    return counts


def count(counts: Counts, name: str, die: DieTruth, found: tuple[DieReading, ...]) -> None:
    edge = float(np.ptp(np.array(die.outline_px), axis=0).mean())
    middle = np.array(die.centre_px)
    claims = [one for one in found if one.sure and np.hypot(*(middle - one.center)) < edge / 2]
    rows = [f"{'Power' if die.kind is Kind.POWER else 'numbered'} dice, {name}"]
    if die.whited_out > MIN_HIDING_GLARE_SHARE:
        rows.append(f"of all, glare on top, {name}")
    for row in rows:
        counts[row, "dice"] += 1
        for one in claims[:1]:
            counts[row, "right" if one.value == die.value else "wrong"] += 1


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=900000, help="of the first installation")
    parser.add_argument("--sites", type=int, default=20, help="installations")
    parser.add_argument("--throws", type=int, default=8, help="in each")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(words)
    total: Counts = Counter()
    seeds = range(args.seed, args.seed + args.sites)
    with workers(args.jobs) as pool:
        for done, counts in enumerate(pool.imap_unordered(partial(site, args.throws), seeds), 1):
            total.update(counts)
            print(f"{done} of {args.sites}", file=sys.stderr, flush=True)
    print("| dice | of | claimed and right | silently wrong |\n|---|---:|---:|---:|")
    for row in sorted({row for row, _ in total}):
        of, right, wrong = (total[row, what] for what in ("dice", "right", "wrong"))
        print(f"| {row} | {of} | {right} | {wrong} |")
    return 0


if __name__ == "__main__":
    sys.exit(run(main))

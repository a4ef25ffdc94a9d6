#!/usr/bin/env python3
"""Reads thousands of freshly rendered dice and counts what is silently wrong; keeps no picture.

    .venv/bin/python scripts/bench_rendered.py --pictures 400 --close 1000 [--seed 900] [--jobs 2]
                                            [--known]

Two sources: whole trays of three difficulties (`--pictures` of each), and close views in which
more than half of the dice lean, are propped, stacked or covered (`--close` installations of five
views). Each is read with known geometry and, unless `--known`, without. Terms as in
docs/accuracy.md.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.dataset.evaluation.vision import Case, Tally, label_of, score, table
from appliance.simulator.render.renderer import render
from appliance.simulator.render.scene import Scene, camera_parameters
from appliance.simulator.scenes.random_setup import Difficulty
from scripts.training.close_views import CLOSE, close_views
from tests.rigs.rendering.dataset import index_record, scenes
from tests.rigs.rendering.truth import DieTruth, truth
from vision.frame import Image
from vision.reader import Reader

LEVELS: tuple[Difficulty, ...] = ("easy", "normal", "hard")
TOGETHER = 10
"""Throws in one tray: its empty picture is drawn only once."""
VIEWS = 5
STACKED = 8
"""In one of so many installations of close views dice stand on others."""

Counts = dict[str, Tally]


def _count(
    counts: Counts,
    faults: list[str],
    group: str,
    name: str,
    scene: Scene,
    image: Image,
    dice: tuple[DieTruth, ...],
    partly: bool,
    known: bool,
) -> None:
    entries = index_record(dice, name, name, group)["dice"]
    labels = tuple(label_of(entry) for entry in entries)
    for geometry in (True,) if known else (False, True):
        row = f"{group}, geometry known" if geometry else group
        case = Case(row, name, None, labels, partly, None, lambda: image, geometry)
        start = time.perf_counter()
        reading = Reader(camera_parameters(scene) if geometry else None).read(image)
        counts.setdefault(row, Tally()).ms.append(1000 * (time.perf_counter() - start))
        found = score(case, reading, lambda text: counts.setdefault(text, Tally()))
        faults += [f"{row}: {name}: {text}" for text in found if text.startswith("wrong")]


def _trays(job: tuple[int, Difficulty, int, tuple[int, int], bool]) -> tuple[Counts, list[str]]:
    seed, level, throws, size, known = job
    cv2.setNumThreads(1)
    counts: Counts = {}
    faults: list[str] = []
    for number, scene, rng in scenes(seed, level, size, throws, throws):
        image = render(scene, rng=rng, quality=CLOSE)
        name = f"{seed}/{number}"
        _count(counts, faults, level, name, scene, image, truth(scene), False, known)
    return counts, faults


def _close(job: tuple[int, int, bool]) -> tuple[Counts, list[str]]:
    seed, number, known = job
    cv2.setNumThreads(1)
    counts: Counts = {}
    faults: list[str] = []
    rng = np.random.default_rng((seed, number))
    stacked = number % STACKED == 0
    for k, view in enumerate(close_views(rng, LEVELS[number % 3], VIEWS, stacked)):
        name = f"close {seed}/{number}/{k}"
        place = (view.scene, view.picture, view.dice)
        _count(counts, faults, "close views", name, *place, True, known)
    return counts, faults


def _add(total: Counts, more: Counts) -> None:
    for name, tally in more.items():
        own = total.setdefault(name, Tally())
        for field in fields(Tally):
            setattr(own, field.name, getattr(own, field.name) + getattr(tally, field.name))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=400, help="whole trays a difficulty")
    parser.add_argument("--close", type=int, default=1000, help="installations of close views")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--size", default="1536x864")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--known", action="store_true", help="read with known geometry only")
    args = parser.parse_args()
    width, height = (int(v) for v in args.size.split("x"))
    total: Counts = {}
    faults: list[str] = []
    work: list[Callable[[], tuple[Counts, list[str]]]] = [
        partial(_trays, (args.seed + k, level, TOGETHER, (width, height), args.known))
        for k in range(-(-args.pictures // TOGETHER))
        for level in LEVELS
    ]
    work += [partial(_close, (args.seed, k, args.known)) for k in range(args.close)]
    with Pool(args.jobs) as pool:
        for done, (counts, found) in enumerate(pool.imap_unordered(_run, work), 1):
            _add(total, counts)
            faults += found
            for fault in found:
                print(fault, flush=True)
            if done % 30 == 0:
                dice = sum(t.dice for n, t in total.items() if "·" not in n)
                print(
                    f"{done} of {len(work)}: {dice} readable dice, {len(faults)} wrong", flush=True
                )
    print(table(total), end="")
    return 0


def _run(work: Callable[[], tuple[Counts, list[str]]]) -> tuple[Counts, list[str]]:
    return work()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Reads freshly rendered dice and keeps what the reader knew of each, and what was true.

    .venv/bin/python scripts/collect_dice.py --out DIR [--seed 500000] [--count 100] [--close 10]
                                           [--jobs 2] [--part K/N]

For `scripts/fit_certainty.py`, which finds from it what may be claimed. The pictures are those of
`scripts/bench_rendered.py`: `--count` installations of each difficulty with ten throws each, and
for each of them `--close` of five close views, each read with and without known geometry; and
`--aslant` of any dice seen from any side, for the reading without it. One file an installation;
what is there already is not drawn again.
"""

import argparse
import colorsys
import sys
from dataclasses import replace
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.simulator.render.dice_model import DieBody
from appliance.simulator.render.pinhole import CameraModel, look_down
from appliance.simulator.render.renderer import render
from appliance.simulator.render.scene import Scene, camera_parameters
from scripts.bench_rendered import LEVELS, STACKED, TOGETHER, VIEWS
from scripts.campaign.folder import whole_file
from scripts.campaign.parts import Part, part
from scripts.campaign.stopping import leave_stopping_to_the_parent, run
from scripts.certainty.evidence import Evidence
from scripts.training.close_views import CLOSE, close_views, part_of
from tests.rigs.rendering.dataset import index_record, scenes
from tests.rigs.rendering.random_scene import another_throw, random_kinds, random_scene
from tests.rigs.rendering.truth import DieTruth, truth
from vision.frame import Image
from vision.reading import Kind

SIZE = (1536, 864)
ASLANT, STEEPEST = 4, 45.0
"""Throws in one tray seen from any side, and how far from above, degrees."""
CLOSE_EDGES = (1.8, 5.5)
"""Sides of these pictures, in edges of a die."""
FOREIGN = 0.5
"""Share of dice of no kind of ours among these."""
ASLANT_UNITS = 500


def _see(
    kept: Evidence, group: str, scene: Scene, image: Image, dice: tuple[DieTruth, ...], partly: bool
) -> None:
    labels = index_record(dice, "", "", group)["dice"]
    for profile in (None, camera_parameters(scene)):
        kept.add(image, profile, labels, group, partly)


def trays(seed: int, level: int) -> Evidence:
    """What is known of the dice in throws of one installation."""
    kept = Evidence()
    for _, scene, rng in scenes(seed, LEVELS[level], SIZE, TOGETHER, TOGETHER):
        image = render(scene, rng=rng, quality=CLOSE)
        _see(kept, LEVELS[level], scene, image, truth(scene), False)
    return kept


def aslant(seed: int, number: int) -> Evidence:
    """The same of dice of any colour photographed close up from any side, geometry unknown."""
    kept = Evidence()
    level = LEVELS[number % 3]
    rng = np.random.default_rng((seed, 1000 + number))
    scene = random_scene(rng, level, SIZE, (Kind.RED,))
    camera = _from_any_side(rng, scene.camera)
    for _ in range(ASLANT):
        kinds = [Kind.OTHER if rng.random() < FOREIGN else k for k in random_kinds(rng)]
        scene = another_throw(rng, scene, level, kinds)
        dice = tuple(_foreign(rng, die) if die.kind is Kind.OTHER else die for die in scene.dice)
        near = _part(rng, camera, dice[0])
        shown = replace(scene, dice=dice, camera=near)
        image, there = render(shown, rng=rng, quality=CLOSE), truth(shown)
        kept.add(image, None, index_record(there, "", "", "aslant")["dice"], "aslant", False)
    return kept


def _from_any_side(rng: np.random.Generator, camera: CameraModel) -> CameraModel:
    """A camera that looks at the middle of the tray from up to `STEEPEST` degrees aslant."""
    tilt = (float(rng.uniform(0, STEEPEST)), 0.0)
    turn = float(rng.uniform(-180, 180))
    way = np.array(look_down(height=1.0, tilt=tilt, yaw=turn).rotation).reshape(3, 3)[2]
    place = float(camera.position[2]) * float(rng.uniform(0.35, 0.8)) * way
    return look_down(
        SIZE,
        -float(place[2]),
        (float(place[0]), float(place[1])),
        tilt,
        turn,
        float(rng.uniform(50, 75)),
    )


def _part(rng: np.random.Generator, camera: CameraModel, die: DieBody) -> CameraModel:
    """The part of a camera's picture that has a die in it, `CLOSE_EDGES` of it wide."""
    place = np.array(die.position)
    middle, reach = camera.project(np.array([place, place + np.array((die.edge, 0.0, 0.0))]))
    side = int(np.hypot(*(reach - middle)) * rng.uniform(*CLOSE_EDGES) / 16 + 1) * 16
    x, y = (int(v - side * rng.uniform(0.25, 0.75)) for v in middle)
    return part_of(camera, (x, y), side)


def _foreign(rng: np.random.Generator, die: DieBody) -> DieBody:
    """The die in colours that none of ours has."""
    hue, light = rng.uniform(75, 290), rng.uniform(0.08, 0.9)
    rgb = np.array(colorsys.hsv_to_rgb(hue / 360, rng.uniform(0.6, 1.0), light)) ** 2.2
    pale, dark = (0.75, 0.76, 0.76), (0.012, 0.011, 0.011)
    pip = pale if light < 0.6 or rng.random() < 0.5 else dark
    return replace(die, style=replace(die.style, body=tuple(rgb[::-1].tolist()), pip=pip))


def close(seed: int, number: int) -> Evidence:
    """The same of close views of one installation."""
    kept = Evidence()
    rng = np.random.default_rng((seed, number))
    stacked = number % STACKED == 0
    for view in close_views(rng, LEVELS[number % 3], VIEWS, stacked):
        _see(kept, "close views", view.scene, view.picture, view.dice, True)
    return kept


def _work(out: Path, unit: tuple[int, int]) -> str:
    """Draws and reads one unit: trays of a level, or close views after these."""
    seed, number = unit
    cv2.setNumThreads(1)
    if number < len(LEVELS):
        done = trays(seed, number)
    elif number < ASLANT_UNITS:
        done = close(seed, number - len(LEVELS))
    else:
        done = aslant(seed, number - ASLANT_UNITS)
    with whole_file(_path(out, unit)) as file:
        np.savez_compressed(file, **done.arrays())
    return f"{seed}-{number}: {len(done.labels)} dice"


def _path(out: Path, unit: tuple[int, int]) -> Path:
    return out / f"{unit[0]}-{unit[1]:03d}.npz"


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--seed", type=int, default=500000)
    parser.add_argument("--count", type=int, default=100, help="installations of each difficulty")
    parser.add_argument("--close", type=int, default=10, help="and of close views for each")
    parser.add_argument("--aslant", type=int, default=3, help="and of any dice from any side")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part", type=part, default=Part(), metavar="K/N", help="only this part")
    args = parser.parse_args(words)
    args.out.mkdir(parents=True, exist_ok=True)
    units = [
        (seed, number)
        for seed in range(args.seed, args.seed + args.count)
        for number in (
            *range(len(LEVELS) + args.close),
            *range(ASLANT_UNITS, ASLANT_UNITS + args.aslant),
        )
    ]
    left = [unit for unit in args.part.share(units) if not _path(args.out, unit).exists()]
    with Pool(args.jobs, leave_stopping_to_the_parent) as pool:
        for done, said in enumerate(pool.imap_unordered(partial(_work, args.out), left), 1):
            print(f"{done} of {len(left)}: {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(run(main))

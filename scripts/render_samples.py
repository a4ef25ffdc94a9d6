#!/usr/bin/env python3
"""Draws the picture in docs/simulator.md: scenes of three difficulties and a throw.

.venv/bin/python scripts/render_samples.py [OUT.jpg]
"""

import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from simulator.motion.simulated_tray import SimulatedTray
from simulator.render.renderer import render
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.random_scene import random_scene
from vision.frame import Image

ROOT = Path(__file__).parents[1]

SIZE = (480, 270)
SEEDS: tuple[tuple[Difficulty, tuple[int, ...]], ...] = (
    ("easy", (102, 105, 106)),
    ("normal", (101, 102, 107)),
    ("hard", (101, 105, 107)),
)


def still(seed: int, difficulty: Difficulty) -> Image:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, difficulty, (2 * SIZE[0], 2 * SIZE[1]))
    return np.asarray(cv2.resize(render(scene, rng=rng), SIZE, interpolation=cv2.INTER_AREA))


def throw(times: tuple[float, ...]) -> list[Image]:
    tray = SimulatedTray(3)
    tray.throw({0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: "freeze"})
    pictures = []
    for time in times:
        tray.advance(time - tray.time_s)
        pictures.append(tray.frame(SIZE).image)
    return pictures


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "simulator.jpg"
    cv2.setNumThreads(1)
    rows = [np.hstack([still(seed, level) for seed in seeds]) for level, seeds in SEEDS]
    rows.append(np.hstack(throw((0.9, 1.06, 1.5))))
    cv2.imwrite(str(out), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 82])
    print(out, out.stat().st_size)


if __name__ == "__main__":
    main()

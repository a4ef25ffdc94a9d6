#!/usr/bin/env python3
"""Measures the renderer on one core: live frames of a throw, and stills.

    .venv/bin/python scripts/bench_renderer.py [--stills 5]

Times are CPU time, so that other programs on the machine do not count. The live part renders every
frame at 30 a second, from when a hand enters with six dice until it has picked them up again.
"""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from simulator.motion.simulated_tray import SimulatedTray
from simulator.render.renderer import render
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.random_scene import random_scene
from tests.rigs.rendering.truth import truth

LEVELS: tuple[Difficulty, ...] = ("easy", "normal", "hard")


def _row(name: str, times: list[float]) -> None:
    ms = sorted(1000 * t for t in times)
    middle, late = statistics.median(ms), ms[min(len(ms) - 1, int(0.95 * len(ms)))]
    mean = statistics.fmean(ms)
    print(f"{name:34} {len(ms):5} {middle:8.1f} {late:8.1f} {1000 / mean:8.1f}")


def live(size: tuple[int, int]) -> None:
    tray = SimulatedTray(seed=3)
    tray.frame(size)
    started = time.process_time()
    tray.throw({0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: "freeze"})
    planning = time.process_time() - started
    tray.wait(0.5)
    tray.clear()
    found: dict[str, list[float]] = defaultdict(list)
    while tray.busy:
        scene = tray.scene(size)
        moving = "moving" if scene.smear else "still"
        hand = "hand" if scene.hand else "no hand"
        started = time.process_time()
        tray.frame(size)
        spent = time.process_time() - started
        found[f"{len(scene.dice)} dice, {hand}, {moving}"].append(spent)
        found["all"].append(spent)
        tray.advance(1 / 30)
    print(f"\nlive, {size[0]}x{size[1]}, planning a throw took {1000 * planning:.0f} ms")
    print(f"{'':34} {'n':>5} {'median':>8} {'p95 ms':>8} {'a second':>8}")
    for name in sorted(found):
        _row(name, found[name])


def stills(count: int) -> None:
    print(f"\nstills, 1536x864\n{'':34} {'n':>5} {'median':>8} {'p95 ms':>8} {'a second':>8}")
    for level in LEVELS:
        drawing: list[float] = []
        rendering: list[float] = []
        judging: list[float] = []
        for seed in range(count):
            rng = np.random.default_rng(seed)
            marks = [time.process_time()]
            scene = random_scene(rng, level)
            marks.append(time.process_time())
            render(scene, rng=rng)
            marks.append(time.process_time())
            truth(scene)
            marks.append(time.process_time())
            for times, a, b in zip((drawing, rendering, judging), marks, marks[1:], strict=False):
                times.append(b - a)
        _row(f"{level}: drawing the scene", drawing)
        _row(f"{level}: rendering", rendering)
        _row(f"{level}: truth", judging)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stills", type=int, default=3, help="of each difficulty; 0 for none")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    live((640, 360))
    live((1280, 720))
    if args.stills > 0:
        stills(args.stills)


if __name__ == "__main__":
    main()

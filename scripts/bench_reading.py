#!/usr/bin/env python3
"""The cost of reading a tray: against the size of the picture, the number of dice, and time.

    .venv/bin/python scripts/bench_reading.py sizes [--plot docs/pictures/reading-cost.svg]
    .venv/bin/python scripts/bench_reading.py hour --film DIR [--frames 108000]

`sizes` renders trays and reads them with known geometry. `hour` loops a film (a folder of pictures
with a `truth.json`, as in the test pictures' `rendered/roll_*`) through the watcher and prints the
memory of the process as it goes. Times are CPU time of one core; for a reading, the least of
several, which other work on the machine disturbs least.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.dataset.evaluation.truth import profile_of
from scripts.reading_stages import ORDER, measured
from simulator.render.renderer import render
from simulator.render.scene import LIVE_QUALITY, Scene, camera_parameters
from tests.rigs.rendering.dataset import scenes
from vision.frame import Frame, Image
from vision.image.files import load_picture
from vision.reader import Reader
from vision.reading import Kind
from vision.watch.motion import SMALL_LONG_SIDE_PX
from vision.watch.watcher import Watcher

SIZES = ((640, 360), (1152, 648), (1536, 864), (2304, 1296))
DICE = (0, 2, 4, 6, 8, 10)
USUAL_SIZE = (1536, 864)
USUAL_DICE = 6
WANTED_MS = 25.0
FPS = 30.0
REPORTS = 10


def _kinds(count: int) -> list[Kind]:
    """The dice of a game: mostly black ones, two red ones, a Power die."""
    return ([Kind.BLACK] * 3 + [Kind.RED] * 2 + [Kind.POWER] + [Kind.BLACK] * 8)[:count]


def _setting(scene: Scene, size: tuple[int, int], rng: np.random.Generator) -> tuple[Reader, Image]:
    profile = camera_parameters(scene, size)
    return Reader(profile), render(scene, size, rng, LIVE_QUALITY)


def _cost(settings: Sequence[tuple[Reader, Image]], repeats: int) -> dict[str, float]:
    """Median over pictures of the least CPU time of each stage, milliseconds."""
    for reader, image in settings[:1]:
        reader.read(image)
    best: dict[str, list[float]] = {}
    for _ in range(repeats):
        with measured() as cost:
            for reader, image in settings:
                cost.reading(partial(reader.read, image))
        for name, values in cost.ms.items():
            best[name] = [min(pair) for pair in zip(best.get(name, values), values, strict=True)]
    return {name: statistics.median(values) for name, values in best.items()}


def sizes(args: argparse.Namespace) -> None:
    """Cost against the size of the picture and against the number of dice."""
    drawn = {
        count: [
            (scene, rng)
            for _, scene, rng in scenes(
                args.seed, "normal", USUAL_SIZE, args.pictures, args.pictures, _kinds(count)
            )
        ]
        for count in DICE
    }
    columns = [name for name in ORDER if name != "Power face"]
    print("| picture | dice | " + " | ".join(f"{name} ms" for name in columns) + " |")
    print("|---|---:" + "|---:" * len(columns) + "|")
    by_size: list[tuple[float, float]] = []
    by_dice: list[tuple[float, float]] = []
    plan = [(size, USUAL_DICE) for size in SIZES] + [(USUAL_SIZE, count) for count in DICE]
    for at, (size, count) in enumerate(plan):
        cost = _cost([_setting(scene, size, rng) for scene, rng in drawn[count]], args.repeats)
        figures = " | ".join(f"{cost[name]:.1f}" for name in columns)
        print(f"| {size[0]}x{size[1]} | {count} | {figures} |", flush=True)
        if at < len(SIZES):
            by_size.append((size[0] * size[1] / 1e6, cost["all"]))
        else:
            by_dice.append((float(count), cost["all"]))
    if args.plot is not None:
        args.plot.write_text(plot(by_size, by_dice), "utf-8")


Points = Sequence[tuple[float, float]]


def plot(by_size: Points, by_dice: Points) -> str:
    """Both curves side by side, as SVG."""
    top = 10 * (1 + max(ms for _, ms in (*by_size, *by_dice, (0, WANTED_MS))) // 10)
    body = [
        _panel(60, by_size, "million pixels, six dice", top),
        _panel(420, by_dice, f"dice, {USUAL_SIZE[0]}×{USUAL_SIZE[1]} pixels", top),
    ]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="740" height="320" viewBox="0 0 740 320" '
        'font-family="sans-serif" font-size="15"><rect width="740" height="320" fill="white"/>'
        + "".join(body)
        + "</svg>\n"
    )


def _panel(left: int, points: Points, label: str, top: float) -> str:
    wide, high, base = 280, 220, 260
    last = max(x for x, _ in points)

    def at(x: float, y: float) -> tuple[float, float]:
        return left + wide * x / last, base - high * y / top

    parts = [f'<text x="{left}" y="24">ms of one core</text>']
    for ms in range(0, int(top) + 1, 10):
        y = at(0, ms)[1]
        parts.append(
            f'<line x1="{left}" y1="{y:.1f}" x2="{left + wide}" y2="{y:.1f}" stroke="#ddd"/>'
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{ms}</text>'
        )
    y = at(0, WANTED_MS)[1]
    parts.append(
        f'<line x1="{left}" y1="{y:.1f}" x2="{left + wide}" y2="{y:.1f}" stroke="#c33" '
        'stroke-dasharray="6 4"/>'
    )
    line = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#246" stroke-width="2"/>')
    for x, cost_ms in points:
        px, py = at(x, cost_ms)
        parts.append(
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="#246"/>'
            f'<text x="{px:.1f}" y="{base + 18}" text-anchor="middle">{x:.2g}</text>'
        )
    middle = left + wide / 2
    parts.append(f'<text x="{middle}" y="{base + 42}" text-anchor="middle">{label}</text>')
    return "".join(parts)


def _resident_mib() -> float:
    text = Path("/proc/self/status").read_text("utf-8")
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def hour(args: argparse.Namespace) -> None:
    """Memory and the cost of a step while a film is looped."""
    profile = profile_of(args.film / "truth.json")
    pictures = [load_picture(path) for path in sorted(args.film.glob("*.jpg"))]
    scale = SMALL_LONG_SIDE_PX / max(profile.size)
    small = [
        np.asarray(cv2.resize(p, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        for p in pictures
    ]
    reader, read_ms = Reader(profile), [0.0]

    class Timed:
        def read(self, image: Image) -> object:
            start = time.process_time()
            found = reader.read(image)
            read_ms[0] += 1000 * (time.process_time() - start)
            return found

    watcher = Watcher(Timed(), profile.tray_pixels())  # type: ignore[arg-type]
    moving: list[float] = []
    quiet: list[float] = []
    print("| frames | events | resident MiB | step while dice move, median ms | at rest |")
    print("|---:|---:|---:|---:|---:|")
    events = 0
    for index in range(args.frames):
        at = index % len(pictures)
        frame = Frame(pictures[at], index / FPS, index, small[at])
        read_ms[0], start = 0.0, time.process_time()
        events += len(watcher.feed(frame))
        spent = 1000 * (time.process_time() - start) - read_ms[0]
        (moving if watcher.trace.rest.frames == 0 else quiet).append(spent)
        if (index + 1) % (args.frames // REPORTS) == 0:
            print(
                f"| {index + 1} | {events} | {_resident_mib():.1f} "
                f"| {statistics.median(moving):.2f} | {statistics.median(quiet):.2f} |",
                flush=True,
            )
            moving.clear()
            quiet.clear()


def main() -> None:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(required=True)
    first = commands.add_parser("sizes", help=sizes.__doc__)
    first.add_argument("--pictures", type=int, default=4, help="of each number of dice")
    first.add_argument("--repeats", type=int, default=5)
    first.add_argument("--seed", type=int, default=5)
    first.add_argument("--plot", type=Path, help="draw the table here, as SVG")
    first.set_defaults(func=sizes)
    second = commands.add_parser("hour", help=hour.__doc__)
    second.add_argument("--film", type=Path, required=True)
    second.add_argument("--frames", type=int, default=108_000)
    second.set_defaults(func=hour)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.func(args)


if __name__ == "__main__":
    main()

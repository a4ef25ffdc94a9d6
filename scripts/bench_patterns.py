#!/usr/bin/env python3
"""The cost of reading where the floor is full of spots: dots, checks, lace, noise, a lit board.

    .venv/bin/python scripts/bench_patterns.py [--rows] [--only dots] [--size 1536x864] [--fine]
    .venv/bin/python scripts/bench_patterns.py --odd
    .venv/bin/python scripts/bench_patterns.py --search 200 [--seed 1]

Patterns of every pitch and size fill the picture, with and without rendered dice on them. Each is
read with nothing known, with known geometry, and with the empty tray known, in a child process
with limited memory and time. `--odd` reads pictures of unusual sizes, `--search` random patterns;
`--fine` takes all sizes and pitches instead of every second. Times are CPU time of one core; the
peak is the memory of the whole process.
Exit status 1: some reading took more than wanted, or a die was read wrongly.
"""

import argparse
import json
import math
import mmap
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from calibration.readers import UncalibratedReader
from tests.rigs.rendering.patterns import Pattern, Size, drawn_at_random, patterns
from vision.detect import detector
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.geometry.profile_file import load_profile, save_profile
from vision.reader import Reader
from vision.reading import Kind
from vision.watch.darker import TrayReader

WANTED_MS = 500.0
WANTED_MB = 300.0
MEMORY_LIMIT_BYTES = 8 << 30
TIME_LIMIT_S = 60
ODD = ((64, 64), (4000, 16), (300, 300), (640, 480), (1150, 1150), (2304, 1296), (4056, 3040))
SETTINGS = ("nothing", "geometry", "empty tray")
"""How much is known of the installation."""


@dataclass(frozen=True)
class Tray:
    """A rendered tray: pictures with and without dice, the mask of the dice, and the truth."""

    full: Image
    empty: Image
    mask: NDArray[np.uint8]
    dice: tuple[tuple[float, float, float, str], ...]
    profile: Profile


def _rendered(size: Size, folder: Path) -> None:
    """Draws a tray, in its own process: the renderer's memory must not count as the reader's."""
    from simulator.render.die_cast import cube_corners
    from simulator.render.renderer import render
    from simulator.render.scene import LIVE_QUALITY, camera_parameters
    from tests.rigs.rendering.dataset import scenes
    from tests.rigs.rendering.truth import truth

    kinds = [Kind.BLACK] * 4 + [Kind.RED]
    _, scene, _ = next(iter(scenes(11, "easy", size, 1, 1, kinds)))
    mask = np.zeros((size[1], size[0]), np.uint8)
    for die in scene.dice:
        seen = scene.camera.project(cube_corners(die))
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(seen).astype(np.int32)), 255)
    dice = [
        (*one.centre_px, math.dist(*one.outline_px[:2]), str(one.value))
        for one in truth(scene)
        if one.state.value == "ok"
    ]
    full, empty = (
        render(scene, quality=LIVE_QUALITY),
        render(replace(scene, dice=()), quality=LIVE_QUALITY),
    )
    np.savez(folder / "tray.npz", full=full, empty=empty, mask=mask)
    (folder / "dice.json").write_text(json.dumps(dice), "utf-8")
    save_profile(camera_parameters(scene), folder / "tray.json")


def tray(size: Size, folder: Path) -> Tray:
    """A rendered tray with five dice."""
    if (child := os.fork()) == 0:
        try:
            _rendered(size, folder)
        except BaseException as error:
            print(error, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise SystemExit("bench_patterns: the tray could not be drawn")
    kept = np.load(folder / "tray.npz")
    dice = json.loads((folder / "dice.json").read_text("utf-8"))
    profile = load_profile(folder / "tray.json")
    return Tray(kept["full"], kept["empty"], kept["mask"], tuple(map(tuple, dice)), profile)


@dataclass(frozen=True)
class Cost:
    """The cost and result of one reading. `failed` says how it ended if it did not return."""

    pattern: Pattern
    setting: str
    with_dice: bool
    ms: float
    peak_mb: float
    spots: int = 0
    crowded: bool = False
    right: int = 0
    wrong: int = 0
    dice: int = 0
    failed: str = ""

    @property
    def good(self) -> bool:
        """True if it cost no more than wanted and claimed nothing false."""
        within = self.ms <= WANTED_MS and self.peak_mb <= WANTED_MB
        return within and not self.failed and not self.wrong


def _read(
    picture: Image, reader: TrayReader, truth: Sequence[tuple[float, float, float, str]]
) -> dict[str, object]:
    """Reads a picture in the child."""
    spots = [0]
    find = detector.find_faces  # type: ignore[attr-defined]

    def counted(pips, *others):  # type: ignore[no-untyped-def]
        spots[0] = max(spots[0], len(pips))
        return find(pips, *others)

    detector.find_faces = counted  # type: ignore[attr-defined]
    right, wrong = 0, 0
    start = time.process_time()
    reading = reader.read(picture)
    ms = 1000 * (time.process_time() - start)
    for die in (die for die in reading.dice if die.sure):
        there = [
            v
            for x, y, edge, v in truth
            if np.hypot(x - die.center[0], y - die.center[1]) < edge / 2
        ]
        right += there == [str(die.value)]
        wrong += there != [str(die.value)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "ms": ms,
        "peak_mb": peak,
        "spots": spots[0],
        "crowded": reading.crowded,
        "right": right,
        "wrong": wrong,
        "dice": len(truth),
    }


def measure(pattern: Pattern, setting: str, size: Size, tray: Tray | None, with_dice: bool) -> Cost:
    """Reads a pattern, in a child process with limited memory and time.

    Another child draws it, so that the cost of drawing does not count as the reader's.
    """
    shared = mmap.mmap(-1, 3 * size[0] * size[1])
    picture = np.frombuffer(shared, np.uint8).reshape(size[1], size[0], 3)
    if (child := os.fork()) == 0:
        try:
            drawn = pattern.draw(size, np.random.default_rng(7))
            if tray is not None and with_dice:
                drawn = np.where(tray.mask[:, :, None] > 0, tray.full, drawn)
            picture[:] = drawn
        except BaseException as error:
            print(error, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise SystemExit(f"bench_patterns: {pattern.name} could not be drawn")
    back, to = os.pipe()
    if (child := os.fork()) == 0:
        os.close(back)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
        signal.alarm(TIME_LIMIT_S)
        cv2.setNumThreads(1)
        code = 1
        try:
            reader: TrayReader = UncalibratedReader()
            if setting != SETTINGS[0] and tray is not None:
                empty = tray.empty if setting == SETTINGS[2] else None
                reader = Reader(replace(tray.profile, empty=empty))
            truth = tray.dice if tray is not None and with_dice else ()
            os.write(to, json.dumps(_read(picture, reader, truth)).encode())
            code = 0
        except BaseException as error:
            os.write(to, json.dumps({"failed": type(error).__name__}).encode())
        finally:
            os._exit(code)
    os.close(to)
    start = time.perf_counter()
    with os.fdopen(back, "rb") as answer:
        answered = answer.read()
    _, status, used = os.wait4(child, 0)
    rest = {"ms": 1000 * (time.perf_counter() - start), "peak_mb": used.ru_maxrss / 1024}
    if os.WIFSIGNALED(status):
        slow = os.WTERMSIG(status) == signal.SIGALRM
        rest["failed"] = f"{TIME_LIMIT_S} s" if slow else f"signal {os.WTERMSIG(status)}"  # type: ignore
    return Cost(
        pattern, setting, with_dice, **{**rest, **(json.loads(answered) if answered else {})}
    )


def _line(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def _row(cost: Cost) -> None:
    said = cost.failed or ("crowded" if cost.crowded else "")
    dice = f"{cost.right} of {cost.dice}, {cost.wrong}" if cost.with_dice else f"{cost.wrong}"
    _line(
        cost.pattern.name,
        cost.setting,
        cost.spots,
        f"{cost.ms:.0f}",
        f"{cost.peak_mb:.0f}",
        said,
        dice,
    )


def _summary(costs: Sequence[Cost]) -> None:
    """Prints a row for each family and setting: the worst of all its patterns."""
    _line(
        "pattern",
        "known",
        "readings",
        "most spots",
        "longest",
        "peak",
        "crowded",
        "failed",
        "dice right",
        "wrong",
    )
    _line("---", "---", *["---:"] * 8)
    for family in dict.fromkeys(cost.pattern.family for cost in costs):
        for setting in SETTINGS:
            some = [c for c in costs if (c.pattern.family, c.setting) == (family, setting)]
            if not some:
                continue
            slow = max(some, key=lambda cost: cost.ms)
            right, dice = sum(c.right for c in some), sum(c.dice for c in some)
            _line(
                family,
                setting,
                len(some),
                max(c.spots for c in some),
                f"{slow.ms:.0f} ms ({slow.pattern.name})",
                f"{max(c.peak_mb for c in some):.0f} MB",
                sum(c.crowded for c in some),
                sum(bool(c.failed) for c in some),
                f"{right} of {dice}",
                sum(c.wrong for c in some),
            )


def main() -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", action="store_true", help="a row for each reading, too")
    parser.add_argument("--only", default="", help="patterns with this in their family or name")
    parser.add_argument("--size", default="1536x864")
    parser.add_argument("--fine", action="store_true", help="twice as many sizes and pitches")
    parser.add_argument("--odd", action="store_true", help="pictures of unusual sizes instead")
    parser.add_argument(
        "--search", type=int, default=0, metavar="N", help="N random patterns instead"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    width, height = (int(v) for v in args.size.split("x"))
    # Threads are started in the children: they do not survive a fork.
    cv2.setNumThreads(0)
    Reader().read(np.full((100, 100, 3), 90, np.uint8))
    drawn = drawn_at_random(args.search, args.seed) if args.search else patterns(args.fine)
    chosen = [one for one in drawn if args.only in one.family or args.only in one.name]
    costs: list[Cost] = []
    if args.rows:
        _line("pattern", "known", "spots", "ms", "peak MB", "said", "dice right, wrong")
        _line("---", "---", *["---:"] * 3, "---", "---:")

    def note(cost: Cost) -> None:
        costs.append(cost)
        if args.rows:
            _row(cost)

    if args.odd:
        for size in ODD:
            for one in chosen:
                named = replace(one, family=f"{size[0]}x{size[1]}")
                note(measure(named, SETTINGS[0], size, None, False))
    else:
        with TemporaryDirectory() as folder:
            drawn_tray = tray((width, height), Path(folder))
        for one in chosen:
            for setting in SETTINGS:
                for with_dice in (False, True):
                    note(measure(one, setting, (width, height), drawn_tray, with_dice))
    _summary(costs)
    bad = [cost for cost in costs if not cost.good]
    print(f"\n{len(costs)} readings, {len(bad)} of them not as wanted")
    for cost in bad[:20] if not args.rows else ():
        _row(cost)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from calibration.readers import UncalibratedReader
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
DOTS = (3, 4, 5, 6, 8, 10, 12, 16, 20, 24)
PITCHES = (6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 50, 60)
CHECKS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)
ODD = ((64, 64), (4000, 16), (300, 300), (640, 480), (1150, 1150), (2304, 1296), (4056, 3040))
SETTINGS = ("nothing", "geometry", "empty tray")
"""How much is known of the installation."""

Grey = NDArray[np.float32]
Size = tuple[int, int]
Step = TypeVar("Step", int, float)
Draw = Callable[[Size, np.random.Generator], Image]


@dataclass(frozen=True)
class Pattern:
    """A pattern: its family, its name, and a function to draw it in 8 bits, (height, width, 3)."""

    family: str
    name: str
    draw: Draw


@dataclass(frozen=True)
class Tray:
    """A rendered tray: pictures with and without dice, the mask of the dice, and the truth."""

    full: Image
    empty: Image
    mask: NDArray[np.uint8]
    dice: tuple[tuple[float, float, float, str], ...]
    profile: Profile


def _tinted(light: Grey, rng: np.random.Generator, low: float = 45, high: float = 205) -> Image:
    """A pattern of values from 0 to 1 as grey levels, with camera noise."""
    grey = low + (high - low) * light + rng.normal(0, 2.5, light.shape).astype(np.float32)
    one = np.clip(grey, 0, 255).astype(np.uint8)
    return np.asarray(cv2.merge([one, one, one]), np.uint8)


def _grid(size: Size, angle: float = 0.0) -> tuple[Grey, Grey]:
    y, x = np.mgrid[: size[1], : size[0]].astype(np.float32)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return c * x + s * y, c * y - s * x


def _discs(size: Size, radius: Grey | float, pitch: float, angle: float = 0.0) -> Grey:
    x, y = _grid(size, angle)
    away = np.hypot((x + pitch / 2) % pitch - pitch / 2, (y + pitch / 2) % pitch - pitch / 2)
    return np.asarray(np.clip(radius - away + 0.5, 0, 1), np.float32)


def _dots(dot: float, pitch: float, angle: float = 0.0, dark: bool = False) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        light = _discs(size, dot / 2, pitch, angle)
        return _tinted(1 - light if dark else light, rng)

    return draw


def _checks(side: float, angle: float = 0.0) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        x, y = _grid(size, angle)
        return _tinted(((x // side + y // side) % 2).astype(np.float32), rng)

    return draw


def _stripes(side: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        return _tinted((_grid(size)[0] // side % 2).astype(np.float32), rng)

    return draw


def _cloth(side: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        x, y = _grid(size)
        light = ((x // side % 2) + (y // side % 2)) / 2
        thread = 0.06 * (np.sin(x * 2.1) + np.sin(y * 2.1))
        return _tinted(np.asarray(light + thread, np.float32), rng)

    return draw


def _lace(pitch: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        x, y = _grid(size)
        at = np.hypot((x + pitch / 2) % pitch - pitch / 2, (y + pitch / 2) % pitch - pitch / 2)
        holes = np.maximum(
            _discs(size, pitch / 11, pitch / 4), (np.abs(at - pitch / 3) < pitch / 20) * 1.0
        )
        return _tinted(np.asarray(1 - holes, np.float32), rng)

    return draw


def _gauze(sigma: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        light = rng.normal(0, 1, (size[1], size[0])).astype(np.float32)
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
        return _tinted(np.clip(0.5 + light / (4 * light.std()), 0, 1), rng, 0, 255)

    return draw


def _halftone(pitch: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        x, y = _grid(size)
        tone = 0.5 + 0.5 * np.sin(x / 90) * np.cos(y / 70)
        return _tinted(_discs(size, np.asarray(tone * pitch * 0.6, np.float32), pitch, 0.4), rng)

    return draw


def _confetti(count: int, least: float, most: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        picture = _tinted(np.full((size[1], size[0]), 0.3, np.float32), rng)
        share = size[0] * size[1] / (1536 * 864)
        for _ in range(round(count * share)):
            middle = (int(rng.integers(size[0])), int(rng.integers(size[1])))
            colour = [int(v) for v in rng.integers(0, 256, 3)]
            cv2.circle(picture, middle, round(rng.uniform(least, most)), colour, -1, cv2.LINE_AA)
        return picture

    return draw


def _board(pitch: int, share: float) -> Draw:
    """A scoreboard of 64 x 16 lights in the middle of a plain floor."""

    def draw(size: Size, rng: np.random.Generator) -> Image:
        picture = _tinted(np.full((size[1], size[0]), 0.35, np.float32), rng)
        left, top = (size[0] - 64 * pitch) // 2, (size[1] - 16 * pitch) // 2
        cv2.rectangle(picture, (left, top), (left + 64 * pitch, top + 16 * pitch), (12,) * 3, -1)
        for row, column in np.argwhere(rng.random((16, 64)) < share).tolist():
            middle = (left + column * pitch + pitch // 2, top + row * pitch + pitch // 2)
            cv2.circle(picture, middle, max(1, pitch // 3), (60, 70, 250), -1, cv2.LINE_AA)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)

    return draw


def patterns(fine: bool = False) -> Iterator[Pattern]:
    """All patterns of the tables, or every second size and pitch."""

    def some(sizes: Sequence[Step]) -> Sequence[Step]:
        return sizes if fine else sizes[1::2]

    for dot in some(DOTS):
        for pitch in (p for p in some(PITCHES) if p > dot):
            yield Pattern("dots", f"dots {dot} every {pitch}", _dots(dot, pitch))
            yield Pattern("dark dots", f"dark {dot} every {pitch}", _dots(dot, pitch, dark=True))
    for side in some(CHECKS):
        yield Pattern("checks", f"checks {side}", _checks(side))
        yield Pattern("stripes", f"stripes {side}", _stripes(side))
        yield Pattern("checked cloth", f"cloth {side}", _cloth(side))
    for pitch in some((16, 24, 32, 48, 64, 96)):
        yield Pattern("lace", f"lace {pitch}", _lace(pitch))
    for sigma in some((0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 2.5, 3.0, 4.0, 6.0)):
        yield Pattern("gauze, noise", f"noise {sigma}", _gauze(sigma))
    for pitch in some((6, 8, 10, 12, 16, 20, 24, 32)):
        yield Pattern("halftone", f"halftone {pitch}", _halftone(pitch))
    for count in some((200, 500, 1000, 2000, 5000, 20000)):
        yield Pattern("confetti", f"confetti {count}", _confetti(count, 2.5, 9))
    for pitch in (5, 6, 8, 10, 12, 14, 17, 20):
        for share in (0.2, 0.5, 1.0):
            yield Pattern("lit board", f"board {pitch}, {share:.0%} lit", _board(pitch, share))


def drawn_at_random(count: int, seed: int) -> Iterator[Pattern]:
    """Random patterns, to search for the worst."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        pitch, angle = float(rng.uniform(6, 60)), float(rng.uniform(0, np.pi / 2))
        dot = float(rng.uniform(0.25, 0.95)) * pitch
        least = float(rng.uniform(2, 8))
        many = round(10 ** rng.uniform(2.5, 4))
        dots = Pattern(
            "random",
            f"dots {dot:.1f} every {pitch:.1f} at {angle:.2f}",
            _dots(dot, pitch, angle, bool(rng.random() < 0.5)),
        )
        checks = Pattern(
            "random", f"checks {pitch / 2:.1f} at {angle:.2f}", _checks(pitch / 2, angle)
        )
        confetti = Pattern(
            "random",
            f"confetti {many} of {least:.1f} up",
            _confetti(many, least, least * float(rng.uniform(1, 2.5))),
        )
        yield (dots, checks, confetti)[int(rng.choice(3, p=(0.6, 0.15, 0.25)))]


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

#!/usr/bin/env python3
"""Reads thousands of freshly rendered dice and counts what is silently wrong.

    .venv/bin/python scripts/bench_rendered.py --pictures 400 --close 1000 [--polished 100]
                                   [--seed 900] [--jobs 2] [--known] [--keep DIR] [--out FILE]
                                   [--part K/N] [--merge FILE FILE ...]

Three sources: whole trays of three difficulties (`--pictures` of each), close views in which more
than half of the dice lean, are propped, stacked or covered (`--close` installations of five views),
and polished dice under a lamp, at the usual exposure and at an eighth (`--polished` installations).
Each is read with known geometry and, unless `--known`, without. Terms as in docs/figures.md.

With `--out`, the results of each seed are kept in a file: when stopped, the same command resumes
where it was. `--part 2/400` does one of 400 small parts, which docs/developing.md hands out to
several machines; with the same options, `--merge` counts the files of all parts, each seed once,
names those that are missing, and then ends with 1. With `--keep`, the pictures stay in a folder
(some 4 MB a seed) and are not rendered again the next time, even for another reader.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.dataset.evaluation.vision import Case, Tally, label_of, score, table
from scripts.campaign.folder import code_hash, opened, whole_file
from scripts.campaign.parts import Part, part
from scripts.campaign.pictures import Encoded, Taken, encoded, keep, kept
from scripts.campaign.polished import SET, polished
from scripts.campaign.results import (
    CampaignError,
    Counts,
    Found,
    Results,
    begun,
    load,
    most_likely_below,
)
from scripts.campaign.stopping import run, workers
from scripts.training.close_views import CLOSE, Subject, close_views
from scripts.training.making import RENDERED
from simulator.render.renderer import render
from simulator.render.scene import (
    LIVE_QUALITY,
    Scene,
    camera_parameters,
    with_exposure_share,
)
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.dataset import index_record, scenes
from tests.rigs.rendering.truth import DieTruth, truth
from vision.errors import Unreadable
from vision.exposures import DARKER_EXPOSURE_SHARE
from vision.reader import Reader
from vision.reading import TrayReading, TrayState

LEVELS: tuple[Difficulty, ...] = ("easy", "normal", "hard")
THROWS_PER_TRAY = 10
"""Throws in one tray: its empty picture is drawn only once."""
VIEWS = 5
STACKED_DICE_EVERY = 8
"""In one of this many installations of close views, dice stand on others."""

CODE = (
    *("vision", "simulator", "tests/rigs/rendering"),
    "scripts/training/close_views.py",
)
"""The code that reads and renders: results of two versions of it are never added up."""


def _count(counts: Counts, faults: list[str], one: Taken, known: bool) -> None:
    labels = tuple(label_of(entry) for entry in one.dice)
    image = one.image()
    for geometry in (True,) if known else (False, True):
        row = f"{one.group}, geometry known" if geometry else one.group
        case = Case(row, one.name, None, labels, one.partly, None, one.image, geometry=geometry)
        start = time.perf_counter()
        try:
            reading = Reader(one.profile if geometry else None).read(image)
        except Unreadable:
            # As in the bench of labelled pictures: nothing was found.
            reading = TrayReading(TrayState.STILL, ())
        counts.setdefault(row, Tally()).ms.append(1000 * (time.perf_counter() - start))
        found = score(case, reading, lambda text: counts.setdefault(text, Tally()))
        faults += [f"{row}: {one.name}: {text}" for text in found if text.startswith("wrong")]


def _taken(
    name: str, group: str, scene: Scene, data: Encoded, dice: tuple[DieTruth, ...], partly: bool
) -> Taken:
    entries = index_record(dice, name, name, group)["dice"]
    return Taken(name, group, data, camera_parameters(scene), entries, partly)


def _trays(seed: int, level: Difficulty, size: tuple[int, int]) -> Iterator[Taken]:
    """Throws in one tray."""
    for number, scene, rng in scenes(seed, level, size, THROWS_PER_TRAY, THROWS_PER_TRAY):
        # The camera's JPEG is encoded here, so that it is kept unchanged.
        raw = replace(scene, sensor=replace(scene.sensor, jpeg=0))
        data = encoded(render(raw, rng=rng, quality=CLOSE), scene.sensor.jpeg)
        yield _taken(f"{seed}/{number}", level, scene, data, truth(scene), False)


def _close(seed: int, number: int) -> Iterator[Taken]:
    """Close views of one installation."""
    rng = np.random.default_rng((seed, number))
    subject: Subject = "any" if number % STACKED_DICE_EVERY else "stacked"
    for k, view in enumerate(close_views(rng, LEVELS[number % 3], VIEWS, subject)):
        name = f"close {seed}/{number}/{k}"
        yield _taken(name, "close views", view.scene, encoded(view.picture), view.dice, True)


def _polished(seed: int) -> Iterator[Taken]:
    """Throws of polished dice under a lamp, each at two exposures."""
    rng = np.random.default_rng((seed, 99))
    place = polished(seed, rng)
    for k in range(THROWS_PER_TRAY):
        thrown = place.laid(rng, SET)
        for share, group in (
            (1.0, "polished dice"),
            (DARKER_EXPOSURE_SHARE, "polished dice, darker"),
        ):
            scene = with_exposure_share(thrown, share)
            data = encoded(render(scene, rng=rng, quality=LIVE_QUALITY))
            yield _taken(f"polished {seed}/{k}", group, scene, data, truth(scene), False)


@dataclass(frozen=True, slots=True)
class Unit:
    """The pictures that one seed draws.

    Attributes:
        name: the same in every part and in every run.
        render: makes its pictures.
        path: where they are kept; None where they are not.
        known: whether they are read with known geometry only.
    """

    name: str
    render: Callable[[], Iterator[Taken]]
    path: Path | None
    known: bool

    def pictures(self) -> Iterable[Taken]:
        """Its pictures, rendered only if they are not kept already."""
        if self.path is None:
            return self.render()
        if not self.path.exists():
            with whole_file(self.path) as file:
                keep(file, list(self.render()))
        return kept(self.path)


def _run(unit: Unit) -> tuple[str, Counts, list[str]]:
    counts: Counts = {}
    faults: list[str] = []
    for one in unit.pictures():
        _count(counts, faults, one, unit.known)
    return unit.name, counts, faults


def _report(results: Results) -> None:
    """Prints the table, and what it says about the error rate."""
    print(table(results.counts), end="")
    claimed, wrong = results.claimed, results.wrong
    if claimed:
        most = 100_000 * most_likely_below(wrong, claimed)
        print(
            f"\n{len(results.units)} seeds, {results.dice} readable dice, {claimed} claimed, "
            f"{wrong} silently wrong: with 95 % certainty fewer than {most:.1f} in 100,000"
        )


def _merge(paths: list[Path], wanted: list[str]) -> int:
    """Counts the units of some files; 1 if any that are wanted are missing."""
    results = Results()
    for path in paths:
        for found in load(path):
            results.add(found)
    missing = results.missing(wanted)
    for fault in results.faults:
        print(fault)
    _report(results)
    if results.repeated:
        print(f"came twice and counted once: {', '.join(sorted(results.repeated))}")
    if missing:
        print(f"{len(missing)} of {len(wanted)} seeds are missing: {', '.join(missing)}")
    return 1 if missing else 0


def _units(args: argparse.Namespace) -> list[Unit]:
    """All units of the campaign, whatever part of it is to be done here."""

    def unit(name: str, render: Callable[[], Iterator[Taken]]) -> Unit:
        file = f"{name.replace(' ', '-').replace('/', '-')}.npz"
        return Unit(name, render, None if args.keep is None else args.keep / file, args.known)

    units = [
        unit(f"{level} {seed}", partial(_trays, seed, level, args.size))
        for seed in range(args.seed, args.seed - (-args.pictures // THROWS_PER_TRAY))
        for level in LEVELS
    ]
    units += [
        unit(f"close {args.seed}/{k}", partial(_close, args.seed, k)) for k in range(args.close)
    ]
    return units + [
        unit(f"polished {seed}", partial(_polished, seed))
        for seed in range(args.seed, args.seed + args.polished)
    ]


def _measure(args: argparse.Namespace) -> int:
    width, height = args.size
    if args.keep is not None:
        opened(args.keep, {"code": code_hash(*RENDERED), "size": f"{width}x{height}"})
    settings = {"code": code_hash(*CODE), "size": f"{width}x{height}", "known": args.known}
    results = Results(settings=settings) if args.out is None else begun(args.out, settings)
    left = [one for one in args.part.share(_units(args)) if one.name not in results.units]
    with workers(args.jobs) as pool, ExitStack() as stack:
        lines = args.out and stack.enter_context(args.out.open("a", encoding="utf-8"))
        for done, (name, counts, faults) in enumerate(pool.imap_unordered(_run, left), 1):
            found = Found(name, settings, counts, faults)
            results.add(found)
            if lines is not None:
                lines.write(found.line())
                lines.flush()
            for fault in faults:
                print(fault, flush=True)
            if done % 30 == 0:
                print(
                    f"{done} of {len(left)}: {results.dice} readable dice, {results.wrong} wrong",
                    flush=True,
                )
    _report(results)
    return 0


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    if cross and width.isdecimal() and height.isdecimal():
        return int(width), int(height)
    raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT, as 1536x864, found {text!r}")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=400, help="whole trays a difficulty")
    parser.add_argument("--close", type=int, default=1000, help="installations of close views")
    parser.add_argument("--polished", type=int, default=0, help="installations of polished dice")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--size", type=_size, default=(1536, 864))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--known", action="store_true", help="read with known geometry only")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep pictures here, or read them")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep results here, and go on")
    parser.add_argument("--part", type=part, default=Part(), metavar="K/N", help="only this part")
    parser.add_argument(
        "--merge", type=Path, nargs="+", metavar="FILE", help="count files of parts"
    )
    args = parser.parse_args(words)
    try:
        if args.merge:
            return _merge(args.merge, [one.name for one in _units(args)])
        return _measure(args)
    except CampaignError as error:
        print(f"bench_rendered: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(run(main))

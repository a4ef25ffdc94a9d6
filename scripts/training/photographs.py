"""Patches for the face classifier, cut from labelled photographs: dice, and what is none.

People say what a die shows; where exactly its top is, the reader does, where it agrees with them.
What is no die is cut where the shipped network is tempted: at what the reader takes for dice, at
pips, beside dice and anywhere.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from appliance.dataset.evaluation.vision import Case, LabelledDie, load_cases, match_labels
from scripts.bench_world import sources_of
from scripts.campaign.folder import code_hash
from scripts.training.drawn.cutting import BESIDE_DISTANCE, GROWN, JITTER, spoilt
from scripts.training.drawn.makes import Generator
from scripts.training.drawn.patches import NONE, Patch
from scripts.training.fit_photographs import MISLABELLED, RENDERED, licence_allows
from scripts.training.making import DRAWN, begun, in_pool, save_patches
from vision.classify.face import Pyramid, classify_faces
from vision.frame import Image
from vision.geometry.axes import axes_of, top_edge
from vision.image.arrays import FloatArray
from vision.reader import Reader
from vision.reading import TrayReading

DOUBTED = (
    "felt_crops/DJI_20241005234229_0222_D_detection_3.jpg",
    "table_photos/IMG_20191208_112623.jpg",
)
"""In the first the label is 3, beside a side that shows 4, which is opposite; in the second, a die
between fingers has no label."""
MADE_BY = (*DRAWN, "scripts/training/photographs.py", "vision")
"""The code that decides what is cut, and the network that is tempted."""
NO_DIE_SHARE = 0.35
"""Share of the patches that show no die."""
TOP_IN_BOX = 0.8
"""Edge of a top in sides of the box around its die, where the reader does not say."""
PIP_EDGES = (0.12, 0.42)
"""The range of sizes of what is cut on a top, at a pip or not: edges of the top."""
ANYWHERE_EDGES = (0.3, 1.6)
"""Edge of what is cut away from dice, in edges of the picture's median die."""
LEAST_EDGE_PX = 6.0
POOL = 32
"""Places of each sort that are looked at in a picture."""
PHANTOM_LOOKS = 4
"""Looks at each place that the reader wrongly takes for a die."""
LEAST_CHANCE = 0.05
"""A place is taken as often as the network sees a face there, and a little oftener."""


@dataclass(frozen=True, slots=True, eq=False)
class Top:
    """The top of a labelled die.

    Attributes:
        value: 1 to 6.
        center: its middle, pixels, (2,).
        edge: pixels.
        placed: whether the reader has found it; otherwise this is the middle of the whole die.
    """

    value: int
    center: FloatArray
    edge: float
    placed: bool


def tops_of(labels: Sequence[LabelledDie], reading: TrayReading) -> list[Top]:
    """The tops of the labelled dice: what each shows, of the labels; where, of the reading."""
    matched = match_labels(labels, reading.dice)
    tops = []
    for number, label in enumerate(labels):
        if label.x is None or label.y is None or not label.readable or not label.value.isdigit():
            continue
        die = reading.dice[matched[number]] if number in matched else None
        placed = die is not None and str(die.value) == label.value
        center = die.center if die is not None and placed else (label.x, label.y)
        edge = label.size * TOP_IN_BOX
        if die is not None and placed:
            edge = top_edge(axes_of(die.outline))
        tops.append(Top(int(label.value), np.array(center, np.float64), edge, placed))
    return tops


def cut_tops(rng: Generator, pyramid: Pyramid, tops: Sequence[Top], times: float) -> list[Patch]:
    """Cuts each top as often as that on average; kind and turn are left open."""
    patches = []
    for top in tops:
        for _ in range(_whole(rng, times)):
            shift, grown = rng.uniform(-JITTER, JITTER, 2), float(rng.uniform(-GROWN, GROWN))
            axes = _square(rng, top.edge * np.exp(-grown))
            picture = pyramid.patch(top.center - axes @ shift, axes)
            pose = np.array([*shift, grown, np.nan, np.nan], np.float32)
            if not top.placed:
                pose[:] = np.nan
            patches.append(Patch(spoilt(rng, picture), top.value, -1, pose))
    return patches


def no_dice(
    rng: Generator,
    image: Image,
    labels: Sequence[LabelledDie],
    tops: Sequence[Top],
    reading: TrayReading,
) -> tuple[FloatArray, FloatArray]:
    """Places that show no die in the middle: centres, pixels, (n, 2), and axes, (n, 2, 2)."""
    size = np.array(image.shape[1::-1])
    boxes = np.array([(one.x, one.y, one.size) for one in labels if one.x is not None], np.float64)
    usual = float(np.median([top.edge for top in tops]))
    found: list[tuple[FloatArray, FloatArray]] = []

    def off_dice(center: FloatArray, edge: float) -> bool:
        apart = np.hypot(*(boxes[:, :2] - center).T)
        return bool((apart > 0.75 * boxes[:, 2] + 0.5 * edge).all())

    def on_no_top(center: FloatArray, edge: float) -> bool:
        nearest = BESIDE_DISTANCE[0] * edge
        return all(np.hypot(*(top.center - center)) >= nearest for top in tops)

    matched = match_labels(labels, reading.dice).values()
    for number, die in enumerate(reading.dice):
        axes, center = axes_of(die.outline), np.array(die.center)
        if number not in matched and on_no_top(center, usual):
            for _ in range(PHANTOM_LOOKS):
                grown = np.exp(rng.uniform(-GROWN, GROWN))
                found.append((center + axes @ rng.uniform(-JITTER, JITTER, 2), axes * grown))
    for _ in range(POOL):
        top = tops[int(rng.integers(len(tops)))]
        # On a top: its pips, with their rims and reflections, look like dice that show a 1.
        edge = top.edge * float(rng.uniform(*PIP_EDGES))
        found.append((top.center + top.edge * rng.uniform(-0.5, 0.5, 2), _square(rng, edge)))
        # Beside it; where its place is not known well, farther.
        edge = top.edge * float(np.exp(rng.uniform(-GROWN, GROWN)))
        away, angle = rng.uniform(*BESIDE_DISTANCE), rng.uniform(0, 2 * np.pi)
        away += 0.0 if top.placed else 0.2
        center = top.center + away * edge * np.array((np.cos(angle), np.sin(angle)))
        if on_no_top(center, edge):
            found.append((center, _square(rng, edge)))
        center = rng.uniform(0, size, 2)
        edge = usual * float(np.exp(rng.uniform(*np.log(ANYWHERE_EDGES))))
        if off_dice(center, edge):
            found.append((center, _square(rng, edge)))
    kept = [(at, axes) for at, axes in found if top_edge(axes) >= LEAST_EDGE_PX]
    centers = np.array([at for at, _ in kept], np.float64).reshape(-1, 2)
    return centers, np.array([axes for _, axes in kept], np.float64).reshape(-1, 2, 2)


def cut_no_dice(
    rng: Generator, pyramid: Pyramid, centers: FloatArray, axes: FloatArray, count: int
) -> list[Patch]:
    """Cuts that many of the places, those oftenest that the shipped network takes for a face."""
    if not len(centers):
        return []
    tempted = LEAST_CHANCE + 1 - classify_faces(pyramid, centers, axes).faces[:, NONE]
    chosen = rng.choice(len(centers), min(count, len(centers)), False, tempted / tempted.sum())
    none = np.zeros(5, np.float32)
    return [Patch(spoilt(rng, pyramid.patch(centers[k], axes[k])), NONE, -1, none) for k in chosen]


def _square(rng: Generator, edge: float) -> FloatArray:
    """Axes of a top turned at random."""
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(edge * np.array(((c, -s), (s, c))), np.float64)


def _whole(rng: Generator, times: float) -> int:
    """A whole number with that mean."""
    return int(times + rng.random())


def usable(data: Path, without: Sequence[str] = ()) -> dict[str, list[Case]]:
    """The labelled photographs whose licence allows training, by source."""
    sources = sources_of(data)
    left_out = (*MISLABELLED, *DOUBTED)
    found: dict[str, list[Case]] = {}
    for case in load_cases(data):
        source = sources[case.file]
        if (
            licence_allows(source)
            and case.labels
            and source.name != RENDERED
            and case.file not in left_out
        ):
            found.setdefault(source.name, []).append(case)
    for name in without:
        if found.pop(name, None) is None:
            sys.exit(f"--without {name}: expected one of {', '.join(found) or 'no sources'}")
    if not found:
        sys.exit(f"{data}: holds no labelled photographs whose licence allows training")
    return found


def times_each(found: dict[str, list[Case]], count: int) -> dict[str, float]:
    """How often each die of a source is cut, so that there are `count` patches in all.

    A source's share grows with the square root of its dice: many alike teach less than few others.
    """
    dice = {name: sum(len(case.labels or ()) for case in cases) for name, cases in found.items()}
    roots = {name: float(np.sqrt(number)) for name, number in dice.items()}
    whole = sum(roots.values())
    return {name: count * roots[name] / whole / dice[name] for name in found}


def photograph_shard(job: tuple[int, Sequence[tuple[Case, float]], Path]) -> None:
    """Makes one file of patches from some photographs, of each die as many as is said."""
    seed, some, path = job
    rng = np.random.default_rng(seed)
    patches: list[Patch] = []
    for case, times in some:
        image, labels = case.load(), case.labels or ()
        reading = Reader().read(image)
        pyramid, tops = Pyramid(image), tops_of(labels, reading)
        patches += cut_tops(rng, pyramid, tops, times * (1 - NO_DIE_SHARE))
        # In some pictures not all dice are labelled.
        if tops and not case.partial:
            places = no_dice(rng, image, labels, tops, reading)
            count = _whole(rng, len(tops) * times * NO_DIE_SHARE)
            patches += cut_no_dice(rng, pyramid, *places, count)
    save_patches(path, [patches[k] for k in rng.permutation(len(patches))])


def photographs(args: argparse.Namespace) -> None:
    """Cuts patches from labelled photographs whose licence allows it."""
    found = usable(args.data, args.without)
    names = ("seed", "shards", "count")
    made = {name: getattr(args, name) for name in names} | {"sources": sorted(found)}
    settings = {"photographs": made, "code": code_hash(*MADE_BY)}
    each = times_each(found, args.count)
    wanted = [(case, each[name]) for name, cases in found.items() for case in cases]
    jobs = [
        (args.seed + i, wanted[i :: args.shards], args.out / f"{args.seed + i:05d}.npz")
        for i in range(args.shards)
    ]
    in_pool(photograph_shard, begun(args, settings, jobs), args.processes)

#!/usr/bin/env python3
"""How many dice are read of any set, below any webcam, at any angle, with and without its geometry.

    .venv/bin/python scripts/bench_views.py [--throws 2] [--seed 0] [--jobs 1]

Renders six sets of five dice below five webcams that lean by six angles. Each picture is read
as `dicetray look` reads it first, without knowing anything; and with the geometry that follows from
the floor's four corners, pointed at to 1.5 pixels, and from a printed marker that lies among the
dice. Some ten seconds a picture.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from calibration.errors import RefusedError
from calibration.flat import geometry_of_corners, geometry_of_print
from calibration.readers import UncalibratedReader
from scripts.campaign.stopping import run, workers
from simulator.render.renderer import LIVE_QUALITY, render
from tests.rigs.rendering.truth import DieTruth, truth
from tests.rigs.webcam_lenses import LENSES, SETS, over_set, with_marker
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.geometry.sight import webcam_sight
from vision.glance import glance

LEANS = (0, 5, 10, 15, 20, 30)
HOW = ("nothing known", "four corners", "one marker")
MAX_OFF_EDGES = 0.4
"""How far a reading may be from the die that it is of, edges."""
_POINTED_PX = 1.5

Counts = Counter[tuple[str, str, str, int, str]]


def measured(seed: int, what: tuple[str, int, int]) -> Counts:
    """Counts what is read of one set below one webcam at one angle.

    Args:
        seed: of the throw.
        what: the set's name, and which of the lenses and of the angles.
    """
    name, which, lean = what
    lens = LENSES[which]
    scene = with_marker(over_set(seed, lens, lean, SETS[name]), seed)
    image = render(scene, rng=np.random.default_rng(seed), quality=LIVE_QUALITY)
    size = (image.shape[1], image.shape[0])
    sight = webcam_sight(lens.usb_id, size)
    rng = np.random.default_rng((seed, 56))
    x, y = scene.tray.half
    corners = scene.camera.project(np.array(((-x, -y, 0.0), (x, -y, 0), (x, y, 0), (-x, y, 0))))
    pointed = [(float(a), float(b)) for a, b in corners + rng.normal(0, _POINTED_PX, (4, 2))]
    lying = truth(scene)
    profiles: dict[str, Profile | None] = {HOW[0]: None}
    floor_mm = (2 * x, 2 * y)
    with suppress(RefusedError):
        profiles[HOW[1]] = geometry_of_corners(pointed, size, sight, floor_mm=floor_mm).profile
    found = geometry_of_print(image, sight, glance(image).tops)
    if found is not None:
        profiles[HOW[2]] = found.profile
    counts: Counts = Counter()
    for how in HOW:
        key = (how, name, lens.name, lean)
        counts[*key, "dice"] += len(lying)
        if how in profiles:
            counts.update(_read(image, profiles[how], lying, key))
    return counts


def _read(
    image: Image,
    profile: Profile | None,
    lying: Sequence[DieTruth],
    key: tuple[str, str, str, int],
) -> Counts:
    """Counts of dice read in a picture: right, wrong, or one more than lie there."""
    counts: Counts = Counter()
    sure = [die for die in UncalibratedReader(profile).read(image).dice if die.sure]
    for die in sure:
        edge = float(np.ptp(np.array(die.outline), axis=0).max()) / 1.2
        near = [
            one
            for one in lying
            if np.hypot(*np.subtract(one.centre_px, die.center)) < MAX_OFF_EDGES * edge
        ]
        right = any(one.value == die.value for one in near)
        counts[*key, "right" if right else "wrong"] += 1
    return counts


def table(counts: Counts, how: str) -> str:
    """Dice that are read of all, by set, lens and angle, as Markdown."""
    lines = [f"**{how}**", "", "| dice, lens | " + " | ".join(f"{lean}°" for lean in LEANS) + " |"]
    lines.append("|---|" + "---:|" * len(LEANS))
    names = [lens.name for lens in LENSES]
    rows = [(f"all sets, {name}", list(SETS), [name]) for name in names]
    rows += [(f"{name}, all lenses", [name], names) for name in SETS]
    rows.append(("all", list(SETS), names))
    for title, sets, lenses in rows:
        cells = []
        for lean in LEANS:
            total = Counter[str]()
            for kind in ("dice", "right", "wrong"):
                total[kind] = sum(counts[how, s, n, lean, kind] for s in sets for n in lenses)
            wrong = f" ({total['wrong']} wrong)" if total["wrong"] else ""
            share = 100 * total["right"] / max(1, total["dice"])
            cells.append(f"{share:.0f} %{wrong}")
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    cells = [(name, which, lean) for name in SETS for which in range(len(LENSES)) for lean in LEANS]
    jobs = [
        (args.seed + 1000 * throw + k, cell)
        for throw in range(args.throws)
        for k, cell in enumerate(cells)
    ]
    counts: Counts = Counter()
    with workers(args.jobs) as pool:
        for done, found in enumerate(pool.imap_unordered(_measured, jobs), 1):
            counts.update(found)
            print(f"{done} of {len(jobs)}", end="\r", file=sys.stderr)
    print("\n\n".join(table(counts, how) for how in HOW))


def _measured(job: tuple[int, tuple[str, int, int]]) -> Counts:
    return measured(*job)


if __name__ == "__main__":
    sys.exit(run(main))

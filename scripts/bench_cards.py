#!/usr/bin/env python3
"""Counts what CALIBRATE takes for a card: cards on the rim, and what else may lie there.

    .venv/bin/python scripts/bench_cards.py [--setups 10] [--seed 0] [--jobs 1] [--out FILE]

In each set-up (`tests/rigs/any_set_up.py`, rims of 0.5 to 60 mm, cameras that lean by up to 30
degrees, prints of 70 % or 93 to 104 %) everything of `tests/rigs/known_sizes.py` is laid once
across the edge of the opening, turned in any way. A card is right where the print's size is told
to within `WITHIN`; of anything else every size that is told is wrong.
`--out` keeps each row as it is measured; what is there already is not measured again.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from calibration.errors import RefusedError
from calibration.self_calibration import calibration_from_frames
from calibration.wizard.card import card_on_rim, something_new
from scripts.campaign.stopping import run, workers
from simulator.render.renderer import render
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.rigs.any_set_up import any_set_up
from tests.rigs.known_sizes import CARDS, OTHER_ITEMS, with_print_of
from vision.frame import Frame

WITHIN = 0.015
ITEMS = {**CARDS, **OTHER_ITEMS}
Row = dict[str, object]


def measured(seed: int) -> list[Row]:
    """What is made of everything in one set-up."""
    rng = np.random.default_rng((seed, 77))
    rim, tilt = float(rng.uniform(0.5, 60.0)), float(rng.uniform(0.0, 30.0))
    scale = 0.705 if rng.random() < 0.2 else float(rng.uniform(0.93, 1.04))
    set_up = any_set_up(seed, tilt, None, rim)
    scene = with_print_of(set_up.where.scene, scale)
    before = render(scene, None, np.random.default_rng(seed), INSTALLATION_QUALITY)
    row: Row = {"seed": seed, "rim": round(rim, 1), "tilt": round(tilt), "print": round(scale, 3)}
    try:
        known = calibration_from_frames([Frame(before, 0.0, 0)], sight=set_up.sight)
    except RefusedError as error:
        return [{**row, "item": name, "said": f"tray: {error}"} for name in ITEMS]
    rows = []
    for name, item in ITEMS.items():
        image = render(
            item.on_rim(scene, rng), None, np.random.default_rng(seed + 1), INSTALLATION_QUALITY
        )
        where = something_new(before, image, known)
        if where is None:
            rows.append({**row, "item": name, "said": "nothing new"})
            continue
        try:
            found = card_on_rim(before, image, known, where)
        except RefusedError as error:
            rows.append({**row, "item": name, "said": error.problem.value})
        else:
            rows.append({**row, "item": name, "said": "card", "found": found})
    return rows


def table(rows: list[Row]) -> str:
    """By item: how often a print is told, rightly and wrongly, and what else is said."""
    lines = ["| item | print told rightly | wrongly | else |", "|---|---:|---:|---|"]
    for name in (*ITEMS, "all cards", "all else"):
        names = {"all cards": CARDS, "all else": OTHER_ITEMS}.get(name, (name,))
        of = [row for row in rows if row["item"] in names and "tray" not in str(row["said"])]
        told = [row for row in of if "found" in row]
        is_card = name in CARDS or name == "all cards"
        right = sum(
            abs(float(str(row["found"])) / float(str(row["print"])) - 1) < WITHIN for row in told
        )
        right = right if is_card else 0
        other = Counter(str(row["said"]) for row in of if "found" not in row)
        words = ", ".join(f"{said} {n}" for said, n in other.most_common())
        lines.append(f"| {name} | {right} of {len(of)} | {len(told) - right} | {words} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setups", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="file for the rows, one a line")
    args = parser.parse_args()
    rows: list[Row] = []
    if args.out is not None and args.out.exists():
        rows = [json.loads(line) for line in args.out.read_text("utf-8").splitlines()]
    done = {row["seed"] for row in rows}
    seeds = [seed for seed in range(args.seed, args.seed + args.setups) if seed not in done]
    with workers(args.jobs) as pool:
        for found in pool.imap(measured, seeds, chunksize=1):
            rows += found
            if args.out is not None:
                with args.out.open("a", encoding="utf-8") as file:
                    file.write("".join(json.dumps(row) + "\n" for row in found))
    print(table(rows))


if __name__ == "__main__":
    sys.exit(run(main))

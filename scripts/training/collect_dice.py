#!/usr/bin/env python3
"""Reads kept pictures and keeps what the reader knew about each die, and the truth.

    .venv/bin/python scripts/bench_rendered.py --keep PICTURES --seed 500000 --pictures 1500
    .venv/bin/python scripts/training/collect_dice.py PICTURES --out DIR [--seeds 500000 500150]
                                           [--jobs 2] [--part K/N]

For `scripts/training/fit_certainty.py`, which works out from it what may be claimed. Each picture
is read with known geometry, and a quarter of the seeds each also without it, as if the dice were of
another size, or with printed markers among the dice. What exists already is not read again.
`--part 2/400` reads one of 400 small parts, which docs/developing.md hands out to several machines.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from scripts.campaign.folder import code_hash, opened, whole_file
from scripts.campaign.parts import Part, part
from scripts.campaign.pictures import kept
from scripts.campaign.results import CampaignError
from scripts.campaign.stopping import run, workers
from scripts.training.certainty.evidence import Evidence
from scripts.training.certainty.oddities import other_size, with_markers

CODE = ("vision", "scripts/training/certainty", "scripts/training/collect_dice.py")
"""The code that reads: what two versions of it knew is never mixed."""


def _work(out: Path, path: Path) -> str:
    """Reads the pictures of one file."""
    done = Evidence()
    seed = _seed(path)
    rng = np.random.default_rng(seed)
    for one in kept(path):
        image, profile = one.image(), one.profile
        done.add(image, profile, one.dice, one.group)
        if seed % 4 == 0:
            done.add(image, None, one.dice, one.group)
        elif seed % 4 == 1:
            other = other_size(rng, profile)
            done.add(image, other, one.dice, f"{one.group}, another size")
        elif seed % 4 == 2:
            marked = with_markers(rng, image, profile, one.dice)
            done.add(marked, profile, one.dice, f"{one.group}, markers")
    with whole_file(out / path.name) as file:
        np.savez_compressed(file, **done.arrays())
    return f"{path.name}: {len(done.labels)} dice"


def _seed(path: Path) -> int:
    """The seed of a file of pictures, as `scripts/bench_rendered.py` names it."""
    return int(path.stem.split("-")[1])


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", type=Path, help="files of scripts/bench_rendered.py --keep")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, sys.maxsize), metavar="SEED")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part", type=part, default=Part(), metavar="K/N", help="only this part")
    args = parser.parse_args(words)
    low, high = args.seeds
    units = [p for p in sorted(args.pictures.glob("*-*.npz")) if low <= _seed(p) < high]
    try:
        opened(args.out, {"code": code_hash(*CODE)}, files=[path.name for path in units])
        left = [path for path in args.part.share(units) if not (args.out / path.name).exists()]
        with workers(args.jobs) as pool:
            for done, said in enumerate(pool.imap_unordered(partial(_work, args.out), left), 1):
                print(f"{done} of {len(left)}: {said}", flush=True)
    except CampaignError as error:
        print(f"collect_dice: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(run(main))

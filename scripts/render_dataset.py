#!/usr/bin/env python3
"""Writes rendered pictures of trays with their truth, for `dicetray bench vision --data DIR`.

    .venv/bin/python scripts/render_dataset.py DIR --pictures 100 [--difficulty hard] [--seed 1]

Beside each picture is a JSON file with camera, tray and dice; `DIR/index.jsonl` lists them all. A
folder is added to, never emptied. `--throws 10` takes ten pictures of each installation, which is
several times faster than ten installations.
"""

import argparse
import sys
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.errors import ApplianceError
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.dataset import write_set
from vision.reading import Kind


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()) or min(int(width), int(height)) < 90:
        raise argparse.ArgumentTypeError(f"expected a size such as 1536x864, got {text!r}")
    return int(width), int(height)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of 1 or more, got {text!r}")
    return int(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to write")
    parser.add_argument("--pictures", type=_count, default=30, help="of each difficulty")
    parser.add_argument("--difficulty", choices=("easy", "normal", "hard", "all"), default="all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=_size, default=(1536, 864))
    parser.add_argument("--throws", type=_count, default=1, help="pictures of one installation")
    parser.add_argument(
        "--kinds", nargs="+", choices=[k.value for k in Kind], help="the dice in every picture"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    kinds = [Kind(k) for k in args.kinds] if args.kinds else None
    every: tuple[Difficulty, ...] = ("easy", "normal", "hard")
    levels = every if args.difficulty == "all" else (args.difficulty,)
    try:
        for level in levels:
            for path in write_set(
                args.folder, args.seed, level, args.pictures, args.size, args.throws, kinds
            ):
                print(path)
    except ApplianceError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Renders the finished machine as it stands on a table, for the README; needs the extra `parts`.

    .venv/bin/python scripts/hardware/render_machine.py [--out FILE] [--samples 32]

Takes ten minutes on two cores.
"""

import argparse
import sys
from pathlib import Path

import cv2

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

JPEG_QUALITY = 90


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures" / "machine.jpg")
    parser.add_argument("--samples", type=int, default=32, help="rays for each pixel")
    arguments = parser.parse_args()
    from scripts.hardware.building.extra import report_missing

    if status := report_missing("build123d", "mitsuba", "trimesh"):
        return status
    from scripts.hardware.building.machine import render

    quality = (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY)
    if not cv2.imwrite(str(arguments.out), render(arguments.samples), quality):
        print(f"dicetray: {arguments.out}: expected to write it, could not", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

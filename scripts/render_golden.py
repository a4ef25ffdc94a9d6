#!/usr/bin/env python3
"""Redraws the golden pictures of the renderer's tests; look at them before keeping them.

.venv/bin/python scripts/render_golden.py
"""

import sys
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.simulator.render.golden_scenes import FOLDER, SCENES, draw


def main() -> None:
    for name in SCENES:
        path = FOLDER / f"{name}.png"
        cv2.imwrite(str(path), draw(name), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()

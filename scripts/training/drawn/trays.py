"""Small drawn trays with known dice, for trials and tests."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from scripts.training.drawn.drawing import View, draw_die
from scripts.training.drawn.styles import KINDS, PLAIN, make_style
from vision.frame import Image

EDGE = 52.0
BODIES = {
    "black": (0.09, 0.09, 0.1),
    "red": (0.15, 0.12, 0.72),
    "white": (0.86, 0.9, 0.92),
    "yellow": (0.12, 0.8, 0.9),
    "power": (0.8, 0.35, 0.1),
    "other": (0.5, 0.1, 0.45),
}
"""Colours of bodies, BGR, 0 to 1."""
GRID = ((130, 120), (320, 130), (510, 115), (135, 330), (325, 350), (505, 335))


def draw_tray(values: Sequence[int], kinds: Sequence[str], seed: int = 1) -> Image:
    """A plain green tray of 640 x 480 pixels with up to six dice on a loose grid."""
    rng = np.random.default_rng(seed)
    canvas = np.empty((480, 640, 3), dtype=np.float32)
    canvas[:] = (0.25, 0.45, 0.18)
    for (x, y), value, kind in zip(GRID, values, kinds, strict=False):
        # Seen from the middle of the picture: tops lean away from it.
        slant = (np.array([x, y], dtype=float) - (320, 240)) / 1100
        style = replace(
            make_style(rng, KINDS.index(kind)),
            body=np.array(BODIES[kind]),
            radius=0.095,
            spread=0.25,
            corner=0.1,
            translucent=0.0,
            gloss=0.1,
            print_strength=0.0,
            make=PLAIN,
        )
        view = View(EDGE, slant, 0.04, np.eye(2))
        turn = float(rng.uniform(0, 2 * np.pi))
        middle = np.array([x, y], dtype=float)
        draw_die(rng, canvas, view, middle, np.zeros(2), turn, style, value)
    soft = cv2.GaussianBlur(canvas, (0, 0), 0.7)
    noise = rng.normal(0, 0.01, soft.shape)
    return np.asarray(np.clip((soft + noise) * 255, 0, 255), dtype=np.uint8)

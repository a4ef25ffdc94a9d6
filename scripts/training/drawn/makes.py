"""How makers' dice differ besides their colours: pips, the rows of a 6, what a body is made of.

Lengths are in edges of a die, unless said otherwise. The ranges are those of dice in photographs
by strangers and on makers' pages: rows of a 6 that lie as close as 0.45 of the distance in a
square, pips of 8 to 26 % of the edge, a 1 that is large or red, pips with a rim or as rings.
"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.image.arrays import Float32Array, FloatArray

Generator = np.random.Generator
Pattern = Literal["plain", "blotches", "speckles", "swirl", "wood", "pearl"]

PATTERNS: tuple[Pattern, ...] = ("blotches", "speckles", "swirl", "wood", "pearl")
CLOSE_ROWS = (0.45, 1.0)
"""Distance of a 6's two rows, as a share of that in a square."""
SMALL_PIP_RADIUS = (0.04, 0.072)
LARGE_ONE = (1.15, 2.1)
"""Radius of the pip of a 1, in radii of other pips."""


@dataclass(frozen=True, slots=True, eq=False)
class Make:
    """The looks that a maker gives dice; the default is the plainest die.

    Attributes:
        rows: distance of a 6's rows, as a share of that in a square.
        one_radius: radius of the 1's pip, in radii of the others.
        odd_colour: colour of the pips of `odd_faces`, BGR, 0 to 1; None where all are alike.
        odd_faces: faces whose pips have it, as the 1 and the 4 of many Asian dice.
        rim: width of a rim round each pip, in radii of a pip; 0 for none.
        rim_tone: its grey level, 0 to 1.
        hollow: radius of what is left of the body within each pip, in radii of a pip.
        engraved: how deep the pips are: the strength of light and shade in them, 0 to 1.
        pattern: what the body looks like.
    """

    rows: float = 1.0
    one_radius: float = 1.0
    odd_colour: FloatArray | None = None
    odd_faces: tuple[int, ...] = ()
    rim: float = 0.0
    rim_tone: float = 0.0
    hollow: float = 0.0
    engraved: float = 0.0
    pattern: Pattern = "plain"


def random_make(rng: Generator, patterned: float) -> Make:
    """The looks of one maker's dice; `patterned` is the chance that its bodies are not plain."""
    rows = float(rng.uniform(*CLOSE_ROWS)) if rng.random() < 0.45 else 1.0
    one_radius = float(rng.uniform(*LARGE_ONE)) if rng.random() < 0.15 else 1.0
    odd_colour: FloatArray | None = None
    odd_faces: tuple[int, ...] = ()
    if rng.random() < 0.1:
        red = np.array((rng.uniform(0, 0.25), rng.uniform(0, 0.25), rng.uniform(0.5, 0.95)))
        odd_colour, odd_faces = red, (1, 4) if rng.random() < 0.4 else (1,)
    rim = float(rng.uniform(0.12, 0.5)) if rng.random() < 0.12 else 0.0
    hollow = float(rng.uniform(0.3, 0.7)) if rng.random() < 0.04 else 0.0
    return Make(
        rows=rows,
        one_radius=one_radius,
        odd_colour=odd_colour,
        odd_faces=odd_faces,
        rim=rim,
        rim_tone=float(rng.choice((rng.uniform(0, 0.3), rng.uniform(0.7, 1.0)))),
        hollow=hollow,
        engraved=float(rng.uniform(0.2, 0.9)) if rng.random() < 0.45 else 0.0,
        pattern=PATTERNS[int(rng.integers(len(PATTERNS)))] if rng.random() < patterned else "plain",
    )


def ivory(rng: Generator) -> FloatArray:
    """A body as of ivory, bone, cream plastic or pale wood, BGR, 0 to 1."""
    return hsv(rng.uniform(25, 55), rng.uniform(0.06, 0.5), rng.uniform(0.6, 1.0))


def hsv(hue: float, saturation: float, value: float) -> FloatArray:
    """A colour, BGR, 0 to 1; its hue is in degrees, the rest from 0 to 1."""
    pixel = np.array([[[hue % 360, saturation, value]]], dtype=np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], dtype=np.float64)


def smooth_noise(rng: Generator, side: int, across: int, down: int) -> Float32Array:
    """A field of (side, side) between 0 and 1 with so many random values across and down."""
    coarse = rng.random((down, across)).astype(np.float32)
    field = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(field, 0, 1), dtype=np.float32)


def body_pattern(rng: Generator, pattern: Pattern, side: int) -> Float32Array:
    """How far a body has its second colour, (side, side), 0 to 1."""
    axis = np.linspace(0, 1, side, dtype=np.float32)
    if pattern == "blotches":
        field = smooth_noise(rng, side, int(rng.integers(2, 9)), int(rng.integers(4, 9)))
        return np.asarray(np.clip((field - 0.5) * 4 + 0.5, 0, 1), np.float32)
    if pattern == "speckles":
        fine = cv2.GaussianBlur(
            rng.random((side, side)).astype(np.float32), (0, 0), float(rng.uniform(0.5, 1.6))
        )
        limit = np.quantile(fine, rng.uniform(0.75, 0.97))
        return np.asarray(fine > limit, np.float32)
    if pattern == "swirl":
        bend = smooth_noise(rng, side, 4, 4) * np.float32(rng.uniform(1, 4))
        angle = rng.uniform(0, np.pi)
        along = np.cos(angle) * axis[None] + np.sin(angle) * axis[:, None]
        wave = np.sin((along * rng.uniform(1, 4) + bend) * 2 * np.pi)
        return np.asarray(0.5 + 0.5 * wave, np.float32)
    if pattern == "wood":
        angle = rng.normal(0, 0.2) + rng.integers(2) * np.pi / 2
        across = np.cos(angle) * axis[None] + np.sin(angle) * axis[:, None]
        bend = smooth_noise(rng, side, 3, 3) * np.float32(0.3)
        rings = np.sin((across + bend) * rng.uniform(20, 70))
        return np.asarray(0.5 + 0.5 * rings * smooth_noise(rng, side, 5, 5), np.float32)
    field = smooth_noise(rng, side, 6, 6) + smooth_noise(rng, side, 13, 13)
    return np.asarray(np.clip(field / 2, 0, 1) ** 2, np.float32)

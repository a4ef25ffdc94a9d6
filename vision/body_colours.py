"""Colours of dice's bodies as people tell them apart, whatever kinds the reader knows.

They are compared in CIE L*a*b*, as OpenCV computes it for sRGB: how light, and how far towards
green or red and blue or yellow.
"""

from collections.abc import Sequence
from enum import StrEnum

import cv2
import numpy as np

from vision.geometry.profile import DieColour
from vision.image.arrays import FloatArray
from vision.reading import Kind

Bgr = tuple[float, float, float]

MIN_CONFIRMED = 4
"""So many numbered dice of a colour must have been confirmed; one Power die is enough."""
MAX_TINT_DIFFERENCE = 22.0
"""In a* and b*. Five dice of one colour, lying anywhere in ten set-ups of
`tests/rigs/any_set_up.py`, differed from their median by 15 at most; a lamp's reflection on them
does that. Dice of the nearest other colours are 55 apart."""
MAX_LIGHTNESS_DIFFERENCE = 27.0
"""In L*, of 100; there it was 17, and 50 between black and white."""

_MAX_GREY_CHROMA = 18.0  # white dice had 15 in warm light
_MAX_BLACK_LIGHTNESS = 36.0
_MIN_WHITE_LIGHTNESS = 62.0
_MIN_PINK_LIGHTNESS = 58.0
_MAX_BROWN_LIGHTNESS = 42.0


class ColourName(StrEnum):
    """The name that people give a colour."""

    BLACK = "black"
    GREY = "grey"
    WHITE = "white"
    RED = "red"
    PINK = "pink"
    ORANGE = "orange"
    BROWN = "brown"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    VIOLET = "violet"


_NAMES_BY_HUE = (
    (52.0, ColourName.RED),
    (76.0, ColourName.ORANGE),
    (112.0, ColourName.YELLOW),
    (205.0, ColourName.GREEN),
    (303.0, ColourName.BLUE),
    (340.0, ColourName.VIOLET),
    (360.0, ColourName.RED),
)
"""Hues end here, degrees from a* towards b*."""


def are_alike(body: Bgr, other: Bgr) -> bool:
    """True if two bodies, BGR from 0 to 255, have one colour, lit as places in a tray are."""
    apart = np.abs(_lab(body) - _lab(other))
    tint = float(np.hypot(apart[1], apart[2]))
    return bool(apart[0] <= MAX_LIGHTNESS_DIFFERENCE) and tint <= MAX_TINT_DIFFERENCE


def colour_name(body: Bgr) -> ColourName:
    """The name that people give the colour of a body, BGR from 0 to 255."""
    light, a, b = (float(v) for v in _lab(body))
    if np.hypot(a, b) < _MAX_GREY_CHROMA:
        if light < _MAX_BLACK_LIGHTNESS:
            return ColourName.BLACK
        return ColourName.WHITE if light > _MIN_WHITE_LIGHTNESS else ColourName.GREY
    hue = float(np.degrees(np.arctan2(b, a))) % 360.0
    name = next(name for end, name in _NAMES_BY_HUE if hue <= end)
    if name is ColourName.RED and light > _MIN_PINK_LIGHTNESS:
        return ColourName.PINK
    if name in (ColourName.ORANGE, ColourName.YELLOW) and light < _MAX_BROWN_LIGHTNESS:
        return ColourName.BROWN
    return name


def known_bodies(confirmed: Sequence[DieColour]) -> tuple[DieColour, ...]:
    """The colours of numbered dice that were confirmed often enough, unlike any Power die's."""
    power = [one for one in confirmed if one.kind is Kind.POWER]
    return tuple(
        one
        for one in confirmed
        if one.kind is not Kind.POWER
        and one.count >= MIN_CONFIRMED
        and not any(are_alike(one.body, other.body) for other in power)
    )


def _lab(body: Bgr) -> FloatArray:
    pixel = np.clip(np.array(body, np.float32) / 255, 0, 1).reshape(1, 1, 3)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0], np.float64)

"""Is a body round? A dish with one olive is a 1 to both networks, and its rim is a body's end."""

import numpy as np

from vision.classify.face import Pyramid
from vision.detect.counting import PATCH_EDGE_PX, PATCH_SIDE_PX
from vision.detect.detection import Detection
from vision.image.arrays import BoolArray, FloatArray, GreyImage
from vision.image.warping import sampled

DIRECTIONS = 32
FIRST_RADIUS_PX = 12
BAND = 3
"""Pixels on either side of an end that are compared; one is left out."""
MIN_STEP = 4.0
"""Grey levels of any channel from the body to what lies around it."""
MIN_ENDS = 24
"""In how many directions the body must be seen to end."""

# Of 296 dice that showed a 1 in photographs, none had more than 0.69 of its ends on a circle.
MAX_GAP_PX = 1.0
"""From a circle to an end on it: a fiftieth of an edge."""
MIN_SHARE = 0.8
"""Share of the directions."""
FITS = 3
"""Each leaves out what lies farther from the circle than half as much again as most ends do."""

_ANGLES = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
_WAYS = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_RADII = np.arange(FIRST_RADIUS_PX, PATCH_SIDE_PX // 2)
_PLACES = (PATCH_SIDE_PX - 1) / 2 + _WAYS[:, None] * _RADII[:, None]


def is_round(pyramid: Pyramid, one: Detection) -> bool:
    """True if what ends around the middle of a top ends on a circle."""
    patch = pyramid.patch(one.center, one.turned_axes, PATCH_SIDE_PX, PATCH_EDGE_PX)
    radii, plain = _ends(sampled(patch, _PLACES))
    if plain.sum() < MIN_ENDS:
        return False
    gaps = _gaps_to_circle(radii[:, None] * _WAYS, plain)
    return bool((gaps[plain] <= MAX_GAP_PX).sum() >= MIN_SHARE * DIRECTIONS)


def _ends(rays: GreyImage) -> tuple[FloatArray, BoolArray]:
    """Where the levels step most along each ray, pixels, (n,), and whether that is an end.

    `rays` is (n, radii, 3), from inside to outside.
    """
    bands = np.lib.stride_tricks.sliding_window_view(rays.astype(np.float64), BAND, axis=1)
    means = bands.mean(axis=3)
    steps = np.abs(means[:, BAND + 1 :] - means[:, : -BAND - 1]).max(axis=2)
    radii = FIRST_RADIUS_PX + BAND + steps.argmax(axis=1)
    return radii.astype(np.float64), steps.max(axis=1) >= MIN_STEP


def _gaps_to_circle(places: FloatArray, plain: BoolArray) -> FloatArray:
    """How far places, (n, 2), lie from the circle that fits most of the plain ones, (n,)."""
    kept, gaps = plain, np.zeros(len(places))
    # The squared distance from the origin is linear in the middle and in one number more.
    rows = np.column_stack([2 * places, np.ones(len(places))])
    squares = (places**2).sum(axis=1)
    for _ in range(FITS):
        x, y, rest = np.linalg.lstsq(rows[kept], squares[kept], rcond=None)[0]
        radius = np.sqrt(max(rest + x * x + y * y, 0.0))
        gaps = np.abs(np.hypot(*(places - (x, y)).T) - radius)
        kept = plain & (gaps <= max(1.5 * float(np.median(gaps[plain])), MAX_GAP_PX))
    return gaps

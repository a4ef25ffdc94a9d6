"""Is the body of a die seen, and not only spots?

A speck of lint on black cloth was a 1 to both networks, and two were a 2; printed dots lie as pips
do. Around them a body must end.
"""

import cv2
import numpy as np

from vision.classify.face import Pyramid
from vision.detect.detection import Detection
from vision.detect.roundness import is_round
from vision.image.arrays import BoolArray, Float32Array, FloatArray, GreyImage

PATCH_SIDE_PX = 64
PATCH_EDGE_PX = 54.0

# Rows of the patch, from outside the top to inside, and the columns of a side without its corners.
SIDE_ROWS = np.s_[0:25]
SIDE_COLUMNS = np.s_[16:48]
FIRST_END, LAST_END = 7, 21
"""Rows among those at which the body may end: a seventh of an edge beyond the top, or within it."""
FIRST_END_BEFORE_PIPS = 6
"""Where pips hide rows further in, one more row outside is looked at."""
BAND = 4
"""Rows on either side of the end that are compared; one is left out, as rims are round."""
MIN_COLUMNS = 6
"""A row of a side of which pips leave less is not compared."""

MIN_STEP = 4.0
"""Grey levels of any channel from the body to what lies around it."""
MIN_SIDES = 3
"""So many sides must end: a neighbour may have the colour of the fourth. Of 1,745 dice
that were claimed in photographs, two are asked about for it."""

FIRST_HIDING = 4
"""Up to two pips, along one side, hide less than half of it: each row's median shows the body."""
# More hide the body. What has their levels near where they lie on a die is left out; elsewhere it
# may be the ground.
PIP_SPACING = 0.27
"""Of those of a 4 from both axes, in edges."""
PIP_REACH = 1 / 6
"""From such a place to the rim of the largest pip, in edges."""
PIP_MIDDLE = 0.075
"""The same for the middle of any pip."""
RIM = np.ones((5, 5), np.uint8)
"""Pixels around a pip's that its rim has a share in."""
INSIDE = np.s_[7:57, 7:57]
"""Pixels of the patch whose levels part pips from body."""

_CORNERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
_MIDDLE = ((0, 0),)
_BETWEEN = ((0, 1), (1, 0), (0, -1), (-1, 0))
_PIPS = (_CORNERS, _CORNERS + _MIDDLE, _CORNERS + _BETWEEN)
"""Of 4 to 6, in spacings from the middle, whichever way they are turned."""


def _near_pips(reach: float) -> BoolArray:
    """What lies this near, in edges, to where the pips of 4 to 6 may be, (3, side, side)."""
    steps = (np.arange(PATCH_SIDE_PX) - (PATCH_SIDE_PX - 1) / 2) / PATCH_EDGE_PX
    pixels = np.stack(np.meshgrid(steps, steps), axis=2)[:, :, None]
    gaps = [np.hypot(*np.moveaxis(pixels - PIP_SPACING * np.array(at), 3, 0)) for at in _PIPS]
    return np.array([gap.min(axis=2) < reach for gap in gaps])


_REACHED, _MIDDLES = _near_pips(PIP_REACH), _near_pips(PIP_MIDDLE)


def has_body(pyramid: Pyramid, one: Detection, value: int) -> bool:
    """True if a body ends around the spots that are taken for the pips of a value, 1 to 6.

    Around a single pip it must not be round: dishes are.
    """
    patch = pyramid.patch(one.center, one.turned_axes, PATCH_SIDE_PX, PATCH_EDGE_PX)
    ends = np.zeros(4, np.bool_)
    # The first channel decides on most dice.
    for channel in np.moveaxis(patch, 2, 0):
        body, first = channel.astype(np.float32), FIRST_END
        if value >= FIRST_HIDING:
            body[_is_pip(channel, value)] = np.inf
            first = FIRST_END_BEFORE_PIPS
        ends |= _steps_at(_sides_of(body), first) >= MIN_STEP
        if ends.sum() >= MIN_SIDES:
            return value > 1 or not is_round(pyramid, one)
    return False


def _is_pip(channel: GreyImage, value: int) -> BoolArray:
    """Which pixels of one channel of a patch show pips of a value, 4 to 6, and no body."""
    inside = np.ascontiguousarray(channel[INSIDE])
    level, bright = cv2.threshold(inside, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    middles = _MIDDLES[value - FIRST_HIDING][INSIDE]
    are_bright = bright[middles].mean() > bright[~middles].mean()
    pips = (channel > level) == are_bright
    reached = _REACHED[value - FIRST_HIDING]
    return np.asarray((cv2.dilate((pips & reached).astype(np.uint8), RIM) > 0) & reached)


def _sides_of(patch: Float32Array) -> Float32Array:
    """The strips across the four sides of a patch, (4, rows, columns), in `_steps_at`'s order."""
    across = patch.T
    ways = (patch, patch[::-1], across, across[::-1])
    return np.array([way[SIDE_ROWS, SIDE_COLUMNS] for way in ways])


def _steps_at(sides: Float32Array, first: int) -> FloatArray:
    """The greatest step of levels across each side of a top, (n,); 0 where none can be seen.

    Args:
        sides: (n, rows, columns), from outside the top to inside; infinite where a pip hides it.
        first: row at which the body may first end.
    """
    levels = _medians(sides)
    bands = np.lib.stride_tricks.sliding_window_view(levels, BAND, axis=1).mean(axis=2)
    inner = bands[:, first : LAST_END + 1]
    outer = bands[:, first - BAND - 2 : LAST_END - BAND - 1]
    steps = np.fmax.reduce(np.abs(inner - outer), axis=1, initial=0.0)
    return np.asarray(steps, np.float64)


def _medians(sides: Float32Array) -> Float32Array:
    """The median of what is finite in each row; NaN where that is less than `MIN_COLUMNS`."""
    ordered = np.sort(sides, axis=2)
    counts = np.isfinite(sides).sum(axis=2)
    halves = np.stack([(counts - 1) // 2, counts // 2], axis=2)
    middle = np.take_along_axis(ordered, np.maximum(halves, 0), axis=2).mean(axis=2)
    return np.where(counts >= MIN_COLUMNS, middle, np.float32(np.nan))

"""Is the body of a die seen, and not only spots?

A speck of lint on black cloth was a 1 to both networks, and two were a 2; printed dots lie as pips
do. Around them a body must end.
"""

import numpy as np

from vision.classify.face import Pyramid
from vision.detect.detection import Detection
from vision.frame import Image
from vision.image.arrays import FloatArray, GreyImage
from vision.image.numeric import median

PATCH_SIDE_PX = 64
PATCH_EDGE_PX = 54.0

# Rows of the patch, from outside the top to inside, and the columns of a side without its corners.
SIDE_ROWS = np.s_[0:25]
SIDE_COLUMNS = np.s_[16:48]
FIRST_END, LAST_END = 6, 20
"""Rows among those at which the body may end: a seventh of an edge beyond the top, or within it."""
BAND = 4
"""Rows on either side of the end that are compared; one is left out, as rims are round."""

MIN_STEP = 4.0
"""Grey levels of any channel from the body to what lies around it."""
MIN_SIDES = 3
"""So many sides must end: a neighbour may have the colour of the fourth. Of 1,835 dice
that were claimed in photographs, two are asked about for it."""


def has_body(pyramid: Pyramid, one: Detection) -> bool:
    """True if a body ends around the spots that are taken for pips."""
    sides = _sides_of(pyramid.patch(one.center, one.turned_axes, PATCH_SIDE_PX, PATCH_EDGE_PX))
    ends = np.zeros(len(sides), np.bool_)
    # The first channel decides on most dice.
    for channel in np.moveaxis(sides, 3, 0):
        ends |= _steps_at(channel) >= MIN_STEP
        if ends.sum() >= MIN_SIDES:
            return True
    return False


def _sides_of(patch: Image) -> Image:
    """The strips across the four sides of a patch, (4, rows, columns, 3), in `_steps_at`'s order.

    Opposite sides are mirrored, not turned: which way their columns run is one to a median.
    """
    across = patch.transpose(1, 0, 2)
    ways = (patch, patch[::-1], across, across[::-1])
    return np.array([way[SIDE_ROWS, SIDE_COLUMNS] for way in ways])


def _steps_at(sides: GreyImage) -> FloatArray:
    """The greatest step of levels across each side of a top, (n,).

    Up to two small pips hide less than half of a side: the median of each row counts.

    Args:
        sides: (n, rows, columns), one channel, from outside the top to inside.
    """
    rows = sides.reshape(-1, sides.shape[2]).astype(np.float32)
    sums = np.cumsum(median(rows).reshape(sides.shape[:2]), axis=1)
    bands = (sums[:, BAND:] - sums[:, :-BAND]) / BAND
    inner = bands[:, FIRST_END : LAST_END + 1]
    outer = bands[:, FIRST_END - BAND - 2 : LAST_END - BAND - 1]
    return np.asarray(np.abs(inner - outer).max(axis=1), np.float64)

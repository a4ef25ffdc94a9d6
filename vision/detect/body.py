"""Is the body of a die seen, and not only a spot?

A speck of lint on black cloth was a 1 to both networks: a single pip is all that a 1 shows. Around
it a body must end.
"""

import numpy as np

from vision.classify.face import Pyramid
from vision.detect.detection import Detection
from vision.image.arrays import FloatArray

PATCH_SIDE_PX = 96
PATCH_EDGE_PX = 54.0

# Rows of the patch, from outside the top to inside, and the columns of a side without its corners.
SIDE_ROWS = np.s_[8:48]
SIDE_COLUMNS = np.s_[32:64]
ENDS = range(14, 29)
"""Rows among those at which the body may end: a seventh of an edge beyond the top, or within it."""
BAND = 4
"""Rows on either side of the end that are compared; one is left out, as rims are round."""

MIN_STEP = 4.0
"""Grey levels of any channel from the body to what lies around it."""
MIN_SIDES = 3
"""So many sides must end: a neighbour may have the colour of the fourth. Of 390 dice with a 1, in
photographs and renderings, the third had 7 levels or more; of 200 specks drawn on dark cloth, 2."""


def has_body(pyramid: Pyramid, one: Detection) -> bool:
    """True if a body ends around the spot that is taken for a 1."""
    patch = pyramid.patch(one.center, one.turned_axes, PATCH_SIDE_PX, PATCH_EDGE_PX)
    steps = [_step_at_side(np.rot90(patch, turn)) for turn in range(4)]
    return sum(step >= MIN_STEP for step in steps) >= MIN_SIDES


def _step_at_side(patch: FloatArray) -> float:
    """The greatest step of levels across the upper side of the top in a patch."""
    rows = patch[SIDE_ROWS, SIDE_COLUMNS].astype(np.float64).mean(axis=1)
    steps = [
        np.abs(rows[end + 1 : end + 1 + BAND].mean(axis=0) - rows[end - 1 - BAND : end - 1].mean(0))
        for end in ENDS
    ]
    return float(np.max(steps))

"""Counts the pips on one die anew, in a patch of its own and at several thresholds.

Pips may touch one another, a logo or a bright rim: at a higher threshold they stand apart. On a die
that fills the picture they are larger than the spots that are searched for everywhere.
"""

from collections.abc import Iterator

import numpy as np

from vision.classify.face import Pyramid
from vision.detect.detection import Detection, spots_on
from vision.detect.pips import Pips, find_spots
from vision.image.arrays import FloatArray
from vision.image.numeric import largest

CONTRAST_PERCENTILES = (10, 98)
"""Percentiles of the levels of a top, whose pips may cover half of it."""
PIP_THRESHOLDS = (0.3, 0.5, 0.7, 0.85)
"""Levels above which something is a pip, as shares of the difference between those percentiles."""

# The patch in which pips are counted, and the die in it.
PATCH_SIDE_PX = 96
PATCH_EDGE_PX = 54.0
PATCH_CENTER = np.full(2, (PATCH_SIDE_PX - 1) / 2)
PATCH_AXES = np.eye(2) * PATCH_EDGE_PX
TOP_SLICE = np.s_[25:-25]
"""Rows, and columns, of its top."""


def spots_by_threshold(pyramid: Pyramid, one: Detection) -> Iterator[FloatArray]:
    """Spots on a die that may be its pips, (n, 2) in edges from its middle, at each threshold."""
    for pips in _pips_by_threshold(pyramid, one):
        yield spots_on(pips, PATCH_CENTER, PATCH_AXES)


def _pips_by_threshold(pyramid: Pyramid, one: Detection) -> Iterator[Pips]:
    """Bright and dark spots in the patch of a die, at each threshold."""
    patch = pyramid.patch(one.center, one.turned_axes, PATCH_SIDE_PX, PATCH_EDGE_PX)
    for grey in (255 - largest(255 - patch), 255 - largest(patch)):
        low, high = np.percentile(grey[TOP_SLICE, TOP_SLICE], CONTRAST_PERCENTILES)
        for cut in (low + share * (high - low) for share in PIP_THRESHOLDS if high > low):
            levels = np.clip((grey - cut) * (255 / (high - cut)), 0, 255).astype(np.uint8)
            yield find_spots(levels, bright=True)

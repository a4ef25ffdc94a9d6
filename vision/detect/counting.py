"""Counts the pips on one die anew, in a patch of its own and at several thresholds.

Pips may touch one another, a logo or a bright rim: at a higher threshold they stand apart. On a die
that fills the picture they are larger than the spots that are searched for everywhere.
"""

from collections.abc import Iterator

import numpy as np

from vision.classify.face import Pyramid
from vision.detect.detection import Detection, pattern_at, spots_on
from vision.detect.patterns import find_faces
from vision.detect.pips import Pips, find_spots
from vision.image.arrays import FloatArray
from vision.image.numeric import largest

CONTRAST = (10, 98)
"""Percentiles of the levels of a top, whose pips may cover half of it."""
THRESHOLDS = (0.3, 0.5, 0.7, 0.85)
"""Levels above which something is a pip, as shares of the difference between those percentiles."""
PLAIN_THRESHOLDS = THRESHOLDS[1:]
"""Those at which reflections on a small top are no longer taken for pips."""
SIDE, EDGE, TOP = 96, 54.0, np.s_[25:-25]
"""Side of the patch in which pips are counted, edge of the die in it, and its top, pixels."""
CENTER, AXES = np.full(2, (SIDE - 1) / 2), np.eye(2) * EDGE
"""Middle and edges of the die in the patch, pixels."""


def counted(pyramid: Pyramid, one: Detection, value: int) -> bool:
    """Whether the pips on a die, and no other spots, make the pattern of a value, 2 to 6.

    None of the thresholds may show another value.
    """
    made = set()
    for pips in _pips_by_threshold(pyramid, one, PLAIN_THRESHOLDS):
        faces = sorted(find_faces(pips, (SIDE, SIDE)), key=lambda face: -face.value)
        face = pattern_at(CENTER, AXES, faces)
        if face is not None and face.value == len(spots_on(pips, CENTER, AXES)):
            made.add(face.value)
    return made == {value}


def spots_by_threshold(pyramid: Pyramid, one: Detection) -> Iterator[FloatArray]:
    """Spots on a die that may be its pips, (n, 2) in edges from its middle, at each threshold."""
    for pips in _pips_by_threshold(pyramid, one, THRESHOLDS):
        yield spots_on(pips, CENTER, AXES)


def _pips_by_threshold(
    pyramid: Pyramid, one: Detection, thresholds: tuple[float, ...]
) -> Iterator[Pips]:
    """Bright and dark spots in the patch of a die, at each threshold."""
    patch = pyramid.patch(one.center, one.turned_axes, SIDE, EDGE)
    for grey in (255 - largest(255 - patch), 255 - largest(patch)):
        low, high = np.percentile(grey[TOP, TOP], CONTRAST)
        for cut in (low + share * (high - low) for share in thresholds if high > low):
            levels = np.clip((grey - cut) * (255 / (high - cut)), 0, 255).astype(np.uint8)
            yield find_spots(levels, bright=True)

"""Two rows of three pips: a 6, however close to each other its maker puts the rows.

The networks know rows about as far apart as they are long. Some makers put them so close, at half
their length, that both networks take the face for a 5 or a 4.
"""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np

from vision.classify.face import LOOKS_TO_AGREE, Pyramid, agreed_faces
from vision.detect.counting import plain_pips_by_threshold
from vision.detect.detection import Detection
from vision.image.arrays import FloatArray

MIN_ROW_DISTANCE = 0.4
MAX_ROW_DISTANCE = 1.15
"""Between the rows of a 6, in lengths of a row: makers choose 0.45 to 1, the rest is for a slanted
view and for errors of the places."""
MIN_ROW_LENGTH = 0.45
MAX_ROW_LENGTH = 0.95
"""From the first to the last pip of a row, in edges of the top."""
MAX_ROW_RESIDUAL = 0.16
"""How far a pip may be from its place in the rows, in steps from pip to pip."""
MAX_ROW_SHEAR = 0.2
"""Cosine of the angle between a row and the line across to the other one."""
MAX_ROWS_OFFSET = 0.2
"""How far the middle of the rows may be from that of the top, in edges: the face classifier
misplaces faces that it does not know."""
MAX_ROWS_ASKEW_RAD = math.radians(18)
"""How far the rows may be turned from the sides of the top."""

CLOSE_ROW_LENGTH = 0.6
"""Of an edge, where the rows are close: the face classifier knows shorter ones, and takes a die
with such rows to be smaller than it is."""

PIPS_OF_SIX = 6
LIKE_SIX = [4, 5, 6]
"""The values that networks give a 6 whose rows are close to each other."""
_HALVES = [
    (list(half), [k for k in range(PIPS_OF_SIX) if k not in half])
    for half in combinations(range(PIPS_OF_SIX), PIPS_OF_SIX // 2)
    if 0 in half
]
"""The ways to part six pips into two rows."""


def seen_as_six(pyramid: Pyramid, one: Detection) -> Detection | None:
    """The die as a 6, if its pips make two rows of three, whatever the distance of the rows.

    Networks that do not know rows so close spread the face over 4, 5 and 6, so it gets the
    probabilities of all three. Whether this is a die, and how it lies, is theirs to say: the face
    classifier looks again where the rows are, at a die as large as they tell.

    Returns:
        None where no rows are seen, and where no look is left.
    """
    pips = _pips_in_rows(pyramid, one)
    if pips is None or pyramid.looks_left < LOOKS_TO_AGREE:
        return None
    center = one.center + one.turned_axes @ pips.mean(axis=0)
    larger = max(1.0, length_of_rows(pips) / CLOSE_ROW_LENGTH)
    faces = agreed_faces(pyramid, center[None], larger * one.axes[None])[0]
    values = one.values.copy()
    for said in (faces, values):
        said[PIPS_OF_SIX] = said[LIKE_SIX].sum()
        said[LIKE_SIX[:-1]] = 0.0
    return replace(one, faces=faces, values=values, count=PIPS_OF_SIX, plain_pips=pips)


def _pips_in_rows(pyramid: Pyramid, one: Detection) -> FloatArray | None:
    """The pips of a die that make the rows of a 6, (6, 2), in edges from the middle of its top."""
    if length_of_rows(one.plain_pips):
        return one.plain_pips
    counts = plain_pips_by_threshold(pyramid, one)
    return next((pips for pips in counts if length_of_rows(pips)), None)


def length_of_rows(pips: FloatArray) -> float:
    """The length of the two rows of a 6 that the pips on a top make, edges; 0 if they make none.

    Args:
        pips: places of all of them, (n, 2), in edges of the top from its middle, along its sides.
    """
    if len(pips) != PIPS_OF_SIX or np.hypot(*pips.mean(axis=0)) > MAX_ROWS_OFFSET:
        return 0.0
    return max(_length_if_parallel(pips[one], pips[other]) for one, other in _HALVES)


def _length_if_parallel(one: FloatArray, other: FloatArray) -> float:
    """The length of pips (3, 2) and (3, 2) if they are the rows of a 6, otherwise 0."""
    one, other = _in_order(one), _in_order(other)
    if (one[2] - one[0]) @ (other[2] - other[0]) < 0:
        other = other[::-1]
    # Least squares: both rows have one step, and lie equally far apart at each pip.
    step = (one[2] - one[0] + other[2] - other[0]) / 4
    across = other.mean(axis=0) - one.mean(axis=0)
    length, distance = 2 * float(np.hypot(*step)), float(np.hypot(*across))
    if not MIN_ROW_LENGTH <= length <= MAX_ROW_LENGTH:
        return 0.0
    if not MIN_ROW_DISTANCE * length <= distance <= MAX_ROW_DISTANCE * length:
        return 0.0
    sheared = abs(float(step @ across)) > MAX_ROW_SHEAR * distance * length / 2
    askew = math.atan2(step[1], step[0]) % (math.pi / 2)
    if sheared or min(askew, math.pi / 2 - askew) > MAX_ROWS_ASKEW_RAD:
        return 0.0
    middle = (one.mean(axis=0) + other.mean(axis=0)) / 2
    places = middle + np.arange(-1, 2)[:, None] * step
    misses = np.concatenate([one - (places - across / 2), other - (places + across / 2)])
    return length if np.hypot(*misses.T).max() <= MAX_ROW_RESIDUAL * length / 2 else 0.0


def _in_order(row: FloatArray) -> FloatArray:
    """The pips of a row, (3, 2), from one end to the other."""
    gaps = np.hypot(*np.moveaxis(row[:, None] - row[None], 2, 0))
    middle = int(gaps.sum(axis=1).argmin())
    first, last = (k for k in range(3) if k != middle)
    return row[[first, middle, last]]

"""Sides of dice, which are no dice: the camera sees them beside the top, dark and slanted.

Together with its shadow a side is nearly as large as a top, and the pips on it are too flat to be
found.
"""

from collections.abc import Sequence

import numpy as np

from vision.classify.face import COVERED, LEANING, SYMBOL
from vision.classify.posture import FLAT, STACKED
from vision.decide.evidence import TrayPlace
from vision.detect.detection import Detection
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray

# How the networks see a side.
MIN_NO_FACE = 0.6
"""Probability of no face, by the posture classifier, which is shown what lies around it."""
MAX_FACE = 0.6
"""Probability of any one face, by the face classifier."""
MAX_COVERED = 0.25
"""Probability that it is covered, by the face classifier."""
MAX_SYMBOL = 0.1
"""Probability of a symbol, by either network: they find no pips on a Power die, covered or not."""

# The die that it belongs to.
MAX_NO_TOP = 0.05
"""Probability of no face, by either network."""
MIN_TOP = 0.9
"""Probability of its face, by the face classifier."""
MIN_LEVEL = 0.5
"""Probability of flat or stacked: what other dice lean on may be seen beside them."""
MAX_STACKED = 0.8
"""Probability of stacked: so may what they stand on."""

# Where a side is seen, in edges from the middle of the top, on the plane of the tops.
MIN_TOWARDS_CAMERA = 0.5
"""Towards the point below the camera: there the top ends."""
MAX_BEYOND_SLANT = 0.75
"""Towards that point at most, more than the tangent of the line of sight's angle to the vertical:
half an edge, or more where a corner points there, and the shadow."""
MAX_ACROSS = 0.5
"""To either side of that direction."""


def are_sides(
    found: Sequence[Detection], places: Sequence[TrayPlace], profile: Profile
) -> list[bool]:
    """Says of each detection whether it is the side of another one.

    Args:
        found: what may be dice.
        places: where their tops would be.
        profile: of the installation.
    """
    tops = [place.mm for one, place in zip(found, places, strict=True) if _has_plain_top(one)]
    eye = np.asarray(-profile.rotation.T @ profile.translation, np.float64)
    return [
        _looks_like_side(one)
        and any(_is_beside(place.mm, top, eye, profile.die_edge_mm) for top in tops)
        for one, place in zip(found, places, strict=True)
    ]


def _looks_like_side(one: Detection) -> bool:
    return bool(
        one.count == 0
        and len(one.plain_pips) == 0
        and one.values[0] > MIN_NO_FACE
        and one.faces[1:LEANING].max() < MAX_FACE
        and one.faces[COVERED] < MAX_COVERED
        and max(one.faces[SYMBOL], one.values[SYMBOL]) < MAX_SYMBOL
    )


def _has_plain_top(one: Detection) -> bool:
    return bool(
        max(one.faces[0], one.values[0]) < MAX_NO_TOP
        and one.faces[1:LEANING].max() > MIN_TOP
        and one.postures[FLAT] + one.postures[STACKED] > MIN_LEVEL
        and one.postures[STACKED] < MAX_STACKED
    )


def _is_beside(
    place: tuple[float, float], top: tuple[float, float], eye: FloatArray, edge_mm: float
) -> bool:
    """True if a place is where the side of a die with its top elsewhere is seen.

    Args:
        place: of the plane of the tops, millimetres.
        top: middle of that top, millimetres.
        eye: where the camera is, millimetres, (3,).
        edge_mm: edge of the dice.
    """
    foot = eye[:2] - np.array(top)
    reach = float(np.hypot(*foot))
    if reach == 0:
        return False
    x, y = foot / reach
    off = (np.array(place) - np.array(top)) / edge_mm
    towards, across = float(off @ (x, y)), abs(float(off @ (-y, x)))
    slant = reach / max(float(-eye[2]) - edge_mm, 1.0)
    return MIN_TOWARDS_CAMERA < towards < slant + MAX_BEYOND_SLANT and across < MAX_ACROSS

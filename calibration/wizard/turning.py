"""Whether a die was turned on the spot between two pictures of one of its faces.

Light falls on a turned face from another side and glare lies elsewhere on it: only the print
stays. Two pictures of a die that nobody has touched show the same glare twice.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry.profile import FACE_SIDE, PowerFace
from vision.image.arrays import Float32Array, GreyImage
from vision.power_die.print import MAX_FACE_RADIUS_EDGES, PRINT_PATCH_EDGE_PX, print_of

MIN_TURN_DEG = 12.0
"""A die that is turned by less counts as not turned."""
_TURN_STEP_DEG = 4.0
_MAX_SHIFT_PX = 2  # each way by which a face may be off its place
_COMPARED_RADIUS_SHARE = 0.8  # of the print's radius: a turned rim would be seen from the corners


def turn_between(before: GreyImage | Float32Array, now: GreyImage | Float32Array) -> float:
    """By how much a print was turned, degrees, 0 to 180; the least turn if it repeats.

    Args:
        before: the print of one picture, (FACE_SIDE, FACE_SIDE), see `vision.power_die.print`.
        now: that of the other.
    """
    first, second = (picture.astype(np.float32) for picture in (before, now))
    radius = _COMPARED_RADIUS_SHARE * MAX_FACE_RADIUS_EDGES * PRINT_PATCH_EDGE_PX
    axis = np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2
    disc = (np.hypot(axis[:, None], axis[None, :]) <= radius).astype(np.float32)
    reach = int(np.ceil(radius)) + 1
    middle = FACE_SIDE // 2
    part = slice(middle - reach, middle + reach)
    mask = disc[part, part]
    field = first[
        middle - reach - _MAX_SHIFT_PX : middle + reach + _MAX_SHIFT_PX,
        middle - reach - _MAX_SHIFT_PX : middle + reach + _MAX_SHIFT_PX,
    ]
    best, found = -2.0, 0.0
    # The smallest turns first, so that they win where a print repeats.
    for turn in sorted(np.arange(-180.0, 180.0, _TURN_STEP_DEG), key=abs):
        centre = ((FACE_SIDE - 1) / 2, (FACE_SIDE - 1) / 2)
        matrix = cv2.getRotationMatrix2D(centre, float(turn), 1.0)
        turned = cv2.warpAffine(second, matrix, (FACE_SIDE, FACE_SIDE))[part, part]
        scores = cv2.matchTemplate(field, turned, cv2.TM_CCOEFF_NORMED, mask=mask)
        # Glare may make the body lighter than the print.
        score = float(np.abs(scores).max())
        if score > best + 0.01:
            best, found = score, abs(float(turn))
    return found


def why_not_turned(face: str, patch: Image, learnt: Sequence[PowerFace]) -> str:
    """Why a patch is refused if its die lies as in an earlier picture; empty if it does not."""
    takes = [one.patch for one in learnt if one.value == face]
    least = min((turn_between(take, print_of(patch)) for take in takes), default=180.0)
    if least >= MIN_TURN_DEG:
        return ""
    return (
        f"Power face {face}: expected the die turned on the spot by {MIN_TURN_DEG:.0f} degrees or "
        "more, found it as before; turn it, the same face still up"
    )

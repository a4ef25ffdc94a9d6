"""Finds the tray automatically where no markers are glued on: a floor with its rim round it.

Four straight edges are a rectangle seen by the known lens if some pose and some ratio of its sides
explain their corners: the one number left over shows whether they do, and the ratio must be that of
the floor, whose size is given. The rim round it tells the floor from its lit part.
"""

from dataclasses import replace

import cv2
import numpy as np

from calibration.errors import RefusedError
from calibration.markers.lens import Lens
from calibration.problems import Problem
from calibration.rim.lines import Side, candidate_sides, colour_changes
from calibration.rim.rectangles import Outline, possible_outlines
from calibration.rim.surround import find_rim
from vision.frame import Image

RIM_CORNER_SPREAD_PX = 1.0
"""Of a corner found this way."""
_RIM_EVENNESS_SPREAD_MM = 0.3  # spread of the rim's edges about an even rim
_MAX_UNLIKENESS = 8.5  # squared spreads, of the rectangle and of its rim together
_SAME_RECTANGLE_SHARE = 0.008  # of the width: rectangles closer to each other count as one


def find_floor(image: Image, lens: Lens, floor_mm: tuple[float, float]) -> Outline:
    """Finds the floor of an empty tray, where it meets the walls.

    Args:
        image: the picture.
        lens: the camera's, for pictures of this size.
        floor_mm: width and depth of the floor.

    Raises:
        RefusedError: no such rectangle is found with certainty, or it is cut off.
    """
    if not lens.distortion.any():
        return _find_straight(image, lens, floor_mm)
    # A wide lens bends straight edges.
    straight = replace(lens, distortion=np.zeros(4))
    picture = np.asarray(cv2.undistort(image, lens.matrix, lens.distortion), np.uint8)
    found = _find_straight(picture, straight, floor_mm)
    rays = np.column_stack([straight.undistort(found.corners), np.ones(len(found.corners))])
    seen = lens.placed(np.eye(3), np.zeros(3)).to_pixels(rays)
    return replace(found, corners=seen)


def _find_straight(image: Image, lens: Lens, floor_mm: tuple[float, float]) -> Outline:
    """As `find_floor`, in a picture without distortion."""
    edges, scale = colour_changes(image)
    sides = candidate_sides(edges)
    if not all(sides):
        raise _refuse_rim("no edge is seen on some side of the middle")
    shaped = [
        (outline.unlikeness_to(floor_mm), outline, chosen)
        for outline, chosen in possible_outlines(sides, edges, lens, scale)
    ]
    shaped = [one for one in shaped if one[0] < _MAX_UNLIKENESS]
    if not shaped:
        raise _refuse_rim(
            f"no edges make a rectangle of {floor_mm[0]:g} x {floor_mm[1]:g} mm seen from above"
        )
    found = []
    for unlike, outline, chosen in shaped:
        middle = (outline.corners.mean(axis=0) + 0.5) * scale - 0.5
        beyond = [
            [_line_in_picture(other, scale) for other in side if other.beyond(taken, middle)]
            for side, taken in zip(sides, chosen, strict=True)
        ]
        rim = find_rim(outline.corners, beyond, lens, floor_mm)
        if rim is not None:
            found.append((unlike + (rim.off_mm / _RIM_EVENNESS_SPREAD_MM) ** 2, outline))
    found = sorted((one for one in found if one[0] < _MAX_UNLIKENESS), key=lambda one: one[0])
    if not found:
        raise _refuse_rim("no rim is seen evenly round a floor of this shape")
    best = found[0][1]
    apart = _SAME_RECTANGLE_SHARE * float(np.ptp(best.corners[:, 0]))
    if any(float(np.abs(other.corners - best.corners).max()) > apart for _, other in found):
        raise _refuse_rim("two rectangles fit alike")
    left, top = best.corners.min(axis=0)
    right, bottom = best.corners.max(axis=0)
    if left < 2 or top < 2 or right > image.shape[1] - 3 or bottom > image.shape[0] - 3:
        raise RefusedError(
            Problem.CUT_OFF, "the tray reaches beyond the picture; move it or raise the camera"
        )
    return best


def _line_in_picture(side: Side, scale: float) -> np.ndarray:
    """A line of the working picture, in pixels of the full picture."""
    a, b, c = side.line
    return np.array((a, b, (c + (a + b) * (0.5 * scale - 0.5)) / scale))


def _refuse_rim(why: str) -> RefusedError:
    return RefusedError(
        Problem.NO_RIM,
        f"the tray cannot be located: {why}; measure its floor again, stick the printed markers "
        "on, or point at the corners in a terminal",
    )

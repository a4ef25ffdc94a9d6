"""The tray from four corners that a person points at, where there are no markers."""

from collections.abc import Sequence

import numpy as np

from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.lens import KNOWN_LENS_DOUBT, Lens, known_camera
from calibration.markers.pose import pose_from
from calibration.problems import Problem
from vision.geometry.profile import Profile
from vision.geometry.sight import Sight

MAX_CORNER_MISFIT = 0.02
"""Of the tray's shorter side in the picture: allows pointing errors, no wrong order or size."""


CORNERS_DOUBT_MM = 1.5
"""Spread of places when the corners were pointed at and the lens was not measured."""

UNKNOWN_LENS_DOUBT_MM = 4.3
"""The same, however the corners were found, where the lens is not known.

Nineteen of twenty trays below cameras of 55 to 100 degrees are off by less than 1.4 times as much
(tests/calibration/markers/test_unknown_lens.py).
"""


def doubt_of_corners(sight: Sight | None, usual_mm: float = CORNERS_DOUBT_MM) -> float:
    """The spread of places for a camera, millimetres.

    Args:
        sight: says which camera it is; None where that is not known.
        usual_mm: the spread for a Camera Module 3. It grows as the doubt of the lens.
    """
    camera = known_camera(sight)
    if camera is None:
        return UNKNOWN_LENS_DOUBT_MM
    return usual_mm * camera.doubt.focal / KNOWN_LENS_DOUBT.focal


def calibrate_by_corners(
    lens: Lens,
    pixels: Sequence[tuple[float, float]],
    floor_mm: tuple[float, float],
    doubt_mm: float = CORNERS_DOUBT_MM,
) -> Calibration:
    """A calibration from the inner corners of the floor and its measured size.

    Args:
        lens: the camera's.
        pixels: the floor's corners from the top left clockwise.
        floor_mm: its width and depth.
        doubt_mm: one standard deviation of the resulting places.

    Raises:
        RefusedError: the corners are not those of such a rectangle seen from above.
    """
    seen = np.asarray(pixels, np.float64)
    width, depth = floor_mm
    if seen.shape != (4, 2) or not np.isfinite(seen).all():
        raise RefusedError(Problem.BAD_FIT, "expected four corners of two numbers")
    if not (60 <= width <= 600 and 60 <= depth <= 600):
        raise RefusedError(
            Problem.BAD_FIT, f"expected a floor of 60 to 600 mm, found {width:g} x {depth:g}"
        )
    sides = np.roll(seen, -1, axis=0) - seen
    turns = [
        sides[k][0] * sides[(k + 1) % 4][1] - sides[k][1] * sides[(k + 1) % 4][0] for k in range(4)
    ]
    if min(turns) <= 0:
        raise RefusedError(
            Problem.BAD_FIT,
            "expected the corners clockwise from the top left: top left, top right, bottom right, "
            "bottom left",
        )
    x, y = width / 2, depth / 2
    floor = np.array(((-x, -y), (x, -y), (x, y), (-x, y)))
    world = np.column_stack([floor, np.zeros(4)])
    rotation, translation, misfit = pose_from(lens, world, seen)
    least = float(np.linalg.norm(sides, axis=1).min())
    if misfit > MAX_CORNER_MISFIT * least:
        raise RefusedError(
            Problem.BAD_FIT,
            f"the corners miss a rectangle of {width:g} x {depth:g} mm by {misfit:.0f} pixels; "
            "measure the floor and point at its corners again",
        )
    profile = Profile(
        lens.size,
        lens.matrix,
        lens.distortion,
        rotation,
        translation,
        tray=floor,
        sight=lens.sight,
    )
    return Calibration(profile, doubt_mm=doubt_mm, lens_source=lens.source)

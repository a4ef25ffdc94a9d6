"""The pose of a camera that looks exactly straight down, as one that is drawn does."""

import numpy as np
import pytest

from calibration.corners import calibrate_by_corners
from calibration.markers.assumed import assumed_lens
from calibration.markers.pose import pose_from

UPRIGHT = (
    ((1280, 720), (300, 200), (414.5, 217.0), 1.5),
    ((1280, 720), (300, 200), (189.5, 67.0), 3.0),
    ((1280, 720), (200, 200), (500.0, 209.5), 1.5),
)
"""Size of the picture, of the floor in millimetres, its top left corner and its pixels a
millimetre: of 3,780 such rectangles OpenCV's IPPE answered these and 55 more with NaN."""


@pytest.mark.parametrize(("size", "floor_mm", "corner", "scale"), UPRIGHT)
def test_an_exactly_upright_rectangle_has_a_pose(
    size: tuple[int, int],
    floor_mm: tuple[int, int],
    corner: tuple[float, float],
    scale: float,
) -> None:
    lens, doubt = assumed_lens(size, None)
    around = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) / 2
    floor = around * floor_mm
    pixels = (floor - floor[0]) * scale + corner
    rotation, translation, misfit = pose_from(lens, np.column_stack([floor, np.zeros(4)]), pixels)
    assert misfit < 0.01
    assert np.allclose(rotation, np.eye(3), atol=1e-4)
    assert translation[2] == pytest.approx(lens.matrix[0, 0] / scale, rel=1e-4)
    corners = [(float(x), float(y)) for x, y in pixels]
    calibrated = calibrate_by_corners(lens, corners, floor_mm, doubt)
    assert np.isfinite(calibrated.profile.translation).all()

"""A camera: what it sees of the world and where it sees it from agree, with wide lenses too."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.camera import PinholeCamera, rotation_of

SIZE = (1280, 720)


def camera(view_degrees: float, k1: float, k2: float, lean_degrees: float) -> PinholeCamera:
    """A webcam 350 mm above the tray, whose angle of view counts its distortion."""
    seen = math.tan(math.radians(view_degrees / 2))
    focal = math.hypot(*SIZE) / 2 / (seen * (1 + k1 * seen**2 + k2 * seen**4))
    matrix = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    rotation = rotation_of((math.radians(lean_degrees), 0, 0))
    distortion = np.array((k1, k2, 0.001, -0.001))
    return PinholeCamera(matrix, distortion, rotation, np.array((0.0, 0.0, 350.0)))


@pytest.mark.parametrize("lean", [0, 20])
@pytest.mark.parametrize(("k1", "k2"), [(0, 0), (-0.14, 0.02), (-0.2, 0.04), (-0.25, 0.06)])
@pytest.mark.parametrize("view", [60, 78, 100, 120])
def test_a_point_of_the_tray_is_found_where_it_is(
    view: float, k1: float, k2: float, lean: float
) -> None:
    seen = camera(view, k1, k2, lean)
    xs, ys = np.meshgrid(np.linspace(-500, 500, 41), np.linspace(-300, 300, 41))
    points = np.column_stack([xs.ravel(), ys.ravel(), np.full(xs.size, -16.0)])
    pixels = seen.to_pixels(points)
    # What lies outside the view may come back into it, as the model folds.
    rays = points @ seen.rotation.T + seen.translation
    outside = np.hypot(rays[:, 0], rays[:, 1]) > rays[:, 2] * math.tan(math.radians(view / 2))
    visible = np.all((pixels >= 0) & (pixels < SIZE), axis=1) & ~outside
    assert visible.sum() > 100
    back = seen.to_plane(pixels[visible], 16.0)
    assert np.abs(back - points[visible, :2]).max() < 0.01


@given(
    st.floats(60, 120), st.floats(-0.25, 0), st.floats(0, 0.06), st.floats(0, 1), st.floats(0, 1)
)
def test_what_a_pixel_sees_is_seen_there(
    view: float, k1: float, k2: float, across: float, down: float
) -> None:
    seen = camera(view, k1, k2, 10)
    radii = np.linspace(0, math.tan(math.radians(view / 2)), 50)
    if np.any(np.diff(radii * (1 + k1 * radii**2 + k2 * radii**4)) <= 0):
        return  # the model folds: there is more than one ray
    pixel = np.array([[across * (SIZE[0] - 1), down * (SIZE[1] - 1)]])
    ray = seen.directions(pixel) * 100 @ seen.rotation + seen.position
    assert seen.to_pixels(ray) == pytest.approx(pixel, abs=1e-3)

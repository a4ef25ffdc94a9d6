"""A camera without a profile sees a table as a pinhole camera of the same pose does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.camera import PinholeCamera, rotation_of
from vision.geometry.view import USUAL_FOCAL_RATIO, TableView

SIZE = (1280, 720)
MIDDLE = np.array((639.5, 359.5))
PIXELS = np.array([(100.0, 80.0), (640.0, 360.0), (1200.0, 700.0)])


def test_from_above_the_middle_is_below_the_camera() -> None:
    view = TableView.from_above(SIZE)
    places, squares = view.on_table(np.array([MIDDLE, MIDDLE + np.array((300, 0))]))
    focal = USUAL_FOCAL_RATIO * float(np.hypot(*SIZE))
    assert view.tilt == 0
    assert places == pytest.approx(np.array([(0, 0), (300 / focal, 0)]))
    assert squares == pytest.approx(np.tile(focal * np.eye(2), (2, 1, 1)))


@given(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6))
def test_a_view_aslant_is_that_of_a_pinhole_camera(about_x: float, about_y: float) -> None:
    rotation = rotation_of((about_x, about_y, 0.3))
    view = TableView(rotation[:, 2], 900.0, MIDDLE)
    matrix = np.array([[900.0, 0, MIDDLE[0]], [0, 900.0, MIDDLE[1]], [0, 0, 1]])
    # One unit above the table's origin.
    camera = PinholeCamera(matrix, np.zeros(4), rotation, rotation @ (0.0, 0.0, 1.0))
    places, squares = view.on_table(PIXELS)
    expected = camera.to_plane(PIXELS, 0.0)
    assert np.hypot(*places.T) == pytest.approx(np.hypot(*expected.T))
    step = 1e-5
    for i, pixel in enumerate(PIXELS):
        moved = np.column_stack([expected[i] + step * np.eye(2), np.zeros(2)])
        ways = (camera.to_pixels(moved) - pixel).T / step
        # Alike but for a turn of the table.
        assert squares[i] @ squares[i].T == pytest.approx(ways @ ways.T, rel=1e-3, abs=200)
        assert np.linalg.det(squares[i]) > 0


@given(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_what_leans_is_level_in_the_view_that_is_turned_by_it(
    first_x: float, first_y: float, x: float, y: float
) -> None:
    view = TableView.from_above(SIZE).turned(np.array((first_x, first_y)))
    leans = np.array((x, y))
    down = view.turned(leans).down
    assert np.linalg.norm(down) == pytest.approx(1)
    # The normal of a top points up: against gravity, and to where it leans.
    assert view._table.T @ -down == pytest.approx(leans)

"""Dice that lean the same way mean a camera that looks aslant, if their sizes say so too."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect.unknown_view import MAX_HARMLESS_TILT, aslant_view, growth_with_nearness
from vision.geometry.view import TableView
from vision.image.arrays import FloatArray

SIZE = (1280, 720)
ABOVE = TableView.from_above(SIZE)
CENTERS = np.array([(200.0, 150.0), (700.0, 100.0), (1000.0, 600.0), (400.0, 550.0)])


def leans(x: float, y: float, spread: float = 0.0) -> FloatArray:
    return np.array((x, y)) + spread * np.array([(1.0, 0), (-1, 0), (0, 1), (0, -1)])


def sizes(x: float, y: float, growth: float = 1.6, centers: FloatArray = CENTERS) -> FloatArray:
    """Edges of equal dice whose tops lean so; on a table they would grow by a power of 1."""
    view = ABOVE.turned(np.array((x, y)))
    return np.asarray(60 * view.nearness(centers) ** (0.5 + growth), np.float64)


@pytest.mark.parametrize(("x", "y"), [(0.3, 0.1), (-0.4, 0.2), (0.0, -0.25), (0.06, 0.0)])
def test_dice_that_lean_alike_and_are_larger_where_it_is_nearer_show_the_view(
    x: float, y: float
) -> None:
    found = aslant_view(ABOVE, leans(x, y, 0.03), CENTERS, sizes(x, y))
    assert found is not None
    assert found.down[:2] == pytest.approx((-x, -y), abs=0.02)


@pytest.mark.parametrize(("x", "y"), [(0.3, 0.1), (-0.4, 0.2), (0.0, -0.25)])
@pytest.mark.parametrize("growth", [-0.5, 0.0, 0.4, 4.0])
def test_dice_that_are_as_large_where_it_is_farther_lean_themselves(
    x: float, y: float, growth: float
) -> None:
    assert aslant_view(ABOVE, leans(x, y), CENTERS, sizes(x, y, growth)) is None


def test_dice_close_together_cannot_tell_so_the_view_stays() -> None:
    close = np.array((640.0, 360.0)) + (CENTERS - CENTERS.mean(axis=0)) / 12
    edges = sizes(0.3, 0.1, centers=close)
    assert aslant_view(ABOVE, leans(0.3, 0.1), close, edges) is None


def test_dice_in_a_row_along_a_wall_cannot_tell() -> None:
    row = np.column_stack([np.linspace(200, 1000, 4), np.full(4, 600.0)])
    edges = 60 * np.array((1.02, 0.98, 1.0, 1.03))
    assert aslant_view(ABOVE, leans(0.0, -0.3), row, edges) is None


def test_dice_that_lean_this_way_and_that_move_nothing() -> None:
    assert aslant_view(ABOVE, leans(0.3, 0.1, 0.3), CENTERS, sizes(0.3, 0.1)) is None


def test_level_dice_move_nothing() -> None:
    assert aslant_view(ABOVE, leans(0.02, 0.0), CENTERS, np.full(4, 60.0)) is None


def test_a_camera_that_looks_from_the_side_is_not_believed() -> None:
    aside = ABOVE.turned(np.array((0.6, 0.0)))
    again = aside.turned(np.array((0.4, 0.0)))
    grown = 60 * again.nearness(CENTERS) ** 2.1
    assert aslant_view(aside, leans(0.4, 0.0), CENTERS, grown) is None
    assert aslant_view(ABOVE, leans(0.9, 0.0), CENTERS, sizes(0.9, 0.0)) is None


def test_a_lean_that_hides_no_face_needs_no_more_than_fitting_sizes() -> None:
    assert aslant_view(ABOVE, leans(0.1, 0.0), CENTERS, sizes(0.1, 0.0, 0.4)) is None
    found = aslant_view(ABOVE, leans(0.1, 0.0), CENTERS, sizes(0.1, 0.0, 1.0))
    assert found is not None
    assert found.tilt < MAX_HARMLESS_TILT


@given(st.floats(0.13, 0.5), st.floats(0, 6.28), st.floats(-2, 4))
def test_growth_is_measured_whatever_the_view(lean: float, way: float, growth: float) -> None:
    x, y = lean * math.cos(way), lean * math.sin(way)
    found, deviation = growth_with_nearness(
        ABOVE.turned(np.array((x, y))), CENTERS, sizes(x, y, growth)
    )
    assert found == pytest.approx(growth)
    assert 0 < deviation < 2

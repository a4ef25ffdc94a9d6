"""Edges and turns of tops seen at an angle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.geometry.axes import scales, top_edge, top_edges, turned
from vision.image.arrays import FloatArray

AXES = arrays(np.float64, (2, 2), elements=st.floats(-100, 100))


@given(arrays(np.float64, (3, 2, 2), elements=st.floats(-100, 100)))
def test_an_edge_is_the_root_of_the_area(axes: FloatArray) -> None:
    with np.errstate(divide="ignore"):
        areas = np.abs(np.linalg.det(axes))
    assert top_edges(axes) == pytest.approx(np.sqrt(areas), abs=1e-5)
    assert [top_edge(one) for one in axes] == pytest.approx(top_edges(axes).tolist())


@given(AXES, st.floats(-4, 4))
def test_a_turn_changes_no_edge_and_can_be_undone(axes: FloatArray, turn: float) -> None:
    there = turned(axes, turn)
    assert top_edge(there) == pytest.approx(top_edge(axes), abs=1e-5)
    assert turned(there, -turn) == pytest.approx(axes, abs=1e-9)


def test_a_quarter_turn_puts_the_second_edge_in_place_of_the_first() -> None:
    axes = np.array([(3.0, 1.0), (0.5, 4.0)])
    there = turned(axes, np.pi / 2)
    assert there[:, 0] == pytest.approx(axes[:, 1])
    assert there[:, 1] == pytest.approx(-axes[:, 0])


@given(arrays(np.float64, (3, 2, 2), elements=st.floats(-100, 100)))
def test_scales_are_singular_values_with_a_sign_for_mirrors(axes: FloatArray) -> None:
    low, high = scales(axes)
    values = np.linalg.svd(axes, compute_uv=False)
    assert high == pytest.approx(values[:, 0], abs=1e-9)
    assert np.abs(low) == pytest.approx(values[:, 1], abs=1e-9)
    mirrors = axes[:, 0, 0] * axes[:, 1, 1] - axes[:, 0, 1] * axes[:, 1, 0]
    assert np.all(low * mirrors >= -1e-6)

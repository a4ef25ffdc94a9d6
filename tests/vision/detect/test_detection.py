"""What spots on a top say about its value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect.detection import lie_across, spots_on
from vision.detect.pips import Pips
from vision.geometry.axes import turned

EDGE = 40.0


def pips(xy: list[tuple[float, float]], major: float = 4.0, contrast: float = 90.0) -> Pips:
    """Round spots."""
    size = np.full(len(xy), major)
    return Pips(np.array(xy).reshape(-1, 2), size, size, np.full(len(xy), contrast), True)


@given(st.floats(-3, 3), st.floats(50, 500), st.floats(50, 500))
def test_spots_are_given_in_edges_of_a_top_however_it_lies(turn: float, x: float, y: float) -> None:
    axes, middle = turned(EDGE * np.eye(2), turn), np.array((x, y))
    on_it = np.array([(0.28, 0.28), (-0.28, -0.28), (0.0, 0.0)])
    beside = np.array([(0.7, 0.0)])
    seen = middle + np.concatenate([on_it, beside]) @ axes.T
    spots = spots_on(pips(seen.tolist()), middle, axes)
    assert spots == pytest.approx(on_it)
    assert lie_across(spots)


def test_scratches_and_letters_are_no_spots_of_a_top() -> None:
    here, middle = [(100.0, 100.0)], np.array((100.0, 100.0))
    axes = EDGE * np.eye(2)
    for other in (pips([(108.0, 108.0)], 4.0, 40.0), pips([(108.0, 108.0)], 2.5)):
        both = Pips(
            np.concatenate([pips(here).xy, other.xy]),
            np.concatenate([pips(here).major, other.major]),
            np.concatenate([pips(here).minor, other.minor]),
            np.concatenate([pips(here).contrast, other.contrast]),
            True,
        )
        assert len(spots_on(both, middle, axes)) == 1
    assert len(spots_on(pips(here, 12.0), middle, axes)) == 0
    assert spots_on(pips([]), middle, axes).shape == (0, 2)


@given(st.floats(-0.05, 0.05), st.floats(-0.05, 0.05), st.sampled_from([-1, 1]), st.booleans())
def test_the_pips_of_a_two_lie_across_wherever_a_third_may_lie(
    x: float, y: float, way: int, third: bool
) -> None:
    two = np.array((x, y)) + np.array([(0.28, 0.28 * way), (-0.28, -0.28 * way)])
    spots = np.concatenate([two, [(0.3, -0.1)]]) if third else two
    assert lie_across(spots)


@pytest.mark.parametrize(
    "spots",
    [
        [],
        [(0.0, 0.0)],
        [(0.3, 0.3)],
        # What is left of a 4, of a 6 from the side and from its end, of a 5 at a corner.
        [(-0.27, -0.27), (-0.27, 0.27)],
        [(-0.27, -0.3), (-0.27, 0.0), (-0.27, 0.3)],
        [(-0.05, -0.3), (0.0, 0.0), (0.05, 0.3)],
        [(0.0, 0.0), (0.28, 0.28)],
        # A half may be taken for a whole face, with the pips of a 5 nearer to each other.
        [(0.1, -0.15), (-0.1, 0.12)],
    ],
)
def test_halves_of_larger_values_do_not(spots: list[tuple[float, float]]) -> None:
    assert not lie_across(np.array(spots).reshape(-1, 2))

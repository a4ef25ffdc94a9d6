"""What spots on a top say of its value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect.detection import spots_on
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

"""Spots on a top, and what they say about its value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect.detection import lie_across, measure_prominence, plain_pips, spots_on
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


NARROW_SIX = [(0.26 * column, 0.15 * row) for column in (-1, 0, 1) for row in (-1, 1)]


@given(st.floats(-3, 3), st.floats(-0.12, 0.12), st.floats(-0.12, 0.12))
def test_plain_pips_are_counted_where_the_middle_of_the_face_was_missed(
    turn: float, right: float, down: float
) -> None:
    axes, middle = turned(EDGE * np.eye(2), turn), np.array((100.0, 100.0))
    off = np.array((right, down))
    seen = middle + (np.array(NARROW_SIX) + off) @ axes.T
    assert len(plain_pips(pips(seen.tolist()), middle, axes)[0]) == 6


def test_reflections_and_neighbours_are_no_plain_pips() -> None:
    middle, axes = np.array((100.0, 100.0)), EDGE * np.eye(2)
    pip, far = (100.0, 100.0), (100.0 + 0.55 * EDGE, 100.0)
    assert len(plain_pips(pips([pip, far]), middle, axes)[0]) == 1
    beside = (110.0, 100.0)
    smaller = Pips(
        np.array([pip, beside]), np.array([4.0, 2.9]), np.array([4.0, 2.9]), np.full(2, 90.0), True
    )
    assert len(plain_pips(smaller, middle, axes)[0]) == 1
    fainter = Pips(
        np.array([pip, beside]), np.full(2, 4.0), np.full(2, 4.0), np.array([90.0, 50.0]), True
    )
    assert len(plain_pips(fainter, middle, axes)[0]) == 1
    oblong = Pips(
        np.array([pip, beside]), np.full(2, 4.0), np.array([4.0, 3.0]), np.full(2, 90.0), True
    )
    assert len(plain_pips(oblong, middle, axes)[0]) == 1
    assert len(plain_pips(pips([]), middle, axes)[0]) == 0


def floor(count: int, contrast: float) -> Pips:
    """Spots as large as pips, beside the top."""
    rng = np.random.default_rng(4)
    xy, size = rng.uniform(200, 900, (count, 2)), np.full(count, 4.0)
    return Pips(xy, size, size, np.full(count, contrast), True)


@pytest.mark.parametrize(
    ("count", "contrast", "stands_out"),
    [(300, 90.0, 1.0), (300, 45.0, 2.0), (30, 90.0, np.inf), (0, 90.0, np.inf)],
)
def test_pips_stand_out_from_a_pattern_by_their_contrast(
    count: int, contrast: float, stands_out: float
) -> None:
    middle, axes = np.array((100.0, 100.0)), EDGE * np.eye(2)
    die, spots = pips([(100.0, 100.0)]), floor(count, contrast)
    pairs = zip(die.parts, spots.parts, strict=True)
    xy, major, minor, strength = (np.concatenate(pair) for pair in pairs)
    spots = Pips(xy, major, minor, strength, True)
    places, _ = plain_pips(spots, middle, axes)
    prominence = measure_prominence(spots, middle, axes)
    assert len(places) == 1
    assert prominence == stands_out

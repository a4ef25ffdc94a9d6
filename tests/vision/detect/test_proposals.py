"""Proposed places."""

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vision.classify.face import Pyramid
from vision.detect import proposals
from vision.detect.patterns import LATTICE_POINTS, Face, find_faces
from vision.detect.pips import Pips
from vision.detect.proposals import (
    first_distinct,
    propose_bodies,
    propose_lone,
    propose_small,
    propose_windows,
)


def spots(*places: tuple[float, float], contrast: float = 90.0) -> Pips:
    """Bright pips with a radius of five pixels."""
    n = len(places)
    return Pips(np.array(places), np.full(n, 5.0), np.full(n, 5.0), np.full(n, contrast), True)


def pair(x: float, contrast: float = 90.0, reach: float = 9.0) -> Face:
    """The pattern of a 2 in row 50."""
    found = spots((x - reach, 50 - reach), (x + reach, 50 + reach), contrast=contrast)
    (face,) = [one for one in find_faces(found, (4000, 100)) if one.value == 2]
    return face


@given(
    st.integers(40, 1536),
    st.floats(0.5, 2.0),
    st.floats(0.32, 0.75),
    st.floats(0, 1),
    st.floats(0, 1),
)
@example(48, 0.5, 0.3203125, 0.0, 0.0)
def test_a_die_that_fills_a_picture_is_looked_for_wherever_it_lies(
    width: int, shape: float, share: float, across: float, down: float
) -> None:
    size = (width, max(40, round(width * shape)))
    edge = share * min(size)
    middle = np.array([across, down]) * (np.array(size) - edge) + edge / 2 - 0.5
    centers, edges = propose_windows(size)
    near = (np.abs(centers - middle) < 0.2 * edges[:, None]).all(axis=1)
    assert (near & (np.abs(np.log(edges / edge)) < 0.16)).any()


def test_few_places_are_looked_at_for_it() -> None:
    assert len(propose_windows((1536, 864))[1]) < 200


def test_a_top_that_glare_parts_from_its_rim_is_proposed_at_the_size_of_a_die() -> None:
    picture = np.full((300, 400, 3), (60, 120, 40), np.uint8)
    cv2.rectangle(picture, (180, 130), (224, 174), (30, 30, 30), -1)
    cv2.rectangle(picture, (186, 136), (218, 168), (200, 200, 200), -1)
    centers, edges = propose_bodies(Pyramid(picture), [], 44.0)
    assert set(edges) == {44.0}
    assert np.hypot(*(centers - (202, 152)).T).min() < 6


@pytest.mark.parametrize("glared", [36, 20])
def test_patches_much_smaller_than_a_die_are_no_bodies(glared: int) -> None:
    picture = np.full((300, 400, 3), (60, 120, 40), np.uint8)
    half = glared // 2
    cv2.rectangle(picture, (202 - half, 152 - half), (202 + half, 152 + half), (220,) * 3, -1)
    assert (len(propose_bodies(Pyramid(picture), [], 44.0)[1]) > 0) is (glared == 36)


def test_patterns_of_two_of_another_size_than_dice_have_are_not_looked_at() -> None:
    faces = [pair(100, reach=12), pair(200, reach=17), pair(300, reach=8.5)]
    usual = faces[0].edge
    assert [x for x, _ in propose_small(faces, usual)[0]] == [100.0]
    assert len(propose_small(faces)[1]) == 3


def test_the_patterns_that_stand_out_most_are_looked_at_first_and_no_more_than_some() -> None:
    faces = [pair(100.0 * k, contrast=40.0 + k) for k in range(1, 30)]
    again = [pair(100.0 * k + 1, contrast=30.0) for k in range(1, 30)]
    edge = faces[0].edge
    centers, _ = first_distinct(propose_small(faces + again, edge), 10)
    assert [x for x, _ in centers] == [100.0 * k for k in range(29, 19, -1)]
    assert len(first_distinct(propose_small(faces + again), None)[1]) == 29


def test_where_no_size_is_known_the_most_prominent_hundreds_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = propose_small([pair(100.0 * k, contrast=40.0 + k) for k in range(1, 30)])
    monkeypatch.setattr(proposals, "MAX_SMALL_PATTERNS_ANY_SIZE", 10)
    centers, edges = first_distinct(places, None)
    assert [x for x, _ in centers] == [100.0 * k for k in range(29, 19, -1)]
    assert len(edges) == 10


def test_patterns_of_other_sizes_than_dice_have_are_not_sought() -> None:
    step = 10.0
    five = [tuple(point) for point in 60 + step * LATTICE_POINTS[[0, 2, 4, 6, 8]]]
    found = spots(*five)
    assert find_faces(found, (120, 120), (30.0, 50.0))[0].value == 5
    assert not [one for one in find_faces(found, (120, 120), (50.0, 70.0)) if one.value == 5]
    lone, _ = propose_lone(find_faces(found, (120, 120)), (found, found.take(np.zeros(5, bool))))
    assert len(lone) == 0

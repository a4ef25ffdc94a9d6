"""Places proposed."""

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vision.candidates import propose_bodies, propose_windows


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
    centers, edges = propose_bodies(picture, [], 44.0)
    assert set(edges) == {44.0}
    assert np.hypot(*(centers - (202, 152)).T).min() < 6


@pytest.mark.parametrize("glared", [36, 20])
def test_patches_much_smaller_than_a_die_are_no_bodies(glared: int) -> None:
    picture = np.full((300, 400, 3), (60, 120, 40), np.uint8)
    half = glared // 2
    cv2.rectangle(picture, (202 - half, 152 - half), (202 + half, 152 + half), (220,) * 3, -1)
    assert (len(propose_bodies(picture, [], 44.0)[1]) > 0) is (glared == 36)

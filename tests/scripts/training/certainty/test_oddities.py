"""Printed markers in pictures, and dice of another size."""

import cv2
import numpy as np

from scripts.training.certainty.oddities import (
    ASSUMED_SIZE_FACTORS,
    MARKER_SIDE_RANGE_EDGES,
    MARKERS,
    other_size,
    with_markers,
)
from tests.vision.test_holders import profile

DICE = [{"x": 320.0, "y": 180.0}]


def test_dice_of_another_size_are_calibrated_for() -> None:
    own = profile()
    edges = {other_size(np.random.default_rng(k), own).die_edge_mm for k in range(40)}
    assert edges == {own.die_edge_mm * share for share in ASSUMED_SIZE_FACTORS}


def test_markers_lie_beside_the_dice_and_leave_all_else_as_it_is() -> None:
    own, empty = profile(), np.full((360, 640, 3), 90, np.uint8)
    for seed in range(10):
        image = with_markers(np.random.default_rng(seed), empty, own, DICE)
        changed = (image != empty).any(axis=2).astype(np.uint8)
        count, _, boxes, middles = cv2.connectedComponentsWithStats(
            cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        )
        assert count - 1 == MARKERS
        edge = own.edge_pixels((320.0, 180.0))
        for box, middle in zip(boxes[1:], middles[1:], strict=True):
            assert np.hypot(*(middle - (320.0, 180.0))) > edge
            # The square's corner may point anywhere; the floor is farther away than the tops.
            assert (
                0.7 * MARKER_SIDE_RANGE_EDGES[0] * edge
                < box[2]
                < 1.5 * MARKER_SIDE_RANGE_EDGES[1] * edge
            )
    assert (empty == 90).all()


def test_the_same_seed_draws_the_same_markers() -> None:
    empty = np.full((360, 640, 3), 90, np.uint8)
    one, two, other = (
        with_markers(np.random.default_rng(seed), empty, profile(), DICE) for seed in (3, 3, 4)
    )
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)

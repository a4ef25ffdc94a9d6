"""Connected components: those that OpenCV labels, from the runs of what is set."""

import cv2
import numpy as np
import pytest

from vision.detect import components as module
from vision.detect.components import components
from vision.image.arrays import BoolArray

SIZES = ((1, 1), (1, 9), (9, 1), (37, 64), (120, 161))


def masks(share: float) -> list[BoolArray]:
    rng = np.random.default_rng(4)
    return [np.asarray(rng.random(size) < share) for size in SIZES]


@pytest.mark.parametrize("share", [0.0, 0.02, 0.2, 0.45, 0.6, 0.8, 1.0])
def test_they_are_those_of_opencv_in_its_order(share: float) -> None:
    for mask in masks(share):
        number, places, sizes = components(mask, 2, 40)
        labels = cv2.connectedComponents(mask.view(np.uint8), connectivity=4)[1].ravel()
        every = np.bincount(labels)
        every[0] = 0
        kept = np.flatnonzero((every >= 2) & (every <= 40))
        assert sizes.tolist() == every[kept].tolist()
        for k, label in enumerate(kept):
            assert places[number == k].tolist() == np.flatnonzero(labels == label).tolist()


@pytest.mark.parametrize("share", [0.02, 0.5])
def test_they_are_the_same_where_much_is_set(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    sparse = [components(mask, 2, 40) for mask in masks(share)]
    monkeypatch.setattr(module, "MAX_SPARSE_PIXELS", -1)
    dense = [components(mask, 2, 40) for mask in masks(share)]
    for one, other in zip(sparse, dense, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_the_end_of_a_row_does_not_touch_the_next_one() -> None:
    mask = np.zeros((2, 4), np.bool_)
    mask[0, 3] = mask[1, 0] = True
    assert components(mask, 1, 8)[2].tolist() == [1.0, 1.0]


def test_ends_that_meet_below_are_one() -> None:
    mask = np.array([[1, 0, 1, 0, 1], [1, 0, 1, 0, 1], [1, 1, 1, 1, 1]], np.bool_)
    number, places, sizes = components(mask, 1, 99)
    assert sizes.tolist() == [11.0]
    assert len(places) == 11
    assert not number.any()

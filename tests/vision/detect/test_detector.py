"""Which places are looked at."""

import numpy as np
import pytest

from vision.classify.face import CLASSES, COVERED, LEANING, SYMBOL, FaceEstimates
from vision.detect.detector import _beside


def seen(klass: int, share: float) -> FaceEstimates:
    """One look at (100, 100), at a die of 40 pixels, and what the network says."""
    faces = np.full((1, CLASSES), (1 - share) / (CLASSES - 1))
    faces[0, klass] = share
    return FaceEstimates(
        faces,
        np.full((1, 6), 1 / 6),
        np.array([(100.0, 100.0)]),
        40 * np.eye(2)[None],
        np.zeros(1),
    )


@pytest.mark.parametrize(
    ("klass", "share", "looked_at"),
    [
        (4, 0.99, False),
        (SYMBOL, 0.7, False),
        (4, 0.5, True),
        # What is seen beside the middle of a die looks like one that leans or is covered.
        (LEANING, 0.99, True),
        (COVERED, 0.99, True),
        (0, 0.99, True),
    ],
)
def test_only_plain_finds_need_no_rival(klass: int, share: float, looked_at: bool) -> None:
    near, far = (110.0, 100.0), (140.0, 100.0)
    centers, edges = _beside((np.array([near, far]), np.full(2, 40.0)), seen(klass, share))
    assert centers.tolist() == [[*near], [*far]][not looked_at :]
    assert len(edges) == len(centers)


def test_no_places_and_no_finds_are_no_matter() -> None:
    nothing = (np.zeros((0, 2)), np.zeros(0))
    assert len(_beside(nothing, seen(4, 0.99))[1]) == 0
    some = (np.array([(1.0, 2.0)]), np.ones(1))
    assert len(_beside(some, seen(4, 0.99).take(np.zeros(1, np.bool_)))[1]) == 1

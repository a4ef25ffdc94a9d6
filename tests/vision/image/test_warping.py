"""Patches cut from pictures: the same with every version of OpenCV."""

from hashlib import sha256

import cv2
import numpy as np
import pytest

from vision.image import numeric
from vision.image.arrays import FloatArray, GreyImage
from vision.image.numeric import warp_square

PICTURE = np.random.default_rng(1).integers(0, 256, (120, 150, 3), np.uint8)
MATRICES = np.random.default_rng(2).uniform(-1, 1, (40, 2, 3)) * (
    (1.5, 1.5, 90.0),
    (1.5, 1.5, 90.0),
)


def cut(matrix: FloatArray, side: int = 48) -> GreyImage:
    patch = np.empty((side, side, 3), np.uint8)
    warp_square(PICTURE, matrix, patch)
    return patch


def test_patches_are_what_they_always_were() -> None:
    together = sha256(b"".join(cut(matrix).tobytes() for matrix in MATRICES)).hexdigest()
    assert together[:12] == "113e8cf76b31"


@pytest.mark.skipif(int(cv2.__version__[0]) > 4, reason="OpenCV 5 interpolates otherwise")
def test_what_is_done_in_place_of_opencv_5_gives_the_pixels_of_opencv_4(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = [cut(matrix) for matrix in MATRICES]
    monkeypatch.setattr(numeric, "_WARPS_EXACTLY", True)
    for matrix, patch in zip(MATRICES, expected, strict=True):
        np.testing.assert_array_equal(cut(matrix), patch)

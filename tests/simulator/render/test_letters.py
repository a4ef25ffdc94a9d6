"""The letters of prints: the same with every version of OpenCV."""

from hashlib import sha256

import cv2
import numpy as np
import pytest

from simulator.render import letters
from vision.image.arrays import GreyImage

OF_OPENCV_4 = {
    "DUPLEX": cv2.FONT_HERSHEY_DUPLEX,
    "COMPLEX": cv2.FONT_HERSHEY_COMPLEX,
    "SIMPLEX": cv2.FONT_HERSHEY_SIMPLEX,
    "TRIPLEX": cv2.FONT_HERSHEY_TRIPLEX,
}
TEXTS = ("x1", "x2", "x3", "1", "2", "3", "P3", "P")
DRAWN = {
    "DUPLEX": "5a1e10be408f",
    "COMPLEX": "56649d9d9dba",
    "SIMPLEX": "639f78f429b5",
    "TRIPLEX": "c0a0c5988b46",
}
"""What they look like, in hashes."""


def drawn(text: str, name: str) -> GreyImage:
    ink = np.zeros((300, 400), np.uint8)
    letters.put_text(ink, text, (30, 250), getattr(letters, name), 7.3, 255, 19)
    return ink


@pytest.mark.parametrize("name", OF_OPENCV_4)
def test_they_look_as_they_always_did(name: str) -> None:
    together = sha256(b"".join(drawn(text, name).tobytes() for text in TEXTS)).hexdigest()
    assert together[:12] == DRAWN[name]


@pytest.mark.skipif(int(cv2.__version__[0]) > 4, reason="OpenCV 5 draws other letters")
@pytest.mark.parametrize("name", OF_OPENCV_4)
@pytest.mark.parametrize("text", TEXTS)
def test_they_are_those_of_opencv_4(text: str, name: str) -> None:
    ink = np.zeros((300, 400), np.uint8)
    cv2.putText(ink, text, (30, 250), OF_OPENCV_4[name], 7.3, 255, 19, cv2.LINE_AA)
    np.testing.assert_array_equal(drawn(text, name), ink)
    size, _ = cv2.getTextSize(text, OF_OPENCV_4[name], 7.3, 19)
    assert letters.text_size(text, getattr(letters, name), 7.3, 19) == size

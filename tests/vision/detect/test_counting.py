"""Pips counted on one die, in a patch of its own."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.classify.face import FACE_CLASSES, KINDS, Pyramid
from vision.detect.counting import spots_by_threshold
from vision.detect.detection import Detection

SIZE = (320, 240)
MIDDLE = np.array([159.5, 119.5])
EDGE = 44.0


def found() -> Detection:
    """A die in the middle of the picture; nothing else is set."""
    axes, faces = EDGE * np.eye(2), np.zeros(FACE_CLASSES)
    return Detection(MIDDLE, axes, 0.0, faces, np.zeros(len(KINDS)), None, 0, False)


def top(value: int, radius: float, bridge: int, dark: bool = False) -> Pyramid:
    """A top with `bridge` levels between its pips and between them and its rim, body 40, pips 240.

    `radius` is that of its pips, edges.
    """
    picture = np.full((*SIZE[::-1], 3), 90, np.uint8)
    left, up = (round(float(v) - EDGE / 2) for v in MIDDLE)
    right, down = left + round(EDGE), up + round(EDGE)
    picture[up:down, left:right] = bridge
    picture[up + 3 : down - 3, left + 3 : right - 3] = 40
    points = [np.array(((k % 3 - 1), (k // 3 - 1))) * EDGE / 4 for k in SPOTS[value]]
    for one in points:
        for other in points:
            ends = [tuple(int(v) for v in (MIDDLE + end).round()) for end in (one, other)]
            cv2.line(picture, ends[0], ends[1], (bridge,) * 3, 6)
    for one in points:
        middle = tuple(int(v) for v in ((MIDDLE + one) * 16).round())
        cv2.circle(picture, middle, round(radius * EDGE * 16), (240,) * 3, -1, cv2.LINE_AA, 4)
    return Pyramid(255 - picture if dark else picture)


SPOTS = {2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 3, 6, 2, 5, 8)}


@pytest.mark.parametrize("dark", [False, True])
def test_spots_are_found_on_a_die_that_fills_the_picture_too(dark: bool) -> None:
    small = top(2, 0.1, 40, dark).level(0)
    large = np.asarray(cv2.resize(small, None, fx=9, fy=9), np.uint8)
    one = replace(found(), center=(MIDDLE + 0.5) * 9 - 0.5, axes=9 * EDGE * np.eye(2))
    counts = [len(spots) for spots in spots_by_threshold(Pyramid(large), one)]
    assert 2 in counts
    assert max(counts) == 2

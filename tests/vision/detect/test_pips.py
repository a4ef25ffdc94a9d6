"""Spots of both polarities, or of one."""

import cv2
import numpy as np

from vision.classify.face import Pyramid
from vision.detect.pips import find_pips


def test_dark_pips_are_found_by_default() -> None:
    picture = np.full((90, 160, 3), 128, np.uint8)
    cv2.circle(picture, (40, 45), 5, (20, 20, 20), -1)
    cv2.circle(picture, (120, 45), 5, (240, 240, 240), -1)
    bright, dark = find_pips(Pyramid(picture), levels=1)
    assert np.rint(bright.xy).tolist() == [[120, 45]]
    assert np.rint(dark.xy).tolist() == [[40, 45]]
    bright, dark = find_pips(Pyramid(picture), levels=1, dark=False)
    assert np.rint(bright.xy).tolist() == [[120, 45]]
    assert len(dark) == 0


def test_an_oval_spot_stays_one() -> None:
    picture = np.full((90, 90, 3), 30, np.uint8)
    cv2.ellipse(picture, (45, 45), (8, 4), 20, 0, 360, (240, 240, 240), -1)
    bright, _ = find_pips(Pyramid(picture), levels=1)
    assert len(bright) == 1
    assert bright.minor[0] < 0.65 * bright.major[0]

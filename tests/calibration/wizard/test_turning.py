"""The wizard asks for a die that lies as before to be turned, but not for one that was turned."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from calibration.wizard.turning import MIN_TURN_DEG, turn_between, why_not_turned
from vision.frame import Image
from vision.geometry.profile import FACE_SIDE, PowerFace
from vision.power_die.faces import LearnedFaces, learn
from vision.power_die.print import print_of


def face(strokes: Sequence[tuple[int, int]], turn: float, seed: int, shift: float = 0.0) -> Image:
    """A patch with lines through these points, turned by `turn` degrees, with noise."""
    big = np.full((480, 480, 3), (170, 90, 40), np.uint8)
    cv2.polylines(big, [np.array(strokes, np.int32)], False, (235, 235, 235), 26)
    matrix = np.asarray(cv2.getRotationMatrix2D((239.5, 239.5), turn, 1.0), np.float64)
    matrix[:, 2] += shift * 10
    turned = cv2.warpAffine(big, matrix, (480, 480), borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(turned, (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 4, small.shape)
    return np.asarray(np.clip(small + noise, 0, 255), np.uint8)


SEVEN = ((140, 140), (330, 140), (220, 350))
CROSS = ((240, 120), (240, 360), (240, 240), (120, 240), (360, 240))


@pytest.mark.parametrize("turn", [0, 15, -40, 90, 170])
@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_the_turn_is_measured(turn: float, shift: float) -> None:
    before, now = face(SEVEN, 20, 1), face(SEVEN, 20 + turn, 2, shift)
    assert turn_between(print_of(before), print_of(now)) == pytest.approx(abs(turn), abs=4.1)


def test_a_print_that_repeats_counts_by_its_least_turn() -> None:
    before, now = (print_of(face(CROSS, turn, turn)) for turn in (0, 90))
    assert turn_between(before, now) < MIN_TURN_DEG


def test_a_die_that_nobody_touched_is_asked_to_be_turned() -> None:
    learnt = learn([("freeze", face(SEVEN, 0, 1))])
    faces = tuple(PowerFace(value, taken) for value, taken in learnt.prints)
    assert "turn it" in why_not_turned("freeze", face(SEVEN, 3, 2), faces)
    assert why_not_turned("freeze", face(SEVEN, 30, 2), faces) == ""
    # Another face has no earlier picture.
    assert why_not_turned("double", face(SEVEN, 0, 2), faces) == ""


def test_every_take_before_counts() -> None:
    learnt = LearnedFaces(())
    for turn in (0, 40):
        learnt = learn([("1", face(SEVEN, turn, turn + 1))], learnt)
    faces = tuple(PowerFace(value, taken) for value, taken in learnt.prints)
    assert why_not_turned("1", face(SEVEN, 41, 3), faces)
    assert why_not_turned("1", face(SEVEN, -40, 3), faces) == ""

"""Discs that touch are told apart; what is no disc is not taken for some."""

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.detect.pips import find_pips
from vision.detect.touching import discs


def blobs(side: int = 120) -> NDArray[np.uint8]:
    return np.zeros((side, side), np.uint8)


def disc(mask: NDArray[np.uint8], x: float, y: float, radius: float) -> None:
    rows, columns = np.mgrid[: mask.shape[0], : mask.shape[1]]
    mask[np.hypot(columns - x, rows - y) <= radius] = 255


# How far the peak of a disc on pixels may lie below its radius: its middle may lie half a diagonal
# beside that of a pixel, its border half a pixel beside where it counts, and of OpenCV's distances,
# which are made of steps, 2 % may be missing.
OFF_MIDDLE, OFF_BORDER, SHORT = 0.5 * np.sqrt(2), 0.5, 0.02


@example(radius=7.71875, turn=5.1875, count=4, step=1.984375)
@given(st.floats(5.0, 9.0), st.floats(0.0, 2 * np.pi), st.integers(2, 4), st.floats(1.98, 2.08))
def test_a_row_of_discs_that_touch(radius: float, turn: float, count: int, step: float) -> None:
    mask = blobs(160)
    way = np.array((np.cos(turn), np.sin(turn)))
    middles = [80 + way * radius * step * (k - (count - 1) / 2) for k in range(count)]
    for x, y in middles:
        disc(mask, x, y, radius)
    found = discs(mask, 2.5, 10)
    assert len(found) == count
    for x, y in middles:
        nearest = np.hypot(found[:, 0] - x, found[:, 1] - y).min()
        assert nearest < 1.2
    most = OFF_MIDDLE + OFF_BORDER + SHORT * radius
    assert found[:, 2] == pytest.approx(np.full(count, radius), abs=most)


def test_a_band_and_a_sheet_are_none() -> None:
    mask = blobs()
    mask[20:32] = 255
    assert len(discs(mask, 2.5, 10)) == 0
    mask = blobs()
    mask[30:90, 30:90] = 255
    assert len(discs(mask, 2.5, 10)) == 0
    assert len(discs(blobs(), 2.5, 10)) == 0


def face(touching: bool) -> list[tuple[int, int]]:
    """Bright pips found on a 6 whose rows touch, rounded."""
    picture = np.full((90, 90, 3), 30, np.uint8)
    for x in (27, 41, 55):
        for y in (27, 55):
            cv2.circle(picture, (x, y), 7, (240, 240, 240), -1)
    bright, _ = find_pips(picture, levels=1, touching=touching)
    return sorted((round(x), round(y)) for x, y in bright.xy)


def test_pips_in_a_row_that_touch_are_found_one_by_one_if_asked_for() -> None:
    assert face(True) == [(x, y) for x in (27, 41, 55) for y in (27, 55)]
    assert face(False) == []


def test_an_oval_spot_stays_one() -> None:
    picture = np.full((90, 90, 3), 30, np.uint8)
    cv2.ellipse(picture, (45, 45), (8, 4), 20, 0, 360, (240, 240, 240), -1)
    bright, _ = find_pips(picture, levels=1, touching=True)
    assert len(bright) == 1
    assert bright.minor[0] < 0.65 * bright.major[0]

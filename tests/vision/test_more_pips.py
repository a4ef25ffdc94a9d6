"""Dice of games with more than six pips on a face: a count above 6 is no claim."""

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.readers import UncalibratedReader
from vision.frame import Image

CORNERS = ((0, 0), (0, 2), (2, 0), (2, 2))
SIX = (*CORNERS, (1, 0), (1, 2))
PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    5: (*CORNERS, (1, 1)),
    6: SIX,
    7: (*SIX, (1, 1)),
    8: (*SIX, (0, 1), (2, 1)),
    9: (*SIX, (0, 1), (1, 1), (2, 1)),
}
"""Rows and columns of the pips of each face."""

COLOURS = (
    ((235, 235, 235), (20, 20, 20)),
    ((30, 30, 30), (230, 230, 230)),
    ((40, 40, 190), (235, 235, 235)),
)
"""BGR of a die and of its pips."""


@cache
def felt() -> np.ndarray:
    return np.clip(np.random.default_rng(0).normal((40, 90, 40), 6, (960, 1280, 3)), 0, 255)


def drawn(count: int, colour: tuple[int, ...], pip: tuple[int, ...], degrees: float) -> Image:
    """A die with so many pips on green felt, 48 pixels a side in a picture of 640x480."""
    side, corner = 96, 15
    die = np.zeros((side, side, 3), np.uint8)
    inside = np.zeros((side, side), np.uint8)
    cv2.rectangle(inside, (corner, 0), (side - corner, side), 255, -1)
    cv2.rectangle(inside, (0, corner), (side, side - corner), 255, -1)
    for row, column in CORNERS:
        x, y = (side - corner - 1 if place else corner for place in (column, row))
        cv2.circle(inside, (x, y), corner, 255, -1)
    die[:] = colour
    for row, column in PLACES[count]:
        x, y = (int(side * (0.24 + 0.26 * place)) for place in (column, row))
        cv2.circle(die, (x, y), 9, pip, -1, cv2.LINE_AA)
    turn = np.asarray(cv2.getRotationMatrix2D((side / 2, side / 2), degrees, 1), np.float64)
    turn[:, 2] += np.array((640 - side / 2, 480 - side / 2))
    share = cv2.warpAffine(inside, turn, (1280, 960))[..., None] / 255
    picture = felt() * (1 - share) + cv2.warpAffine(die, turn, (1280, 960)) * share
    small = cv2.resize(picture, (640, 480), interpolation=cv2.INTER_AREA)
    return np.clip(cv2.GaussianBlur(small, (3, 3), 0), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("colour", "pip"), COLOURS)
def test_more_pips_than_six_are_not_claimed(colour: tuple[int, ...], pip: tuple[int, ...]) -> None:
    reader = UncalibratedReader()
    claimed = {}
    for count in PLACES:
        dice = [d for at in (0, 33) for d in reader.read(drawn(count, colour, pip, at)).dice]
        claimed[count] = [die.value for die in dice if die.sure]
    assert claimed == {5: [5, 5], 6: [6, 6], 7: [], 8: [], 9: []}

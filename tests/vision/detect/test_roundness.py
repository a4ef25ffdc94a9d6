"""A round body is no die."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.decide.detected import found, plain
from vision.classify.face import Pyramid
from vision.detect.body import has_body
from vision.detect.roundness import is_round
from vision.frame import Image
from vision.reader import Reader

MIDDLE = 100
EDGE = 60


def is_seen_round(picture: Image) -> bool:
    one = plain(found(1, 0, 1.0, 1))
    one = replace(one, center=np.full(2, float(MIDDLE)), axes=EDGE * np.eye(2))
    pyramid = Pyramid(picture)
    assert is_round(pyramid, one) != has_body(pyramid, one, 1)
    return is_round(pyramid, one)


def with_pip(picture: Image) -> Image:
    cv2.circle(picture, (MIDDLE, MIDDLE), 7, (20, 20, 20), -1, cv2.LINE_AA)
    return picture


@given(
    radius=st.floats(26, 38),
    x=st.floats(-4, 4),
    y=st.floats(-4, 4),
    ground=st.sampled_from([40, 90, 235]),
)
def test_a_dish_is_round_wherever_its_olive_lies(
    radius: float, x: float, y: float, ground: int
) -> None:
    picture = np.full((200, 200, 3), ground, np.uint8)
    place = round(16 * (MIDDLE + x)), round(16 * (MIDDLE + y))
    cv2.circle(picture, place, round(16 * radius), (180,) * 3, -1, cv2.LINE_AA, 4)
    assert is_seen_round(with_pip(picture))


@given(
    turn=st.floats(-10, 10),
    rounding=st.floats(0, 0.3),
    ground=st.sampled_from([40, 90, 235]),
)
def test_a_square_with_round_corners_is_not_round(
    turn: float, rounding: float, ground: int
) -> None:
    picture = np.full((200, 200, 3), ground, np.uint8)
    half, radius = EDGE / 2, rounding * EDGE
    rect = ((MIDDLE, MIDDLE), (2 * (half - radius),) * 2, turn)
    corners = np.round(16 * cv2.boxPoints(rect)).astype(np.int32)
    cv2.fillConvexPoly(picture, corners, (180,) * 3, cv2.LINE_AA, 4)
    if radius > 0.5:
        thick = max(1, round(2 * radius))
        cv2.polylines(picture, [corners], True, (180,) * 3, thick, cv2.LINE_AA, 4)
    assert not is_seen_round(with_pip(picture))


@pytest.mark.parametrize("radius", [60, 75, 90])
def test_a_dish_with_one_olive_is_no_1(radius: int) -> None:
    rng = np.random.default_rng(radius)
    table = 70 + cv2.GaussianBlur(rng.normal(0, 8, (360, 480, 3)), (0, 0), 1.0)
    cv2.circle(table, (240, 180), radius, (150,) * 3, -1, cv2.LINE_AA)
    cv2.circle(table, (240, 180), round(0.86 * radius), (200,) * 3, -1, cv2.LINE_AA)
    cv2.circle(table, (240, 180), radius // 6, (40,) * 3, -1, cv2.LINE_AA)
    picture: Image = np.clip(cv2.GaussianBlur(table, (0, 0), 1.0), 0, 255).astype(np.uint8)
    assert not any(die.sure for die in Reader().read(picture).dice)

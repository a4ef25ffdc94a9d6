"""A claim needs a body around its pips."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.decide.detected import found, plain
from vision.classify.face import Pyramid
from vision.detect.body import MIN_SIDES, has_body
from vision.detect.detection import Detection
from vision.frame import Image
from vision.reader import Reader

MIDDLE = 100
EDGE = 40


def one_at_middle() -> Detection:
    return replace(
        plain(found(1, 0, 1.0, 1)), center=np.full(2, float(MIDDLE)), axes=EDGE * np.eye(2)
    )


def cloth(seed: int, level: float, noise: float) -> Image:
    """A dark cloth with some grain and a bright speck in the middle."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, noise, (200, 200, 3)), (0, 0), 1.0)
    drawn: Image = np.clip(level + grain, 0, 255).astype(np.uint8)
    cv2.ellipse(drawn, (MIDDLE, MIDDLE), (5, 4), 30, 0, 360, (190, 190, 190), -1, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("seed", range(12))
def test_a_speck_on_dark_cloth_has_no_body(seed: int) -> None:
    picture = cloth(seed, 8 + 4 * seed, 1 + seed / 3)
    assert not has_body(Pyramid(picture), one_at_middle(), 1)


@pytest.mark.parametrize("darker", [6, 20, 60])
@pytest.mark.parametrize("hidden", range(5))
def test_a_body_ends_at_three_sides_though_a_neighbour_has_its_colour(
    darker: int, hidden: int
) -> None:
    picture = np.full((200, 200, 3), 90, np.uint8)
    low, high = MIDDLE - EDGE // 2, MIDDLE + EDGE // 2
    picture[low:high, low:high] = 90 - darker
    beside = (
        np.s_[low:high, high : high + 30],
        np.s_[low:high, low - 30 : low],
        np.s_[high : high + 30, low:high],
        np.s_[low - 30 : low, low:high],
    )
    for where in beside[:hidden]:
        picture[where] = 90 - darker
    cv2.circle(picture, (MIDDLE, MIDDLE), 5, (200, 200, 200), -1)
    assert has_body(Pyramid(picture), one_at_middle(), 1) == (4 - hidden >= MIN_SIDES)


CORNERS = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
GRIDS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: CORNERS,
    5: [*CORNERS, (0, 0)],
    6: [*CORNERS, (-1, 0), (1, 0)],
}


@pytest.mark.parametrize("radius", [2.5, 3.1, 4.0])
@pytest.mark.parametrize("spacing", [0.24, 0.27, 0.29])
@pytest.mark.parametrize("darker", [0, 20])
@pytest.mark.parametrize("pips", [10, 230])
@pytest.mark.parametrize("value", GRIDS)
def test_dots_that_lie_as_pips_do_are_no_body(
    value: int, pips: int, darker: int, spacing: float, radius: float
) -> None:
    picture = np.full((200, 200, 3), 120, np.uint8)
    low, high = MIDDLE - EDGE // 2, MIDDLE + EDGE // 2
    picture[low:high, low:high] = 120 - darker
    for x, y in spacing * EDGE * np.array(GRIDS[value], float) + MIDDLE:
        place = round(16 * x), round(16 * y)
        cv2.circle(picture, place, round(16 * radius), (pips,) * 3, -1, cv2.LINE_AA, 4)
    assert has_body(Pyramid(picture), one_at_middle(), value) == (darker > 0)


@pytest.mark.parametrize("value", [4, 5, 6])
@pytest.mark.parametrize("ground", [45, 215])
def test_printed_dots_are_asked_about(value: int, ground: int) -> None:
    rng = np.random.default_rng(value)
    paper = ground + cv2.GaussianBlur(rng.normal(0, 8, (360, 480, 3)), (0, 0), 1.0)
    for x, y in 13 * np.array(GRIDS[value], float) + (240, 180):
        cv2.circle(paper, (round(16 * x), round(16 * y)), 72, (260 - ground,) * 3, -1, 16, 4)
    picture: Image = np.clip(cv2.GaussianBlur(paper, (0, 0), 0.9), 0, 255).astype(np.uint8)
    seen = Reader().read(picture).dice
    assert [die.value for die in seen] == [value]
    assert not any(die.sure for die in seen)


@pytest.mark.parametrize("seed", range(3))
def test_two_specks_on_dark_cloth_are_no_two(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cloth = cv2.GaussianBlur(rng.normal(8, 3, (360, 480, 3)), (0, 0), 1.0)
    for place, level in (((222, 193), 235), ((258, 167), 200)):
        cv2.circle(cloth, place, 8, (level,) * 3, -1, cv2.LINE_AA)
    picture: Image = np.clip(cv2.GaussianBlur(cloth, (0, 0), 0.6), 0, 255).astype(np.uint8)
    seen = Reader().read(picture).dice
    assert [die.value for die in seen] == [2]
    assert not any(die.sure for die in seen)

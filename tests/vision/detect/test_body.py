"""A 1 needs a body around its pip."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.decide.detected import found, plain
from vision.classify.face import Pyramid
from vision.detect.body import MIN_SIDES, has_body
from vision.detect.detection import Detection
from vision.frame import Image

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
    assert not has_body(Pyramid(picture), one_at_middle())


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
    assert has_body(Pyramid(picture), one_at_middle()) == (4 - hidden >= MIN_SIDES)

"""Looking at a face from several sides."""

import math
from dataclasses import replace

import numpy as np
import pytest

from simulator.render.dice_model import flat_die
from simulator.render.pinhole import look_down
from simulator.render.renderer import render
from simulator.render.scene import Scene
from vision.classify.face import (
    FACE_CLASSES,
    NO_ESTIMATES,
    Pyramid,
    agreed_faces,
    classify_faces,
)
from vision.geometry.axes import turned
from vision.reading import Kind

SIZE = (320, 240)
CENTERS = np.array([(159.5, 119.5)])
AXES = 30 * np.eye(2)[None]


@pytest.mark.parametrize("value", range(1, 7))
def test_from_four_sides_it_does_not_matter_how_a_die_is_turned(value: int) -> None:
    scene = Scene(camera=look_down(SIZE, height=120.0))
    dice = (flat_die(Kind.RED, value, (3.0, 0.0), 0.7 * value),)
    image = render(replace(scene, dice=dice), rng=np.random.default_rng(value))
    sides = [AXES, turned(AXES, -math.pi / 2)]
    one, other = (classify_faces(Pyramid(image), CENTERS, axes).faces for axes in sides)
    assert np.abs(one - other).max() > 0.005
    one, other = (agreed_faces(Pyramid(image), CENTERS, axes) for axes in sides)
    np.testing.assert_allclose(one, other, atol=1e-6)
    assert one.shape == (1, FACE_CLASSES)
    assert one.sum() == pytest.approx(1)
    assert int(one.argmax()) == value


def test_of_no_places_there_is_nothing_to_agree_on() -> None:
    pyramid = Pyramid(np.zeros((8, 8, 3), np.uint8))
    assert agreed_faces(pyramid, NO_ESTIMATES.centers, NO_ESTIMATES.axes).shape == (0, FACE_CLASSES)

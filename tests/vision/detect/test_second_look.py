"""Dice whose pips have a colour but little contrast."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simulator.render.dice_model import STANDARD_STYLES, flat_die
from simulator.render.pinhole import Vector, look_down
from simulator.render.renderer import render
from simulator.render.scene import Scene
from simulator.render.sensor import Sensor
from vision.classify.face import FACE_CLASSES, KINDS, Pyramid
from vision.detect.detection import Detection
from vision.detect.second_look import (
    BODY_LEVEL,
    MAX_NO_FACE,
    PIP_LEVEL,
    BlackAndWhite,
    take_second_look,
)
from vision.reading import Kind

SIZE = (320, 240)
MIDDLE = np.array([159.5, 119.5])
EDGE = 44.0
SCENE = Scene(camera=look_down(SIZE, height=120.0), sensor=Sensor(exposure=1.1))


def rendered(value: int, body: Vector, pip: Vector) -> Pyramid:
    style = replace(STANDARD_STYLES[Kind.OTHER], body=body, pip=pip)
    dice = (flat_die(Kind.OTHER, value, (0.0, 0.0), 0.3 * value, style=style),)
    return Pyramid(render(replace(SCENE, dice=dice), rng=np.random.default_rng(value)))


def found(none: float = 0.0) -> Detection:
    """A die in the middle of the picture and the probability of no face; nothing else is set."""
    axes, faces = EDGE * np.eye(2), np.zeros(FACE_CLASSES)
    faces[0] = none
    return Detection(MIDDLE, axes, 0.0, faces, np.zeros(len(KINDS)), None, 0, False)


def test_pips_as_bright_as_the_body_are_read_by_their_colour() -> None:
    for value in range(1, 7):
        again = take_second_look(rendered(value, (0.06, 0.06, 0.062), (0.012, 0.02, 0.2)), found())
        assert again is not None
        assert again.faces[value] > 0.9, value
        assert again.values[value] > 0.9, value


def test_what_may_be_no_die_is_not_looked_at_again() -> None:
    picture = rendered(5, (0.06, 0.06, 0.062), (0.012, 0.02, 0.2))
    assert take_second_look(picture, found(MAX_NO_FACE + 0.001)) is None
    assert take_second_look(picture, found(MAX_NO_FACE - 0.001)) is not None


def test_dice_without_a_colour_are_not_looked_at_again() -> None:
    assert take_second_look(rendered(5, (0.06, 0.06, 0.06), (0.7, 0.7, 0.7)), found()) is None


@given(
    body=st.tuples(*[st.integers(20, 120)] * 3),
    pip=st.tuples(*[st.integers(20, 120)] * 3),
    light=st.integers(0, 130),
)
def test_what_a_lamp_adds_to_a_colour_does_not_count(
    body: tuple[int, int, int], pip: tuple[int, int, int], light: int
) -> None:
    black, white = (np.array(c, float) - np.mean(c) for c in (body, pip))
    if np.linalg.norm(white - black) < 20:
        return
    for colour, level in ((body, BODY_LEVEL), (pip, PIP_LEVEL)):
        lit = np.clip(np.array(colour) + light, 0, 255)
        image = np.broadcast_to(lit.astype(np.uint8), (*SIZE[::-1], 3)).copy()
        patch = BlackAndWhite(Pyramid(image), black, white).patch(MIDDLE, EDGE * np.eye(2))
        np.testing.assert_allclose(patch, level, atol=2)

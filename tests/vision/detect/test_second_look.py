"""Dice whose pips have a colour, but little contrast."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.simulator.render.dice_model import STANDARD_STYLES, lying
from appliance.simulator.render.pinhole import Vector, look_down
from appliance.simulator.render.renderer import render
from appliance.simulator.render.scene import Scene
from appliance.simulator.render.sensor import Sensor
from vision.classify.face import CLASSES, KINDS, SYMBOL, Pyramid
from vision.classify.posture import VALUES
from vision.detect.detection import Detection
from vision.detect.second_look import BLACK, WHITE, BlackAndWhite, looked_at_again
from vision.reading import Kind

SIZE = (320, 240)
MIDDLE = np.array([159.5, 119.5])
EDGE = 44.0
SCENE = Scene(camera=look_down(SIZE, height=120.0), sensor=Sensor(exposure=1.1))


def rendered(value: int, body: Vector, pip: Vector) -> Pyramid:
    style = replace(STANDARD_STYLES[Kind.OTHER], body=body, pip=pip)
    dice = (lying(Kind.OTHER, value, (0.0, 0.0), 0.3 * value, style=style),)
    return Pyramid(render(replace(SCENE, dice=dice), rng=np.random.default_rng(value)))


def found(power: float = 0.0, symbol: float = 0.0, edge: float = EDGE) -> Detection:
    """A die in the middle of the picture, of which the networks hold nothing else."""
    kinds, values = np.zeros(len(KINDS)), np.zeros(VALUES)
    kinds[KINDS.index(Kind.POWER)], values[SYMBOL] = power, symbol
    axes, faces = edge * np.eye(2), np.zeros(CLASSES)
    return Detection(MIDDLE, axes, 0.0, faces, kinds, None, 0, False, values=values)


def test_pips_as_bright_as_the_body_are_read_by_their_colour() -> None:
    for value in range(1, 7):
        again = looked_at_again(rendered(value, (0.06, 0.06, 0.062), (0.012, 0.02, 0.2)), found())
        assert again is not None
        assert again.faces[value] > 0.9, value
        assert again.values[value] > 0.9, value


@pytest.mark.parametrize(
    "one",
    [
        replace(found(), faces=np.eye(CLASSES)[0]),
        found(power=0.3, symbol=0.9),
        found(edge=100.0),
    ],
    ids=["no die", "a Power die", "fills the picture"],
)
def test_what_may_be_no_numbered_die_is_not_looked_at_again(one: Detection) -> None:
    assert looked_at_again(rendered(5, (0.06, 0.06, 0.062), (0.012, 0.02, 0.2)), one) is None


def test_dice_without_a_colour_are_not_looked_at_again() -> None:
    assert looked_at_again(rendered(5, (0.06, 0.06, 0.06), (0.7, 0.7, 0.7)), found()) is None


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
    for colour, level in ((body, BLACK), (pip, WHITE)):
        lit = np.clip(np.array(colour) + light, 0, 255)
        image = np.broadcast_to(lit.astype(np.uint8), (*SIZE[::-1], 3)).copy()
        patch = BlackAndWhite(Pyramid(image), black, white).patch(MIDDLE, EDGE * np.eye(2))
        np.testing.assert_allclose(patch, level, atol=2)

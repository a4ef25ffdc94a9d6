from dataclasses import replace

import numpy as np
import pytest

from simulator.motion.placing import leaning_die
from simulator.render.dice_model import STANDARD_STYLES, flat_die
from simulator.render.hand import HandPose
from simulator.render.light import Light, Lighting
from simulator.render.pinhole import look_down
from simulator.render.scene import Scene
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.card import FlatCard
from tests.rigs.rendering.random_scene import random_scene
from tests.rigs.rendering.truth import rests_high, truth
from vision.reading import DieState, Kind


def test_a_plain_die_is_ok() -> None:
    found = truth(Scene(dice=(flat_die(Kind.RED, 3, (20.0, -30.0), 0.4),)))[0]
    assert (found.kind, found.value, found.state) == (Kind.RED, 3, DieState.OK)
    assert found.mm == pytest.approx((20.0, -30.0))
    assert found.hidden == 0 and found.tilt_deg < 1e-3
    assert np.allclose(np.mean(found.outline_px, axis=0), found.centre_px, atol=0.5)


def test_outline_runs_clockwise_and_holds_the_rounded_one() -> None:
    found = truth(Scene(dice=(flat_die(Kind.RED, 3, (20.0, -30.0), 0.4),)))[0]
    corners = np.array(found.outline_px)
    x, y = corners.T
    assert np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)) > 0, "clockwise as y grows down"
    rounded = np.array(found.rounded_px)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (b - a)[0] * (rounded - a)[:, 1] - (b - a)[1] * (rounded - a)[:, 0]
        assert (side > -0.2).all()


@pytest.mark.parametrize("side", range(4))
def test_leaning_die_touches_floor_and_wall(side: int) -> None:
    from simulator.render.die_cast import cube_corners

    die = leaning_die(Kind.BLACK, 4, 76.0, 10.0, side, np.radians(30))
    tips = cube_corners(die)
    assert tips[:, 2].max() == pytest.approx(0.0, abs=1e-3)
    out = np.array((np.cos(side * np.pi / 2), np.sin(side * np.pi / 2)))
    assert (tips[:, :2] @ out).max() == pytest.approx(76.0, abs=1e-3)
    found = truth(Scene(dice=(die,)))[0]
    assert found.state is DieState.LEANING and found.value is None and found.face == 4
    assert found.tilt_deg == pytest.approx(30, abs=0.01)


def test_stacked_die_and_the_one_below() -> None:
    low = flat_die(Kind.BLACK, 4, (0.0, 0.0), 0.0)
    high = flat_die(Kind.RED, 2, (2.0, 1.0), 0.3, floor=16.0)
    below, above = truth(Scene(dice=(low, high)))
    assert above.state is DieState.STACKED and above.hidden == 0
    assert below.state is DieState.COVERED and below.hidden > 0.7


def test_card_and_hand_hide() -> None:
    die = flat_die(Kind.BLACK, 4, (0.0, 0.0), 0.0)
    half = Scene(dice=(die,), card=FlatCard((-32.0, 0.0), 0.0, 40.0, (60.0, 90.0)))
    share = truth(half)[0].hidden
    assert 0.2 < share < 0.9
    assert truth(replace(half, card=FlatCard((0.0, 0.0), 0.0, 40.0)))[0].state is DieState.COVERED
    under = Scene(dice=(die,), hand=HandPose((18.0, 0.0), 0.0, 15.0))
    assert truth(under)[0].hidden > 0.95
    beside = Scene(dice=(die,), hand=HandPose((18.0, 70.0), 0.0, 15.0))
    assert truth(beside)[0].hidden == 0


def test_outside_the_picture_is_hidden() -> None:
    die = flat_die(Kind.BLACK, 4, (400.0, 0.0), 0.0)
    assert truth(Scene(dice=(die,)))[0].hidden == 1.0


def test_glare_whites_a_polished_die_out() -> None:
    """A lamp reflected in the top face washes out the pips; one reflected beside it does not."""
    polished = replace(STANDARD_STYLES[Kind.BLACK], roughness=0.05)
    camera = look_down(height=350.0)
    dice = (flat_die(Kind.BLACK, 4, (60.0, 0.0), 0.0, polished),)
    # On the line of sight from the camera, reflected by the top at (60, 0).
    lamp = Light((120.0, 0.0, -350.0), 25.0, (2.0, 2.0, 2.0))
    bright = Lighting((lamp,), (0.5, 0.5, 0.5), room_contrast=0.0)
    assert truth(Scene(camera, lighting=bright, dice=dice))[0].whited_out > 0.9
    aside = Lighting((replace(lamp, position=(-120.0, 0.0, -350.0)),), (0.5, 0.5, 0.5), 0, 0.0)
    assert truth(Scene(camera, lighting=aside, dice=dice))[0].whited_out == 0


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
def test_random_dice_do_not_overlap(difficulty: Difficulty) -> None:
    from simulator.motion.placing import separation, wall_gap
    from simulator.motion.throwing import place_of_flat_die

    states = set()
    for seed in range(8):
        scene = random_scene(np.random.default_rng(seed), difficulty, (160, 90))
        found = truth(scene)
        states |= {d.state for d in found}
        flat = [
            place_of_flat_die(d.pose) for d in found if d.tilt_deg < 1 and rests_high(d.pose) < 1
        ]
        for k, place in enumerate(flat):
            assert wall_gap(place, scene.tray.half) > -1e-6
            assert all(separation(place, other)[0] > -1e-6 for other in flat[:k])
        if difficulty == "easy":
            assert all(d.state is DieState.OK and d.hidden < 0.25 for d in found)
    if difficulty == "hard":
        assert DieState.OK in states and len(states) > 1

"""How dice lie: the posture classifier's output for rendered dice whose tilt is known."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scripts.training.close_views import (
    CLOSE,
    against_die,
    against_wall,
    close_part,
    moved,
    tilted,
)
from scripts.training.drawn.cutting import ViewedDie
from simulator.render.dice_model import STANDARD_STYLES, DieBody, flat_die
from simulator.render.pinhole import look_down
from simulator.render.scene import Scene, camera_parameters
from simulator.render.sensor import Sensor
from tests.rigs.rendering.pictures import drawn
from tests.rigs.rendering.truth import truth
from vision.classify.face import Pyramid
from vision.classify.posture import (
    POSTURE_PATCH_EDGE_PX,
    POSTURE_PATCH_SIDE_PX,
    SLANT_KNOWN,
    Sights,
    sights_of,
    sights_with,
)
from vision.geometry.profile import Profile
from vision.geometry.view import TableView
from vision.reader import Reader
from vision.reading import DieReading, DieState, Kind

SCENE = Scene(camera=look_down((1536, 864), height=330.0), sensor=Sensor(exposure=1.1))
KINDS = (Kind.BLACK, Kind.RED, Kind.WHITE, Kind.YELLOW)


def profile_of(scene: Scene) -> Profile:
    return camera_parameters(scene)


def read(*dice: DieBody) -> DieReading | None:
    """A calibrated reader's reading of the first die; None if it finds none there."""
    part, _ = close_part(replace(SCENE, dice=dice))
    picture = drawn(part, np.random.default_rng(1), CLOSE)
    found = Reader(profile_of(part)).read(picture).dice
    x, y = truth(part)[0].centre_px
    near = [d for d in found if np.hypot(d.center[0] - x, d.center[1] - y) < 25]
    return near[0] if near else None


def leaning(seed: int, kind: Kind, degrees: float) -> DieBody:
    rng = np.random.default_rng(seed)
    return tilted(rng, kind, STANDARD_STYLES[kind], degrees, 0.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degrees", [20.0, 30.0, 40.0])
def test_a_die_that_leans_on_a_wall_is_never_claimed(kind: Kind, degrees: float) -> None:
    for seed in range(3):
        rng = np.random.default_rng((seed, 1))
        die = read(against_wall(rng, leaning(seed, kind, degrees), SCENE.tray))
        assert die is None or not die.sure, (seed, die)


@pytest.mark.parametrize("degrees", [20.0, 26.0, 35.0])
def test_a_die_that_leans_on_another_is_never_claimed(degrees: float) -> None:
    for seed, kind in enumerate(KINDS):
        rng = np.random.default_rng((seed, 2))
        support = flat_die(Kind.BLACK, 5, (20.0 * seed - 30, -10.0), 0.4)
        die = read(against_die(rng, leaning(seed, kind, degrees), support), support)
        assert die is None or not die.sure, (seed, die)


def test_a_die_that_leans_a_little_is_seldom_claimed() -> None:
    claimed = []
    for seed in range(4):
        for kind in KINDS:
            rng = np.random.default_rng((seed, 1))
            die = read(against_wall(rng, leaning(seed, kind, 15.0), SCENE.tray))
            claimed.append(die is not None and die.sure)
    # Tilted towards the camera by the angle at which it is seen, a die shows only its top.
    assert sum(claimed) <= 2, claimed


@pytest.mark.parametrize("kind", KINDS)
def test_a_stacked_die_is_never_claimed(kind: Kind) -> None:
    for seed in range(3):
        below = flat_die(Kind.BLACK, 4, (25.0 * seed - 20, 12.0), 0.3)
        x, y = below.position[0] + 3.0, below.position[1] - 4.0
        die = read(flat_die(kind, 3, (x, y), 1.1 * seed, floor=16.0), below)
        assert die is None or not die.sure, (seed, die)


@pytest.mark.parametrize("kind", KINDS)
def test_dice_that_lie_flat_are_claimed_beside_walls_and_dice(kind: Kind) -> None:
    claimed = []
    for seed in range(6):
        rng = np.random.default_rng((seed, 3))
        value = seed + 1
        flat = flat_die(kind, value, (0.0, 0.0), 0.5 * seed)
        if seed % 2:
            support = flat_die(Kind.BLACK, 5, (20.0 * seed - 50, -10.0), 0.4)
            die = read(against_die(rng, flat, support), support)
        else:
            die = read(against_wall(rng, flat, SCENE.tray))
        assert die is not None
        assert not die.sure or die.value == value
        claimed.append(die.sure)
    assert sum(claimed) >= 5, claimed


def test_a_leaning_die_is_called_so_and_has_no_value() -> None:
    states = []
    for seed in range(6):
        rng = np.random.default_rng((seed, 4))
        die = read(against_wall(rng, leaning(seed, Kind.RED, 35.0), SCENE.tray))
        if die is not None and die.state is DieState.LEANING:
            assert die.value is None
        states.append(die and die.state)
    assert states.count(DieState.LEANING) >= 4, states


def test_the_slant_grows_from_the_foot_of_the_camera() -> None:
    profile = profile_of(SCENE)
    tops = np.array([(0.0, 0.0, -16.0), (60.0, 0.0, -16.0), (0.0, 60.0, -16.0)])
    sights = sights_with(profile, profile.to_pixels(tops), 1.0)
    np.testing.assert_allclose(sights.slants, [0.0, 60 / 314, 60 / 314], atol=1e-6)
    assert sights.certainty == SLANT_KNOWN


WHERE = np.array([(200.0, 150.0), (700.0, 300.0), (500.0, 600.0), (900.0, 700.0)])


@pytest.mark.parametrize("way", [0.0, 0.9, 2.2, -1.3])
def test_what_points_outwards_points_up_in_the_patch(way: float) -> None:
    profile = profile_of(SCENE)
    out = np.array((np.cos(way), np.sin(way)))
    middle = np.array([(*(50 * out), -16.0)])
    beyond = np.array([(*(58 * out), -16.0)])
    center, mark = profile.to_pixels(middle)[0], profile.to_pixels(beyond)[0]
    picture = np.zeros((864, 1536, 3), np.uint8)
    cv2.circle(picture, (round(float(mark[0])), round(float(mark[1]))), 5, (255, 255, 255), -1)
    known = sights_with(profile, center[None], 1.0)
    edge = np.array([float(np.hypot(*known.axes[0][0]))])
    guessed = sights_of(TableView.from_above((1536, 864)), center[None], edge)
    for sights in (known, guessed):
        patch = _patch(picture, sights)
        ys, xs = np.nonzero(patch[..., 0] > 100)
        # Half an edge above the middle.
        assert abs(xs.mean() - (POSTURE_PATCH_SIDE_PX - 1) / 2) < 2
        assert abs(ys.mean() - (POSTURE_PATCH_SIDE_PX - 1) / 2 + POSTURE_PATCH_EDGE_PX / 2) < 2.5


def _patch(picture: np.ndarray, sights: Sights) -> np.ndarray:
    return Pyramid(picture).patch(
        sights.centers[0], sights.axes[0], POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_EDGE_PX
    )


def test_patches_keep_the_sense_of_turning() -> None:
    profile = profile_of(SCENE)
    centers = np.array([(300.0, 200.0), (900.0, 700.0)])
    assert (np.linalg.det(sights_with(profile, centers, 1.0).axes) > 0).all()
    guessed = sights_of(TableView.from_above((1536, 864)), centers, np.array([60.0, 60.0]))
    assert (np.linalg.det(guessed.axes) > 0).all()


def test_moving_a_die_keeps_its_height() -> None:
    die = leaning(1, Kind.BLACK, 25.0)
    assert moved(die, 4.0, 5.0).position == (4.0, 5.0, die.position[2])


@pytest.mark.parametrize("degrees", [14.0, 30.0])
def test_the_lean_of_an_example_is_that_of_the_top(degrees: float) -> None:
    rng = np.random.default_rng(3)
    die = against_wall(rng, leaning(2, Kind.RED, degrees), SCENE.tray)
    profile = profile_of(SCENE)
    normal = die.rotation[:, int(np.argmin(die.rotation[2]))]
    if die.rotation[2].max() > -die.rotation[2].min():
        normal = -die.rotation[:, int(np.argmax(die.rotation[2]))]
    body = np.array(die.position)
    viewed = ViewedDie(
        value=1,
        center=profile.to_pixels((body + 8.0 * normal)[None])[0],
        middle=profile.to_pixels(body[None])[0],
        edge=50.0,
        tilt=degrees,
        rise=0.0,
        hidden=0.0,
    )
    np.testing.assert_allclose(viewed.lean(profile), normal[:2], atol=0.02)

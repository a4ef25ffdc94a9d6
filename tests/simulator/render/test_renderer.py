from dataclasses import replace

import cv2
import numpy as np
import pytest

from simulator.render.dice_model import flat_die
from simulator.render.hand import HandPose
from simulator.render.light import Light, Lighting
from simulator.render.pinhole import look_down, ray_directions
from simulator.render.renderer import LIVE_QUALITY, render, render_linear
from simulator.render.scene import Moment, Scene, camera_parameters
from simulator.render.sensor import Sensor
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.random_scene import random_scene
from tests.rigs.rendering.truth import truth
from tests.simulator.render.golden_scenes import FOLDER, SCENES, draw
from vision.reading import Kind

SMALL = (320, 180)
QUIET = Sensor(grain=0.0, shot=0.0)


@pytest.mark.parametrize("name", sorted(SCENES))
def test_golden_pictures(name: str) -> None:
    kept = cv2.imread(str(FOLDER / f"{name}.png"))
    assert kept is not None
    off = np.abs(kept.astype(int) - draw(name).astype(int))
    assert off.mean() < 1.0
    assert np.quantile(off, 0.99) < 10


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
def test_the_same_seed_draws_the_same_picture(difficulty: Difficulty) -> None:
    pictures = []
    for _ in range(2):
        rng = np.random.default_rng(11)
        scene = random_scene(rng, difficulty, SMALL)
        pictures.append(render(scene, rng=rng, quality=LIVE_QUALITY))
    assert np.array_equal(pictures[0], pictures[1])
    other = random_scene(np.random.default_rng(12), difficulty, SMALL)
    assert not np.array_equal(pictures[0], render(other, quality=LIVE_QUALITY))


def test_rays_and_projection_agree() -> None:
    camera = look_down(
        (320, 180), tilt=(3, -4), yaw=8, offset=(10, 5), distortion=(-0.08, 0.01, 0, 0)
    )
    rays = ray_directions(camera)
    for x, y in ((0, 0), (319, 0), (160, 90), (33, 171)):
        along = camera.position + rays[y, x].astype(np.float64) * 300
        assert np.allclose(camera.project(along[None])[0], (x, y), atol=0.02)


def test_world_grows_right_and_down_as_the_picture_does() -> None:
    camera = look_down()
    middle, right, down = camera.project(np.array(((0, 0, 0), (50, 0, 0), (0, 50, 0))))
    assert right[0] > middle[0] + 50 and abs(right[1] - middle[1]) < 1
    assert down[1] > middle[1] + 50 and abs(down[0] - middle[0]) < 1
    higher = camera.project(np.array(((50, 0, -16),)))[0]
    assert higher[0] > right[0], "what is nearer to the camera lies farther out"


def test_resized_camera_sees_the_same_places() -> None:
    camera = look_down((1536, 864), distortion=(-0.05, 0, 0, 0))
    place = np.array(((70.0, -40.0, -16.0),))
    big, small = camera.project(place)[0], camera.resized((640, 360)).project(place)[0]
    assert np.allclose((big + 0.5) * 640 / 1536 - 0.5, small, atol=1e-6)


def test_die_is_drawn_where_truth_says() -> None:
    """Inside the outline lie six bright pips, evenly about the centre, on a dark face."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        place = (float(rng.uniform(-85, 85)), float(rng.uniform(-55, 55)))
        die = flat_die(Kind.BLACK, 6, place, float(rng.uniform(-3, 3)))
        lamp = Lighting(
            (Light((-420.0, -520.0, -1500.0), 140.0, (1.6, 1.6, 1.6)),), (0.7, 0.7, 0.7)
        )
        plain = replace(lamp, room_contrast=0.0)
        scene = Scene(look_down((640, 360)), lighting=plain, dice=(die,), sensor=QUIET)
        picture = render(scene).astype(int).mean(axis=2)
        top = np.zeros(picture.shape, np.uint8)
        found = truth(scene)[0]
        cv2.fillConvexPoly(top, np.rint(np.array(found.outline_px)).astype(np.int32), 255)
        core = cv2.erode(top, np.ones((7, 7), np.uint8)) > 0
        bright = (picture > 150) & core
        count, _, _, middles = cv2.connectedComponentsWithStats(bright.astype(np.uint8))
        assert count - 1 == 6
        away = middles[1:].mean(axis=0) - np.array(found.centre_px)
        assert np.hypot(*away) < 0.8
        assert np.median(picture[core & ~bright]) < 90


def test_the_seen_sides_are_those_of_a_real_die() -> None:
    """Far from the centre the outward sides are hidden: the visible sides face the camera.

    The visible side numbers must fit the top face: neither it nor its opposite.
    """
    from simulator.render.dice_model import FACE_NORMALS
    from simulator.render.die_cast import cast_rays

    for value in range(1, 7):
        for yaw in (0.2, 1.9, -2.2):
            die = flat_die(Kind.BLACK, value, (90.0, 50.0), yaw)
            camera = look_down((640, 360))
            rays = ray_directions(camera).reshape(-1, 3)
            hit = cast_rays(die, camera.position.astype(np.float32), rays)
            slots, counts = np.unique(
                np.argmax(hit.local @ FACE_NORMALS.T, axis=1), return_counts=True
            )
            seen = {int(s) + 1 for s, c in zip(slots, counts, strict=True) if c > 20}
            assert value in seen and 7 - value not in seen
            assert 2 <= len(seen) <= 3
            assert all(7 - v not in seen for v in seen)


def test_cast_meets_the_rounded_cube() -> None:
    from simulator.render.die_cast import cast_rays

    die = flat_die(Kind.BLACK, 1, (0.0, 0.0), 0.0)
    eye = np.array((0.0, 0.0, -350.0), np.float32)
    straight = np.array(((0.0, 0.0, 1.0),), np.float32)
    assert cast_rays(die, eye, straight).depth[0] == pytest.approx(350 - 16, abs=0.02)
    # A ray through the sharp cube's vertical edge misses the rounded one.
    edge = np.array((7.9, 7.9, -8.0), np.float32) - eye
    assert len(cast_rays(die, eye, (edge / np.linalg.norm(edge))[None]).index) == 0


def test_a_die_darkens_its_surroundings_away_from_the_light() -> None:
    bare = Scene(camera=look_down((640, 360)), sensor=QUIET)
    full = replace(bare, dice=(flat_die(Kind.WHITE, 1, (0.0, 0.0), 0.0),))
    ratio = render_linear(full).sum(axis=2) / render_linear(bare).sum(axis=2)
    # The ceiling lamp is at the top left.
    x, y = np.rint(bare.camera.project(np.array(((10.5, 11.5, 0.0),)))[0]).astype(int)
    assert ratio[y, x] < 0.75
    x, y = np.rint(bare.camera.project(np.array(((-60.0, -50.0, 0.0),)))[0]).astype(int)
    assert ratio[y, x] == pytest.approx(1.0, abs=0.01)


def test_the_hand_hides_and_shades() -> None:
    bare = Scene(camera=look_down((320, 180)), sensor=QUIET)
    full = replace(bare, hand=HandPose((0.0, 0.0), 0.0, 20.0))
    before, after = render_linear(bare), render_linear(full)
    x, y = np.rint(bare.camera.project(np.array(((-30.0, 0.0, -45.0),)))[0]).astype(int)
    assert after[y, x, 2] > 1.5 * before[y, x, 2], "skin is redder than felt"
    assert (after.sum(axis=2) < 0.8 * before.sum(axis=2)).mean() > 0.02


def test_many_pixels_of_one_die_under_a_hand() -> None:
    """A close-up: more samples than OpenCV takes in one row."""
    near = look_down((320, 240), height=90.0, diagonal_view=20.0)
    die = flat_die(Kind.BLACK, 4, (0.0, 0.0), 0.2)
    scene = Scene(near, dice=(die,), hand=HandPose((20.0, 80.0), -1.5, 15.0), sensor=QUIET)
    light = render_linear(scene, replace(LIVE_QUALITY, oversample=3))
    assert np.isfinite(light).all() and light.min() >= 0


def test_motion_blur_smears_along_the_way_and_keeps_the_light() -> None:
    def moved(dx: float) -> Moment:
        return Moment((flat_die(Kind.WHITE, 1, (dx, 0.0), 0.0),))

    sharp = Scene(camera=look_down((640, 360)), dice=moved(0.0).dice, sensor=QUIET)
    smeared = replace(sharp, smear=(moved(-12.0), moved(-4.0), moved(4.0), moved(12.0)))
    bare = render_linear(replace(sharp, dice=()))
    extents = []
    for scene in (sharp, smeared):
        brighter = (render_linear(scene) - bare).sum(axis=2) > 0.1
        extents.append(
            (
                np.ptp(np.flatnonzero(brighter.any(axis=0))),
                np.ptp(np.flatnonzero(brighter.any(axis=1))),
            )
        )
    assert extents[1][0] > extents[0][0] + 25
    assert abs(int(extents[1][1]) - int(extents[0][1])) <= 3


def test_noise_grows_with_light_and_is_the_seeds() -> None:
    scene = Scene(camera=look_down((160, 90)), sensor=Sensor(grain=0.01, shot=0.001, sharpen=0))
    first = render(scene, rng=np.random.default_rng(1))
    assert np.array_equal(first, render(scene, rng=np.random.default_rng(1)))
    second = render(scene, rng=np.random.default_rng(2))
    assert 0.5 < np.abs(first.astype(int) - second).mean() < 12


def test_defocus_softens() -> None:
    scene = Scene(
        camera=look_down((640, 360)), dice=(flat_die(Kind.BLACK, 5, (0, 0), 0.4),), sensor=QUIET
    )
    soft = replace(scene, sensor=replace(QUIET, defocus=1.0))
    sharpness = [
        cv2.Laplacian(render(s)[150:210, 290:350].astype(np.float32), cv2.CV_32F).std()
        for s in (scene, soft)
    ]
    assert sharpness[1] < 0.5 * sharpness[0]


def test_camera_parameters_are_those_that_draw() -> None:
    scene = random_scene(np.random.default_rng(3), "hard", (640, 360))
    camera = camera_parameters(scene)
    for die in truth(scene):
        if die.tilt_deg > 1 or die.state.value == "stacked":
            continue
        rotation, _ = cv2.Rodrigues(camera.rotation)
        point = np.array(((*die.mm, -camera.die_edge_mm),))
        pixel, _ = cv2.projectPoints(
            point, rotation, camera.translation, camera.camera, camera.distortion
        )
        assert np.allclose(pixel.ravel(), die.centre_px, atol=1e-3)

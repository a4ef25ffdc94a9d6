"""Facts about a view from one printed marker, or a floor's corners; and what is read with it."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.errors import RefusedError
from calibration.flat import geometry_of_corners, geometry_of_print, lean_of
from calibration.problems import Problem
from calibration.readers import UncalibratedReader
from simulator.render.prints import board_in_tray, rim_plates
from tests.calibration.setups import EDGE, grid
from tests.rigs.any_set_up import SIZE as ANY_SIZE
from tests.rigs.any_set_up import any_set_up
from tests.rigs.rendering.truth import truth
from tests.rigs.webcam import SIZE, over_dice, photograph
from tests.rigs.webcam_lenses import LENSES, over_set, with_marker
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.geometry.sight import webcam_sight
from vision.glance import glance

FACES = (3, 5, 6, 2, 4)
SIGHT = webcam_sight("046d:082d", SIZE)


def right(image: Image, profile: Profile | None, faces: tuple[int, ...] = FACES) -> int:
    """How many dice are claimed; all of them rightly."""
    read = [die.value for die in UncalibratedReader(profile).read(image).dice if die.sure]
    left = list(faces)
    for value in read:
        assert value in left, f"{value} is claimed, and does not lie there"
        left.remove(int(value))
    return len(read)


@pytest.mark.slow
@pytest.mark.parametrize("lean", [12, 20])
def test_one_marker_lets_dice_be_read_at_an_angle(lean: float) -> None:
    scene = over_dice(1, FACES, lean)
    image = photograph(with_marker(scene))
    found = geometry_of_print(image, SIGHT, glance(image).tops)
    assert found is not None
    assert lean_of(found.profile) == pytest.approx(lean, abs=4)
    assert right(image, found.profile) == 5
    assert right(image, None) < 5
    # It may be taken away.
    assert right(photograph(scene), found.profile) == 5


@pytest.mark.slow
def test_the_printed_board_tells_more() -> None:
    scene = over_dice(2, FACES, 25.0)
    image = photograph(replace(scene, dice=(), prints=(board_in_tray((0.0, 0.0), 0.2),)))
    found = geometry_of_print(image, SIGHT)
    assert found is not None
    assert lean_of(found.profile) == pytest.approx(25, abs=1.5)
    assert right(photograph(scene), found.profile) >= 4


def test_without_a_print_nothing_is_known() -> None:
    blank = np.full((720, 1280, 3), 90, np.uint8)
    assert geometry_of_print(blank, SIGHT) is None


def test_four_markers_are_those_of_a_rim() -> None:
    scene = over_dice(0)
    image = photograph(replace(scene, dice=(), prints=rim_plates(scene.tray)))
    assert geometry_of_print(image, SIGHT) is None


def pointed(scene_lean: float, which: int = 1) -> tuple[list[tuple[float, float]], float]:
    """A floor's corners, pointed at to 1.5 pixels, and the edge of its dice, pixels."""
    scene = over_set(4, LENSES[which], scene_lean)
    x, y = scene.tray.half
    corners = scene.camera.project(np.array(((-x, -y, 0.0), (x, -y, 0), (x, y, 0), (-x, y, 0))))
    off = np.random.default_rng(3).normal(0, 1.5, (4, 2))
    middle = scene.camera.project(np.array(((-8.0, 0.0, -16.0), (8.0, 0.0, -16.0))))
    edge = float(np.linalg.norm(middle[1] - middle[0]))
    assert len(truth(scene)) == 5
    return [(float(a), float(b)) for a, b in corners + off], edge


@pytest.mark.parametrize("lean", [0, 10, 20, 30])
@pytest.mark.parametrize("which", range(len(LENSES)))
def test_corners_and_dice_tell_angle_and_size(lean: float, which: int) -> None:
    corners, edge_px = pointed(lean, which)
    sight = webcam_sight(LENSES[which].usb_id, SIZE)
    found = geometry_of_corners(corners, SIZE, sight, edge_px=edge_px)
    assert lean_of(found.profile) == pytest.approx(lean, abs=5)
    width, depth = np.ptp(found.profile.tray, axis=0)
    assert width == pytest.approx(216, rel=0.12)
    assert depth == pytest.approx(152, rel=0.12)


def test_a_measured_floor_needs_no_dice() -> None:
    corners, _ = pointed(20)
    found = geometry_of_corners(corners, SIZE, SIGHT, floor_mm=(216.0, 152.0))
    assert lean_of(found.profile) == pytest.approx(20, abs=2)


def test_without_dice_the_size_is_asked_for() -> None:
    corners, _ = pointed(0)
    with pytest.raises(RefusedError) as refused:
        geometry_of_corners(corners, SIZE, SIGHT)
    assert refused.value.problem is Problem.NO_DICE


def test_corners_in_another_order_are_refused() -> None:
    corners, edge_px = pointed(0)
    with pytest.raises(RefusedError):
        geometry_of_corners(corners[::-1], SIZE, SIGHT, edge_px=edge_px)


@pytest.mark.parametrize("seed", range(3))
def test_corners_pointed_at_below_a_leaning_camera_are_as_right_as_stated(seed: int) -> None:
    set_up = any_set_up(seed, 30.0)
    scene, rng = set_up.where.scene, np.random.default_rng((seed, 9))
    x, y = scene.tray.half
    corners = scene.camera.project(np.array(((-x, -y, 0.0), (x, -y, 0), (x, y, 0), (-x, y, 0))))
    pointed = [(float(a), float(b)) for a, b in corners + rng.normal(0, 1.5, (4, 2))]
    floor_mm = (float(round(2 * x)), float(round(2 * y)))
    found = geometry_of_corners(pointed, ANY_SIZE, set_up.sight, floor_mm=floor_mm)
    places = grid(scene.tray)
    tops = np.column_stack([places, np.full(len(places), -EDGE)])
    off = np.linalg.norm(found.profile.to_mm(scene.camera.project(tops), EDGE) - places, axis=1)
    assert found.off_mm is not None
    assert off.max() < found.off_mm < 8

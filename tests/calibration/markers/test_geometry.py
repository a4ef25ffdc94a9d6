from dataclasses import replace

import numpy as np
import pytest

from calibration.build import build_calibration
from calibration.calibration import SPREADS_OF_WORST_PLACE
from calibration.errors import RefusedError
from calibration.markers.aruco import Marker
from calibration.markers.assumed import assumed_lens
from calibration.markers.bundle import MAX_TILT_DEG, RimHeight, place_tray
from calibration.markers.charuco import CharucoCorners, find_charuco
from calibration.markers.edges import Square
from calibration.markers.lens import KNOWN_LENS_DOUBT, camera_module_3
from calibration.markers.measuring import measure_lens
from calibration.markers.printed import (
    BOARD_MARGIN_MM,
    MARKER_IDS,
    MARKER_MM,
    PLATE_MM,
    board_corners,
)
from calibration.markers.rim import find_rim_markers
from calibration.problems import Problem
from calibration.self_calibration import GUESSED_RIM
from simulator.render.pinhole import as_vector, look_down
from simulator.render.prints import board_in_tray, rim_plates
from simulator.render.scene import Scene
from simulator.render.tray_model import TrayModel
from simulator.scenes.installations import hung_camera
from simulator.scenes.random_setup import random_tray
from tests.calibration.setups import (
    error_mm,
    picture,
    ready,
    true_frame,
)
from tests.rigs.any_set_up import SIZE as ANY_SIZE
from tests.rigs.any_set_up import any_set_up

SIZE = (1152, 648)


def seen_markers(scene: Scene, rng: np.random.Generator, noise: float) -> tuple[Marker, ...]:
    """The markers where they are, with noise on their corners."""
    edge = (PLATE_MM - MARKER_MM) / 2
    far = edge + MARKER_MM
    square = np.array(((edge, edge), (far, edge), (far, far), (edge, far)))
    return tuple(
        Marker(
            MARKER_IDS.index(int(item.sheet.name.removeprefix("marker-"))),
            Square(
                scene.camera.project(item.to_world(square)) + rng.normal(0, noise, (4, 2)),
                40.0,
                200.0,
                1.0,
                0.1,
            ),
        )
        for item in scene.prints[:4]
    )


def seen_board(scene: Scene, rng: np.random.Generator, noise: float) -> CharucoCorners:
    """The last print of the scene, a board, with noise on its corners."""
    places = board_corners()
    world = scene.prints[-1].to_world(places[:, :2] + BOARD_MARGIN_MM)
    pixels = scene.camera.project(world)
    return CharucoCorners(places, pixels + rng.normal(0, noise, pixels.shape))


def scene_of(seed: int, tilt: tuple[float, float] | None = None) -> Scene:
    rng = np.random.default_rng((seed, 3))
    tray = random_tray(rng, "easy")
    shifts = tuple((float(a), float(b)) for a, b in rng.uniform(-1.5, 1.5, (4, 2)))
    turns = tuple(float(t) for t in rng.normal(0, 0.03, 4))
    return Scene(
        camera=hung_camera(rng, tray, SIZE, tilt), tray=tray, prints=rim_plates(tray, shifts, turns)
    )


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (10.0, 0.0), (0.0, -10.0), (-7.0, 7.0)])
@pytest.mark.parametrize("seed", range(4))
def test_places_are_right_with_the_modules_own_lens_unmeasured(
    seed: int, tilt: tuple[float, float]
) -> None:
    rng = np.random.default_rng(seed)
    scene = scene_of(seed, tilt)
    markers = seen_markers(scene, rng, 0.08)
    rim = RimHeight(scene.tray.wall_height + float(rng.normal(0, 0.15)), 0.2)
    placed = place_tray(camera_module_3(SIZE), markers, rim=rim)
    assert error_mm(scene, placed) < 0.5
    assert error_mm(scene, placed) < 4 * placed.doubt_mm
    true = np.degrees(np.arccos(np.array(scene.camera.rotation)[2, 2]))
    assert placed.tilt_deg == pytest.approx(true, abs=1.0)


def test_a_camera_that_hangs_perfectly_straight_is_no_special_case() -> None:
    tray = TrayModel()
    scene = Scene(camera=look_down(SIZE), tray=tray, prints=rim_plates(tray))
    markers = seen_markers(scene, np.random.default_rng(0), 0.0)
    placed = place_tray(camera_module_3(SIZE), markers, rim=RimHeight(tray.wall_height, 0.2))
    assert error_mm(scene, placed) < 0.5
    assert placed.tilt_deg < 0.5


@pytest.mark.parametrize("seed", range(4))
def test_the_board_measures_the_rim(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = scene_of(seed)
    laid = replace(scene, prints=(*scene.prints, board_in_tray((5.0, -3.0), 0.1)))
    placed = place_tray(
        camera_module_3(SIZE), seen_markers(laid, rng, 0.08), [seen_board(laid, rng, 0.05)]
    )
    assert placed.rim_mm == pytest.approx(scene.tray.wall_height, abs=1.0)
    assert error_mm(scene, placed) < 0.35


def test_a_measured_lens_is_the_true_one() -> None:
    rng = np.random.default_rng(5)
    scene = scene_of(5)
    views = []
    for k in range(8):
        tilt = (0.35 * np.cos(k * 0.8), 0.35 * np.sin(k * 0.8))
        x, y = rng.uniform(-40, 40, 2)
        board = board_in_tray((float(x), float(y)), 0.1 * k, 40.0, (float(tilt[0]), float(tilt[1])))
        views.append(seen_board(replace(scene, prints=(board,)), rng, 0.05))
    measured = measure_lens(views, camera_module_3(SIZE), KNOWN_LENS_DOUBT)
    lens = measured.lens
    assert lens.matrix[0, 0] == pytest.approx(scene.camera.focal[0], rel=0.003)
    assert lens.distortion[0] == pytest.approx(scene.camera.distortion[0], abs=0.01)
    assert lens.rms_px is not None and lens.rms_px < 0.15
    laid = replace(scene, prints=(*scene.prints, board_in_tray()))
    placed = place_tray(
        lens,
        seen_markers(laid, rng, 0.08),
        [seen_board(laid, rng, 0.05)],
        doubt=measured.doubt,
    )
    assert error_mm(scene, placed) < 0.25
    assert placed.doubt_mm < 0.25
    for few in (views[:2], views[:1] * 6):
        with pytest.raises(RefusedError, match="3 pictures of the board are needed"):
            measure_lens(few, camera_module_3(SIZE), KNOWN_LENS_DOUBT)


def test_the_default_lens_has_the_makers_angle_of_view() -> None:
    lens = camera_module_3((2304, 1296))
    half = np.hypot(2304, 1296) / 2
    assert 2 * np.degrees(np.arctan(half / lens.matrix[0, 0])) == pytest.approx(75, abs=0.5)
    small = camera_module_3((1152, 648))
    assert small.matrix[0, 0] == pytest.approx(lens.matrix[0, 0] / 2)
    assert small.matrix[0, 2] == pytest.approx((1152 - 1) / 2)


def test_markers_of_another_size_do_not_fit() -> None:
    rng = np.random.default_rng(1)
    scene = scene_of(1)
    markers = list(seen_markers(scene, rng, 0.0))
    moved = markers[2].corners + np.array((6.0, 0.0)) * np.array(((1,), (0,), (0,), (1,)))
    markers[2] = Marker(2, replace(markers[2].square, corners=moved))
    with pytest.raises(RefusedError) as caught:
        place_tray(camera_module_3(SIZE), markers)
    assert caught.value.problem is Problem.UNLEVEL


def test_a_camera_that_looks_from_the_side_is_refused() -> None:
    rng = np.random.default_rng(2)
    scene = scene_of(2, (36.0, 0.0))
    with pytest.raises(RefusedError, match="LOOK STRAIGHT"):
        place_tray(camera_module_3(SIZE), seen_markers(scene, rng, 0.05))


@pytest.mark.parametrize("seed", [0, 42])
def test_a_rim_higher_than_thought_shifts_places_by_no_more_than_stated(seed: int) -> None:
    """Where the camera leans, the guessed height of the rim alone moves all places one way.

    The bound of 40 mm follows from the guess: rims of 0 to 60 mm are 20 mm of doubt, at 30 degrees
    12 mm of place for one spread, and more towards the far side.
    """
    set_up = any_set_up(seed, 30.0)
    lens, doubt = assumed_lens(ANY_SIZE, set_up.sight)
    markers = seen_markers(set_up.where.scene, np.random.default_rng(seed), 0.1)
    placed = place_tray(lens, markers, (), GUESSED_RIM, doubt)
    stated_mm = SPREADS_OF_WORST_PLACE * placed.doubt_mm
    assert error_mm(set_up.where.scene, placed) < stated_mm < 40


def test_a_tilt_that_an_unknown_lens_leaves_in_doubt_is_not_refused() -> None:
    markers = seen_markers(scene_of(2, (33.0, 0.0)), np.random.default_rng(2), 0.05)
    with pytest.raises(RefusedError, match="LOOK STRAIGHT"):
        place_tray(camera_module_3(SIZE), markers)
    lens, doubt = assumed_lens(SIZE, None)
    assert place_tray(lens, markers, doubt=doubt).tilt_deg > MAX_TILT_DEG
    markers = seen_markers(scene_of(2, (40.0, 0.0)), np.random.default_rng(2), 0.05)
    with pytest.raises(RefusedError, match="LOOK STRAIGHT"):
        place_tray(lens, markers, doubt=doubt)


@pytest.mark.parametrize("seed", [0, 3])
def test_rendered_markers_and_board_give_places_within_half_a_millimetre(seed: int) -> None:
    """From pictures to millimetres: edges found, floor and camera placed, the profile made."""
    scene = ready(seed, SIZE)
    markers = find_rim_markers(picture(scene))
    truth = seen_markers(scene, np.random.default_rng(0), 0.0)
    off = np.concatenate([a.corners - b.corners for a, b in zip(markers, truth, strict=True)])
    assert np.sqrt((off**2).mean()) < 0.2
    laid = replace(scene, prints=(*scene.prints, board_in_tray((3.0, 2.0), 0.05)))
    board = find_charuco(picture(laid))
    calibration = build_calibration([markers], SIZE, boards=[board])
    calibration = replace(calibration, controls={"LensPosition": 2.7})
    profile = calibration.profile
    placed = place_tray(camera_module_3(SIZE), markers, [board])
    assert error_mm(scene, placed) < 0.4
    assert calibration.doubt_mm is not None and calibration.doubt_mm < 0.4
    # The same through the profile's own arithmetic, both ways.
    places = np.array(((60.0, 30.0), (-70.0, 20.0), (0.0, 0.0)))
    tops = np.column_stack([places, np.full(3, -16.0)])
    pixels = scene.camera.project(tops)
    origin, turn = true_frame(scene.prints)
    expected = (places - origin) @ turn
    found = profile.to_mm(pixels, 16.0)
    assert np.linalg.norm(found - expected, axis=1).max() < 0.4
    again = profile.to_pixels(np.column_stack([found, np.full(3, -16.0)]))
    np.testing.assert_allclose(again, pixels, atol=1e-3)
    # The floor lies within the plates.
    half = np.array(scene.tray.half)
    corners = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) * half
    assert np.abs(profile.tray - (corners - origin) @ turn).max() < 8
    assert as_vector(np.array(profile.translation))[2] > 200

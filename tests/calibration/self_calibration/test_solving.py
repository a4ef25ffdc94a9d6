"""Facts about a tray from four markers alone, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibration import SPREADS_OF_WORST_PLACE, Calibration
from calibration.errors import RefusedError
from calibration.markers.assumed import assumed_lens
from calibration.markers.bundle import place_tray
from calibration.markers.lens import MODULE_3_SIGHT
from calibration.problems import Problem
from calibration.self_calibration import GUESSED_RIM, calibration_from_frames, entered_rim
from scripts.bench_self_calibration import off_mm as places_off_mm
from simulator.render.prints import board_in_tray
from simulator.scenes.installations import marked_scene
from tests.calibration.markers.test_geometry import seen_markers
from tests.calibration.setups import EDGE, grid, picture, standard_picture, true_frame
from tests.rigs.any_set_up import SIZE, any_set_up
from vision.frame import Frame

HIGHEST_AND_LOWEST_RIMS = (350, 405)  # 15.2 and 34.8 mm


def off_mm(calibration: Calibration) -> float:
    """The error at the worst place of the standard tray."""
    scene = marked_scene()
    places = grid(scene.tray)
    tops = np.column_stack([places, np.full(len(places), -EDGE)])
    found = calibration.profile.to_mm(scene.camera.project(tops), EDGE)
    origin, turn = true_frame(scene.prints)
    return float(np.linalg.norm(found - (places - origin) @ turn, axis=1).max())


def frames() -> tuple[Frame, ...]:
    return (Frame(standard_picture(), 0.0, 0),)


def test_a_rim_that_nobody_has_measured_is_in_the_doubt() -> None:
    guessed = calibration_from_frames(frames())
    entered = calibration_from_frames(frames(), rim=entered_rim(marked_scene().tray.wall_height))
    assert guessed.off_mm is not None
    assert entered.off_mm is not None
    assert off_mm(guessed) < guessed.off_mm
    assert off_mm(entered) < entered.off_mm < 1.5 < guessed.off_mm


@pytest.mark.parametrize("rim_mm", [0.5, 58.0])
@pytest.mark.parametrize("seed", HIGHEST_AND_LOWEST_RIMS)
def test_mats_and_rims_of_58_mm_are_within_what_is_stated(seed: int, rim_mm: float) -> None:
    set_up = any_set_up(seed, rim_mm=rim_mm)
    scene = set_up.where.scene
    lens, doubt = assumed_lens(SIZE, set_up.sight)
    markers = seen_markers(scene, np.random.default_rng(seed), 0.1)
    placed = place_tray(lens, markers, (), GUESSED_RIM, doubt)
    off = places_off_mm(scene, placed.camera)
    assert np.mean(off <= SPREADS_OF_WORST_PLACE * placed.doubt_mm) >= 0.95


def test_the_printed_board_makes_it_exact_whatever_was_entered() -> None:
    scene = marked_scene()
    laid = replace(
        scene,
        sensor=replace(scene.sensor, exposure=scene.sensor.exposure * 1.2),
        prints=(*scene.prints, board_in_tray((3.0, -2.0), 0.03)),
    )
    found = calibration_from_frames([Frame(picture(laid), 0.0, 0)], rim=entered_rim(30.0))
    assert found.off_mm is not None
    assert off_mm(found) < found.off_mm < 1.0
    assert found.rim_mm == pytest.approx(scene.tray.wall_height, abs=1.0)


def test_what_nobody_knows_of_a_camera_is_in_the_doubt_too() -> None:
    known = calibration_from_frames(frames(), sight=MODULE_3_SIGHT)
    unknown = calibration_from_frames(frames(), sight=None)
    assert known.doubt_mm is not None
    assert unknown.doubt_mm is not None
    assert known.doubt_mm < unknown.doubt_mm


def test_a_tray_with_a_hidden_marker_is_refused() -> None:
    image = standard_picture()
    height, width = image.shape[:2]
    image[: height // 2, : width // 2] = 60
    with pytest.raises(RefusedError) as caught:
        calibration_from_frames([Frame(image, 0.0, 0)])
    assert caught.value.problem is Problem.HIDDEN

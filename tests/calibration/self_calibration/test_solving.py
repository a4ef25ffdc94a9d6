"""What four markers alone tell of a tray, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from appliance.simulator.render.prints import board_in_tray
from appliance.simulator.scenes.installations import marked_scene, standard_picture
from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.lens import MODULE_3_SIGHT
from calibration.problems import Problem
from calibration.self_calibration import GUESSED_RIM, calibration_from_frames, entered_rim
from tests.calibration.setups import EDGE, grid, picture, true_frame
from vision.frame import Frame


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
    assert GUESSED_RIM.doubt == 6.0


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
    image = standard_picture().copy()
    height, width = image.shape[:2]
    image[: height // 2, : width // 2] = 60
    with pytest.raises(RefusedError) as caught:
        calibration_from_frames([Frame(image, 0.0, 0)])
    assert caught.value.problem is Problem.HIDDEN

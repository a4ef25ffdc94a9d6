"""The four markers in order, or why not: by where they are, without a picture."""

import cv2
import numpy as np
import pytest

from calibration.errors import RefusedError
from calibration.markers.rim import all_four, plate_of_missing, slant_of
from calibration.problems import Problem
from tests.calibration.markers.test_geometry import seen_markers
from tests.calibration.setups import EDGE
from tests.rigs.any_set_up import SIZE, any_set_up
from tests.rigs.marker_faults import KINDS, faulty_tray

GLUED = (
    *("exchanged", "moved on by one", "one upside-down", "for the other side"),
    *("one turned by a quarter", "two turned", "counter-clockwise", "across", "one twice"),
)
TURNED = ("one upside-down", "one turned by a quarter", "two turned")
SEEDS = range(4)
STEPS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def why(kind: str, seed: int, hidden: int | None = None) -> Problem:
    """Why markers cannot be used, with one of them hidden."""
    scene = faulty_tray(kind, seed).scenes[0]
    seen = seen_markers(scene, np.random.default_rng(seed), 0.3)
    with pytest.raises(RefusedError) as caught:
        all_four([marker for k, marker in enumerate(seen) if k != hidden], SIZE)
    return caught.value.problem


@pytest.mark.parametrize("kind", GLUED)
def test_every_wrong_way_to_glue_them_is_named(kind: str) -> None:
    assert kind in KINDS
    named = {why(kind, seed) for seed in SEEDS}
    assert named == {Problem.MARKER_TURNED if kind in TURNED else Problem.MARKERS_MIXED}


@pytest.mark.parametrize("kind", ["exchanged", "moved on by one", "for the other side"])
def test_a_wrong_order_counts_before_a_marker_that_is_hidden(kind: str) -> None:
    assert {why(kind, seed, k) for seed in SEEDS for k in range(4)} == {Problem.MARKERS_MIXED}


def test_one_that_is_turned_counts_before_one_that_is_hidden() -> None:
    """Unless that is the same, or too few are left to tell which of them is turned."""
    named = {why("one upside-down", seed, k) for seed in SEEDS for k in range(4)}
    assert named == {Problem.MARKER_TURNED, Problem.HIDDEN}


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0, 30.0])
def test_markers_that_are_glued_well_are_taken_from_every_side(tilt_deg: float) -> None:
    for seed in SEEDS:
        scene = any_set_up(seed, tilt_deg).where.scene
        assert len(all_four(seen_markers(scene, np.random.default_rng(seed), 0.3), SIZE)) == 4


def test_a_camera_that_leans_far_is_named_though_markers_are_small_or_not_found() -> None:
    for seed in SEEDS:
        scene = any_set_up(seed, 45.0).where.scene
        seen = seen_markers(scene, np.random.default_rng(seed), 0.1)
        assert slant_of(seen) == pytest.approx(45.0, abs=5.0)
        large = sorted(seen, key=lambda marker: marker.side)[1:]
        with pytest.raises(RefusedError) as caught:
            all_four(large, SIZE)
        assert caught.value.problem is Problem.TILTED
        assert caught.value.degrees == pytest.approx(45.0, abs=7.0)


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0, 30.0])
def test_the_plate_whose_marker_is_hidden_is_known_and_no_corner_of_the_floor(
    tilt_deg: float,
) -> None:
    for seed in SEEDS:
        scene = any_set_up(seed, tilt_deg).where.scene
        seen = seen_markers(scene, np.random.default_rng(seed), 0.1)
        x, y = np.subtract(scene.tray.half, EDGE / 2)
        tops = scene.camera.project(np.array([(a * x, b * y, -EDGE) for a, b in STEPS]))
        for k in range(4):
            plate = plate_of_missing([marker for marker in seen if marker.corner != k])
            assert plate is not None
            outline = plate.astype(np.float32)
            middle = seen[k].corners.mean(axis=0)
            # Each of the others was glued up to 2 mm out of place.
            assert np.linalg.norm(plate.mean(axis=0) - middle) < seen[k].side / 3
            inside = [cv2.pointPolygonTest(outline, top, False) >= 0 for top in tops.tolist()]
            assert not any(inside), "dice in the floor's corners are dice"
    assert plate_of_missing(seen) is None
    assert plate_of_missing(seen[:2]) is None

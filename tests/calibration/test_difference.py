"""A fresh calibration against the one before: what has changed is said, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.build import build_calibration
from calibration.calibration import Calibration
from calibration.difference import hanging_of, lines_of, measured_after
from calibration.errors import StoreError
from calibration.self_calibration import GUESSED_RIM
from calibration.store import decode, encode
from simulator.render.pinhole import as_vector
from simulator.render.scene import Scene
from tests.calibration.markers.test_geometry import seen_markers
from tests.rigs.any_set_up import SIZE, any_set_up
from vision.geometry.sight import Sight

NOISE_PX = 0.1
SEEDS = range(6)


def measured(scene: Scene, sight: Sight | None, seed: int) -> Calibration:
    markers = seen_markers(scene, np.random.default_rng(seed), NOISE_PX)
    return build_calibration([markers], SIZE, rim=GUESSED_RIM, sight=sight, most_doubt_mm=np.inf)


def lowered(scene: Scene, by_mm: float) -> Scene:
    """The scene with a camera that hangs lower, straight down."""
    camera = scene.camera
    down = np.array(camera.rotation) @ np.array((0.0, 0.0, by_mm))
    moved = as_vector(np.array(camera.translation) - down)
    return replace(scene, camera=replace(camera, translation=moved))


def told(before: Calibration, now: Calibration) -> tuple[tuple[str, str], ...]:
    since = measured_after(before, now).since
    assert since is not None
    return lines_of(since)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_measured_again_is_as_before(seed: int) -> None:
    where = any_set_up(seed)
    first, second = (measured(where.where.scene, where.sight, 100 * seed + k) for k in (1, 2))
    assert told(first, second) == ()
    since = measured_after(first, second).since
    assert since is not None
    assert abs(since.height_mm) < 3.5


@pytest.mark.parametrize("seed", SEEDS)
def test_a_camera_that_sits_lower_is_told_by_how_much(seed: int) -> None:
    """With any camera: of a webcam, whose lens is not known, to a third."""
    where = any_set_up(seed)
    before = measured(where.where.scene, where.sight, seed)
    now = measured(lowered(where.where.scene, 24.0), where.sight, seed + 50)
    (sits, by), *_ = told(before, now)
    assert sits == "CAMERA SITS"
    amount, _, way = by.split(" ")
    assert way == "LOWER"
    off = 9.0 if where.sight is None else 3.0
    assert float(amount) == pytest.approx(24.0, abs=off)
    (_, back), *_ = told(now, before)
    assert back.endswith("HIGHER")


def test_what_was_followed_since_is_told_all_the_same() -> None:
    where = any_set_up(1)
    first = measured(where.where.scene, where.sight, 1)
    again = measured(lowered(where.where.scene, 24.0), where.sight, 2)
    followed = replace(first, hung=hanging_of(first), profile=again.profile)
    assert told(followed, again)[0][0] == "CAMERA SITS"
    assert told(replace(followed, hung=None), again) == ()


def test_a_tray_turned_into_another_and_a_camera_that_leans_are_told() -> None:
    wide, leaning = any_set_up(1, 5.0), any_set_up(1, 15.0)
    before, now = (measured(one.where.scene, one.sight, 1) for one in (wide, leaning))
    assert ("CAMERA LEANS", "10 DEG MORE") in told(before, now)
    other = any_set_up(6, 5.0)
    lines = dict(told(before, measured(other.where.scene, other.sight, 1)))
    assert "TRAY IS" in lines


def test_pictures_of_another_camera_are_not_compared() -> None:
    one, other = any_set_up(0), any_set_up(2)
    before, now = (measured(each.where.scene, each.sight, 1) for each in (one, other))
    assert measured_after(before, now).since is None
    assert measured_after(None, now) is now


def test_it_is_kept_with_the_profile() -> None:
    where = any_set_up(3)
    before, now = (measured(where.where.scene, where.sight, k) for k in (1, 2))
    both = replace(measured_after(before, now), hung=hanging_of(before))
    kept = decode(encode(both))
    assert (kept.since, kept.hung) == (both.since, both.hung)
    bare = decode(encode(now))
    assert (bare.since, bare.hung) == (None, None)
    broken = encode(replace(both, hung=None)).replace(b'"since"', b'"other"')
    with pytest.raises(StoreError):
        decode(broken)

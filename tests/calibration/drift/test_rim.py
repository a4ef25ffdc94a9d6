"""The watch over a tray without markers, by what is visible of its walls and its rim."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.drift.rim import RimInspector
from calibration.drift.watch import DriftWatch, Fine, Shifted, Trouble
from calibration.problems import Problem
from simulator.render.dice_model import flat_die
from simulator.render.scene import Scene, camera_parameters
from tests.calibration.drift.test_markers import SIZE, carried_mm, feed, shifted, takes
from tests.calibration.setups import picture, ready
from vision.geometry.profile import Profile
from vision.reading import Kind


def bare(seed: int) -> Scene:
    return replace(ready(seed, SIZE), prints=())


def profile_of(scene: Scene) -> Profile:
    return replace(camera_parameters(scene, SIZE), empty=picture(scene, 99))


@pytest.fixture(scope="module")
def base() -> Scene:
    return bare(0)


@pytest.fixture(scope="module")
def calibration(base: Scene) -> Calibration:
    return Calibration(profile_of(base))


def thrown(scene: Scene) -> Scene:
    """With dice in it, one at the wall."""
    dice = (
        flat_die(Kind.BLACK, 5, (10.0, 10.0), 0.3),
        flat_die(Kind.RED, 2, (-40.0, -20.0), 1.0),
        flat_die(Kind.BLACK, 3, (scene.tray.half[0] - 9, 0.0), 0.1),
    )
    return replace(scene, dice=dice)


@pytest.mark.parametrize("seed", [1, 2, 4, 5])
def test_nobody_is_bothered_while_all_is_fine(seed: int) -> None:
    scene = bare(seed)
    watch = DriftWatch(Calibration(profile_of(scene)), every_s=1.0)
    assert feed(watch, [picture(scene, 1)]) == []
    assert feed(watch, [picture(thrown(scene), 4)], start=5.0) == []
    dimmed = replace(scene, sensor=replace(scene.sensor, exposure=0.7 * scene.sensor.exposure))
    assert feed(watch, takes(dimmed), start=10.0) == []
    assert watch.trusted


def test_a_small_shift_is_followed(base: Scene, calibration: Calibration) -> None:
    watch = DriftWatch(calibration)
    moved = thrown(shifted(base, 2.5, -1.5))
    events = feed(watch, takes(moved))
    assert [type(event) for event in events] == [Shifted]
    assert isinstance(events[0], Shifted)
    assert events[0].shift_mm == pytest.approx(np.hypot(2.5, 1.5), abs=0.5)
    assert carried_mm(base, calibration, moved, watch.calibration) < 0.5
    # The reference picture still shows the tray where it was.
    assert feed(watch, takes(moved, 1), start=60.0) == []
    assert [type(event) for event in feed(watch, takes(base), start=90.0)] == [Shifted]


@pytest.mark.parametrize(("seed", "x"), [(0, 20.0), (5, 2.5), (2, 20.0)])
def test_what_is_not_followed_for_sure_is_reported(seed: int, x: float) -> None:
    scene = bare(seed)
    watch = DriftWatch(Calibration(profile_of(scene)))
    events = feed(watch, takes(shifted(scene, x, -1.5), 9))
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.MOVED]
    assert len(events) == 1 and not watch.trusted
    assert [type(e) for e in feed(watch, takes(scene, 2), start=30.0)] == [Fine]
    assert watch.trusted


def test_another_light_and_a_smeared_lens_are_reported(
    base: Scene, calibration: Calibration
) -> None:
    sensor = replace(base.sensor, exposure=base.sensor.exposure * 0.08)
    watch = DriftWatch(calibration)
    events = feed(watch, takes(replace(base, sensor=sensor)))
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.TOO_DARK]
    watch = DriftWatch(calibration)
    events = feed(watch, takes(replace(base, sensor=replace(base.sensor, defocus=0.75))))
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.LENS_DIRTY]
    assert watch.trusted


def test_a_rim_without_anything_to_find_is_not_watched(calibration: Calibration) -> None:
    flat = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    with pytest.raises(ValueError, match="stick the printed markers on"):
        RimInspector(replace(calibration.profile, empty=flat))

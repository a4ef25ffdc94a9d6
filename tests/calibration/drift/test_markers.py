from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from calibration.build import build_calibration
from calibration.calibration import Calibration
from calibration.drift.watch import DriftEvent, DriftWatch, Fine, Relight, Shifted, Trouble
from calibration.markers.bundle import RimHeight
from calibration.markers.rim import find_rim_markers
from calibration.problems import Problem
from simulator.render.dice_model import flat_die
from simulator.render.pinhole import as_vector
from simulator.render.scene import Scene
from tests.calibration.setups import grid, picture, ready
from vision.frame import Frame, Image
from vision.geometry.camera import rotation_of
from vision.reading import Kind

SIZE = (960, 540)


@pytest.fixture(scope="module")
def base() -> Scene:
    return ready(5, SIZE)


@pytest.fixture(scope="module")
def calibration(base: Scene) -> Calibration:
    rim = RimHeight(base.tray.wall_height, 0.1)
    takes = [find_rim_markers(picture(base, seed)) for seed in range(3)]
    return build_calibration(takes, SIZE, rim=rim)


def feed(watch: DriftWatch, images: list[Image], start: float = 0.0) -> list[DriftEvent]:
    events: list[DriftEvent] = []
    for k, image in enumerate(images):
        events += watch.feed(Frame(image, start + k * 0.1, k))
    return events


def shifted(scene: Scene, x: float, y: float) -> Scene:
    """The tray pushed across the table, millimetres, as the camera sees it."""
    camera = scene.camera
    move = np.array(camera.rotation) @ np.array((x, y, 0.0))
    return replace(
        scene, camera=replace(camera, translation=as_vector(np.array(camera.translation) + move))
    )


def carried_mm(base: Scene, calibration: Calibration, moved: Scene, now: Calibration) -> float:
    """The largest change in where a place on the moved tray is read, relative to the tray."""
    places = grid(base.tray)
    tops = np.column_stack([places, np.full(len(places), -16.0)])
    before = calibration.profile.to_mm(base.camera.project(tops), 16.0)
    after = now.profile.to_mm(moved.camera.project(tops), 16.0)
    return float(np.linalg.norm(before - after, axis=1).max())


def takes(scene: Scene, count: int = 4) -> list[Image]:
    return [picture(scene, seed) for seed in range(count)]


def test_nobody_is_bothered_while_all_is_fine(base: Scene, calibration: Calibration) -> None:
    watch = DriftWatch(calibration, every_s=20)
    thrown = replace(
        base,
        dice=(
            flat_die(Kind.BLACK, 5, (10.0, 10.0), 0.3),
            flat_die(Kind.RED, 2, (-40.0, -20.0), 1.0),
        ),
    )
    assert feed(watch, [picture(base), picture(thrown, 4)]) == []
    assert feed(watch, [picture(thrown, 5)], start=25.0) == []
    assert watch.trusted and watch.calibration is calibration


def test_a_small_shift_is_followed(base: Scene, calibration: Calibration) -> None:
    watch = DriftWatch(calibration)
    moved = shifted(base, 2.5, -1.5)
    events = feed(watch, takes(moved))
    assert [type(event) for event in events] == [Shifted]
    assert isinstance(events[0], Shifted)
    assert events[0].shift_mm == pytest.approx(np.hypot(2.5, 1.5), abs=0.5)
    assert watch.trusted
    assert carried_mm(base, calibration, moved, watch.calibration) < 0.5
    assert feed(watch, takes(moved, 1), start=60.0) == []


def tilted(scene: Scene, degrees: float) -> Scene:
    """The camera turned about the picture's horizontal axis."""
    camera, turn = scene.camera, rotation_of(np.array((np.radians(degrees), 0.0, 0.0)))
    rotation, translation = np.array(camera.rotation), np.array(camera.translation)
    across, down, away = map(as_vector, turn @ rotation)
    shift = as_vector(turn @ translation)
    return replace(scene, camera=replace(camera, rotation=(across, down, away), translation=shift))


def propped_up(scene: Scene, degrees: float) -> Scene:
    """The tray turned about its own horizontal axis."""
    camera, turn = scene.camera, rotation_of(np.array((np.radians(degrees), 0.0, 0.0)))
    across, down, away = map(as_vector, np.array(camera.rotation) @ turn)
    return replace(scene, camera=replace(camera, rotation=(across, down, away)))


@pytest.mark.parametrize(
    "moved",
    [
        lambda scene: shifted(scene, 14.0, 0.0),
        lambda scene: shifted(scene, -25.0, 10.0),
        lambda scene: tilted(scene, 2.0),
    ],
    ids=["14 mm", "27 mm", "2 degrees"],
)
def test_a_shift_that_four_markers_agree_on_is_followed_in_silence(
    base: Scene, calibration: Calibration, moved: Callable[[Scene], Scene]
) -> None:
    watch, now = DriftWatch(calibration), moved(base)
    images = takes(now, 4)
    assert feed(watch, images * 2) == []
    trusted = [watch.trusted]
    events = feed(watch, images, start=0.8)
    assert [type(event) for event in events] == [Shifted]
    # At first it may be in somebody's hands.
    assert [*trusted, watch.trusted] == [False, True]
    assert carried_mm(base, calibration, now, watch.calibration) < 0.5
    assert feed(watch, images[:1], start=60.0) == []


def test_a_tray_that_is_carried_is_reported_and_followed_once_put_down(
    base: Scene, calibration: Calibration
) -> None:
    watch = DriftWatch(calibration)
    carried = [picture(shifted(base, 12.0 + 2 * k, k)) for k in range(10)]
    events = feed(watch, carried)
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.MOVED]
    assert len(events) == 1 and not watch.trusted
    events = feed(watch, takes(shifted(base, -15.0, 5.0)) * 3, start=2.0)
    assert [type(event) for event in events] == [Shifted]
    assert watch.trusted


def test_a_large_shift_with_a_marker_hidden_is_reported_and_put_right(
    base: Scene, calibration: Calibration
) -> None:
    watch = DriftWatch(calibration)
    moved = shifted(replace(base, prints=base.prints[:3]), 14.0, 0.0)
    events = feed(watch, takes(moved, 5) * 3)
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.HIDDEN]
    assert len(events) == 1
    trusted = [watch.trusted]
    assert watch.calibration is calibration
    assert [type(e) for e in feed(watch, takes(base, 2), start=5.0)] == [Fine]
    assert [*trusted, watch.trusted] == [False, True]
    # Once the marker is in sight again, they agree.
    events = feed(watch, takes(moved, 4) + takes(shifted(base, 14.0, 0.0)) * 3, start=30.0)
    assert [type(event) for event in events] == [Trouble, Shifted]


def test_a_tray_too_far_from_level_is_reported(base: Scene, calibration: Calibration) -> None:
    watch = DriftWatch(calibration)
    rotation = np.array(base.camera.rotation)
    before = np.degrees(np.arctan2(rotation[1, 2], rotation[2, 2]))
    events = feed(watch, takes(propped_up(base, 36.0 + before), 3) * 4)
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.MOVED]
    assert not watch.trusted


def test_a_marker_that_was_moved_along_with_the_tray_is_reported(
    base: Scene, calibration: Calibration
) -> None:
    watch = DriftWatch(calibration)
    third = base.prints[2]
    off = replace(third, place=(third.place[0] + 5.0, third.place[1]))
    prints = (base.prints[0], base.prints[1], off, base.prints[3])
    events = feed(watch, takes(shifted(replace(base, prints=prints), 14.0, 0.0)) * 4)
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.MOVED]
    assert not watch.trusted


def test_a_hand_over_the_rim_means_nothing_for_a_while(
    base: Scene, calibration: Calibration
) -> None:
    watch = DriftWatch(calibration)
    two = picture(replace(base, prints=base.prints[:2]))
    assert feed(watch, [two] * 7) == []
    assert feed(watch, [picture(base)], start=1.0) == []
    events = feed(watch, [two] * 10, start=30.0)
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.HIDDEN]
    assert not watch.trusted


def test_a_knock_that_looks_like_a_hand_is_followed_but_a_hand_is_not(
    base: Scene, calibration: Calibration
) -> None:
    watch = DriftWatch(calibration)
    hidden, moved = replace(base, prints=base.prints[:2]), shifted(base, 14.0, 0.0)
    events = [
        event
        for k, image in enumerate(takes(hidden, 3) * 10)
        for event in watch.feed(Frame(image, 0.2 * k, k), quiet=False)
    ]
    assert events == []
    assert watch.trusted
    events = [
        event
        for k, image in enumerate(takes(moved, 4) * 4)
        for event in watch.feed(Frame(image, 10 + 0.2 * k, k), quiet=False)
    ]
    assert [type(event) for event in events] == [Shifted]
    assert watch.trusted


def test_one_marker_may_stay_hidden(base: Scene, calibration: Calibration) -> None:
    watch = DriftWatch(calibration)
    assert feed(watch, [picture(replace(base, prints=base.prints[1:]))] * 5) == []
    assert watch.trusted


def lit(scene: Scene, share: float) -> Scene:
    """The scene with so much of its light."""
    return replace(scene, sensor=replace(scene.sensor, exposure=scene.sensor.exposure * share))


@pytest.mark.parametrize("share", [0.5, 1.15])
def test_an_evening_lamp_is_no_news(base: Scene, calibration: Calibration, share: float) -> None:
    watch = DriftWatch(calibration)
    assert feed(watch, takes(lit(base, share))) == []
    assert watch.trusted


@pytest.mark.parametrize(("share", "problem"), [(0.1, Problem.TOO_DARK), (3.0, Problem.TOO_BRIGHT)])
def test_light_that_leaves_no_paper_is_reported_where_the_camera_cannot_follow(
    base: Scene, calibration: Calibration, share: float, problem: Problem
) -> None:
    watch = DriftWatch(calibration)
    events = feed(watch, takes(lit(base, share)))
    assert [e.problem for e in events if isinstance(e, Trouble)] == [problem]
    assert watch.trusted


def test_a_camera_follows_another_light_until_the_paper_is_right(
    base: Scene, calibration: Calibration
) -> None:
    watch = DriftWatch(calibration, exposes=lambda: True)
    share, factors = 0.1, []
    for k in range(12):
        events = watch.feed(Frame(picture(lit(base, share), k), 0.5 * k, k))
        assert not any(isinstance(event, Trouble) for event in events)
        factors += [event.factor for event in events if isinstance(event, Relight)]
        share *= factors[-1] if events and factors else 1.0
        if factors and factors[-1] == 1.0:
            break
    assert factors[0] > 1.5
    assert factors[-1] == 1.0
    assert share > 0.4
    assert watch.feed(Frame(picture(lit(base, share)), 8.0, 20)) == ()


def test_light_that_no_camera_can_follow_is_reported_after_a_while(
    base: Scene, calibration: Calibration
) -> None:
    watch = DriftWatch(calibration, exposes=lambda: True)
    dark = takes(lit(base, 0.1), 1)[0]
    events = [e for k in range(20) for e in watch.feed(Frame(dark, k, k))]
    kinds = [type(event) for event in events]
    assert kinds[-2:] == [Relight, Trouble], "and nothing more"
    assert kinds.count(Trouble) == 1
    # Once it is light again it may be followed again.
    assert [type(e) for e in watch.feed(Frame(picture(base), 30.0, 90))] == [Fine]


def test_a_smeared_lens_is_reported(base: Scene, calibration: Calibration) -> None:
    watch = DriftWatch(calibration)
    smeared = replace(base, sensor=replace(base.sensor, defocus=0.75))
    events = feed(watch, takes(smeared))
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.LENS_DIRTY]


def test_a_marker_that_was_moved_is_reported(base: Scene, calibration: Calibration) -> None:
    watch = DriftWatch(calibration)
    third = base.prints[2]
    off = replace(third, place=(third.place[0] + 5.0, third.place[1]))
    prints = (base.prints[0], base.prints[1], off, base.prints[3])
    events = feed(watch, takes(replace(base, prints=prints)))
    assert [e.problem for e in events if isinstance(e, Trouble)] == [Problem.MOVED]
    assert not watch.trusted


def test_with_neither_markers_nor_a_picture_there_is_nothing_to_watch(
    calibration: Calibration,
) -> None:
    with pytest.raises(ValueError, match="empty tray"):
        DriftWatch(replace(calibration, layout=None))

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.markers.aruco import find_markers
from calibration.markers.bundle import RimHeight, place_tray
from calibration.markers.lens import camera_module_3
from calibration.markers.rim import find_rim_markers
from calibration.problems import Problem
from calibration.quality.focus import steadiness
from calibration.quality.light import exposure_change, flicker, side_of
from calibration.quality.quality import (
    SetupView,
    judge_emptiness,
    judge_picture,
)
from simulator.render.light import Light
from simulator.render.pinhole import as_vector
from simulator.render.scene import Scene
from tests.builders import reading
from tests.calibration.setups import exposed, picture, ready
from vision.frame import Frame, Image
from vision.reading import DieReading, Kind, TrayReading, TrayState

SIZE = (960, 540)


@pytest.fixture(scope="module")
def base() -> Scene:
    return ready(3, SIZE)


def sees(scene: Scene) -> SetupView:
    return judge_picture(picture(scene))


@pytest.mark.parametrize("seed", [0, 2, 5, 9])
def test_good_set_ups_of_any_height_tilt_lens_light_and_floor_are_accepted(seed: int) -> None:
    sight = sees(ready(seed, SIZE))
    assert sight.verdict.good, sight.verdict
    assert sight.verdict.quality > 0.5
    assert sight.markers is not None and len(sight.markers) == 4


@pytest.mark.parametrize(
    ("factor", "problem"),
    [
        (1 / 30, Problem.TOO_DARK),
        (1 / 8, Problem.TOO_DARK),
        (4.0, Problem.TOO_BRIGHT),
        (15.0, Problem.TOO_BRIGHT),
    ],
)
def test_wrong_exposure_is_named(base: Scene, factor: float, problem: Problem) -> None:
    sensor = replace(base.sensor, exposure=base.sensor.exposure * factor)
    sight = sees(replace(base, sensor=sensor))
    assert sight.verdict.problem is problem
    assert sight.verdict.quality < 0.5


@pytest.mark.parametrize("defocus", [1.0, 2.0, 4.0])
def test_blur_is_named(base: Scene, defocus: float) -> None:
    soft = sees(replace(base, sensor=replace(base.sensor, defocus=defocus)))
    assert soft.verdict.problem is Problem.BLURRED
    sharp = sees(base)
    assert sharp.verdict.good


def test_a_little_blur_lowers_the_bar(base: Scene) -> None:
    soft = sees(replace(base, sensor=replace(base.sensor, defocus=0.45)))
    assert soft.verdict.good
    assert soft.verdict.quality < sees(base).verdict.quality


@pytest.mark.parametrize("left", [(0, 1, 2), (1, 2, 3), (2, 3), (0, 2)])
def test_hidden_markers_are_named(base: Scene, left: tuple[int, ...]) -> None:
    sight = sees(replace(base, prints=tuple(base.prints[k] for k in left)))
    assert sight.verdict.problem is Problem.HIDDEN
    assert sight.markers is None


def test_no_markers_at_all(base: Scene) -> None:
    assert sees(replace(base, prints=())).verdict.problem is Problem.NO_MARKERS


def moved(scene: Scene, x: float, y: float) -> Scene:
    """The scene with its camera moved over the tray, millimetres."""
    camera = scene.camera
    shift = np.array(camera.rotation) @ np.array((x, y, 0.0))
    return replace(
        scene,
        camera=replace(camera, translation=as_vector(np.array(camera.translation) - shift)),
    )


@pytest.mark.parametrize("shift", [(0.0, -55.0), (0.0, 70.0), (130.0, 0.0), (-110.0, 60.0)])
def test_a_tray_that_is_cut_off_is_named(base: Scene, shift: tuple[float, float]) -> None:
    assert sees(moved(base, *shift)).verdict.problem is Problem.CUT_OFF


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ((-60.0, 0.0), Problem.GLARE_LEFT),
        ((60.0, 5.0), Problem.GLARE_RIGHT),
        ((0.0, 0.0), Problem.GLARE_MIDDLE),
    ],
)
def test_glare_is_named_by_its_side(
    base: Scene, place: tuple[float, float], problem: Problem
) -> None:
    tray = replace(base.tray, floor=replace(base.tray.floor, roughness=0.25))
    high = float(base.camera.position[2]) - 1
    # A lamp at the camera's height is reflected half-way between it and the camera.
    lamp = Light((place[0] * 2, place[1] * 2, high), 12.0, (2.5, 2.5, 2.5))
    lighting = replace(base.lighting, lights=(*base.lighting.lights, lamp))
    sight = sees(exposed(replace(base, tray=tray, lighting=lighting)))
    assert sight.verdict.problem is problem, sight.verdict


def test_sides_of_the_tray_have_their_words() -> None:
    assert side_of(-0.8, 0.1) is Problem.GLARE_LEFT
    assert side_of(0.1, -0.8) is Problem.GLARE_TOP
    assert side_of(0.2, 0.9) is Problem.GLARE_BOTTOM
    assert side_of(0.2, -0.2) is Problem.GLARE_MIDDLE


def test_markers_in_wrong_places_are_named(base: Scene) -> None:
    first, second, *rest = base.prints
    swapped = (
        replace(first, place=second.place),
        replace(second, place=first.place),
        *rest,
    )
    assert sees(replace(base, prints=swapped)).verdict.problem is Problem.MARKERS_MIXED


def test_a_camera_that_hangs_the_other_way_round_is_no_fault(base: Scene) -> None:
    turned = np.asarray(cv2.rotate(picture(base), cv2.ROTATE_180), np.uint8)
    markers = find_rim_markers(turned)
    placed = place_tray(camera_module_3(SIZE), markers, rim=RimHeight(base.tray.wall_height, 0.2))
    assert placed.rms_px < 0.3
    first, second = placed.layout[0].mean(axis=0), placed.layout[1].mean(axis=0)
    assert first[0] < -80 < 80 < second[0]


def frames(*images: Image) -> list[Frame]:
    return [Frame(image, k / 30, k) for k, image in enumerate(images)]


def test_flicker_and_unrest_are_named(base: Scene) -> None:
    image = picture(base)
    calm = frames(image, picture(base, 1), picture(base, 2))
    assert flicker(calm).good
    assert steadiness(calm).good
    dim = np.asarray(image * 0.9, np.uint8)
    assert flicker(frames(image, dim, image)).problem is Problem.FLICKER
    shifted = np.asarray(np.roll(image, 12, axis=1), np.uint8)
    assert steadiness(frames(image, shifted)).problem is Problem.NOT_STEADY


def test_bands_of_a_lamp_are_flicker_though_the_picture_as_a_whole_keeps_its_light(
    base: Scene,
) -> None:
    image = picture(base)
    height = len(image)

    def banded(phase: float) -> Image:
        rows = 1 + 0.2 * np.sin(2 * np.pi * (3 * np.arange(height) / height + phase))
        return np.asarray((image * rows[:, None, None]).clip(0, 255), np.uint8)

    assert flicker(frames(*map(banded, (0.0, 0.4, 0.8)))).problem is Problem.FLICKER
    assert flicker(frames(banded(0.2), banded(0.2), banded(0.2))).good


def with_mirrors(image: Image, level: int) -> Image:
    """The picture with glare over as much of the tray as the tops of two dice."""
    shining = image.copy()
    height, width = image.shape[:2]
    for x in (width // 2 - 40, width // 2 + 40):
        cv2.rectangle(shining, (x, height // 2), (x + 16, height // 2 + 16), (level,) * 3, -1)
    return shining


def test_a_lamp_that_mirrors_in_dice_makes_the_picture_darker_but_never_too_dark(
    base: Scene,
) -> None:
    image = picture(base)
    markers = tuple(find_markers(image).values())
    assert exposure_change(image, markers) == 1.0
    assert exposure_change(with_mirrors(image, 255), markers) == 0.5
    scene = base
    for _ in range(8):
        # Reflections that stay white however dark the picture gets.
        seen = with_mirrors(picture(scene), 255)
        factor = exposure_change(seen, tuple(find_markers(seen).values()))
        if factor == 1.0:
            break
        sensor = scene.sensor
        scene = replace(scene, sensor=replace(sensor, exposure=sensor.exposure * factor))
    assert factor == 1.0
    assert sees(scene).verdict.problem is not Problem.TOO_DARK
    darkened = scene.sensor.exposure / base.sensor.exposure
    assert 0.15 < darkened < 0.5


def test_tops_that_are_bright_but_not_white_keep_a_dark_picture_from_being_brightened(
    base: Scene,
) -> None:
    sensor = replace(base.sensor, exposure=base.sensor.exposure * 0.4)
    image = picture(replace(base, sensor=sensor))
    markers = tuple(find_markers(image).values())
    assert exposure_change(image, markers) > 1.5
    assert exposure_change(with_mirrors(image, 232), markers) == 1.0


def die(kind: Kind, x: float) -> DieReading:
    return reading(3, (x, 100.0), kind=kind, edge=20.0)


def tray(*found: DieReading) -> TrayReading:
    return TrayReading(TrayState.STILL if found else TrayState.EMPTY, found)


def test_an_empty_tray_must_be_empty() -> None:
    assert judge_emptiness(tray()).good
    assert judge_emptiness(tray(die(Kind.BLACK, 10))).problem is Problem.NOT_EMPTY

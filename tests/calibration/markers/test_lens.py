"""The lenses of known cameras, and what of them is left in pictures of a part of the sensor."""

from dataclasses import replace
from math import atan, degrees, tan

import numpy as np
import pytest

from calibration.build import MAX_DOUBT_UNKNOWN_LENS_MM, build_calibration
from calibration.calibration import SPREADS_OF_WORST_PLACE
from calibration.corners import calibrate_by_corners
from calibration.markers.assumed import assumed_lens
from calibration.markers.bundle import PlacedTray, RimHeight, place_tray
from calibration.markers.lens import (
    CAMERAS,
    MODULE_2,
    MODULE_3,
    MODULE_3_SIGHT,
    MODULE_3_WIDE,
    UNKNOWN_LENS_DOUBT,
    KnownCamera,
    camera_module_3,
    known_camera,
)
from simulator.render.pinhole import look_down
from simulator.render.scene import Scene
from simulator.scenes.installations import marked_scene
from tests.calibration.markers.test_geometry import seen_markers
from tests.calibration.setups import error_mm
from tests.rigs.sensor_modes import PUBLISHED, model_of, pixel_array
from vision.geometry.sight import Sight, part_of_shape, webcam_sight

SIZE = (1536, 864)
CROPPED = Sight("imx708", (4608, 2592), (768, 432, 3072, 1728))
"""The part of a Camera Module 3 that picamera2 shows if it chooses the mode."""


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.models[0])
def test_focal_lengths_and_angles_of_makers_agree(camera: KnownCamera) -> None:
    """Those of the Camera Module 3 Wide but for the distortion that its doubt allows for."""
    lens = camera.lens(camera.array, (0, 0, *camera.array))
    for k, (side, said) in enumerate(zip(camera.array, camera.degrees, strict=True)):
        focal_px = side / 2 / tan(np.radians(said / 2))
        assert lens.matrix[k, k] == pytest.approx(focal_px, rel=3 * camera.doubt.focal)
    assert camera.degrees_of((0, 0, *camera.array)) == pytest.approx(camera.degrees)


@pytest.mark.parametrize(
    ("camera", "part", "expected"),
    [
        (MODULE_3, (0, 0, 4608, 2592), (66, 41)),
        (MODULE_3, (768, 432, 3072, 1728), (47, 28)),
        (MODULE_3_WIDE, (0, 0, 4608, 2592), (102, 67)),
        (MODULE_2, (0, 310, 3280, 1844), (62, 38)),
    ],
)
def test_what_is_left_of_the_angles(
    camera: KnownCamera, part: tuple[int, int, int, int], expected: tuple[int, int]
) -> None:
    assert tuple(round(angle) for angle in camera.degrees_of(part)) == expected


@pytest.mark.parametrize("sensor", PUBLISHED)
def test_the_lens_is_that_of_the_model(sensor: str) -> None:
    sight = Sight(model_of(sensor), pixel_array(sensor), part_of_shape(pixel_array(sensor), SIZE))
    lens, doubt = assumed_lens(SIZE, sight)
    known = {
        "imx708": "Camera Module 3",
        "imx708_wide": "Camera Module 3 Wide",
        "imx500": "AI Camera",
        "imx219": "Camera Module 2",
        "ov5647": "Camera Module 1",
    }
    if model_of(sensor) in known:
        assert lens.source == f"default for {known[model_of(sensor)]}"
        assert doubt.focal < 0.05
    else:
        assert lens.source == f"lens of {model_of(sensor)} not known, taken for a Camera Module 3"
        assert doubt == UNKNOWN_LENS_DOUBT
        assert known_camera(sight) is None
    assert lens.sight == sight


@pytest.mark.parametrize("model", ["imx477", "imx296", "imx219"])
def test_a_bought_lens_is_known_by_its_focal_length(model: str) -> None:
    """On Module 2 as well: there are boards of it with a thread."""
    sight = Sight(model, pixel_array(model), part_of_shape(pixel_array(model), SIZE), lens_mm=8.0)
    lens, doubt = assumed_lens(SIZE, sight)
    assert lens.source.endswith(", 8 mm lens")
    assert lens.sight == sight
    assert doubt.focal == 0.05
    camera = known_camera(sight)
    assert camera is not None
    across = degrees(2 * atan(SIZE[0] / 2 / lens.matrix[0, 0]))
    assert across == pytest.approx(camera.degrees_of(sight.part)[0], abs=1)
    assert camera.lens_mm == 8.0


def test_another_bought_lens_shows_other_pictures() -> None:
    six = Sight("imx477", (4056, 3040), (0, 0, 4056, 3040), lens_mm=6.0)
    assert six.matches(replace(six), (1280, 960))
    assert not six.matches(replace(six, lens_mm=16.0), (1280, 960))
    assert six.matches(replace(six, lens_mm=None), (1280, 960)), "calibrated before it was named"


def test_a_sensor_of_another_size_is_another_camera() -> None:
    assert known_camera(replace(MODULE_3_SIGHT, array=(2304, 1296))) is None
    assert known_camera(replace(MODULE_3_SIGHT, model="imx708_noir")) is MODULE_3


def test_a_part_of_the_sensor_shows_each_place_where_the_whole_does() -> None:
    whole = MODULE_3.lens((4608, 2592), (0, 0, 4608, 2592))
    part = MODULE_3.lens(SIZE, (600, 432, 3072, 1728))
    places = np.array([(-0.2, -0.1, 1.0), (0.1, 0.15, 1.0), (0.0, 0.0, 1.0)])
    on_sensor = whole.placed(np.eye(3), np.zeros(3)).to_pixels(places) + 0.5
    on_picture = part.placed(np.eye(3), np.zeros(3)).to_pixels(places) + 0.5
    np.testing.assert_allclose(on_picture, (on_sensor - (600, 432)) / 2, atol=1e-6)


def test_the_default_spans_as_much_of_the_sensor_as_pictures_of_its_shape_can() -> None:
    for size, side in (((640, 480), 1), ((1536, 864), 0), ((1000, 500), 0)):
        lens = camera_module_3(size)
        angle = degrees(2 * atan(size[side] / 2 / lens.matrix[side, side]))
        assert angle == pytest.approx(MODULE_3.degrees[side], abs=2)
        assert lens.matrix[0, 2] == pytest.approx((size[0] - 1) / 2)


def test_the_doubt_of_corners_grows_with_that_of_the_lens() -> None:
    corners = [(300.0, 200.0), (1236.0, 200.0), (1236.0, 664.0), (300.0, 664.0)]
    floor_mm = (216.0, 216.0 * 464 / 936)

    def off_mm(sight: Sight | None) -> float:
        lens, doubt = assumed_lens(SIZE, sight)
        found = calibrate_by_corners(lens, corners, floor_mm, doubt).off_mm
        assert found is not None
        return found

    wide = Sight("imx708_wide", (4608, 2592), (0, 0, 4608, 2592))
    assert 1.0 < off_mm(MODULE_3_SIGHT) < off_mm(wide) < off_mm(None) < 8.0
    assert off_mm(webcam_sight("", SIZE, 75.0)) < 0.7 * off_mm(None)


def test_a_tray_found_by_its_corners_keeps_what_its_pictures_show() -> None:
    lens, _ = assumed_lens(SIZE, CROPPED)
    corners = [(300.0, 200.0), (1236.0, 200.0), (1236.0, 664.0), (300.0, 664.0)]
    floor_mm = (216.0, 216.0 * 464 / 936)
    assert calibrate_by_corners(lens, corners, floor_mm).profile.sight == CROPPED


def placed(scene: Scene, rng: np.random.Generator, sight: Sight) -> PlacedTray:
    lens, doubt = assumed_lens(SIZE, sight)
    markers = seen_markers(scene, rng, 0.05)
    return place_tray(lens, markers, rim=RimHeight(scene.tray.wall_height, 0.2), doubt=doubt)


def test_a_raised_camera_that_shows_only_the_middle_is_measured_as_what_it_is() -> None:
    """At 470 mm all markers are in the picture, as for somebody who raises it until they are."""
    rng = np.random.default_rng(1)
    view = degrees(2 * atan(tan(np.radians(75.2 / 2)) * 2 / 3))
    camera = look_down(size=SIZE, height=470.0, diagonal_view=view)
    scene = replace(marked_scene(), camera=camera)
    right = placed(scene, rng, CROPPED)
    assert abs(right.camera.position[2]) == pytest.approx(470, abs=5)
    assert right.lens.matrix[0, 0] == pytest.approx(scene.camera.focal[0], rel=0.01)
    assert error_mm(scene, right) < SPREADS_OF_WORST_PLACE * right.doubt_mm
    rim = RimHeight(scene.tray.wall_height, 0.2)
    made = build_calibration([seen_markers(scene, rng, 0.05)], SIZE, rim=rim, sight=CROPPED)
    assert made.profile.sight == CROPPED
    # Taken for all of the sensor, height and focal length are wrong by a third, without a doubt.
    wrong = placed(scene, rng, MODULE_3_SIGHT)
    assert abs(wrong.camera.position[2]) < 350
    assert error_mm(scene, wrong) > SPREADS_OF_WORST_PLACE * wrong.doubt_mm


@pytest.mark.slow
def test_what_is_claimed_of_a_wide_lens_is_true() -> None:
    """Its distortion is not published: any that fits the maker's angles."""
    wide = Sight("imx708_wide", (4608, 2592), (0, 0, 4608, 2592))
    focal = float(assumed_lens(SIZE, wide)[0].matrix[0, 0])
    diagonal = degrees(2 * atan(np.hypot(*SIZE) / 2 / focal))
    off = []
    for seed in range(20):
        rng = np.random.default_rng((seed, 3))
        height, tilt = float(rng.uniform(230, 400)), rng.uniform(-5, 5, 2)
        camera = look_down(
            size=SIZE,
            height=height,
            tilt=(float(tilt[0]), float(tilt[1])),
            offset=(height * tan(np.radians(tilt[1])), -height * tan(np.radians(tilt[0]))),
            diagonal_view=diagonal + float(rng.normal(0, 1.5)),
            distortion=(float(rng.normal(0, 0.04)), float(rng.normal(-0.02, 0.03)), 0.0, 0.0),
        )
        scene = replace(marked_scene(), camera=camera)
        found = placed(scene, rng, wide)
        assert found.doubt_mm < MAX_DOUBT_UNKNOWN_LENS_MM
        off.append(error_mm(scene, found) / (SPREADS_OF_WORST_PLACE * found.doubt_mm))
    assert np.mean(np.array(off) <= 1.0) >= 0.95
    assert max(off) < 2.0

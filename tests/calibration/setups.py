"""Rendered installations with markers on the rim, and the truth about them."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from appliance.simulator.render.prints import Print, board_in_tray
from appliance.simulator.render.renderer import LIVE_QUALITY, Quality, render, with_metered_exposure
from appliance.simulator.render.scene import Scene
from appliance.simulator.render.tray_model import TrayModel
from appliance.simulator.scenes.installations import marked_tray
from calibration.errors import RefusedError
from calibration.markers.aruco import find_markers, find_rim_markers
from calibration.markers.bundle import PlacedTray, RimHeight, place_tray
from calibration.markers.charuco import CharucoCorners, find_charuco
from calibration.markers.lens import Lens, LensDoubt, camera_module_3
from calibration.problems import Problem
from calibration.quality.light import exposure_change
from vision.frame import Image
from vision.geometry.camera import rotation_of
from vision.image.arrays import FloatArray

QUICK = replace(LIVE_QUALITY, background_rays=6, fast=False)
"""Cheaper shadows, but the sensor's full noise."""
EDGE = 16.0
MEASURED_DOUBT = LensDoubt(focal=0.001, centre=0.0008, k1=0.002, k2=0.004)
"""For a lens that was measured with the board."""
LEAST_VIEWS = 5
MOST_RMS_PX = 0.8
LEAST_SLANT = 8.0  # degrees between some two views of the board; level views give no focal length


def installation(
    seed: int, size: tuple[int, int] = (1536, 864), tilt: tuple[float, float] | None = None
) -> Scene:
    """An empty, well-lit tray with four plates glued on slightly out of place."""
    rng = np.random.default_rng((seed, 7))
    scene = marked_tray(rng, "easy" if seed % 2 else "normal", size, tilt)
    return with_metered_exposure(scene, float(rng.uniform(0.13, 0.18)))


def exposed(scene: Scene) -> Scene:
    """The scene as it is after the wizard's first step has set the exposure."""
    for _ in range(8):
        image = picture(scene)
        factor = exposure_change(image, tuple(find_markers(image).values()))
        if factor == 1.0:
            break
        scene = replace(
            scene, sensor=replace(scene.sensor, exposure=scene.sensor.exposure * factor)
        )
    return scene


@lru_cache(maxsize=8)
def ready(seed: int, size: tuple[int, int]) -> Scene:
    """An installation whose exposure is set; drawn once for all tests that look at it."""
    return exposed(installation(seed, size))


def picture(scene: Scene, seed: int = 0, quality: Quality = QUICK) -> Image:
    return render(scene, rng=np.random.default_rng(seed), quality=quality)


def true_frame(prints: tuple[Print, ...]) -> tuple[FloatArray, FloatArray]:
    """Origin and rotation (2x2) of the frame that the true centres of the plates define."""
    middles = np.array([item.place for item in prints[:4]])
    along = (middles[1] - middles[0]) + (middles[2] - middles[3])
    c, s = along / np.hypot(*along)
    return middles.mean(axis=0), np.array(((c, -s), (s, c)))


def grid(tray: TrayModel) -> FloatArray:
    """Places of dice all over the floor, millimetres, (n, 2), as far out as a die's middle gets."""
    x, y = (half - EDGE / 2 for half in tray.half)
    return np.stack(np.meshgrid(np.linspace(-x, x, 9), np.linspace(-y, y, 7)), -1).reshape(-1, 2)


def error_mm(scene: Scene, placed: PlacedTray, height: float = EDGE) -> float:
    """How far off the worst place on the plane of the tops is."""
    places = grid(scene.tray)
    tops = np.column_stack([places, np.full(len(places), -height)])
    pixels = scene.camera.project(tops)
    found = placed.camera.to_plane(pixels, height)
    origin, turn = true_frame(scene.prints)
    return float(np.linalg.norm(found - (places - origin) @ turn, axis=1).max())


MARKERS_ONLY = "four markers, default lens"
WITH_BOARD = "and the board laid in the tray once"
WITH_LENS = "and the lens measured with nine pictures of the board"
HOW = (MARKERS_ONLY, WITH_BOARD, WITH_LENS)


@lru_cache(maxsize=2)
def board_views(seed: int) -> tuple[Image, ...]:
    """The board lying in the tray, and leaning on its rim in eight ways."""
    scene = installation(seed)
    rng = np.random.default_rng((seed, 8))
    laid = []
    for k in range(9):
        away = (0.0, 0.0) if k == 0 else (0.3 * np.cos(k * 0.785), 0.3 * np.sin(k * 0.785))
        high = 0.0 if k == 0 else 35.0
        x, y = rng.uniform(-6, 6, 2) if k == 0 else rng.uniform(-45, 45, 2)
        turn = float(rng.normal(0, 0.05))
        laid.append(
            board_in_tray((float(x), float(y)), turn, high, (float(away[0]), float(away[1])))
        )
    return tuple(
        picture(replace(scene, prints=(*scene.prints, one)), k) for k, one in enumerate(laid)
    )


def measure_lens(views: Sequence[CharucoCorners], size: tuple[int, int]) -> Lens:
    """Measures a lens with pictures of the board (Zhang's method, as in OpenCV).

    Args:
        views: pictures of the board, slanted in different ways, covering the whole picture.
        size: width and height of the pictures, pixels.

    Raises:
        RefusedError: too few, all level, or they do not fit one lens.
    """
    if len(views) < LEAST_VIEWS:
        raise RefusedError(
            Problem.NO_BOARD,
            f"expected at least {LEAST_VIEWS} pictures of the board, found {len(views)}",
        )
    start = camera_module_3(size)
    rms, matrix, distortion, turns, _ = cv2.calibrateCamera(
        [view.places.astype(np.float32).reshape(-1, 1, 3) for view in views],
        [view.pixels.astype(np.float32).reshape(-1, 1, 2) for view in views],
        size,
        start.matrix.copy(),
        np.zeros(5),
        flags=cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K3,
    )
    normals = [rotation_of(turn)[:, 2] for turn in turns]
    slant = max(
        math.degrees(math.acos(min(1.0, abs(float(a @ b))))) for a in normals for b in normals
    )
    if slant < LEAST_SLANT:
        raise RefusedError(
            Problem.BAD_FIT,
            f"expected pictures of the board slanted by at least {LEAST_SLANT:.0f} degrees to one "
            f"another, found {slant:.1f}; lean it on the rim, each time on another side",
        )
    if rms > MOST_RMS_PX:
        raise RefusedError(
            Problem.BAD_FIT,
            f"expected a fit to {MOST_RMS_PX} pixels, found {rms:.2f}; is the board flat, were "
            "the pictures sharp?",
        )
    return Lens(
        size,
        np.asarray(matrix, np.float64),
        np.asarray(distortion, np.float64).ravel()[:4],
        f"measured with {len(views)} pictures of the board",
        float(rms),
    )


def measured(seed: int) -> dict[str, tuple[float, float] | str]:
    """Worst error and stated doubt, millimetres, or why it was refused, for each of `HOW`."""
    scene = installation(seed)
    rng = np.random.default_rng((seed, 9))
    size = scene.camera.size
    rim = RimHeight(scene.tray.wall_height + float(rng.normal(0, 0.2)), 0.2)
    found: dict[str, tuple[float, float] | str] = {}
    for how in HOW:
        try:
            markers = find_rim_markers(picture(scene))
            lens = camera_module_3(size)
            if how == MARKERS_ONLY:
                placed = place_tray(lens, markers, rim=rim)
            else:
                views = [find_charuco(view) for view in board_views(seed)]
                if how == WITH_BOARD:
                    placed = place_tray(lens, markers, views[:1])
                else:
                    exact = measure_lens(views, size)
                    placed = place_tray(exact, markers, views[:1], doubt=MEASURED_DOUBT)
            found[how] = (error_mm(scene, placed), placed.doubt_mm)
        except RefusedError as error:
            found[how] = str(error)
    return found

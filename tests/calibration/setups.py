"""Rendered installations with markers on the rim, and the truth about them."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from calibration.errors import RefusedError
from calibration.markers.aruco import find_markers
from calibration.markers.bundle import PlacedTray, RimHeight, place_tray
from calibration.markers.charuco import find_charuco
from calibration.markers.lens import KNOWN_LENS_DOUBT, camera_module_3
from calibration.markers.measuring import measure_lens
from calibration.markers.rim import find_rim_markers
from calibration.quality.light import exposure_change
from simulator.render.prints import Print, board_in_tray
from simulator.render.renderer import LIVE_QUALITY, Quality, with_metered_exposure
from simulator.render.scene import Scene
from simulator.render.tray_model import TrayModel
from simulator.scenes.installations import INSTALLATION_QUALITY, marked_scene, marked_tray
from tests.rigs.rendering.pictures import drawn
from vision.frame import Image
from vision.image.arrays import FloatArray

QUICK = replace(LIVE_QUALITY, background_rays=6, fast=False)
"""Cheaper shadows, but the sensor's full noise."""
EDGE = 16.0


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
    return drawn(scene, np.random.default_rng(seed), quality)


def standard_picture() -> Image:
    """The standard tray, sharp and in good light."""
    return picture(with_metered_exposure(marked_scene(), 0.15), quality=INSTALLATION_QUALITY)


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
                    exact = measure_lens(views, lens, KNOWN_LENS_DOUBT)
                    placed = place_tray(exact.lens, markers, views[:1], doubt=exact.doubt)
            found[how] = (error_mm(scene, placed), placed.doubt_mm)
        except RefusedError as error:
            found[how] = str(error)
    return found

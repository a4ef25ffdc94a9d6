"""Set-ups as strangers build them: five cameras, any height, tilt, rim, tray, light and felt.

No limit of the product was tuned on these draws; `scripts/bench_self_calibration.py` measures on
them.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from calibration.markers.lens import (
    MODULE_1,
    MODULE_2,
    MODULE_3,
    MODULE_3_WIDE,
    KnownCamera,
)
from simulator.render.pinhole import CameraModel
from simulator.render.renderer import with_metered_exposure
from simulator.render.scene import Scene
from simulator.render.tray_model import TrayModel
from simulator.scenes import random_setup
from simulator.scenes.installations import Installation, camera_over, plates_glued_on
from simulator.scenes.random_setup import random_style
from vision.geometry.sight import Sight, part_of_shape
from vision.reading import Kind

SIZE = (1280, 720)
MAX_TILT_DEG = 20.0
RIM_RANGE_MM = (15.0, 35.0)
WEBCAM_VIEWS_DEG = (60.0, 90.0)
"""Across the diagonal; `tests/calibration/markers/test_unknown_lens.py` has the sources."""
CAMERAS: tuple[KnownCamera | None, ...] = (MODULE_3, MODULE_3_WIDE, MODULE_2, MODULE_1, None)
"""None is a webcam, of which nothing is known."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """One set-up.

    Attributes:
        where: the empty tray with its markers, and its dice.
        sight: what the camera says of itself; None for a webcam.
        camera: its name.
        tilt_deg: between the camera's axis and the vertical.
    """

    where: Installation
    sight: Sight | None
    camera: str
    tilt_deg: float


@lru_cache(maxsize=32)
def any_set_up(
    seed: int,
    tilt_deg: float | None = None,
    webcam: tuple[float, float] | None = None,
    rim_mm: float | None = None,
) -> SetUp:
    """Draws a set-up; the cameras take turns.

    Args:
        seed: of all that is drawn.
        tilt_deg: between the camera's axis and the vertical, degrees; None draws it.
        webcam: angle of view across the diagonal, degrees, and k1 of a webcam whose turn it is
            then; None draws them.
        rim_mm: height of the rim; None draws it.
    """
    rng = np.random.default_rng((seed, 54))
    level: random_setup.Difficulty = "easy" if rng.random() < 0.5 else "normal"
    tray = random_setup.random_tray(rng, level)
    drawn_mm = float(rng.uniform(*RIM_RANGE_MM))
    tray = replace(tray, wall_height=drawn_mm if rim_mm is None else rim_mm)
    known = CAMERAS[seed % len(CAMERAS)] if webcam is None else None
    drawn_deg = float(rng.uniform(0, MAX_TILT_DEG))
    tilt_deg = drawn_deg if tilt_deg is None else tilt_deg
    camera, sight = _hung(rng, tray, known, tilt_deg, webcam)
    plates = plates_glued_on(rng, tray)
    scene = Scene(
        camera=camera,
        tray=tray,
        lighting=random_setup.random_lighting(rng, level),
        sensor=replace(random_setup.random_sensor(rng, "easy"), jpeg=0),
        prints=plates,
    )
    styles = random_style(rng, level, tuple(Kind))
    metered = with_metered_exposure(scene, float(rng.uniform(0.13, 0.18)))
    name = "webcam" if known is None else known.name
    return SetUp(Installation(metered, styles), sight, name, tilt_deg)


def _hung(
    rng: np.random.Generator,
    tray: TrayModel,
    known: KnownCamera | None,
    tilt_deg: float,
    webcam: tuple[float, float] | None,
) -> tuple[CameraModel, Sight | None]:
    """A camera that sees the whole tray, and what it says of itself."""
    diagonal_px = float(np.hypot(*SIZE))
    if known is None:
        sight = None
        view = float(rng.uniform(*WEBCAM_VIEWS_DEG))
        barrel, doubt = (-0.05 if view > 80 else 0.0), (0.0, 0.03, 0.02, 0.01)
        view, barrel = (view, barrel) if webcam is None else webcam
    else:
        part = part_of_shape(known.array, SIZE)
        sight = Sight(known.models[0], known.array, part)
        focal_px = float(known.lens(SIZE, part).matrix[0, 0])
        view = float(np.degrees(2 * np.arctan(diagonal_px / 2 / focal_px)))
        barrel, doubt = 0.0, (known.doubt.focal / 2, 0.02, 0.01, 0.004)
    focal = diagonal_px / 2 / np.tan(np.radians(view) / 2) * float(rng.normal(1, doubt[0]))
    # Tilt makes the nearer side of the tray look larger.
    free = float(rng.uniform(1.12, 1.35)) * (1 + tilt_deg / 60)
    way = float(rng.uniform(0, 2 * np.pi))
    camera = camera_over(
        tray,
        SIZE,
        float(np.degrees(2 * np.arctan(diagonal_px / 2 / focal))),
        free,
        (tilt_deg * float(np.cos(way)), tilt_deg * float(np.sin(way))),
        aside=(float(rng.uniform(-8, 8)), float(rng.uniform(-8, 8))),
        yaw=float(rng.normal(0, 4)),
        bent=(float(rng.normal(barrel, doubt[1])), float(rng.normal(0, doubt[2]))),
        off_centre=rng.normal(0, doubt[3] * SIZE[0], 2),
    )
    return camera, sight

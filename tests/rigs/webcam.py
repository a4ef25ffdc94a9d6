"""A rendered webcam over five dice on a table: pictures as somebody's first ones are."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simulator.render.dice_model import flat_die
from simulator.render.pinhole import look_down
from simulator.render.renderer import LIVE_QUALITY, with_metered_exposure
from simulator.render.scene import Scene
from tests.rigs.rendering.pictures import drawn
from vision.frame import Image
from vision.reading import Kind

C920_DIAGONAL_DEGREES = 78.0
"""Logitech's data sheet of the HD Pro Webcam C920: diagonal field of view."""
SIZE = (1280, 720)
QUICK = replace(LIVE_QUALITY, background_rays=6, fast=False)
_SPOTS_MM = ((-60, -30), (50, -35), (0, 5), (-55, 35), (60, 30))


def over_dice(
    seed: int,
    faces: Sequence[int] = (),
    lean: float = 0.0,
    distance: float = 350.0,
    kind: Kind = Kind.BLACK,
    size: tuple[int, int] = SIZE,
) -> Scene:
    """A webcam that looks at the middle of five dice.

    Args:
        seed: of faces, places and turns.
        faces: what they show; by chance where it is empty.
        lean: angle between its view and straight down, degrees.
        distance: from the middle of the dice, millimetres.
        kind: of the dice.
        size: width and height of the picture, pixels.
    """
    rng = np.random.default_rng(seed)
    shown = faces or tuple(int(face) for face in rng.integers(1, 7, len(_SPOTS_MM)))
    angle = np.radians(lean)
    dice = tuple(
        flat_die(kind, face, (x + rng.uniform(-8, 8), y + rng.uniform(-8, 8)), rng.uniform(0, 6.2))
        for face, (x, y) in zip(shown, _SPOTS_MM, strict=False)
    )
    camera = look_down(
        size,
        float(distance * np.cos(angle)),
        (0.0, -float(distance * np.sin(angle))),
        (lean, 0.0),
        diagonal_view=C920_DIAGONAL_DEGREES,
    )
    return with_metered_exposure(Scene(camera=camera, dice=dice), 0.15)


def photograph(scene: Scene, seed: int = 0) -> Image:
    """A picture with the sensor's noise."""
    return drawn(scene, np.random.default_rng(seed), QUICK)

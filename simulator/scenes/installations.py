"""Rendered installations as people set them up: markers on the rim, the module's lens."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.markers.printed import PLATE_MM
from simulator.motion.placing import Place, draw_free_place
from simulator.render.dice_model import DieBody, DieStyle, flat_die
from simulator.render.pinhole import CameraModel, look_down
from simulator.render.prints import Print, board_in_tray, rim_plates
from simulator.render.renderer import LIVE_QUALITY, render, with_metered_exposure
from simulator.render.scene import Scene
from simulator.render.sensor import Sensor
from simulator.render.tray_model import TrayModel
from simulator.scenes import random_setup
from simulator.scenes.random_setup import random_face, random_style
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.reading import Face, Kind

INSTALLATION_QUALITY = replace(LIVE_QUALITY, background_rays=8)
"""Cheaper shadows of the tray and cached noise, as many frames of few scenes are drawn."""


@dataclass(frozen=True, slots=True)
class Installation:
    """A tray with its camera, and the dice that belong to it.

    Attributes:
        scene: the empty tray.
        styles: how dice of each kind are made.
    """

    scene: Scene
    styles: dict[Kind, DieStyle]

    def with_board(self) -> Scene:
        """The board lying in the tray."""
        return replace(self.scene, prints=(*self.scene.prints, board_in_tray((3.0, -2.0), 0.03)))

    def laid(
        self, rng: np.random.Generator, dice: Sequence[tuple[Kind, Face | None]], apart: float = 0.4
    ) -> Scene:
        """Dice lying flat somewhere, at least `apart` millimetres from one another.

        Args:
            rng: draws their places.
            dice: kind and face of each; None draws the face too.
            apart: gap between dice, and between them and the wall.
        """
        bodies: list[DieBody] = []
        places: list[Place] = []
        for kind, face in dice:
            place = draw_free_place(rng, self.scene.tray.half, places, apart)
            shown = random_face(rng, kind) if face is None else face
            bodies.append(flat_die(kind, shown, place[:2], place[2], self.styles[kind]))
            places.append(place)
        return replace(self.scene, dice=tuple(bodies))


def hung_camera(
    rng: np.random.Generator,
    tray: TrayModel,
    size: tuple[int, int] = (1536, 864),
    tilt: tuple[float, float] | None = None,
) -> CameraModel:
    """A Camera Module 3 above a tray; each unit differs a little.

    Args:
        rng: draws what is not given.
        tray: what it looks at.
        size: of the picture, pixels.
        tilt: about both axes, degrees; None draws up to 10.
    """
    view = 75.2 * float(rng.normal(1, 0.006))
    free = float(rng.uniform(1.12, 1.3))
    if tilt is None:
        slant, way = float(rng.uniform(0, 10)), float(rng.uniform(0, 2 * np.pi))
        tilt = (slant * float(np.cos(way)), slant * float(np.sin(way)))
    return camera_over(
        *(tray, size, view, free, tilt),
        aside=(float(rng.uniform(-4, 4)), float(rng.uniform(-4, 4))),
        yaw=float(rng.normal(0, 2)),
        bent=(float(rng.normal(0, 0.02)), float(rng.normal(0, 0.01))),
        off_centre=rng.normal(0, 0.004 * size[0], 2),
    )


def camera_over(
    tray: TrayModel,
    size: tuple[int, int],
    view: float,
    free: float,
    tilt: tuple[float, float],
    *,
    aside: tuple[float, float],
    yaw: float,
    bent: tuple[float, float],
    off_centre: FloatArray,
) -> CameraModel:
    """A camera that sees the whole tray with its markers.

    Args:
        tray: what it looks at.
        size: of the picture, pixels.
        view: angle of view across the diagonal, degrees.
        free: how much wider than the tray the picture is.
        tilt: about both axes, degrees.
        aside: how far from where it would look at the tray's middle, millimetres.
        yaw: turn about the line of sight, degrees.
        bent: distortion, k1 and k2.
        off_centre: the lens's centre from the picture's, (2,), pixels.
    """
    focal = np.hypot(*size) / 2 / np.tan(np.radians(view) / 2)
    needed = (side + 2 * (PLATE_MM + 6) for side in np.multiply(tray.rim_inner, 2))
    wide = max(mm / px for mm, px in zip(needed, size, strict=True))
    height = float(focal * wide * free + tray.wall_height)
    camera = look_down(
        size=size,
        height=height,
        offset=(
            float(height * np.tan(np.radians(tilt[1])) + aside[0]),
            float(-height * np.tan(np.radians(tilt[0])) + aside[1]),
        ),
        tilt=tilt,
        yaw=yaw,
        diagonal_view=view,
        distortion=(*bent, 0.0, 0.0),
    )
    x, y = np.array(camera.centre) + off_centre
    return replace(camera, centre=(float(x), float(y)))


def plates_glued_on(rng: np.random.Generator, tray: TrayModel) -> tuple[Print, ...]:
    """Four plates with markers on the rim, each slightly out of place."""
    shifts, turns = rng.uniform(-1.5, 1.5, (4, 2)), rng.normal(0, np.radians(1.5), 4)
    return rim_plates(
        tray, tuple((float(a), float(b)) for a, b in shifts), tuple(float(t) for t in turns)
    )


def marked_tray(
    rng: np.random.Generator,
    level: random_setup.Difficulty,
    size: tuple[int, int],
    tilt: tuple[float, float] | None = None,
) -> Scene:
    """An empty tray with four plates glued on slightly out of place, not metered yet."""
    tray = random_setup.random_tray(rng, level)
    stuck = plates_glued_on(rng, tray)
    return Scene(
        camera=hung_camera(rng, tray, size, tilt),
        tray=tray,
        lighting=random_setup.random_lighting(rng, level),
        sensor=replace(random_setup.random_sensor(rng, "easy"), jpeg=0),
        prints=stuck,
    )


def marked_scene() -> Scene:
    """The standard tray with four plates on its rim."""
    return Scene(sensor=Sensor(contrast=0.2), prints=rim_plates(TrayModel()))


def standard_picture() -> Image:
    """A picture of the standard tray, sharp and in good light."""
    return render(
        with_metered_exposure(marked_scene(), 0.15),
        None,
        np.random.default_rng(0),
        INSTALLATION_QUALITY,
    )


def random_installation(seed: int) -> Installation:
    """Draws an installation: tray, floor, table, light, lens, height, tilt, and a set of dice."""
    rng = np.random.default_rng((seed, 17))
    level: random_setup.Difficulty = "easy" if seed % 2 else "normal"
    scene = marked_tray(rng, level, (1280, 720))
    styles = random_style(rng, level, tuple(Kind))
    return Installation(with_metered_exposure(scene, float(rng.uniform(0.13, 0.18))), styles)

"""Faces of Power dice drawn for tests: any of the renderer's prints, any rotation and light."""

import cv2
import numpy as np

from simulator.render.artwork import FACE_SIDE_PX, power_face
from simulator.render.dice_model import PowerArt
from vision.frame import Image
from vision.power_die.print import cut_face
from vision.reading import POWER_FACES

EDGE = 46.0
"""Edge of the drawn die, pixels."""

BLUE, BLACK, WHITE, YELLOW = (150, 70, 20), (25, 22, 22), (225, 228, 230), (30, 190, 225)


def draw_face(
    name: str,
    art: PowerArt,
    *,
    turn: float = 0.0,
    gain: float = 1.0,
    slope: float = 0.0,
    blur: float = 0.5,
    noise: float = 2.0,
    body: tuple[int, int, int] = BLUE,
    ink: tuple[int, int, int] = (225, 230, 230),
    glare: float = 0.0,
    seed: int = 0,
) -> Image:
    """A picture (120, 120, 3) with one face in its middle, edge `EDGE`.

    Args:
        name: one of `POWER_FACES`.
        art: how it is printed.
        turn: rotation of the die, degrees.
        gain: gain of the light.
        slope: how much lighter one side is than the other, as a share of the light.
        blur: standard deviation, pixels.
        noise: standard deviation, grey levels.
        body: BGR.
        ink: BGR.
        glare: share of the face, from one side, that is white.
        seed: seed of the noise.
    """
    cover = power_face(name, art)[..., None]
    face = np.array(body, np.float32) * (1 - cover) + np.array(ink, np.float32) * cover
    face[:, : round(glare * FACE_SIDE_PX)] = 252
    middle = ((FACE_SIDE_PX - 1) / 2, (FACE_SIDE_PX - 1) / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, turn, EDGE / FACE_SIDE_PX), np.float64)
    matrix[:, 2] += 59.5 - (FACE_SIDE_PX - 1) / 2
    # Averaged from a fine picture: a camera's pixel sees an area.
    fine = 4.0 * matrix
    fine[:, 2] += 1.5
    picture = np.full((480, 480, 3), 110, np.float32)
    cv2.warpAffine(
        face, fine, (480, 480), picture, cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
    )
    picture = cv2.resize(picture, (120, 120), interpolation=cv2.INTER_AREA).astype(np.float32)
    light = gain * (1 + slope * (np.arange(120, dtype=np.float32) - 60) / 60)[None, :, None]
    rng = np.random.default_rng(seed)
    noisy = cv2.GaussianBlur(picture * light, (0, 0), blur) + rng.normal(0, noise, (120, 120, 3))
    return np.clip(noisy, 0, 255).astype(np.uint8)


def patch_of(picture: Image, turn: float = 0.0, off: tuple[float, float] = (0.0, 0.0)) -> Image:
    """The patch of the face in the middle of `draw_face`'s picture, cut slightly off centre."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    axes = EDGE * np.array([[c, -s], [s, c]])
    return cut_face(picture, np.array([59.5, 59.5]) + np.array(off), axes)


def all_faces(art: PowerArt, **how: float) -> list[tuple[str, Image]]:
    """One patch of every face."""
    return [(name, patch_of(draw_face(name, art, **how))) for name in POWER_FACES]  # type: ignore[arg-type]

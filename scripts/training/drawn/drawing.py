"""Dice drawn for training: boxes seen at an angle, with the pictures of their faces.

Lengths are in edges of a die. The camera looks down with a slant that is the same all over a
patch (an oblique projection), as it is in a small part of a wide picture.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from scripts.training.drawn.makes import Generator
from scripts.training.drawn.styles import SYMBOL, TEXTURE, Style
from scripts.training.drawn.textures import texture
from vision.image.arrays import Float32Array, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """How a patch is seen.

    Attributes:
        scale: pixels per edge, at the height of the tops.
        slant: shift of a point one edge higher, edges, (2,).
        depth: growth of a length one edge higher.
        squeeze: (2, 2) map for the camera's own tilt.
    """

    scale: float
    slant: FloatArray
    depth: float
    squeeze: FloatArray

    def project(self, points: FloatArray, origin: FloatArray) -> FloatArray:
        """Points (n, 3), edges, z = 1 at the tops, to pixels (n, 2)."""
        high = points[:, 2:] - 1
        flat = (points[:, :2] * (1 + self.depth * high) + high * self.slant) @ self.squeeze.T
        return np.asarray(flat * self.scale + origin, dtype=np.float64)


# Corners of a unit box centred on the origin of x and y, z from 0 to 1.
_BOX = np.array([(x, y, z) for z in (0, 1) for y in (-0.5, 0.5) for x in (-0.5, 0.5)], float)
# Top, then the four sides; each quad so that its texture's corners run clockwise seen from
# outside.
_QUADS = ((4, 5, 7, 6), (1, 0, 4, 5), (3, 1, 5, 7), (2, 3, 7, 6), (0, 2, 6, 4))


def draw_die(
    rng: Generator,
    canvas: Float32Array,
    view: View,
    origin: FloatArray,
    place: FloatArray,
    turn: float,
    style: Style,
    value: int,
    tilt: FloatArray | None = None,
    size: float = 1.0,
    mirrors: float = 0.0,
) -> FloatArray:
    """Draws one die into the canvas.

    Args:
        rng: source of randomness.
        canvas: picture to draw into, (h, w, 3), 0 to 1.
        view: how it is seen.
        origin: pixel of the world's (0, 0, 1).
        place: x, y of its middle, edges.
        turn: yaw, radians.
        style: its make.
        value: its top, 1 to 6 or `SYMBOL`.
        tilt: a further rotation (3, 3) for dice that lean.
        size: its edge, in edges of the dice that the view is for.
        mirrors: the chance that its top mirrors a lamp or the ceiling.

    Returns:
        Corners of the top face, pixels, (4, 2).
    """
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    box = (_BOX - [0, 0, 0.5]) @ spin.T
    if tilt is not None:
        box = box @ tilt.T
    box = (box - [0, 0, box[:, 2].min()]) * size + [*place, 0.0]
    corners = view.project(box, origin)
    hull = cv2.convexHull(corners.astype(np.float32)).reshape(-1, 2)
    soft = (hull - hull.mean(axis=0)) * (1 - 0.35 * style.corner) + hull.mean(axis=0)
    edge_tone = np.clip(style.body * rng.uniform(0.4, 1.1) + rng.uniform(0, 0.08), 0, 1)
    cv2.fillPoly(canvas, [(soft * 16).astype(np.int32)], edge_tone.tolist(), cv2.LINE_AA, shift=4)
    others = [v for v in range(1, 7) if v not in (value, 7 - value)]
    sides = rng.permutation(others) if value != SYMBOL else np.full(4, SYMBOL)
    light = rng.uniform(0.35, 1.1, 4)
    order = sorted(range(5), key=lambda q: float(box[list(_QUADS[q]), 2].mean()))
    for q in order:
        quad = corners[list(_QUADS[q])]
        if _area(quad) * (1 if q == 0 else -1) <= 2 * 16:
            continue
        below = 7 - value if q == 0 and value != SYMBOL else None
        face = value if q == 0 else int(sides[q - 1])
        mirror = q == 0 and mirrors > 0 and rng.random() < mirrors
        picture = texture(rng, style, face, below, mirrors=mirror)
        gain = rng.uniform(0.75, 1.25) if q == 0 else light[q - 1]
        picture[..., :3] *= gain
        _gloss(rng, picture, style.gloss * (1.0 if q == 0 else 0.6))
        _paste(canvas, picture, quad)
    return np.asarray(corners[list(_QUADS[0])], dtype=np.float64)


def _area(quad: FloatArray) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def _gloss(rng: Generator, picture: Float32Array, strength: float) -> None:
    """A reflection: a soft veil over the whole face, and a bright soft spot."""
    if strength < 0.05:
        return
    veil = np.float32(strength * rng.uniform(0, 0.6))
    picture[..., :3] += (np.float32(1) - picture[..., :3]) * veil
    if rng.random() < 0.3:  # a rough lamp, a frosted top: a scatter of small bright specks
        fine = rng.random((TEXTURE, TEXTURE)).astype(np.float32)
        specks = (fine > 1 - 0.12 * strength * rng.random()).astype(np.float32)
        soft = cv2.GaussianBlur(specks, (0, 0), float(rng.uniform(0.4, 1.0)))[..., None]
        picture[..., :3] += (1 - picture[..., :3]) * np.clip(soft * rng.uniform(0.5, 2), 0, 1)
    if rng.random() < 0.5:
        middle, wide = rng.uniform(0, 1, 2), rng.uniform(0.1, 0.5)
        axis = (np.arange(TEXTURE) + 0.5) / TEXTURE
        bump = np.exp(-((axis[:, None] - middle[0]) ** 2 + (axis[None] - middle[1]) ** 2) / wide**2)
        weight = (bump * strength * rng.uniform(0.2, 1.0)).astype(np.float32)[..., None]
        picture[..., :3] += (1 - picture[..., :3]) * weight


_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32) * TEXTURE - 0.5


def _paste(canvas: Float32Array, picture: Float32Array, quad: FloatArray) -> None:
    low = np.floor(quad.min(axis=0)).astype(int) - 1
    high = np.ceil(quad.max(axis=0)).astype(int) + 2
    low = np.maximum(low, 0)
    high = np.minimum(high, [canvas.shape[1], canvas.shape[0]])
    if (high - low).min() < 2:
        return
    matrix = cv2.getPerspectiveTransform(_SQUARE, (quad - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR)
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part += (np.clip(warped[..., :3], 0, 1) - part) * warped[..., 3:]

"""Pictures of solids as in an assembly manual: flat colours, dark edges, no perspective."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_DRAWN_PIXELS_PER_PIXEL = 2
"""Pixels drawn for each pixel of the picture, along either axis."""
_LIGHT = np.array((-0.45, 0.6, 0.66))
"""Where the light comes from: right, up, towards the viewer."""
_SHADES = 12


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Something to draw.

    Attributes:
        corners: of its triangles, (n, 3, 3), millimetres.
        colour: red, green, blue.
        pale: whether it is drawn paler, as it was there before.
    """

    corners: Array
    colour: tuple[int, int, int]
    pale: bool = False


@dataclass(frozen=True, slots=True)
class Camera:
    """The viewpoint of a picture.

    Attributes:
        turn: degrees about the vertical axis; 0 looks along +y, from where the players sit.
        lift: degrees above the horizon; below 0 from underneath.
        size: width and height of the picture, pixels.
    """

    turn: float = -32.0
    lift: float = 30.0
    size: tuple[int, int] = (560, 420)

    def axes(self) -> Array:
        """Right, up and towards the viewer, a row each."""
        turn, lift = np.radians((self.turn, self.lift))
        towards = np.array(
            (np.sin(turn) * np.cos(lift), -np.cos(turn) * np.cos(lift), np.sin(lift))
        )
        right = np.array((np.cos(turn), np.sin(turn), 0.0))
        return np.array((right, np.cross(towards, right), towards))


def draw(
    bodies: Sequence[Body], camera: Camera, labels: Sequence[tuple[str, Sequence[float]]] = ()
) -> NDArray[np.uint8]:
    """The picture, blue green red; labels are words at points in space."""
    axes = camera.axes()
    seen = [body.corners @ axes.T for body in bodies]
    points = np.concatenate([part.reshape(-1, 3) for part in seen])
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = (side * _DRAWN_PIXELS_PER_PIXEL for side in camera.size)
    scale = 0.92 * min(wide / (high[0] - low[0]), tall / (high[1] - low[1]))
    middle = (low + high) / 2
    depth = np.full((tall, wide), -np.inf)
    owner = np.full((tall, wide), -1)
    facing = np.zeros((tall, wide, 3))
    for number, part in enumerate(seen):
        flat = (part - middle) * scale
        flat[..., 0] += wide / 2
        flat[..., 1] = tall / 2 - flat[..., 1]
        _fill(flat, bodies[number].corners, axes[2], number, depth, owner, facing)
    picture = _coloured(bodies, owner, facing @ axes.T, depth, scale)
    small = cv2.resize(picture, camera.size, interpolation=cv2.INTER_AREA)
    picture = np.asarray(small, np.uint8)
    for words, place in labels:
        at = (np.asarray(place) @ axes.T - middle) * scale / _DRAWN_PIXELS_PER_PIXEL
        _label(picture, words, camera.size[0] / 2 + at[0], camera.size[1] / 2 - at[1])
    return (picture // 8 * 8 + 7).astype(np.uint8)


def _fill(
    flat: Array,
    corners: Array,
    towards: Array,
    number: int,
    depth: Array,
    owner: NDArray[np.int64],
    facing: Array,
) -> None:
    """Draws triangles into the buffers, the nearest ones in front."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    for k in np.flatnonzero((normals @ towards > 1e-9) & (lengths > 1e-9)):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = flat[k]
        left, right = max(int(min(ax, bx, cx)), 0), int(max(ax, bx, cx)) + 2
        top, bottom = max(int(min(ay, by, cy)), 0), int(max(ay, by, cy)) + 2
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            continue
        x = np.arange(left, min(right, depth.shape[1])) + 0.5
        y = np.arange(top, min(bottom, depth.shape[0]))[:, None] + 0.5
        u = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
        v = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
        z = az + u * (bz - az) + v * (cz - az)
        window = (slice(top, top + z.shape[0]), slice(left, left + z.shape[1]))
        inside = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6) & (z > depth[window])
        depth[window][inside] = z[inside]
        owner[window][inside] = number
        facing[window][inside] = normals[k] / lengths[k]


def _coloured(
    bodies: Sequence[Body],
    owner: NDArray[np.int64],
    facing: Array,
    depth: Array,
    scale: float,
) -> NDArray[np.uint8]:
    light = _LIGHT / np.linalg.norm(_LIGHT)
    shade = 0.62 + 0.38 * np.clip(facing @ light, 0, 1)
    shade = np.round(shade * _SHADES) / _SHADES
    paint = np.array([body.colour[::-1] for body in bodies] + [(255, 255, 255)], np.float64)
    pale = np.array([body.pale for body in bodies] + [False])
    paint[pale] = 255 - (255 - paint[pale]) * 0.35
    shade[owner < 0] = 1
    picture = paint[owner] * shade[..., None]
    edges = np.zeros(owner.shape, np.bool_)
    near = np.where(np.isfinite(depth), depth, -1e6)
    for axis in (0, 1):
        one = np.roll(owner, 1, axis) != owner
        bend = (np.roll(facing, 1, axis) * facing).sum(axis=2) < 0.8
        jump = np.abs(np.roll(near, 1, axis) - near) > 6 * scale
        edges |= one | ((bend | jump) & (owner >= 0))
    dark = np.where(pale[owner], 150, 40)
    picture[edges] = dark[edges][:, None]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _label(picture: NDArray[np.uint8], words: str, x: float, y: float) -> None:
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.42
    (wide, high), _ = cv2.getTextSize(words, font, size, 1)
    at = (round(x), round(y))
    cv2.circle(picture, at, 11, (255, 255, 255), -1, cv2.LINE_AA)
    cv2.circle(picture, at, 11, (60, 60, 60), 1, cv2.LINE_AA)
    place = (round(x - wide / 2), round(y + high / 2))
    cv2.putText(picture, words, place, font, size, (30, 30, 30), 1, cv2.LINE_AA)

"""The simulated camera's geometry: a pinhole with radial distortion, OpenCV's model.

The world's frame is right-handed, in millimetres, with its origin at the centre of the tray's
floor: x to the right of the picture, y down the picture (towards the players), z *into* the floor.
A point h millimetres above the floor has z = -h. For an upright camera the axes of world and camera
are parallel, and coordinates on the tray grow right and down as pixel coordinates do.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry.camera import PinholeCamera, rotation_of
from vision.image.arrays import FloatArray, Floats

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

Box = tuple[int, int, int, int]
"""First row, end row, first column, end column."""

ROWS_PER_BAND = 32
"""So many rows of a picture at a time fit into the CPU's cache."""

UP_DIRECTION = np.array((0.0, 0.0, -1.0), np.float32)


def as_matrix(values: NDArray[Any]) -> Matrix:
    """A 3x3 array as nested tuples, which frozen dataclasses can hold."""
    a, b, c = (tuple(float(v) for v in row) for row in values)
    return ((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]))


def as_vector(values: NDArray[Any]) -> Vector:
    """Three numbers of an array as a tuple."""
    return (float(values[0]), float(values[1]), float(values[2]))


def vector_lengths(vectors: Floats) -> Floats:
    """Lengths (n,) of vectors (n, 3), bit for bit as `np.linalg.norm`, in a tenth of its time."""
    x, y, z = vectors.T
    return np.asarray(np.sqrt(x * x + y * y + z * z))


def dot_products(a: Floats, b: Floats) -> Floats:
    """Dot products (n,) of vectors (n, 3), bit for bit as `np.einsum`, in a quarter of its time."""
    return np.asarray(a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2])


def scaled(vectors: Floats, factors: Floats) -> Floats:
    """Vectors (n, 3) or one (3,), each times its factor (n,): (n, 3).

    Column by column, as NumPy takes three times as long over rows of three.
    """
    one = vectors.ndim == 1
    out = np.empty((len(factors), 3), np.float32)
    for axis in range(3):
        np.multiply(vectors[axis] if one else vectors[:, axis], factors, out=out[:, axis])
    return out


@dataclass(frozen=True, slots=True)
class CameraModel:
    """Intrinsics and pose.

    Attributes:
        size: width and height of its picture in pixels; pixel centres lie at whole numbers.
        focal: fx, fy in pixels.
        centre: cx, cy in pixels.
        distortion: k1, k2, p1, p2, as OpenCV defines them.
        rotation: world to camera, rows.
        translation: world to camera, millimetres.
    """

    size: tuple[int, int]
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float]
    rotation: Matrix
    translation: Vector

    @property
    def matrix(self) -> FloatArray:
        """The camera matrix, 3x3."""
        (fx, fy), (cx, cy) = self.focal, self.centre
        return np.array(((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0)))

    @property
    def pinhole(self) -> PinholeCamera:
        """The camera as OpenCV's arrays."""
        return PinholeCamera(
            self.matrix,
            np.array(self.distortion),
            np.array(self.rotation),
            np.array(self.translation),
        )

    @property
    def position(self) -> FloatArray:
        """Where the camera is in the world, millimetres."""
        return self.pinhole.position

    def project(self, points: NDArray[Any]) -> FloatArray:
        """Pixels (n, 2) of world points (n, 3)."""
        return self.pinhole.to_pixels(points)

    def resized(self, size: tuple[int, int]) -> "CameraModel":
        """This camera with its picture scaled to another size (width, height)."""
        if size == self.size:
            return self
        sx, sy = size[0] / self.size[0], size[1] / self.size[1]
        return replace(
            self,
            size=size,
            focal=(self.focal[0] * sx, self.focal[1] * sy),
            centre=((self.centre[0] + 0.5) * sx - 0.5, (self.centre[1] + 0.5) * sy - 0.5),
        )


def look_down(
    size: tuple[int, int] = (1536, 864),
    height: float = 350.0,
    offset: tuple[float, float] = (0.0, 0.0),
    tilt: tuple[float, float] = (0.0, 0.0),
    yaw: float = 0.0,
    diagonal_view: float = 75.0,
    distortion: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
) -> CameraModel:
    """A camera above the tray.

    Args:
        size: width and height in pixels.
        height: above the floor, millimetres.
        offset: of the camera from the point above the tray's centre, millimetres.
        tilt: about the world's x and y axes, degrees.
        yaw: about the vertical, degrees.
        diagonal_view: angle of view across the diagonal, degrees.
        distortion: k1, k2, p1, p2.
    """
    focal = np.hypot(*size) / 2 / np.tan(np.radians(diagonal_view) / 2)
    turn_x = rotation_of(np.array((np.radians(tilt[0]), 0.0, 0.0)))
    turn_y = rotation_of(np.array((0.0, np.radians(tilt[1]), 0.0)))
    turn_z = rotation_of(np.array((0.0, 0.0, np.radians(yaw))))
    rotation = turn_x @ turn_y @ turn_z
    position = np.array((offset[0], offset[1], -height))
    return CameraModel(
        size=size,
        focal=(float(focal), float(focal)),
        centre=((size[0] - 1) / 2, (size[1] - 1) / 2),
        distortion=distortion,
        rotation=as_matrix(rotation),
        translation=as_vector(-rotation @ position),
    )


def pixel_box(camera: CameraModel, points: FloatArray | Floats, margin: int) -> Box | None:
    """The part of the picture that holds the projections of points (n, 3), if any does."""
    pixels = camera.project(points)
    width, height = camera.size
    if not np.isfinite(pixels).all() or np.abs(pixels).max() > 100 * width:
        return None
    left = max(0, int(np.floor(pixels[:, 0].min())) - margin)
    right = min(width, int(np.ceil(pixels[:, 0].max())) + margin + 1)
    top = max(0, int(np.floor(pixels[:, 1].min())) - margin)
    bottom = min(height, int(np.ceil(pixels[:, 1].max())) + margin + 1)
    return (top, bottom, left, right) if top < bottom and left < right else None


@lru_cache(maxsize=4)
def ray_directions(camera: CameraModel) -> Floats:
    """Unit directions in the world of the rays through the pixels, (height, width, 3)."""
    width, height = camera.size
    pinhole, xs = camera.pinhole, np.arange(width, dtype=np.float64)
    world = np.empty((height, width, 3), np.float32)
    for top in range(0, height, ROWS_PER_BAND):
        ys = np.arange(top, min(top + ROWS_PER_BAND, height), dtype=np.float64)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        local = pinhole.directions(grid)
        local /= vector_lengths(local)[:, None]
        world[top : top + len(ys)] = (local @ pinhole.rotation).reshape(len(ys), width, 3)
    return world

"""A camera with a pose: OpenCV's pinhole model with radial and tangential distortion.

World coordinates are millimetres, x to the right and y down in an upright camera's picture, z into
the floor: a point h millimetres above the floor has z = -h. Pixel centres lie at whole numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import ArrayLike

from vision.image.arrays import FloatArray

# In OpenCV 5 the function for any number of steps is the other one.
_undistort: Callable[..., MatLike] = getattr(cv2, "undistortPointsIter", cv2.undistortPoints)
_TO_THE_END = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 500, 1e-6)
"""Steps at most, and how near the pixel a ray must come, pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class PinholeCamera:
    """Intrinsics and pose.

    Attributes:
        matrix: camera matrix, (3, 3), pixels.
        distortion: OpenCV's k1, k2, p1, p2[, k3], (4,) or (5,).
        rotation: world to camera, (3, 3).
        translation: world to camera, millimetres, (3,).
    """

    matrix: FloatArray
    distortion: FloatArray
    rotation: FloatArray
    translation: FloatArray

    @property
    def position(self) -> FloatArray:
        """Where the camera is in the world, millimetres, (3,)."""
        return np.asarray(-self.rotation.T @ self.translation, np.float64)

    def to_pixels(self, points: FloatArray) -> FloatArray:
        """Where world points (n, 3) appear in the picture, (n, 2)."""
        if len(points) == 0:
            return np.zeros((0, 2))
        pixels, _ = cv2.projectPoints(
            np.ascontiguousarray(points, np.float64),
            vector_of(self.rotation),
            self.translation,
            self.matrix,
            self.distortion,
        )
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def to_plane(self, pixels: FloatArray, height_mm: float) -> FloatArray:
        """Where the rays of pixels (n, 2) meet the plane `height_mm` above the floor, (n, 2)."""
        if len(pixels) == 0:
            return np.zeros((0, 2))
        rays = self.directions(pixels) @ self.rotation
        eye = self.position
        reach = (-height_mm - eye[2]) / rays[:, 2]
        return np.asarray(eye[:2] + reach[:, None] * rays[:, :2], np.float64)

    def directions(self, pixels: FloatArray) -> FloatArray:
        """Directions (n, 3) in the camera's frame of the rays through pixels (n, 2), z = 1."""
        flat = undistorted(pixels, self.matrix, self.distortion)
        return np.column_stack([flat, np.ones(len(flat))])


def undistorted(pixels: FloatArray, matrix: FloatArray, distortion: FloatArray) -> FloatArray:
    """Directions (n, 2), x/z and y/z in the camera's frame, of pixels (n, 2).

    Unless told otherwise OpenCV stops after five steps, which leaves a third of a pixel at the edge
    of a wide lens, and tens of them in a corner of one of 120 degrees.
    """
    places = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
    rays = _undistort(places, matrix, distortion, R=None, P=None, criteria=_TO_THE_END)
    return np.asarray(rays, np.float64).reshape(-1, 2)


def rotation_of(vector: ArrayLike) -> FloatArray:
    """The rotation matrix (3, 3) of a rotation vector (3,)."""
    return np.asarray(cv2.Rodrigues(np.asarray(vector, np.float64))[0], np.float64)


def vector_of(rotation: FloatArray) -> FloatArray:
    """The rotation vector (3,) of a rotation matrix (3, 3)."""
    return np.asarray(cv2.Rodrigues(np.asarray(rotation, np.float64))[0], np.float64).ravel()

"""Axes of tops: 2 x 2 matrices whose columns are a top's edges along its x and y, in pixels."""

import math

import numpy as np
from numpy.typing import ArrayLike

from vision.image.arrays import FloatArray


def axes_of(outline: ArrayLike) -> FloatArray:
    """Axes (2, 2) of a top with these corners (4, 2), clockwise from its own top left."""
    corners = np.asarray(outline, np.float64)
    return np.stack([corners[1] - corners[0], corners[3] - corners[0]], axis=1)


def top_edge(axes: FloatArray) -> float:
    """Edge of a square of the same area as a top with axes (2, 2), pixels."""
    # In plain numbers: for so small a matrix NumPy's overhead exceeds the computation.
    (a, b), (c, d) = axes.tolist()
    return math.sqrt(abs(a * d - b * c))


def top_edges(axes: FloatArray) -> FloatArray:
    """Edges of many tops, pixels (n,), by their axes (n, 2, 2)."""
    areas = axes[:, 0, 0] * axes[:, 1, 1] - axes[:, 0, 1] * axes[:, 1, 0]
    return np.asarray(np.sqrt(np.abs(areas)), dtype=np.float64)


def inverse_of(axes: FloatArray) -> FloatArray:
    """The inverse of axes (2, 2)."""
    # In plain numbers: NumPy's own takes ten times as long.
    (a, b), (c, d) = axes.tolist()
    return np.asarray(np.array([(d, -b), (-c, a)]) / (a * d - b * c), np.float64)


def turned(axes: FloatArray, turn: float) -> FloatArray:
    """Axes (2, 2), or (n, 2, 2) for many, after a turn within their own frame, radians."""
    c, s = math.cos(turn), math.sin(turn)
    return np.asarray(axes @ np.array([[c, -s], [s, c]]), dtype=np.float64)


def scales(axes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Least (negative where it mirrors) and greatest scale of maps (n, 2, 2), each (n,)."""
    # The singular values: half the difference and half the sum of two lengths.
    same = np.hypot(axes[:, 0, 0] + axes[:, 1, 1], axes[:, 1, 0] - axes[:, 0, 1])
    other = np.hypot(axes[:, 0, 0] - axes[:, 1, 1], axes[:, 1, 0] + axes[:, 0, 1])
    return (same - other) / 2, (same + other) / 2

"""Small computations: sRGB to light, logarithms, halving, medians, largest channels, log odds.

All are exact; where they replace a function of NumPy or OpenCV they say what is gained.
"""

import math
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import Image
from vision.image.arrays import FloatArray, IndexArray

CHANGE_OFFSET = 10.0
"""Grey levels added where a picture is compared with the empty tray: so that noise in the dark is
not amplified by the logarithm."""


def light_of(levels: ArrayLike) -> FloatArray:
    """Grey levels, 0 to 255, as light, 0 to 1, by the sRGB curve (IEC 61966-2-1)."""
    share = np.clip(np.asarray(levels, np.float64), 0, 255) / 255
    return np.asarray(np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4))


def levels_of(light: ArrayLike) -> FloatArray:
    """Light, 0 to 1, as grey levels, 0 to 255."""
    share = np.clip(np.asarray(light, np.float64), 0, 1)
    curve = np.where(share <= 0.0031308, share * 12.92, 1.055 * share ** (1 / 2.4) - 0.055)
    return np.asarray(curve * 255)


def log_levels(levels: ArrayLike, dark: float = 12.0) -> FloatArray:
    """Logarithms of grey levels, 0 to 255: where another light falls, all differ by as much.

    Args:
        levels: any shape.
        dark: grey levels added to each, so that noise in the dark counts for little.
    """
    return np.asarray(np.log(np.asarray(levels, np.float64) + dark))


def halved(image: Image) -> Image:
    """A picture at half its size, each pixel the mean of four, so that all weigh the same.

    The last column or row of an odd size is left out: with it OpenCV takes ten times as long.
    """
    height, width = (side - side % 2 for side in image.shape[:2])
    half = (width // 2, height // 2)
    small = cv2.resize(image[:height, :width], half, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def halvings_towards(image: Image, size: tuple[int, int]) -> int:
    """How often a picture can be halved and stays no smaller than `size`, (width, height)."""
    height, width = image.shape[:2]
    times = 0
    while min(width / size[0], height / size[1]) >= 2:
        width, height, times = width // 2, height // 2, times + 1
    return times


def halved_towards(image: Image, size: tuple[int, int]) -> Image:
    """A picture halved for as long as it stays no smaller than `size`, (width, height)."""
    for _ in range(halvings_towards(image, size)):
        image = halved(image)
    return image


Number = TypeVar("Number", bound=np.floating[Any])


def median(rows: NDArray[Number]) -> NDArray[Number]:
    """The median of each row of (channels, n), n >= 1, in half NumPy's time for few pixels.

    NumPy's own also looks for NaN, and sorts rows that are not contiguous in memory.
    """
    count = rows.shape[1]
    low, high = (count - 1) // 2, count // 2
    ordered = np.partition(np.ascontiguousarray(rows), (low, high), axis=1)
    return np.asarray((ordered[:, low] + ordered[:, high]) / 2, dtype=rows.dtype)


def largest(channels: NDArray[Any]) -> NDArray[Any]:
    """The largest of three channels (height, width, 3) at each pixel, (height, width).

    Over so short an axis NumPy's own maximum takes ten times as long.
    """
    blue, green, red = cv2.split(channels)
    return cv2.max(cv2.max(blue, green), red)


def near_along(
    one: FloatArray, other: FloatArray, reach: FloatArray
) -> tuple[IndexArray, IndexArray]:
    """Which pairs of coordinates, (n,) and (m,), are at most `reach`, (n,), apart: their indices.

    Who looks for points near each other need not compare all with all.
    """
    order = np.argsort(other, kind="stable")
    rising = other[order]
    low = np.searchsorted(rising, one - reach)
    counts = np.searchsorted(rising, one + reach, "right") - low
    first = np.repeat(np.arange(len(one)), counts)
    before = np.cumsum(counts) - counts
    return first, order[np.arange(len(first)) + np.repeat(low - before, counts)]


def log_odds(probability: float, least: float = 1e-9) -> float:
    """Log odds of a probability, which counts as at least so much, and as much less than 1."""
    inside = min(max(probability, least), 1 - least)
    return math.log(inside / (1 - inside))

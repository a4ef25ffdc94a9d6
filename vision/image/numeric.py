"""Small computations: sRGB to light and back, halving, medians, largest channels, log odds.

All are exact; where they replace a function of NumPy or OpenCV they say what is gained.
"""

import math
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import Image
from vision.image.arrays import FloatArray


def light_of(levels: ArrayLike) -> FloatArray:
    """Grey levels, 0 to 255, as light, 0 to 1, by the sRGB curve (IEC 61966-2-1)."""
    share = np.clip(np.asarray(levels, np.float64), 0, 255) / 255
    return np.asarray(np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4))


def levels_of(light: ArrayLike) -> FloatArray:
    """Light, 0 to 1, as grey levels, 0 to 255."""
    share = np.clip(np.asarray(light, np.float64), 0, 1)
    curve = np.where(share <= 0.0031308, share * 12.92, 1.055 * share ** (1 / 2.4) - 0.055)
    return np.asarray(curve * 255)


def halved(image: Image) -> Image:
    """A picture at half its size, each pixel the mean of four, so that all weigh the same.

    The last column or row of an odd size is left out: with it OpenCV takes ten times as long.
    """
    height, width = (side - side % 2 for side in image.shape[:2])
    half = (width // 2, height // 2)
    small = cv2.resize(image[:height, :width], half, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def square_patch(image: Image, center: FloatArray, unit: FloatArray, side: int) -> Image:
    """A square patch with sides of `side` pixels around a centre; the border is replicated.

    The columns of `unit`, (2, 2), are steps of one patch pixel along its x and y, picture pixels.
    """
    matrix = np.empty((2, 3))
    matrix[:, :2] = unit
    matrix[:, 2] = center - unit @ np.full(2, (side - 1) / 2)
    patch = np.empty((side, side, *image.shape[2:]), np.uint8)
    warp_square(image, matrix, patch)
    return patch


_WARP_FLAGS = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
_WARPS_EXACTLY = int(cv2.__version__.partition(".")[0]) >= 5
"""OpenCV 4 interpolates at the nearest 32nd of a pixel, and so were the networks trained. From 5 on
it does so at the place itself, which makes up to five grey levels of difference in noise."""


def warp_square(image: Image, matrix: FloatArray, patch: Image) -> None:
    """Fills a square patch; `matrix`, (2, 3), maps its pixels to those of the picture.

    The values are the same from every version of OpenCV.
    """
    size = patch.shape[:2]
    if _WARPS_EXACTLY:
        maps = _to_32nds(matrix, size[0])
        cv2.remap(image, *maps, cv2.INTER_LINEAR, patch, cv2.BORDER_REPLICATE)
    else:
        cv2.warpAffine(image, matrix, size, patch, _WARP_FLAGS, cv2.BORDER_REPLICATE)


def _to_32nds(matrix: FloatArray, side: int) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Where the pixels of a square patch are in the picture, as `cv2.convertMaps` writes it.

    Rounded as OpenCV 4 does: its steps along x and y first, to 1024ths, then their sums to 32nds.

    Returns:
        whole pixels x and y (side, side, 2), and 32 times the 32nds along y plus those along x.
    """
    steps = np.arange(side)
    across = np.rint(matrix[:, 0, None] * steps * 1024).astype(np.int64)
    down = np.rint((matrix[:, 1, None] * steps + matrix[:, 2, None]) * 1024).astype(np.int64)
    places = (down[:, :, None] + across[:, None, :] + 16) >> 5
    whole = np.ascontiguousarray(np.moveaxis(places >> 5, 0, 2), np.int16)
    return whole, ((places[1] & 31) * 32 + (places[0] & 31)).astype(np.uint16)


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


def log_odds(probability: float, least: float = 1e-9) -> float:
    """Log odds of a probability, which counts as at least so much, and as much less than 1."""
    inside = min(max(probability, least), 1 - least)
    return math.log(inside / (1 - inside))

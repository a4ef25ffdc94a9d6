"""Warping: the only place where pictures are transformed by a matrix, or sampled at places.

OpenCV 4 interpolates at the nearest 32nd of a pixel, later versions at the place itself.
"""

from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.image.arrays import FloatArray

Level = TypeVar("Level", bound=np.integer[Any] | np.floating[Any])


def warped(
    image: NDArray[Level],
    matrix: NDArray[Any],
    size: tuple[int, int],
    *,
    inverse: bool = False,
    replicated: bool = False,
) -> NDArray[Level]:
    """A picture after an affine (2, 3) or a perspective (3, 3) transform.

    Unlike those of `warp_square`, its values may differ between versions of OpenCV.

    Args:
        image: (height, width) or (height, width, channels), 8 bits or 32-bit floats.
        matrix: maps its pixels to those of the result, x before y.
        size: of the result, (width, height) pixels.
        inverse: whether the matrix maps those of the result to its own instead.
        replicated: whether its border goes on outside it; otherwise all is 0 there.
    """
    flags = cv2.INTER_LINEAR | (cv2.WARP_INVERSE_MAP if inverse else 0)
    border = cv2.BORDER_REPLICATE if replicated else cv2.BORDER_CONSTANT
    transform = cv2.warpAffine if len(matrix) == 2 else cv2.warpPerspective
    moved = transform(image, matrix, size, flags=flags, borderMode=border)
    return np.asarray(moved, image.dtype)


def sampled(
    image: NDArray[Level],
    places: NDArray[np.floating[Any]],
    *,
    cubic: bool = False,
    replicated: bool = False,
) -> NDArray[Level]:
    """A picture at places between its pixels.

    Args:
        image: (height, width) or (height, width, channels), 8 bits or floats.
        places: pixels, x before y, (rows, columns, 2) or (count, 2), rounded to 32-bit floats.
        cubic: whether to interpolate by cubics; otherwise linearly.
        replicated: whether its border goes on outside it; otherwise all is 0 there.
    """
    how = cv2.INTER_CUBIC if cubic else cv2.INTER_LINEAR
    border = cv2.BORDER_REPLICATE if replicated else cv2.BORDER_CONSTANT
    x, y = np.moveaxis(places.astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(image, x, y, how, borderMode=border), image.dtype)


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
"""The networks were trained at 32nds; in noise that makes up to five grey levels of difference."""


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

"""The floor of a tray, estimated from the picture itself where none of the empty tray is known.

Most of what is seen of a tray is its floor, of one material in slowly varying light: a quadratic
surface in each channel, on a logarithmic scale. What stands out from it may be a die of any colour,
a shadow, or anything else. A die of the floor's own colour may not stand out; so where nothing
does, up to three spots are not worth a look, but patterns of four pips and more still are.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.background import (
    CELLS_PER_EDGE,
    DIE_SPACING_EDGES,
    Changes,
    cells_at,
    log_shrunk,
    region_mask,
)
from vision.frame import Image
from vision.image.arrays import BoolArray, Float32Array, FloatArray
from vision.image.numeric import largest, median

_MAX_FLOOR_DISTANCE_BY_ROUND = (0.5, 0.3, 0.2)
"""From the fitted surface, in the logarithm."""
_MIN_CHANGE = 0.16  # of what stands out, in the logarithm: 17 %
_MIN_NOISE_FACTOR = 3.0  # of what stands out, over the floor's own variation
_SAMPLE_EVERY_CELLS = 7  # to fit the floor
_TOP_WINDOW_CELLS = (7, 7)
_MIN_DETAIL = 0.35
"""Mean of the logarithm's absolute Laplacian on a die with pips; shadows are smooth."""
_MAX_FLOOR_SHARE = 0.15  # a top of which less than this share stands out is taken for floor
_SPECK_KERNEL = np.ones((3, 3), np.uint8)
_MAX_HOLE_CELLS = CELLS_PER_EDGE * CELLS_PER_EDGE
MAX_FLOOR_PLACES = 8
"""Those with the most detail."""


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """What stands out from the floor in one picture.

    Attributes:
        changes: where the picture does not show the floor, within the tray.
        inside: 1 in the tray, 0 elsewhere, small, (height, width).
        detail: how much each cell's surroundings vary, in the logarithm, (height, width).
    """

    changes: Changes
    inside: NDArray[np.uint8]
    detail: Float32Array

    def same(self, centers: FloatArray) -> BoolArray:
        """Whether plain floor is seen at centres (n, 2), pixels, with nothing standing out."""
        plain = self.changes.share(centers) < _MAX_FLOOR_SHARE
        return plain & (self._cells_under(self.inside, centers) > 0)

    def places(self, found: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Centres (n, 2) and edges (n,), pixels, where something with the detail of a die lies.

        Args:
            found: middles of the tops of dice already known, pixels, (n, 2).
        """
        centers, edges = self.changes.places(found, DIE_SPACING_EDGES)
        busy = self._cells_under(self.detail, centers)
        first = np.argsort(-busy, kind="stable")
        first = first[busy[first] >= _MIN_DETAIL][:MAX_FLOOR_PLACES]
        return centers[first], edges[first]

    def _cells_under(self, cells: NDArray[Any], centers: FloatArray) -> NDArray[Any]:
        """The cells in which points (n, 2) of the picture lie, or the nearest ones."""
        return np.asarray(cells[cells_at(centers, self.changes.scale, cells.shape)])


class Floor:
    """The floor in pictures of an installation.

    Args:
        size: width and height of the pictures, pixels.
        edge: usual edge of a die, pixels.
        tray: corners of the tray, pixels, (n, 2).
    """

    def __init__(self, size: tuple[int, int], edge: float, tray: FloatArray) -> None:
        self._edge = edge
        self._scale = min(1.0, CELLS_PER_EDGE / edge)
        width, height = (max(1, round(side * self._scale)) for side in size)
        self._inside = region_mask([tray], (height, width), self._scale)
        self._sample = np.flatnonzero(self._inside)[::_SAMPLE_EVERY_CELLS]
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].reshape(2, -1).astype(np.float32)
        self._surface = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])

    def foreground(self, picture: Image) -> "Foreground":
        """What stands out from the floor in a picture of that size."""
        small = log_shrunk(picture, self._scale)
        out = self._mark_foreground(small)
        detail = cv2.blur(largest(np.abs(cv2.Laplacian(small, cv2.CV_32F))), _TOP_WINDOW_CELLS)
        changes = Changes(out, self._scale, self._edge)
        return Foreground(changes, self._inside, np.asarray(detail, np.float32))

    def _mark_foreground(self, small: Float32Array) -> Float32Array:
        """1 where a picture does not show the floor, 0 elsewhere."""
        if len(self._sample) == 0:
            return np.zeros(small.shape[:2], np.float32)
        channels = np.asarray(cv2.split(small), np.float32).reshape(3, -1)
        basis, seen = self._surface[:, self._sample], channels[:, self._sample]
        fit = np.zeros((3, len(basis)), np.float32)
        fit[:, 0] = median(seen)
        left = _distance_from_surface(seen, fit, basis)
        for near in _MAX_FLOOR_DISTANCE_BY_ROUND:
            floor = left < near
            if floor.sum() < 2 * len(basis):
                break
            visible = basis[:, floor]
            fit = np.linalg.lstsq(visible @ visible.T, visible @ seen[:, floor].T, rcond=None)[0].T
            left = _distance_from_surface(seen, fit, basis)
        floor = left < _MAX_FLOOR_DISTANCE_BY_ROUND[-1]
        noise = float(left[floor].mean()) if floor.any() else 0.0
        out = _distance_from_surface(channels, fit, self._surface) > max(
            _MIN_CHANGE, _MIN_NOISE_FACTOR * noise
        )
        out &= self._inside.ravel() > 0
        return _fill_holes(out.view(np.uint8).reshape(small.shape[:2])).astype(np.float32)


def _distance_from_surface(
    seen: Float32Array, fit: Float32Array, basis: Float32Array
) -> Float32Array:
    """How far pixels (3, n) are from a surface, in the channel where they are farthest, (n,)."""
    return np.asarray(np.abs(seen - fit @ basis).max(axis=0), np.float32)


def _fill_holes(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A mask with holes no larger than a die filled: they are tops of the floor's own colour."""
    closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _SPECK_KERNEL), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] <= _MAX_HOLE_CELLS
    small[0] = False
    return np.asarray(closed | small[labels].view(np.uint8), np.uint8)

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

from vision.detect.background import APART, CELLS, Changes, cells_at, inside_of, shrunk
from vision.frame import Image
from vision.image.arrays import BoolArray, Float32Array, FloatArray
from vision.image.numeric import largest, median

_NEAR = (0.5, 0.3, 0.2)
"""How far from the surface the floor may be in each round, in the logarithm."""
_OUT, _NOISE = 0.16, 3.0
"""What stands out: by a change of 17 %, and by this many times the floor's own variation."""
_EACH = 7  # one cell in this many is sampled to fit the floor
_TOP = (7, 7)  # of a die, cells
_BUSY = 0.35
"""Least mean of the logarithm's absolute Laplacian on a die with pips; shadows are smooth."""
_PLAIN = 0.15  # a top of which less than this share stands out is taken for floor
_SPECK = np.ones((3, 3), np.uint8)
_HOLE = CELLS * CELLS
MOST = 8
"""Most places returned, those with the most detail."""


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
        plain = self.changes.share(centers) < _PLAIN
        return plain & (self._at(self.inside, centers) > 0)

    def places(self, found: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Centres (n, 2) and edges (n,), pixels, where something with the detail of a die lies.

        Args:
            found: middles of the tops of dice already known, pixels, (n, 2).
        """
        centers, edges = self.changes.places(found, APART)
        busy = self._at(self.detail, centers)
        first = np.argsort(-busy, kind="stable")
        first = first[busy[first] >= _BUSY][:MOST]
        return centers[first], edges[first]

    def _at(self, cells: NDArray[Any], centers: FloatArray) -> NDArray[Any]:
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
        self._scale = min(1.0, CELLS / edge)
        width, height = (max(1, round(side * self._scale)) for side in size)
        self._inside = inside_of([tray], (height, width), self._scale)
        self._sample = np.flatnonzero(self._inside)[::_EACH]
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].reshape(2, -1).astype(np.float32)
        self._surface = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])

    def foreground(self, picture: Image) -> "Foreground":
        """What stands out from the floor in a picture of that size."""
        small = shrunk(picture, self._scale)
        out = self._standing_out(small)
        detail = cv2.blur(largest(np.abs(cv2.Laplacian(small, cv2.CV_32F))), _TOP)
        changes = Changes(out, self._scale, self._edge)
        return Foreground(changes, self._inside, np.asarray(detail, np.float32))

    def _standing_out(self, small: Float32Array) -> Float32Array:
        """1 where a picture does not show the floor, 0 elsewhere."""
        if len(self._sample) == 0:
            return np.zeros(small.shape[:2], np.float32)
        channels = np.asarray(cv2.split(small), np.float32).reshape(3, -1)
        basis, seen = self._surface[:, self._sample], channels[:, self._sample]
        fit = np.zeros((3, len(basis)), np.float32)
        fit[:, 0] = median(seen)
        left = _farthest(seen, fit, basis)
        for near in _NEAR:
            floor = left < near
            if floor.sum() < 2 * len(basis):
                break
            visible = basis[:, floor]
            fit = np.linalg.lstsq(visible @ visible.T, visible @ seen[:, floor].T, rcond=None)[0].T
            left = _farthest(seen, fit, basis)
        floor = left < _NEAR[-1]
        noise = float(left[floor].mean()) if floor.any() else 0.0
        out = _farthest(channels, fit, self._surface) > max(_OUT, _NOISE * noise)
        out &= self._inside.ravel() > 0
        return _filled(out.view(np.uint8).reshape(small.shape[:2])).astype(np.float32)


def _farthest(seen: Float32Array, fit: Float32Array, basis: Float32Array) -> Float32Array:
    """How far pixels (3, n) are from a surface, in the channel where they are farthest, (n,)."""
    return np.asarray(np.abs(seen - fit @ basis).max(axis=0), np.float32)


def _filled(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A mask with holes no larger than a die filled: they are tops of the floor's own colour."""
    closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _SPECK), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] <= _HOLE
    small[0] = False
    return np.asarray(closed | small[labels].view(np.uint8), np.uint8)

"""An earlier picture of the empty tray: what differs from it may be dice, the rest is not.

Changes of light are told from objects as in `vision.watch.motion`: on a logarithmic scale, after
subtracting what the whole tray shares, so that a lamp or the camera's exposure makes no difference.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classify.face import Pyramid
from vision.frame import Image
from vision.image.arrays import BoolArray, Float32Array, FloatArray, IndexArray
from vision.image.numeric import CHANGE_OFFSET, halvings_towards, largest, log_levels, median

CELLS_PER_EDGE = 8.0
"""Of the change map, per edge of a die."""
_MIN_CHANGE = 0.16  # in the logarithm: a change of 17 %
_DIE_RADIUS_EDGES = 0.75  # of the circle with a top in it
_TOP_BOX_CELLS = round(0.8 * CELLS_PER_EDGE)  # side of the part of a top that is looked at
_BOX_OFFSET_CELLS = (
    (_TOP_BOX_CELLS + 1) % 2 / 2
)  # a box with an even side lies this many cells before its cell
_MAX_FLOOR_SHARE = 0.25  # a top less changed than this is floor

_SAMPLE_EVERY_CELLS = 5  # for what the whole tray shares

_SPECK_KERNEL = np.ones((3, 3), np.uint8)

_LOG_TABLE = log_levels(np.arange(256), CHANGE_OFFSET).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Where a picture differs from the empty tray.

    Attributes:
        mask: 1 where it differs, 0 elsewhere, small, (height, width).
        scale: cells of the mask for one pixel of the picture.
        edge: usual edge of a die, pixels of the picture.
        shares: the share of a top around each cell that differs.
    """

    mask: Float32Array
    scale: float
    edge: float
    shares: Float32Array

    def share(self, centers: FloatArray) -> FloatArray:
        """Share of the tops at centres (n, 2), pixels, that differs, 0 to 1."""
        box = self.shares
        return np.asarray(
            box[cells_at(centers, self.scale, box.shape, _BOX_OFFSET_CELLS)], np.float64
        )

    def same(self, centers: FloatArray) -> BoolArray:
        """True for each of the centres (n, 2), pixels, where nothing has come to lie."""
        return np.asarray(self.share(centers) < _MAX_FLOOR_SHARE)

    def without(self, dice: FloatArray) -> "Changes":
        """The changes but for what dice with these middles explain, pixels, (n, 2)."""
        left = self.mask.copy()
        for x, y in np.rint((dice + 0.5) * self.scale - 0.5).astype(int).tolist():
            cv2.circle(left, (x, y), round(_DIE_RADIUS_EDGES * CELLS_PER_EDGE), 0, -1)
        return replace(self, mask=left, shares=_changed_shares(left))

    def parts(self) -> list[tuple[slice, slice]]:
        """Rows and columns of the picture's parts outside which `same` holds everywhere."""
        changed = np.asarray(self.shares >= _MAX_FLOOR_SHARE, np.uint8)
        boxes = cv2.connectedComponentsWithStats(changed)[2][1:, :4]
        corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)
        at = np.maximum((corners - _BOX_OFFSET_CELLS) / self.scale, 0)
        return [
            (slice(int(top), math.ceil(bottom)), slice(int(left), math.ceil(right)))
            for left, top, right, bottom in at.tolist()
        ]

    def extent(self) -> tuple[slice, slice]:
        """Rows and columns of the picture outside which nothing but specks has changed."""
        large = cv2.morphologyEx(self.mask, cv2.MORPH_OPEN, _SPECK_KERNEL)
        x, y, width, height = cv2.boundingRect(np.asarray(large > 0, np.uint8))
        low = np.array([y, x]) / self.scale - self.edge
        high = np.array([y + height, x + width]) / self.scale + self.edge
        (top, left), (bottom, right) = np.maximum(np.rint((low, high)), 0).astype(int).tolist()
        return slice(top, bottom), slice(left, right)


def cells_at(
    centers: FloatArray, scale: float, shape: tuple[int, ...], beside: float = 0.0
) -> tuple[IndexArray, IndexArray]:
    """Rows and columns of the cells in which places (n, 2), pixels, lie, or of the nearest ones.

    There are `scale` cells per pixel, `shape` in all; `beside` shifts each right and down.
    """
    at = np.rint((centers + 0.5) * scale - 0.5 + beside).astype(np.intp)
    return np.clip(at[:, 1], 0, shape[0] - 1), np.clip(at[:, 0], 0, shape[1] - 1)


def _changed_shares(mask: Float32Array) -> Float32Array:
    """The share of a top around each cell that differs."""
    return np.asarray(cv2.blur(mask, (_TOP_BOX_CELLS, _TOP_BOX_CELLS)), np.float32)


class Background:
    """The empty tray, at the scale at which pictures are compared with it.

    Args:
        empty: picture of the empty tray, BGR.
        edge: usual edge of a die in it, pixels.
        regions: corners of each part where dice may lie, pixels, (n, 2): the tray first.
    """

    def __init__(self, empty: Image, edge: float, regions: Sequence[FloatArray]) -> None:
        self._edge = edge
        self._scale = min(1.0, CELLS_PER_EDGE / edge)
        self._small = log_shrunk(Pyramid(empty), self._scale)
        shape = self._small.shape[:2]
        self._inside = region_mask(regions, shape, self._scale)
        self._sample = np.flatnonzero(region_mask(regions[:1], shape, self._scale))[
            ::_SAMPLE_EVERY_CELLS
        ]

    def changes(self, pyramid: Pyramid) -> Changes:
        """Where a picture of the same size differs, given with its halves."""
        ratio = log_shrunk(pyramid, self._scale) - self._small
        sample = ratio.reshape(-1, 3)[self._sample]
        if len(sample):
            ratio -= median(sample.T)
        far = largest(np.abs(ratio))
        mask = ((far > _MIN_CHANGE) & (self._inside > 0)).astype(np.float32)
        return Changes(mask, self._scale, self._edge, _changed_shares(mask))


def log_shrunk(pyramid: Pyramid, scale: float) -> Float32Array:
    """The logarithm of a downscaled picture, (height, width, 3)."""
    height, width = pyramid.level(0).shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    nearest = pyramid.level(halvings_towards(pyramid.level(0), size))
    small = cv2.resize(nearest, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.LUT(small, _LOG_TABLE), np.float32)


def region_mask(
    regions: Sequence[FloatArray], shape: tuple[int, ...], scale: float
) -> NDArray[np.uint8]:
    """A mask of `shape`: 1 in regions with corners (n, 2), pixels of a picture, and 0 elsewhere.

    One pixel of the picture is `scale` pixels of the mask.
    """
    mask = np.zeros(shape, np.uint8)
    for region in regions:
        cv2.fillPoly(mask, [np.rint((region + 0.5) * scale - 0.5).astype(np.int32)], 1)
    return mask

"""The heat map: a network that looks at a whole picture at once for tops of dice of any size.

It is trained by `scripts/training/train_faces.py`; `scripts.training.drawn.scenes` draws the
scenes. It sees tops with an edge of `MIN_TOP_EDGE_PX` to about 25 pixels, so each level of the
pyramid is asked for those of its own size.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np

from vision.classify.face import Pyramid
from vision.classify.network import centred, network
from vision.detect.places import distinct_indices
from vision.frame import Image
from vision.image.arrays import FloatArray

TOPS_WEIGHTS = "tops.onnx"
STRIDE_PX = 8
"""Pixels to an output of the network."""
CELLS = 2
"""Along each axis, in each output."""
CELL_PX = STRIDE_PX / CELLS
USUAL_EDGE_PX = 15.0
"""The edge whose logarithm is 0."""
KNOWN_EDGE_PX = (14.0, 28.0)
"""Where the size of dice is known, the level where their edge is between these is looked at."""
FIRST_LEVEL = 1
"""The finest: of smaller dice nothing could be read."""
MIN_LEVEL_SIDE_PX = 24
MARGIN_PX = 16
"""Added around a picture by repeating its border, as in the scenes that the network has seen."""
PART_MARGIN_PX = 8
"""Looked at around a part of a picture."""
MIN_HEAT = 0.1
"""Of the dice in strangers' photographs, none has less than 0.2."""
MAX_TOPS_FOUND = 100
MIN_TWIN_DISTANCE_EDGES = 0.12
"""Two tops of about one size that are nearer, in edges, are the same."""
MAX_TWIN_LOG_SIZE = 0.2
LOOKS_PER_MEGAPIXEL = 140.0
"""Work for a picture, in looks of the face classifier."""
Part = tuple[slice, slice]
"""Rows and columns of a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Tops:
    """Places that look like tops, the hottest first.

    Attributes:
        centers: pixels of the picture, (n, 2).
        edges: pixels, (n,).
        heats: 0 to 1, (n,).
    """

    centers: FloatArray
    edges: FloatArray
    heats: FloatArray

    def heat_at(self, center: FloatArray, reach: float) -> float:
        """The greatest heat within so many pixels of a place (2,); 0 where there is none."""
        near = np.hypot(*(self.centers - center).T) < reach
        return float(self.heats[near].max(initial=0.0))


NO_TOPS = Tops(np.zeros((0, 2)), np.zeros(0), np.zeros(0))


def find_tops(
    pyramid: Pyramid, edge: float | None = None, parts: Sequence[Part] | None = None
) -> Tops:
    """The tops in a picture.

    Args:
        pyramid: the picture and its halves.
        edge: of a die, pixels, where it is known.
        parts: of the picture, outside which no top has its middle; None where that is not known.
    """
    found = [
        _tops_in(pyramid, level, window)
        for level in _levels(pyramid, edge)
        for window in _windows(pyramid, level, parts)
    ]
    if not found:
        return NO_TOPS
    centers, edges, heats = (np.concatenate(part) for part in zip(*found, strict=True))
    first = np.argsort(-heats, kind="stable")
    distinct = distinct_indices(
        centers[first], edges[first], MIN_TWIN_DISTANCE_EDGES, MAX_TWIN_LOG_SIZE
    )
    kept = first[distinct[:MAX_TOPS_FOUND]]
    return Tops(centers[kept], edges[kept], heats[kept])


def _levels(pyramid: Pyramid, edge: float | None) -> list[int]:
    """The levels of the pyramid to look at."""
    if edge is not None:
        return [max(0, math.ceil(math.log2(edge / KNOWN_EDGE_PX[1])))]
    shorter = min(pyramid.level(0).shape[:2])
    last = max(FIRST_LEVEL, math.floor(math.log2(max(1.0, shorter / MIN_LEVEL_SIDE_PX))))
    return list(range(FIRST_LEVEL, last + 1))


@dataclass(frozen=True, slots=True)
class _Window:
    """A part of a picture, in outputs of the network.

    Attributes:
        top: its first row; `bottom` is the first one below it.
        left: its first column; `right` is the first one to the right of it.
        margin: looked at around it, pixels.
    """

    top: int
    bottom: int
    left: int
    right: int
    margin: int

    @classmethod
    def around(cls, part: Part, shrunk: int, margin: int) -> Self:
        """The window with a part, where the picture is `shrunk` so many times."""
        unit = shrunk * STRIDE_PX
        (top, bottom), (left, right) = (
            (side.start // unit, math.ceil(side.stop / unit)) for side in part
        )
        return cls(top, bottom, left, right, margin)

    @property
    def pixels(self) -> int:
        """How many are looked at."""
        high, wide = (self.bottom - self.top, self.right - self.left)
        return (high * STRIDE_PX + 2 * self.margin) * (wide * STRIDE_PX + 2 * self.margin)

    def joined(self, other: Self) -> Self:
        """The window around both."""
        top, left = min(self.top, other.top), min(self.left, other.left)
        bottom, right = max(self.bottom, other.bottom), max(self.right, other.right)
        return replace(self, top=top, bottom=bottom, left=left, right=right)

    def cut(self, picture: Image) -> Image:
        """What the picture shows there; beyond its borders, they are repeated."""
        (top, bottom, above, below), (left, right, before, after) = (
            _with_margin(first, last, self.margin, side)
            for first, last, side in (
                (self.top, self.bottom, picture.shape[0]),
                (self.left, self.right, picture.shape[1]),
            )
        )
        part, border = picture[top:bottom, left:right], cv2.BORDER_REPLICATE
        return np.asarray(cv2.copyMakeBorder(part, above, below, before, after, border), np.uint8)


def _with_margin(first: int, last: int, margin: int, side: int) -> tuple[int, int, int, int]:
    """Begin and end of outputs with their margin, and how much lies before and after the side."""
    begin, end = first * STRIDE_PX - margin, last * STRIDE_PX + margin
    return max(0, begin), min(side, end), max(0, -begin), max(0, end - side)


def _windows(pyramid: Pyramid, level: int, parts: Sequence[Part] | None) -> list[_Window]:
    """Windows with all parts of a level; what costs no more together than apart is in one."""
    if parts is None:
        height, width = pyramid.level(level).shape[:2]
        return [_Window.around((slice(0, height), slice(0, width)), 1, MARGIN_PX)]
    kept: list[_Window] = []
    for part in parts:
        one = _Window.around(part, 2**level, PART_MARGIN_PX)
        while near := [k for k in kept if k.joined(one).pixels <= k.pixels + one.pixels]:
            kept.remove(near[0])
            one = one.joined(near[0])
        kept.append(one)
    return kept


def _tops_in(
    pyramid: Pyramid, level: int, window: _Window
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The tops in a window of one level, as centres, edges and heats in pixels of the picture."""
    picture = pyramid.level(level)
    pyramid.spend(LOOKS_PER_MEGAPIXEL * window.pixels / 1e6)
    said = _asked(window.cut(picture))
    heat = _heat(said[0], picture, window)
    # The hottest cell of its surroundings stands for a top.
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > MIN_HEAT)
    rows, columns = np.nonzero(peaks)
    margin = round(window.margin / CELL_PX)
    (row, low), (column, right) = (divmod(at + margin, CELLS) for at in (rows, columns))
    across, down, size = said[1:, low, right, row, column]
    corner = CELLS * np.array((window.left, window.top))
    middles = np.column_stack([columns + across, rows + down]) + corner
    grown = 2.0**level
    # A cell's middle lies half a cell from its corner, and a pixel's half a pixel.
    centers = (middles + 0.5) * (CELL_PX * grown) - 0.5
    edges = USUAL_EDGE_PX * grown * np.exp(np.clip(size, -1.0, 1.0))
    return centers, edges, heat[peaks]


def _heat(logits: FloatArray, picture: Image, window: _Window) -> FloatArray:
    """The heat of each cell in a window, (rows, columns), from the network's log odds."""
    high, wide = (math.ceil(side / CELL_PX) for side in picture.shape[:2])
    margin = round(window.margin / CELL_PX)
    bottom = margin + min(CELLS * window.bottom, high) - CELLS * window.top
    right = margin + min(CELLS * window.right, wide) - CELLS * window.left
    by_row = logits.transpose(2, 0, 3, 1).reshape(CELLS * logits.shape[2], -1)
    return np.asarray(1 / (1 + np.exp(-by_row[margin:bottom, margin:right])))


def _asked(whole: Image) -> FloatArray:
    """What the network says: heat as log odds, the top's middle, cells, the logarithm of its size.

    (4, `CELLS` down, `CELLS` across, rows, columns); the middle is relative to that of the cell.
    """
    said = network(TOPS_WEIGHTS).ask(centred(whole[None]))[0]
    return np.reshape(said, (-1, CELLS, CELLS, *said.shape[1:]))

"""The heat map: a network that looks at a whole picture at once for tops of dice of any size.

It is trained by `scripts/training/train_faces.py`; `scripts.training.drawn.scenes` draws the
scenes. It sees tops with an edge of `MIN_TOP_EDGE_PX` to about 25 pixels, so each level of the
pyramid is asked for those of its own size.
"""

import math
from dataclasses import dataclass

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
FIRST_CELL = round(MARGIN_PX / CELL_PX)
MIN_HEAT = 0.1
"""Of the dice in strangers' photographs, none has less than 0.2."""
MAX_TOPS_FOUND = 100
MIN_TWIN_DISTANCE_EDGES = 0.12
"""Two tops of about one size that are nearer, in edges, are the same."""
MAX_TWIN_LOG_SIZE = 0.2
LOOKS_PER_MEGAPIXEL = 140.0
"""Work for a picture, in looks of the face classifier."""


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


def find_tops(pyramid: Pyramid, edge: float | None = None) -> Tops:
    """The tops in a picture.

    Args:
        pyramid: the picture and its halves.
        edge: of a die, pixels, where it is known.
    """
    found = [_tops_at(pyramid, level) for level in _levels(pyramid, edge)]
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


def _tops_at(pyramid: Pyramid, level: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The tops of one level, as centres, edges and heats in pixels of the whole picture."""
    picture = pyramid.level(level)
    pyramid.spend(LOOKS_PER_MEGAPIXEL * picture.shape[0] * picture.shape[1] / 1e6)
    said = _asked(picture)
    heat = _heat(said[0], picture)
    # The hottest cell of its surroundings stands for a top.
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > MIN_HEAT)
    rows, columns = np.nonzero(peaks)
    (row, low), (column, right) = (divmod(at + FIRST_CELL, CELLS) for at in (rows, columns))
    across, down, size = said[1:, low, right, row, column]
    middles = np.column_stack([columns + across, rows + down])
    grown = 2.0**level
    # A cell's middle lies half a cell from its corner, and a pixel's half a pixel.
    centers = (middles + 0.5) * (CELL_PX * grown) - 0.5
    edges = USUAL_EDGE_PX * grown * np.exp(np.clip(size, -1.0, 1.0))
    return centers, edges, heat[peaks]


def _heat(logits: FloatArray, picture: Image) -> FloatArray:
    """The heat of each cell in the picture, (rows, columns), from the network's log odds."""
    high, wide = (math.ceil(side / CELL_PX) for side in picture.shape[:2])
    within = np.s_[FIRST_CELL : FIRST_CELL + high, FIRST_CELL : FIRST_CELL + wide]
    by_row = logits.transpose(2, 0, 3, 1)
    return np.asarray(1 / (1 + np.exp(-by_row.reshape(by_row.shape[0] * CELLS, -1)[within])))


def _asked(picture: Image) -> FloatArray:
    """What the network says: heat as log odds, the top's middle, cells, the logarithm of its size.

    (4, `CELLS` down, `CELLS` across, rows, columns); the middle is relative to that of the cell.
    The first `FIRST_CELL` cells, and some at the end, lie beyond the picture's borders.
    """
    height, width = picture.shape[:2]
    down, right = MARGIN_PX + -height % STRIDE_PX, MARGIN_PX + -width % STRIDE_PX
    whole = cv2.copyMakeBorder(picture, MARGIN_PX, down, MARGIN_PX, right, cv2.BORDER_REPLICATE)
    said = network(TOPS_WEIGHTS).ask(centred(np.asarray(whole, np.uint8)[None]))[0]
    return np.reshape(said, (-1, CELLS, CELLS, *said.shape[1:]))

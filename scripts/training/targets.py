"""The heat map of tops that a drawn scene should give.

Source: Zhou, Wang and Krähenbühl, Objects as points, arXiv 1904.07850, 2019.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scripts.training.drawn.scenes import SCENE_SIDE, TOP_EDGES
from vision.detect.tops import CELL_PX, USUAL_EDGE_PX
from vision.image.arrays import Float32Array

SPREAD_EDGES = 0.13
"""Standard deviation of the heat around a middle, edges."""
NEAR_EDGES = 0.22
"""Cells nearer to a middle learn where it is, edges."""
OPEN_EDGES = 0.6
"""Cells nearer to what may be a top or not learn nothing, edges."""
CLEAR_SIZE = (0.8, 1.5)
"""How far a top's edge may be beyond `TOP_EDGES`, pixels."""
OPEN_SIZE = (0.75, 1.35)
"""Sizes so many times the bounds of `TOP_EDGES`, and beyond `CLEAR_SIZE`, are left open."""


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """The right answers of the cells of some scenes.

    Attributes:
        heat: (n, cells, cells), 1 at the cell of a middle.
        taught: the same shape, 0 where nothing is learnt.
        near: the same shape, 1 where `pose` is learnt.
        pose: (n, 3, cells, cells).
    """

    heat: Float32Array
    taught: Float32Array
    near: Float32Array
    pose: Float32Array


def targets(tops: Sequence[NDArray[np.float32]], side: int = SCENE_SIDE) -> Targets:
    """The targets of scenes with tops (k, 4), see `DrawnScene`."""
    cells = round(side / CELL_PX)
    shape = (len(tops), cells, cells)
    heat, taught = np.zeros(shape, np.float32), np.ones(shape, np.float32)
    near, pose = np.zeros(shape, np.float32), np.zeros((len(tops), 3, cells, cells), np.float32)
    axis = (np.arange(cells, dtype=np.float32) + 0.5) * CELL_PX - 0.5
    for scene, of_scene in enumerate(tops):
        for x, y, edge, is_open in of_scene:
            across, down = x - axis[None], y - axis[:, None]
            away = np.hypot(across, down)
            if is_open or not _clear(edge):
                if is_open or _doubtful(edge):
                    taught[scene][away < OPEN_EDGES * edge] = 0
                continue
            warm = np.exp(-((away / edge) ** 2) / (2 * SPREAD_EDGES**2))
            middle = np.unravel_index(away.argmin(), away.shape)
            if away[middle] < CELL_PX:
                warm[middle] = 1
            heat[scene] = np.maximum(heat[scene], warm)
            close = away < max(NEAR_EDGES * edge, 0.75 * CELL_PX)
            near[scene][close] = 1
            size = np.full_like(away, np.log(edge / USUAL_EDGE_PX))
            places = np.stack(np.broadcast_arrays(across / CELL_PX, down / CELL_PX, size))
            pose[scene][:, close] = places[:, close]
    return Targets(heat, taught, near, pose)


def _clear(edge: float) -> bool:
    return TOP_EDGES[0] - CLEAR_SIZE[0] < edge < TOP_EDGES[1] + CLEAR_SIZE[1]


def _doubtful(edge: float) -> bool:
    return TOP_EDGES[0] * OPEN_SIZE[0] < edge < TOP_EDGES[1] * OPEN_SIZE[1]

"""The rim round a floor, which tells the floor's edges from those of a shadow.

Walls cast shadows on the floor; the lit rest is a rectangle, too, and may have the floor's shape.
But the rim lies evenly round the floor only: its inner and its outer edge are each equally far from
it on all sides, and both at the same height. Seen by the camera whose pose follows from the floor,
some edges beyond the four sides must form such a rim.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from calibration.markers.lens import Lens
from calibration.markers.pose import pose_from
from vision.image.arrays import FloatArray

RIM_HEIGHT_RANGE_MM = (8.0, 60.0)
"""Of a rim above the floor."""
RIM_OUTSIDE_RANGE_MM = (-1.5, 25.0)
"""How far its edges lie outside the floor's."""
MIN_RIM_BREADTH_MM = 1.5
_SIDE_CORNERS = ((0, 1), (1, 2), (2, 3), (3, 0))  # corners of each: upper, right, lower, left
_OUTWARD_NORMALS = np.array(((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0)), np.float64)
_MEASURED_AT_SHARES = (0.2, 0.8)  # of each side: where an edge's distance is measured
_MAX_ROUGH_SPREAD_MM = 2.0  # of one edge's distances, to be considered further


@dataclass(frozen=True, slots=True)
class Rim:
    """A rim that was found round a floor.

    Attributes:
        off_mm: root mean square distance of its edges from an even rim.
        height_mm: above the floor.
        inner_mm: how far its inner edge lies outside the floor's.
        outer_mm: the same for its outer edge.
    """

    off_mm: float
    height_mm: float
    inner_mm: float
    outer_mm: float


def find_rim(
    corners: FloatArray,
    beyond: Sequence[Sequence[FloatArray]],
    lens: Lens,
    floor_mm: tuple[float, float],
) -> Rim | None:
    """The rim that lies most evenly round a floor; None if there is none.

    Args:
        corners: of the floor, pixels, (4, 2), clockwise from the top left.
        beyond: edges outside the upper, right, lower and left side: lines a, b, c of
            a x + b y + c = 0, (3,), pixels.
        lens: the camera's.
        floor_mm: width and depth of the floor.
    """
    distances = _distances_outside(corners, beyond, lens, floor_mm)
    edges = list(_edges_round_floor(distances))
    best: Rim | None = None
    for k, (one, first) in enumerate(edges):
        for other, second in edges[k + 1 :]:
            if abs(first[1] - second[1]) > RIM_HEIGHT_RANGE_MM[0] * 2:
                continue
            rim = _rim_from_edges(one, other)
            if rim is not None and (best is None or rim.off_mm < best.off_mm):
                best = rim
    return best


def _distances_outside(
    corners: FloatArray,
    beyond: Sequence[Sequence[FloatArray]],
    lens: Lens,
    floor_mm: tuple[float, float],
) -> list[list[FloatArray]]:
    """How far each line lies outside its side, for any height.

    Returns:
        For each side and line (2, 2): at two places along the side, the distance in millimetres
        on the floor, and what a millimetre of height adds to it.
    """
    x, y = floor_mm[0] / 2, floor_mm[1] / 2
    floor = np.array(((-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)), np.float64)
    rotation, translation, _ = pose_from(lens, floor, corners)
    eye = -rotation.T @ translation
    found = []
    for (start, end), outwards, lines in zip(_SIDE_CORNERS, _OUTWARD_NORMALS, beyond, strict=True):
        places = np.array(
            [floor[start] + share * (floor[end] - floor[start]) for share in _MEASURED_AT_SHARES]
        )
        row = []
        for line in lines:
            # Everything seen on a straight line lies in a plane through the eye.
            ends = corners[[start, end]]
            ends = ends - np.outer(ends @ line[:2] + line[2], line[:2])
            rays = np.column_stack([lens.undistort(ends), np.ones(2)])
            normal = rotation.T @ np.cross(rays[0], rays[1])
            slope = float(normal @ outwards)
            if abs(slope) > 1e-9:
                higher = np.full(len(places), normal[2] / slope)
                row.append(np.column_stack([(eye - places) @ normal / slope, higher]))
        found.append(row)
    return found


def _edges_round_floor(
    distances: Sequence[Sequence[FloatArray]],
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Edges that lie roughly evenly round the floor, one line from each side.

    Yields:
        The distances (8, 2) of the four lines, and the edge's own distance and height.
    """
    for chosen in product(*distances):
        seen = np.concatenate(chosen)
        one = np.column_stack([np.ones(len(seen)), -seen[:, 1]])
        fit, *_ = np.linalg.lstsq(one, seen[:, 0], rcond=None)
        if float(np.sqrt(np.mean((one @ fit - seen[:, 0]) ** 2))) < _MAX_ROUGH_SPREAD_MM:
            yield seen, np.asarray(fit, np.float64)


def _rim_from_edges(one: FloatArray, other: FloatArray) -> Rim | None:
    """Two edges as the inner and outer edges of a rim; None if they are not."""
    count = len(one)
    wanted = np.concatenate([one[:, 0], other[:, 0]])
    first = np.repeat([1.0, 0.0], count)
    model = np.column_stack([first, 1 - first, -np.concatenate([one[:, 1], other[:, 1]])])
    fit, *_ = np.linalg.lstsq(model, wanted, rcond=None)
    inner, outer = sorted(float(v) for v in fit[:2])
    height = float(fit[2])
    if (
        not RIM_HEIGHT_RANGE_MM[0] <= height <= RIM_HEIGHT_RANGE_MM[1]
        or not RIM_OUTSIDE_RANGE_MM[0] <= inner <= outer - MIN_RIM_BREADTH_MM
        or outer > RIM_OUTSIDE_RANGE_MM[1]
    ):
        return None
    off = float(np.sqrt(np.mean((model @ fit - wanted) ** 2)))
    return Rim(off, height, inner, outer)

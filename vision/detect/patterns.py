"""Faces: pips on the three by three lattice of a die that form one of the six patterns."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.pips import Pips
from vision.geometry.axes import scales, top_edges
from vision.image.arrays import BoolArray, FloatArray, IndexArray
from vision.image.numeric import near_along

LATTICE_POINTS: FloatArray = np.array(
    [(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1)], dtype=np.float64
)
"""The lattice points (9, 2) in units of the lattice step, row by row."""

STEP_OVER_RADIUS_RANGE = (1.5, 3.9)
"""Lattice step over pip radius, for dice on the market."""
EDGE_OVER_STEP = 4.0
"""Edge of a die over the step of its lattice: pips sit a quarter of an edge from the middle."""

MAX_POSES = 20_000
"""Ways for two spots of one polarity in a picture to belong to a face that are followed up: those
of the most prominent spots. Trays with dice have up to 10,220."""
MAX_FACES = 2500
"""Patterns of one polarity in a picture: those of the most pips, and among these the most
prominent. Trays with dice have up to 1,335."""
_SPOTS_PER_BATCH = 256  # compared with others: few, so that the pairs need little memory
MAX_SIZE_DIFFERENCE_LOG = 0.35
"""Between the logarithms of the radii of two pips of one face."""

_POINT_BITS = 1 << np.arange(9)


def _pattern_code(*points: int) -> int:
    return int(sum(1 << p for p in points))


VALUE_BY_PATTERN: dict[int, int] = {
    _pattern_code(0, 8): 2,
    _pattern_code(2, 6): 2,
    _pattern_code(0, 4, 8): 3,
    _pattern_code(2, 4, 6): 3,
    _pattern_code(0, 2, 6, 8): 4,
    _pattern_code(0, 2, 4, 6, 8): 5,
    _pattern_code(0, 2, 3, 5, 6, 8): 6,
    _pattern_code(0, 1, 2, 6, 7, 8): 6,
}
"""Value by occupied lattice points, as bits; a 1 has no lattice and is found separately."""

_VALUE_BY_CODE = np.zeros(512, np.intp)
_VALUE_BY_CODE[list(VALUE_BY_PATTERN)] = list(VALUE_BY_PATTERN.values())
_POINTS_BY_CODE = {code: np.flatnonzero(code & _POINT_BITS) for code in VALUE_BY_PATTERN}
_INVERSE_BY_CODE = {
    code: np.linalg.pinv(LATTICE_POINTS[which]) for code, which in _POINTS_BY_CODE.items()
}

# How two pips of one face can lie relative to each other: the lattice points of both, and how much
# higher than wide the lattice's cells are.
_PIP_PAIRS: tuple[tuple[tuple[float, float], tuple[float, float], float], ...] = (
    ((-1, -1), (1, 1), 1.0),
    ((-1, -1), (0, 0), 1.0),
    ((-1, -1), (1, -1), 1.0),
    ((-1, -1), (-1, 0), 1.0),
    ((-1, -1), (1, -1), 1.25),
)
_PAIR_STARTS = np.array([start for start, _, _ in _PIP_PAIRS])
_PAIR_VECTORS = np.array([complex(e[0] - s[0], e[1] - s[1]) for s, e, _ in _PIP_PAIRS])
_PAIR_LENGTHS = np.abs(_PAIR_VECTORS)
_PAIR_STRETCHES = np.array([stretch for _, _, stretch in _PIP_PAIRS])
_MIN_STEP_OVER_RADIUS = STEP_OVER_RADIUS_RANGE[0] * np.where(_PAIR_STRETCHES > 1, 0.8, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A pattern found: the map from lattice units to pixels and what supports it.

    Attributes:
        value: 2 to 6.
        center: pixels.
        axes: columns are the images of the lattice's unit vectors, pixels, (2, 2).
        pips: indices of the pips.
        residual: root mean square distance of pips from their lattice points, in steps.
        edge: edge of the die, pixels.
    """

    value: int
    center: tuple[float, float]
    axes: FloatArray
    pips: tuple[int, ...]
    residual: float
    edge: float


def find_faces(
    pips: Pips, size: tuple[int, int], edges: tuple[float, float] = (0.0, math.inf)
) -> list[Face]:
    """Finds all lattice patterns of 2 to 6 pips; they may overlap.

    Args:
        pips: spots of one polarity.
        size: width and height of the picture in pixels.
        edges: least and greatest edge of a die, pixels.

    Returns:
        Faces, the best supported first; at most `MAX_FACES`, from at most `MAX_POSES` pairs.
    """
    if len(pips) < 2:
        return []
    origin, axes, radius, contrast, stretched = _pose_hypotheses(pips, edges)
    if len(origin) == 0:
        return []
    ids = _pip_lookup(pips, size)
    points = origin[:, None, :] + LATTICE_POINTS @ axes.transpose(0, 2, 1)
    cols = np.clip(np.rint(points[..., 0] / _LOOKUP_CELL_PX).astype(np.intp), 0, ids.shape[1] - 1)
    rows = np.clip(np.rint(points[..., 1] / _LOOKUP_CELL_PX).astype(np.intp), 0, ids.shape[0] - 1)
    hits = ids[rows, cols]
    pose, point = np.nonzero(hits)
    pip = hits[pose, point] - 1
    ratio = pips.major[pip] / radius[pose]
    strength = pips.contrast[pip] / contrast[pose]
    # Weaker spots between pips are scratches and reflections.
    alike = (ratio > 0.6) & (ratio < 1.6) & (strength > 0.4) & (strength < 2.5)
    codes = np.bincount(pose[alike], _POINT_BITS[point[alike]], len(hits)).astype(np.intp)
    values = _VALUE_BY_CODE[codes]
    made = np.flatnonzero((values > 0) & (~stretched | (values == 6)))
    codes, hits = codes[made], hits[made]
    faces: dict[tuple[int, ...], Face] = {}
    present = [code for code in VALUE_BY_PATTERN if code in set(codes.tolist())]
    for code in sorted(present, key=lambda code: -VALUE_BY_PATTERN[code]):
        members = hits[codes == code][:, _POINTS_BY_CODE[code]] - 1
        members = members[_first_distinct_rows(members)]
        room = MAX_FACES - len(faces)
        if len(members) > room:
            weakest = pips.contrast[members].min(axis=1)
            members = members[np.sort(np.argsort(-weakest, kind="stable")[:room])]
        for face in _fit_lattices(pips, members, code) if len(members) else ():
            key = tuple(sorted(face.pips))
            if key not in faces or face.residual < faces[key].residual - 1e-9:
                faces[key] = face
    return sorted(faces.values(), key=lambda f: (-f.value, f.residual))


def _first_distinct_rows(members: NDArray[np.int32]) -> IndexArray:
    """Rows of (n, value) that name different pips, each set of pips once, by its first row.

    The same set may have been reached from another pair of it, at another quarter turn.
    """
    rising = np.sort(members, axis=1)
    proper = np.flatnonzero((rising[:, 1:] > rising[:, :-1]).all(axis=1))
    base = int(members.max()) + 1
    keys = rising[proper].astype(np.int64) @ base ** np.arange(members.shape[1])
    return np.sort(proper[np.unique(keys, return_index=True)[1]])


_LOOKUP_CELL_PX = 2.0


def _pip_lookup(pips: Pips, size: tuple[int, int]) -> NDArray[np.int32]:
    """A coarse picture: each cell holds the number of the pip there, counted from 1."""
    ids = np.zeros(
        (int(size[1] / _LOOKUP_CELL_PX) + 2, int(size[0] / _LOOKUP_CELL_PX) + 2), dtype=np.int32
    )
    middles = np.rint(pips.xy / _LOOKUP_CELL_PX).astype(np.intp).tolist()
    # Lattice points may miss a pip by about half its size: tilt, wear and uneven moulds.
    reaches = np.maximum(np.rint(pips.major * 0.75 / _LOOKUP_CELL_PX), 1).astype(np.intp).tolist()
    for i, (middle, reach) in enumerate(zip(middles, reaches, strict=True), 1):
        cv2.circle(ids, middle, reach, i, -1)
    return ids


def _pose_hypotheses(
    pips: Pips, edges: tuple[float, float]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, BoolArray]:
    """Poses from pairs of pips: origins (h, 2), axes (h, 2, 2), pip radii (h,), contrasts (h,).

    Also whether the lattice is stretched, as it is for the 6 of some makers.
    """
    first, second = _similar_pairs(pips)
    gap = pips.xy[second] - pips.xy[first]
    radius = (pips.major[first] + pips.major[second]) / 2
    step = np.hypot(gap[:, 0], gap[:, 1]) / _PAIR_LENGTHS[:, None]
    least, most = (edge / EDGE_OVER_STEP for edge in edges)
    good = (step > _MIN_STEP_OVER_RADIUS[:, None] * radius) & (
        step < STEP_OVER_RADIUS_RANGE[1] * radius
    )
    good &= (step > least) & (step < most)
    kind, pair = np.nonzero(good)
    if len(kind) > MAX_POSES:
        weaker = np.minimum(pips.contrast[first], pips.contrast[second])[pair]
        prominent = np.sort(np.argsort(-weaker, kind="stable")[:MAX_POSES])
        kind, pair = kind[prominent], pair[prominent]
    first, second = first[pair], second[pair]
    way = gap[pair]
    turn = (way[:, 0] + 1j * way[:, 1]) / _PAIR_VECTORS[kind]
    stretch = _PAIR_STRETCHES[kind]
    x_axis = np.stack([turn.real, turn.imag], axis=1)
    y_axis = np.stack([-turn.imag, turn.real], axis=1) * stretch[:, None]
    start = _PAIR_STARTS[kind]
    return (
        pips.xy[first] - start[:, :1] * x_axis - start[:, 1:] * y_axis,
        np.stack([x_axis, y_axis], axis=2),
        radius[pair],
        (pips.contrast[first] + pips.contrast[second]) / 2,
        stretch > 1,
    )


def _similar_pairs(pips: Pips) -> tuple[IndexArray, IndexArray]:
    """Pairs of similar pips, both ways round, as close together as those of one face."""
    size, strength = np.log(pips.major), np.log(pips.contrast)
    # The mean radius of two that are alike is at most so many of the first one's.
    most_radii = (1 + math.exp(MAX_SIZE_DIFFERENCE_LOG)) / 2
    farthest = STEP_OVER_RADIUS_RANGE[1] * float(_PAIR_LENGTHS.max())
    reach = 1.001 * farthest * most_radii * pips.major
    firsts, seconds = [], []
    for start in range(0, len(pips), _SPOTS_PER_BATCH):
        some = slice(start, start + _SPOTS_PER_BATCH)
        first, second = near_along(pips.xy[some, 0], pips.xy[:, 0], reach[some])
        first += start
        similar = np.abs(size[first] - size[second]) < MAX_SIZE_DIFFERENCE_LOG
        similar &= first != second
        first, second = first[similar], second[similar]
        gap = pips.xy[second] - pips.xy[first]
        radius = (pips.major[first] + pips.major[second]) / 2
        similar = np.abs(strength[first] - strength[second]) < 1.0
        similar &= np.hypot(gap[:, 0], gap[:, 1]) < farthest * radius
        first, second = first[similar], second[similar]
        order = np.lexsort((second, first))
        firsts.append(first[order])
        seconds.append(second[order])
    return np.concatenate(firsts), np.concatenate(seconds)


def _fit_lattices(pips: Pips, members: NDArray[np.int32], code: int) -> list[Face]:
    """Least squares from lattice to pixels: affine for 4, 5, 6; a similarity for 2 and 3.

    `members`, (n, value), are n groups of pips in the order of the points of the pattern `code`.
    """
    value, points = VALUE_BY_PATTERN[code], LATTICE_POINTS[_POINTS_BY_CODE[code]]
    middles = pips.xy[members].mean(axis=1)
    target = pips.xy[members] - middles[:, None]
    if value >= 4:
        axes = (_INVERSE_BY_CODE[code] @ target).transpose(0, 2, 1)
    else:
        z = points[:, 0] + 1j * points[:, 1]
        turn = (target @ np.array([1, 1j])) @ np.conj(z) / (np.abs(z) ** 2).sum()
        axes = np.stack([turn.real, -turn.imag, turn.imag, turn.real], axis=1).reshape(-1, 2, 2)
    low, high = scales(axes)
    good = low > 1e-9  # otherwise the pattern is degenerate or mirrored
    members = members[good]
    middles, target, axes, low, high = (x[good] for x in (middles, target, axes, low, high))
    miss = points @ axes.transpose(0, 2, 1) - target
    residual = np.sqrt((miss**2).sum(axis=2).mean(axis=1)) / np.sqrt(low * high)
    numbers = (middles, residual, top_edges(axes) * EDGE_OVER_STEP)
    rows = zip(axes, members.tolist(), *(part.tolist() for part in numbers), strict=True)
    return [
        Face(value, (x, y), own, tuple(which), far, edge) for own, which, (x, y), far, edge in rows
    ]

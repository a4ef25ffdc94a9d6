"""Places in a picture where the top of a die may be."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backdrop import Changes
from vision.frame import Image
from vision.lattice import Face
from vision.pips import FloatArray, Pips

EDGE_OVER_RADIUS = 10.5
"""Edge of a die over the radius of its pips, where no other pip tells the scale."""
MIN_PIP_ASPECT = 0.55
MIN_FACE_ASPECT = 0.6
MAX_RESIDUAL = 0.25

Places = tuple[FloatArray, FloatArray]
"""Centres (n, 2) and edges (n,), pixels."""


def propose_patterns(faces: list[Face]) -> Places:
    """Places of patterns of four and more pips: few, and mostly dice."""
    good = [face for face in faces if face.value >= 4 and _plausible(face)]
    centers = np.array([face.center for face in good]).reshape(-1, 2)
    return _thin(centers, np.array([face.edge for face in good]), 0.12, 0.15)


def propose_small(
    image: Image,
    faces: list[Face],
    edge: float | None = None,
    changes: Changes | None = None,
) -> Places:
    """Places of patterns of 2 and 3, and of bodies.

    Args:
        image: the picture.
        faces: patterns found in it.
        edge: usual edge of a die, pixels; None where patterns found must tell it.
        changes: where the picture differs from the empty tray; only there places are proposed.
    """
    good = [face for face in faces if face.value < 4 and _plausible(face)]
    centers = np.array([face.center for face in good]).reshape(-1, 2)
    places = _thin(centers, np.array([face.edge for face in good]), 0.12, 0.15)
    places = _changed(places, changes)
    if changes is not None:
        more_centers, more_edges = changes.places()
    else:
        usual = float(np.median([f.edge for f in faces if f.value >= 4] or [0.0]))
        shrink = max(1.0, max(image.shape[:2]) / BODY_SIDE if edge is None else edge / BODY_EDGE)
        more_centers, more_edges = _bodies(image, edge or usual, shrink)
    # A body beside a place that its pips gave already would be looked at twice.
    return _thin(
        np.concatenate([places[0], more_centers]),
        np.concatenate([places[1], more_edges]),
        0.22,
        0.3,
        first=len(places[1]),
    )


def propose_lone(
    faces: list[Face], pips: tuple[Pips, Pips], changes: Changes | None = None
) -> Places:
    """Places of spots that no larger pattern has: each may be the pip of a 1."""
    claimed: tuple[set[int], set[int]] = (set(), set())
    for face in faces:
        if face.value >= 4 and _plausible(face):
            claimed[0 if face.bright else 1].update(face.pips)
    centers, edges = [], []
    for which, found in enumerate(pips):
        lone = found.minor >= MIN_PIP_ASPECT * found.major
        lone[list(claimed[which])] = False
        centers.append(found.xy[lone])
        edges.append(found.major[lone] * EDGE_OVER_RADIUS)
    return _changed(_thin(np.concatenate(centers), np.concatenate(edges), 0.12, 0.15), changes)


def _changed(places: Places, changes: Changes | None) -> Places:
    """Those of the places where the picture differs from the empty tray."""
    if changes is None:
        return places
    free = ~changes.same(places[0])
    return places[0][free], places[1][free]


def _plausible(face: Face) -> bool:
    return face.residual <= MAX_RESIDUAL and face.aspect >= MIN_FACE_ASPECT


BODY_SIDE = 384
"""Bodies are sought in a picture of this size: they are large."""
BODY_EDGE = 11.0
"""Where the size of dice is known, in a picture in which they have this edge."""
# Bounds in hue, saturation and value: red twice round the wheel, yellow, green, blue, violet,
# white, black.
_COLOURS: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...] = (
    ((0, 90, 60), (9, 255, 255)),
    ((168, 90, 60), (180, 255, 255)),
    ((18, 100, 100), (36, 255, 255)),
    ((98, 95, 50), (128, 255, 255)),
    ((0, 0, 150), (180, 75, 255)),
    ((0, 0, 0), (180, 255, 72)),
)


def _bodies(image: Image, usual: float, shrink: float) -> Places:
    """Middles and edges of evenly coloured patches about as large as a die.

    Args:
        image: the picture.
        usual: edge of dice known or already found, pixels; 0 where none is known.
        shrink: how much smaller a picture they are sought in.
    """
    size = (round(image.shape[1] / shrink), round(image.shape[0] / shrink))
    if min(size) < 8:
        return np.zeros((0, 2)), np.zeros(0)
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
    kernel = np.ones((3, 3), np.uint8)
    centers, edges = [], []
    for low, high in _COLOURS:
        mask = cv2.inRange(hsv, np.array(low), np.array(high))
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
        _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
        for k in range(1, len(stats)):
            w, h = int(stats[k, cv2.CC_STAT_WIDTH]), int(stats[k, cv2.CC_STAT_HEIGHT])
            area = int(stats[k, cv2.CC_STAT_AREA])
            edge = float(np.sqrt(area)) * shrink * 0.92
            if min(w, h) < 5 or max(w, h) > 2.2 * min(w, h) or area < 0.45 * w * h:
                continue
            if edge < MIN_EDGE or edge > 0.5 * max(image.shape[:2]):
                continue
            if usual and not 0.6 < edge / usual < 1.7:
                continue
            x, y = middles[k]
            centers.append(((x + 0.5) * shrink - 0.5, (y + 0.5) * shrink - 0.5))
            edges.append(edge)
    return np.array(centers).reshape(-1, 2), np.array(edges)


MIN_EDGE = 18.0


def thinned(centers: FloatArray, edges: FloatArray, reach: float) -> NDArray[np.intp]:
    """Indices of places that are farther than `reach` edges from all earlier ones kept."""
    close = np.hypot(*np.moveaxis(centers[:, None] - centers[None], 2, 0)) < reach * edges[:, None]
    return _first_ones(close, 0)


def _thin(
    centers: FloatArray, edges: FloatArray, reach: float, ratio: float, first: int = 0
) -> Places:
    """Drops places that are as good as the same as an earlier one; keeps the first ones."""
    if len(edges) == 0:
        return centers, edges
    gap = np.hypot(*np.moveaxis(centers[:, None] - centers[None], 2, 0))
    size = np.log(edges)
    close = (gap < reach * edges[:, None]) & (np.abs(size[:, None] - size[None]) < ratio)
    keep = _first_ones(close, first)
    return centers[keep], edges[keep]


def _first_ones(close: NDArray[np.bool_], first: int) -> NDArray[np.intp]:
    """Indices that are close to none kept before; the first ones are kept in any case."""
    kept = np.zeros(len(close), np.bool_)
    kept[:first] = True
    for i in range(first, len(close)):
        kept[i] = not (close[i, :i] & kept[:i]).any()
    return np.nonzero(kept)[0]

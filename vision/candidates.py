"""Places in a picture where the top of a die may be."""

import cv2
import numpy as np

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


def propose_rest(
    image: Image,
    faces: list[Face],
    pips: tuple[Pips, Pips],
    guess_size: bool = True,
    changes: Changes | None = None,
) -> Places:
    """All other places worth a look: patterns of 2 and 3, lone pips and coloured bodies.

    Args:
        image: the picture.
        faces: patterns found in it.
        pips: spots found in it.
        guess_size: whether patterns found tell how large dice are; where that is known, what
            looks like a pattern may be anything.
        changes: where the picture differs from the empty tray; only there places are proposed.
    """
    centers: list[tuple[float, float]] = []
    edges: list[float] = []
    claimed: tuple[set[int], set[int]] = (set(), set())
    for face in filter(_plausible, faces):
        if face.value >= 4:
            claimed[0 if face.bright else 1].update(face.pips)
            continue
        centers.append(face.center)
        edges.append(face.edge)
    for which, found in enumerate(pips):
        for i in range(len(found)):
            if i in claimed[which] or found.minor[i] < MIN_PIP_ASPECT * found.major[i]:
                continue
            centers.append((float(found.xy[i, 0]), float(found.xy[i, 1])))
            edges.append(float(found.major[i]) * EDGE_OVER_RADIUS)
    places = _thin(np.array(centers).reshape(-1, 2), np.array(edges), 0.12, 0.15)
    if changes is not None:
        free = ~changes.same(places[0])
        places = places[0][free], places[1][free]
        more_centers, more_edges = changes.places()
    else:
        usual = float(np.median([f.edge for f in faces if f.value >= 4] or [0.0]))
        more_centers, more_edges = _bodies(image, usual if guess_size else 0.0)
    # A body beside a place that its pips gave already would be looked at twice.
    return _thin(
        np.concatenate([places[0], more_centers]),
        np.concatenate([places[1], more_edges]),
        0.22,
        0.3,
        first=len(places[1]),
    )


def _plausible(face: Face) -> bool:
    return face.residual <= MAX_RESIDUAL and face.aspect >= MIN_FACE_ASPECT


BODY_SIDE = 384
"""Bodies are sought in a picture of this size: they are large."""
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


def _bodies(image: Image, usual: float) -> Places:
    """Middles and edges of evenly coloured patches about as large as a die.

    Args:
        image: the picture.
        usual: edge of dice already found, pixels; 0 where none is known.
    """
    shrink = max(1.0, max(image.shape[:2]) / BODY_SIDE)
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


def _thin(
    centers: FloatArray, edges: FloatArray, reach: float, ratio: float, first: int = 0
) -> Places:
    """Drops places that are as good as the same as an earlier one; keeps the first ones."""
    keep = list(range(min(first, len(edges))))
    for i in range(len(keep), len(edges)):
        others = np.array(keep, dtype=np.intp)
        gap = np.hypot(*(centers[others] - centers[i]).T)
        near = gap < reach * edges[i]
        near &= np.abs(np.log(edges[others] / edges[i])) < ratio
        if not near.any():
            keep.append(i)
    return centers[keep], edges[keep]

"""Places in a picture where the top of a die may be."""

import math

import cv2
import numpy as np

from vision.classify.face import Pyramid
from vision.detect.background import Changes
from vision.detect.floor import Foreground
from vision.detect.patterns import Face
from vision.detect.pips import Pips
from vision.image.arrays import FloatArray, IndexArray

EDGE_OVER_RADIUS = 10.5
"""Edge of a die over the radius of its pips, where no other pip gives the scale."""
MIN_PIP_ASPECT = 0.55
MIN_FACE_ASPECT = 0.6
MAX_PATTERN_RESIDUAL = 0.25
SLANTED_PIP_RADIUS_RANGE = (0.06, 0.17)
"""In edges, for dice on the market at all slants."""
MAX_SMALL_LOG_SIZE_ERROR = 0.3
"""How far the logarithm of a small pattern's edge may be from that of the known edge."""
MAX_SMALL_PATTERNS = 10
"""Of 2 and 3 pips, looked at in a picture away from dice found, where sizes are known. Of 414
dice found so in 600 rendered trays, two were not among the eight with the most contrast."""
MAX_SMALL_PATTERNS_ANY_SIZE = 500
"""The same where no size is known. It keeps a busy floor within a second; of the dice in the test
pictures, one, in a throw still in motion, was not among them."""
MAX_TWINS_PER_PLACE = 8
"""Nearly identical places for each one kept."""
WINDOW_EDGE_SHARES = (0.35, 0.44, 0.55, 0.68)
"""Edges of dice that may fill a picture, as shares of its shorter side: the face classifier copes
with dice a sixth larger or smaller."""
WINDOW_STEP_EDGES = 0.35
"""Between such places."""
MIN_LAST_STEP_SHARE = 0.35
"""Where more than this share of a step is left at a border, another place is added."""

Places = tuple[FloatArray, FloatArray]
"""Centres (n, 2) and edges (n,), pixels."""
Ground = Changes | Foreground
"""What shows where nothing lies: the known empty tray, or the floor as the picture shows it."""


def propose_patterns(faces: list[Face]) -> Places:
    """Places of patterns of four and more pips: few, and mostly dice."""
    good = [face for face in faces if face.value >= 4 and _is_plausible(face)]
    centers = np.array([face.center for face in good]).reshape(-1, 2)
    return _thin_places(centers, np.array([face.edge for face in good]), 0.12, 0.15)


def propose_bodies(pyramid: Pyramid, faces: list[Face], edge: float | None = None) -> Places:
    """Places of bodies: uniformly coloured patches of a suitable size.

    Args:
        pyramid: the picture and its halves.
        faces: patterns found in it.
        edge: usual edge of a die, pixels; None to infer it from the patterns.
    """
    usual = float(np.median([f.edge for f in faces if f.value >= 4] or [0.0]))
    shrink = max(
        1.0,
        max(pyramid.level(0).shape[:2]) / BODY_PICTURE_SIDE_PX
        if edge is None
        else edge / BODY_DIE_EDGE_PX,
    )
    # The pips of black dice are visible unless glare whitens the top.
    colours = _LIT_BODY_COLOURS + _BLACK_BODY_COLOURS if edge is None else _LIT_BODY_COLOURS
    centers, edges = _find_bodies(pyramid, edge or usual, shrink, colours)
    # Glare separates a top from its rim: a patch of one colour may be smaller than the die.
    return centers, edges if edge is None else np.full(len(edges), edge)


def propose_small(
    faces: list[Face], edge: float | None = None, ground: Ground | None = None
) -> Places:
    """Places of patterns of 2 and 3, the most prominent first; see `first_distinct`.

    Any two specks on a wooden floor form one. Where the size of dice is known, patterns and pips of
    another size are left out.
    """
    good = [face for face in faces if face.value < 4 and _is_plausible(face)]
    if edge is not None:
        low, high = edge * SLANTED_PIP_RADIUS_RANGE[0], edge * SLANTED_PIP_RADIUS_RANGE[1]
        good = [
            face
            for face in good
            if low < face.radius < high
            and abs(math.log(face.edge / edge)) < MAX_SMALL_LOG_SIZE_ERROR
        ]
    good.sort(key=lambda face: -face.contrast)
    centers = np.array([face.center for face in good]).reshape(-1, 2)
    return _where_changed((centers, np.array([face.edge for face in good])), ground)


def first_distinct(places: Places, count: int | None) -> Places:
    """The first places that are not nearly identical: `count` at most.

    `count` is None where no size is known: then they are `MAX_SMALL_PATTERNS_ANY_SIZE`.
    """
    centers, edges = places
    some = slice(None if count is None else MAX_TWINS_PER_PLACE * count)
    centers, edges = _thin_places(centers[some], edges[some], 0.12, 0.15)
    if count is None:
        count = MAX_SMALL_PATTERNS_ANY_SIZE
    return centers[:count], edges[:count]


def propose_windows(size: tuple[int, int]) -> Places:
    """Places of a die that fills much of a picture, anywhere in it.

    Args:
        size: width and height of the picture, pixels.
    """
    centers, edges = [], []
    middle = (np.array(size) - 1) / 2
    for edge in np.array(WINDOW_EDGE_SHARES) * min(size):
        step = WINDOW_STEP_EDGES * edge
        # A smaller die may lie nearer to the border than this one could.
        columns, rows = (
            max(0, math.floor((side - edge) / 2 / step + 1 - MIN_LAST_STEP_SHARE)) for side in size
        )
        grid = np.mgrid[-rows : rows + 1, -columns : columns + 1].reshape(2, -1)
        centers.append(middle + grid[::-1].T * step)
        edges.append(np.full(grid.shape[1], edge))
    return np.concatenate(centers), np.concatenate(edges)


def propose_lone(
    faces: list[Face], pips: tuple[Pips, Pips], ground: Ground | None = None
) -> Places:
    """Places of spots in no larger pattern: each may be the pip of a 1."""
    claimed: tuple[set[int], set[int]] = (set(), set())
    for face in faces:
        if face.value >= 4 and _is_plausible(face):
            claimed[0 if face.bright else 1].update(face.pips)
    centers, edges, contrasts = [], [], []
    for which, found in enumerate(pips):
        lone = found.minor >= MIN_PIP_ASPECT * found.major
        lone[list(claimed[which])] = False
        centers.append(found.xy[lone])
        edges.append(found.major[lone] * EDGE_OVER_RADIUS)
        contrasts.append(found.contrast[lone])
    first = np.argsort(-np.concatenate(contrasts), kind="stable")
    places = np.concatenate(centers)[first], np.concatenate(edges)[first]
    return _where_changed(_thin_places(*places, 0.12, 0.15), ground)


def _where_changed(places: Places, ground: Ground | None) -> Places:
    """The places where something seems to lie."""
    if ground is None:
        return places
    free = ~ground.same(places[0])
    return places[0][free], places[1][free]


def _is_plausible(face: Face) -> bool:
    return face.residual <= MAX_PATTERN_RESIDUAL and face.aspect >= MIN_FACE_ASPECT


BODY_PICTURE_SIDE_PX = 384
"""Longer side of the picture in which bodies are searched for: they are large."""
BODY_DIE_EDGE_PX = 11.0
"""Edge of dice in that picture where their size is known."""
# Bounds in hue, saturation and value: red at both ends of the hues, yellow, green, blue and violet,
# white; then black, and shiny black.
_HsvBounds = tuple[tuple[int, int, int], tuple[int, int, int]]
_LIT_BODY_COLOURS: tuple[_HsvBounds, ...] = (
    ((0, 90, 60), (9, 255, 255)),
    ((168, 90, 60), (180, 255, 255)),
    ((18, 100, 100), (36, 255, 255)),
    ((36, 70, 40), (98, 255, 255)),
    ((98, 95, 50), (128, 255, 255)),
    ((0, 0, 150), (180, 75, 255)),
)
_BLACK_BODY_COLOURS: tuple[_HsvBounds, ...] = (
    ((0, 0, 0), (180, 255, 72)),
    ((0, 0, 0), (180, 75, 150)),
)


def _find_bodies(
    pyramid: Pyramid, usual: float, shrink: float, colours: tuple[_HsvBounds, ...]
) -> Places:
    """Middles and edges of uniformly coloured patches about as large as a die.

    They are searched for in a picture `shrink` times smaller; `usual` is the edge of dice known or
    already found, pixels, 0 if there is none.
    """
    small = pyramid.level(0)
    height, width = small.shape[:2]
    size = (round(width / shrink), round(height / shrink))
    if min(size) < 8:
        return np.zeros((0, 2)), np.zeros(0)
    step = 0
    while min(small.shape[1] / size[0], small.shape[0] / size[1]) >= 2:
        step += 1
        small = pyramid.level(step)
    small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
    kernel = np.ones((3, 3), np.uint8)
    centers, edges = [np.zeros((0, 2))], [np.zeros(0)]
    for low, high in colours:
        mask = cv2.inRange(hsv, low, high)
        if not cv2.hasNonZero(mask):
            continue
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
        _, _, stats, middles = cv2.connectedComponentsWithStatsWithAlgorithm(
            mask, 8, cv2.CV_16U, cv2.CCL_GRANA
        )
        across, down, area = np.asarray(stats, np.float64)[:, _SIDES_AND_AREA].T
        edge = np.sqrt(area) * shrink * 0.92
        short, long = np.minimum(across, down), np.maximum(across, down)
        good = (short >= 5) & (long <= 2.2 * short) & (area >= 0.45 * across * down)
        good &= (edge >= MIN_BODY_EDGE_PX) & (edge <= 0.5 * max(width, height))
        if usual:
            good &= (edge > 0.6 * usual) & (edge < 1.7 * usual)
        good[0] = False
        centers.append((np.asarray(middles)[good] + 0.5) * shrink - 0.5)
        edges.append(edge[good])
    return np.concatenate(centers), np.concatenate(edges)


_SIDES_AND_AREA = [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA]
MIN_BODY_EDGE_PX = 18.0
_PLACES_PER_BATCH = 16


def distinct_indices(
    centers: FloatArray, edges: FloatArray, reach: float, ratio: float = np.inf
) -> IndexArray:
    """Indices of places that are not close, within `reach` edges, to any kept before.

    Places whose edges' logarithms differ by more than `ratio` are not close. A few at a time are
    compared with all that are left, so that all pairs are never held at once.
    """
    reaches, sizes = reach * edges, np.log(edges)
    left = np.arange(len(centers))
    kept: list[int] = []
    while len(left):
        some = left[:_PLACES_PER_BATCH]
        gap = centers[left] - centers[some, None]
        close = gap[..., 0] ** 2 + gap[..., 1] ** 2 < reaches[left] ** 2
        close &= np.abs(sizes[left] - sizes[some, None]) < ratio
        free = np.ones(len(left), np.bool_)
        for place, near in enumerate(close):
            if free[place]:
                kept.append(int(left[place]))
                free &= ~near
        left = left[len(some) :][free[len(some) :]]
    return np.array(kept, np.intp)


def _thin_places(centers: FloatArray, edges: FloatArray, reach: float, ratio: float) -> Places:
    """Drops places that are nearly identical to an earlier one."""
    keep = distinct_indices(centers, edges, reach, ratio)
    return centers[keep], edges[keep]

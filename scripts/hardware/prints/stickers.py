"""Art for the faces of the Power die: drawings of our own, as polygons in a unit square.

Coordinates run from -1 to 1, right and down. Each face differs from every other at any rotation,
which a test measures, and is drawn with strokes broad enough for a camera: the narrowest is a
twelfth of the face.
"""

import math
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Polygon = tuple[Point, ...]

STICKER_MM = 13.0
"""Edge of a sticker for dice of 16 mm, whose faces are flat over about 13."""


def _stroke(points: list[Point], width: float) -> list[Polygon]:
    """A polyline as quadrilaterals with square ends, and discs of 12 corners at its bends."""
    half = width / 2
    pieces: list[Polygon] = []
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        nx, ny = -(by - ay) / length * half, (bx - ax) / length * half
        pieces.append(
            ((ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny))
        )
    for x, y in points[1:-1]:
        pieces.append(_disc(x, y, half, 12))
    return pieces


def _disc(x: float, y: float, radius: float, corners: int = 40) -> Polygon:
    steps = [2 * math.pi * k / corners for k in range(corners)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in steps)


def _one() -> list[Polygon]:
    """A 1 with a foot."""
    return [
        *_stroke([(-0.32, -0.36), (0.02, -0.62), (0.02, 0.62)], 0.24),
        ((-0.36, 0.46), (0.4, 0.46), (0.4, 0.7), (-0.36, 0.7)),
    ]


def _two() -> list[Polygon]:
    """A 2 with a round head."""
    head = [
        (0.4 * math.cos(math.radians(a)), -0.3 + 0.38 * math.sin(math.radians(a)))
        for a in range(190, 381, 19)
    ]
    return _stroke([*head, (0.2, 0.12), (-0.4, 0.6), (0.46, 0.6)], 0.22)


def _three() -> list[Polygon]:
    """A 3 with a flat top."""
    belly = [
        (-0.02 + 0.42 * math.cos(math.radians(a)), 0.26 + 0.38 * math.sin(math.radians(a)))
        for a in range(-90, 151, 20)
    ]
    return _stroke([(-0.4, -0.64), (0.34, -0.64), (-0.02, -0.12), *belly], 0.2)


def _double() -> list[Polygon]:
    """Two broad chevrons, one behind the other."""
    art: list[Polygon] = []
    for x in (-0.42, 0.2):
        art.append(
            (
                (x - 0.18, -0.7),
                (x + 0.12, -0.7),
                (x + 0.56, 0.0),
                (x + 0.12, 0.7),
                (x - 0.18, 0.7),
                (x + 0.22, 0.0),
            )
        )
    return art


def _freeze() -> list[Polygon]:
    """A padlock: what is frozen stays."""
    shackle = [
        (0.36 * math.cos(math.radians(a)), -0.2 + 0.42 * math.sin(math.radians(a)))
        for a in range(180, 361, 15)
    ]
    body = ((-0.62, -0.1), (0.62, -0.1), (0.62, 0.72), (-0.62, 0.72))
    return [*_stroke([(-0.36, 0.0), *shackle, (0.36, 0.0)], 0.18), body]


def _power() -> list[Polygon]:
    """A comet: a ball with three tails."""
    return [
        _disc(0.3, -0.3, 0.38),
        ((0.02, -0.58), (-0.74, -0.3), (-0.02, -0.34)),
        ((0.02, -0.2), (-0.7, 0.7), (0.22, -0.02)),
        ((0.34, -0.0), (0.3, 0.74), (0.58, -0.02)),
    ]


_DRAWN = {
    "1": _one,
    "2": _two,
    "3": _three,
    "double": _double,
    "freeze": _freeze,
    "power": _power,
}


@lru_cache(maxsize=6)
def art(face: str) -> tuple[Polygon, ...]:
    """The black polygons of one of `vision.reading.POWER_FACES`."""
    return tuple(_DRAWN[face]())


def picture(face: str, side: int = 96) -> NDArray[np.uint8]:
    """The face as a picture, (side, side): 0 for paper, 255 for ink."""
    fine = np.zeros((4 * side, 4 * side), np.uint8)
    for polygon in art(face):
        points = (np.array(polygon) * 0.5 + 0.5) * 4 * side * 16
        cv2.fillPoly(fine, [np.rint(points).astype(np.int32)], 255, cv2.LINE_8, 4)
    return np.asarray(cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA), np.uint8)

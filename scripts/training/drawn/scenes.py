"""Drawn scenes with several dice or none, and where their tops are: what a heat map learns from."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.training.drawn.drawing import View, draw_die
from scripts.training.drawn.floors import draw_floor
from scripts.training.drawn.makes import Generator
from scripts.training.drawn.staging import (
    add_clutter,
    cast_shadows,
    develop,
    foreshortened,
    lay_cover,
    squeezed,
    tilted,
)
from scripts.training.drawn.styles import SYMBOL, Style, make_style
from vision.image.arrays import Float32Array, FloatArray

SCENE_SIDE = 128
"""Side of a scene, pixels."""
TOP_EDGES = (9.0, 25.0)
"""Edges of the tops that a heat map finds, pixels; those of other sizes are for other levels of a
pyramid."""
LARGER_EDGES = (26.0, 90.0)
"""Edges of dice too large to be found: their pips and their parts are no tops."""
SMALLER_EDGES = (4.0, 8.0)
LARGER_SHARE = 0.26
"""Of the scenes."""
SMALLER_SHARE = 0.1
DICE = (0, 1, 2, 3, 4, 5, 6, 8)
DICE_SHARES = (0.12, 0.12, 0.16, 0.16, 0.14, 0.12, 0.1, 0.08)
MAX_HUGE_DICE = 2
HUGE_EDGE = 60.0
"""Of dice with a larger edge, pixels, no more than `MAX_HUGE_DICE` are drawn."""
TILTED_SHARE = 0.12
MAX_TILT_OF_A_TOP_DEGREES = 26.0
"""It is left open if a die that leans more shows a top."""
ASIDE_SHARE = 0.16
"""Of scenes photographed from the side."""
COVERED_SHARE = 0.08
BESIDE_SHARE = 0.3
"""Of dice that lie close to another, most of them side by side."""
_OVER = 2
_TRIES = 20


@dataclass(frozen=True, slots=True, eq=False)
class DrawnScene:
    """One example.

    Attributes:
        picture: (SCENE_SIDE, SCENE_SIDE, 3), BGR, 8 bits.
        tops: (n, 4): the middle, x and y, and the edge, pixels; then 0, or 1 where it is left open
            whether this is a top.
    """

    picture: NDArray[np.uint8]
    tops: Float32Array


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a die lies, pixels of the canvas, and its yaw, radians."""

    middle: FloatArray
    turn: float


def make_scene(rng: Generator) -> DrawnScene:
    """Draws one example."""
    side = SCENE_SIDE * _OVER
    canvas = _floor(rng, side)
    edge = _edge(rng) * _OVER
    if rng.random() < 0.5:
        add_clutter(rng, canvas)
    aside = rng.random() < ASIDE_SHARE
    angle = rng.uniform(30, 60) if aside else rng.uniform(0, 30)
    where = rng.uniform(0, 2 * np.pi)
    slant = np.tan(np.radians(angle)) * np.array([np.cos(where), np.sin(where)])
    view = View(
        scale=edge,
        slant=slant,
        depth=float(rng.uniform(0, 0.08)),
        squeeze=foreshortened(angle, where) if aside else squeezed(rng),
    )
    count = int(rng.choice(DICE, p=DICE_SHARES))
    if edge > HUGE_EDGE * _OVER:
        count = min(count, MAX_HUGE_DICE)
    places = _places(rng, count, side, edge)
    if rng.random() < 0.7:
        for place in places:
            cast_shadows(rng, canvas, view, place.middle, place.turn)
    tops = _draw(rng, canvas, view, places)
    if len(tops) and rng.random() < COVERED_SHARE:
        lay_cover(rng, canvas, np.zeros((4, 2)), side * rng.uniform(0.2, 0.6))
        tops[:, 3] = 1
    return DrawnScene(develop(rng, canvas, SCENE_SIDE, True), tops)


def _floor(rng: Generator, side: int) -> Float32Array:
    """A floor whose texture is of any size."""
    drawn = int(rng.choice([96, 160, side, side * 3 // 2]))
    floor = draw_floor(rng, drawn)
    if drawn >= side:
        return np.ascontiguousarray(floor[:side, :side])
    if rng.random() < 0.5:
        return np.asarray(cv2.resize(floor, (side, side), interpolation=cv2.INTER_LINEAR))
    more = side - drawn
    return np.asarray(cv2.copyMakeBorder(floor, 0, more, 0, more, cv2.BORDER_WRAP))


def _edge(rng: Generator) -> float:
    """The edge of a scene's dice, pixels."""
    what = rng.random()
    low, high = TOP_EDGES
    if what < LARGER_SHARE:
        low, high = LARGER_EDGES
    elif what < LARGER_SHARE + SMALLER_SHARE:
        low, high = SMALLER_EDGES
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _places(rng: Generator, count: int, side: int, edge: float) -> list[_Place]:
    """Places of up to so many dice that hide none of another's top."""
    places: list[_Place] = []
    for _ in range(count):
        for _ in range(_TRIES):
            one = _place(rng, places, side, edge)
            if all(_apart(one, other, edge) for other in places):
                places.append(one)
                break
    return places


def _place(rng: Generator, places: list[_Place], side: int, edge: float) -> _Place:
    if not places or rng.random() >= BESIDE_SHARE:
        middle = rng.uniform(-0.1 * edge, side + 0.1 * edge, 2)
        return _Place(middle, float(rng.uniform(0, 2 * np.pi)))
    beside = places[int(rng.integers(len(places)))]
    turn = beside.turn if rng.random() < 0.7 else float(rng.uniform(0, 2 * np.pi))
    quarters = turn + int(rng.integers(4)) * np.pi / 2
    away = edge * rng.uniform(1.02, 1.15) * np.array([np.cos(quarters), np.sin(quarters)])
    return _Place(beside.middle + away, turn)


def _apart(one: _Place, other: _Place, edge: float) -> bool:
    aligned = abs((one.turn - other.turn) % (np.pi / 2)) < 0.01
    least = 1.0 if aligned else 1.3
    return float(np.hypot(*(one.middle - other.middle))) > least * edge


def _draw(rng: Generator, canvas: Float32Array, view: View, places: list[_Place]) -> Float32Array:
    """Draws dice, most of one make, those farther from the camera first; returns their tops."""
    side = canvas.shape[0]
    common = make_style(rng)
    tops = []
    for place in sorted(places, key=lambda one: -float(one.middle @ view.slant)):
        style = common if rng.random() < 0.6 else make_style(rng)
        tops.append(_draw_one(rng, canvas, _seen_at(rng, view, place, side), place, style))
    return np.array(tops, np.float32).reshape(-1, 4)


def _seen_at(rng: Generator, view: View, place: _Place, side: int) -> View:
    """The view at a place: the slant grows away from the camera's foot."""
    away = (place.middle - side / 2) / side * rng.uniform(-0.1, 0.2)
    return View(view.scale, view.slant + away, view.depth, view.squeeze)


def _draw_one(
    rng: Generator, canvas: Float32Array, view: View, place: _Place, style: Style
) -> tuple[float, float, float, float]:
    value = SYMBOL if style.kind == 4 else int(rng.integers(1, 7))
    degrees = float(rng.uniform(10, 45)) if rng.random() < TILTED_SHARE else 0.0
    tilt = tilted(rng, degrees) if degrees else None
    corners = draw_die(
        rng,
        canvas,
        view,
        place.middle,
        np.zeros(2),
        place.turn,
        style,
        value,
        tilt,
        mirrors=0.12,
    )
    x, y = (corners.mean(axis=0) + 0.5) / _OVER - 0.5
    edge = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))))) / _OVER
    return float(x), float(y), edge, float(degrees > MAX_TILT_OF_A_TOP_DEGREES)

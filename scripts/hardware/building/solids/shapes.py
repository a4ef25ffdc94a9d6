"""Shapes that print without support: blocks, prisms, holes with a pointed roof, countersinks."""

from math import sqrt
from typing import Any, Literal

from build123d import Align, Box, Cone, Cylinder, Plane, Polygon, Pos, extrude

Solid = Any
"""A build123d solid."""

# A screw cuts its own thread into a pilot hole.
M2_PILOT_HOLE = 1.7
M25_PILOT_HOLE = 2.1
M3_PILOT_HOLE = 2.6
M3_CLEARANCE_HOLE = 3.2
M4_CLEARANCE_HOLE = 4.4
WOOD_SCREW_HOLE = 3.6
"""For a countersunk wood screw of 3.5."""
WOOD_SCREW_HEAD = 7.5
_CORNER = (Align.MIN, Align.MIN, Align.MIN)
_FOOT = (Align.CENTER, Align.CENTER, Align.MIN)


def block(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Solid:
    """A box between two values on each axis."""
    sides = (x[1] - x[0], y[1] - y[0], z[1] - z[0])
    return Pos(x[0], y[0], z[0]) * Box(*sides, align=_CORNER)


def cylinder(x: float, y: float, wide: float, z: tuple[float, float]) -> Solid:
    """An upright cylinder, by its diameter."""
    return Pos(x, y, z[0]) * Cylinder(wide / 2, z[1] - z[0], align=_FOOT)


def prism(points: list[tuple[float, float]], z: tuple[float, float]) -> Solid:
    """An upright prism on a polygon."""
    face = Pos(0, 0, z[0]) * Polygon(*points, align=None)
    return extrude(face, amount=z[1] - z[0], dir=(0, 0, 1))


def countersunk(x: float, y: float, wide: float, head: float, z: tuple[float, float]) -> Solid:
    """The hole for a countersunk screw from above, between the part's lower and upper face."""
    deep = (head - wide) / 2
    cone = Pos(x, y, z[1] - deep) * Cone(wide / 2, head / 2 + 0.02, deep + 0.02, align=_FOOT)
    return cylinder(x, y, wide, (z[0] - 1, z[1] + 1)) + cone


def _along(axis: Literal["x", "y"], up: int) -> Plane:
    """A plane whose normal is an axis and whose second axis points up (1) or down (-1)."""
    if axis == "x":
        return Plane(origin=(0, 0, 0), x_dir=(0, up, 0), z_dir=(1, 0, 0))
    return Plane(origin=(0, 0, 0), x_dir=(-up, 0, 0), z_dir=(0, 1, 0))


def _across(
    outline: list[tuple[float, float]],
    at: tuple[float, float, float],
    axis: Literal["x", "y"],
    deep: float,
    up: int,
) -> Solid:
    face = _along(axis, up) * Polygon(*outline, align=None)
    direction = (1, 0, 0) if axis == "x" else (0, 1, 0)
    start = tuple(-deep / 2 * part for part in direction)
    return Pos(*at) * Pos(*start) * extrude(face, amount=deep, dir=direction)


def side_hole(
    at: tuple[float, float, float], wide: float, axis: Literal["x", "y"], deep: float, up: int = 1
) -> Solid:
    """A horizontal hole through `at`; its roof is two slopes of 45 degrees, so that it prints."""
    r = wide / 2
    roof = [(-r / sqrt(2), r / sqrt(2)), (r / sqrt(2), r / sqrt(2)), (0, r * sqrt(2))]
    direction = (1, 0, 0) if axis == "x" else (0, 1, 0)
    lying = Plane(origin=(0, 0, 0), z_dir=direction) * Cylinder(r, deep)
    return Pos(*at) * lying + _across(roof, at, axis, deep, up)


def side_slot(
    at: tuple[float, float, float],
    wide: float,
    high: float,
    axis: Literal["x", "y"],
    deep: float,
    up: int = 1,
) -> Solid:
    """A horizontal opening whose middle is `at`, with a roof above its height."""
    w, h = wide / 2, high / 2
    return _across([(-w, -h), (w, -h), (w, h), (0, h + w), (-w, h)], at, axis, deep, up)

"""The tray and the table round it: the shape, and what every pixel of the empty scene sees."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.render.pinhole import vector_lengths
from simulator.render.texture import Material, Surface, sample_material
from vision.image.arrays import BoolArray, Floats, IndexArray

_GREEN_FELT = Material(Surface.FELT, (0.030, 0.12, 0.016), 0.95)
_WOODEN_FRAME = Material(Surface.WOOD, (0.045, 0.10, 0.20), 0.5)
_WOODEN_TABLE = Material(Surface.WOOD, (0.13, 0.24, 0.36), 0.6, 1)
_DARK_PLASTIC = Material(Surface.PLASTIC, (0.02, 0.03, 0.05), 0.45)


@dataclass(frozen=True, slots=True)
class TrayModel:
    """A rectangular tray on a table. Lengths in millimetres.

    Attributes:
        half: half the inner width and depth of the floor.
        wall_height: of the rim above the floor.
        wall_width: of the rim.
        slope: how far the wall leans outwards over its height, as a tangent.
        base: thickness of the floor, which lifts it above the table.
        floor: what the floor is made of.
        wall: what the walls are made of.
        table: what the table is made of.
        trim: radius of a quarter-round moulding along the foot of the walls, which are set back by
            as much; 0 for none.
        moulding: what the moulding is made of.
        lined: whether the inside of the walls is made of the same material as the floor.
    """

    half: tuple[float, float] = (108.0, 76.0)
    wall_height: float = 22.0
    wall_width: float = 5.0
    slope: float = 0.08
    base: float = 3.0
    floor: Material = _GREEN_FELT
    wall: Material = _WOODEN_FRAME
    table: Material = _WOODEN_TABLE
    trim: float = 0.0
    moulding: Material = _DARK_PLASTIC
    lined: bool = False

    @property
    def rim_inner(self) -> tuple[float, float]:
        """Half sizes of the opening at the height of the rim."""
        lean = self.trim + self.slope * self.wall_height
        return (self.half[0] + lean, self.half[1] + lean)

    @property
    def rim_outer(self) -> tuple[float, float]:
        """Half sizes of the tray's outside."""
        inner = self.rim_inner
        return (inner[0] + self.wall_width, inner[1] + self.wall_width)

    @property
    def corners(self) -> Floats:
        """The floor's corners from the top left clockwise in the picture, (4, 3)."""
        x, y = self.half
        return np.array(((-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)), np.float32)


def wall_setback(tray: TrayModel, heights: Floats) -> Floats:
    """How far beyond the floor's edge the wall or moulding begins, at heights above the floor."""
    high = np.maximum(heights, 0)
    if not tray.trim:
        return np.asarray(tray.slope * high)
    low = tray.trim - np.sqrt(np.maximum(tray.trim**2 - high**2, 0))
    return np.asarray(low + tray.slope * high)


def share_hidden_by_tray(tray: TrayModel, points: Floats, lamps: Floats) -> Floats:
    """Share of lamps (k, 3) that the tray hides from points (n, 3): (n,)."""
    total = np.zeros(len(points), np.float32)
    at = np.flatnonzero(_near_walls(tray, points, lamps))
    x, y, z = np.ascontiguousarray(points[at].T)
    lean = wall_setback(tray, -z) + 0.05
    inside = (np.abs(x) <= tray.half[0] + lean) & (np.abs(y) <= tray.half[1] + lean)
    for part, blocked in ((inside, _wall_blocks_lamp), (~inside, _tray_blocks_lamp)):
        some = np.flatnonzero(part)
        if not len(some):
            continue
        places = x[some], y[some], z[some]
        dark = np.zeros(len(some), np.float32)
        for lamp in lamps:
            dark += blocked(tray, *places, lamp)
        total[at[some]] = dark
    return total / np.float32(len(lamps))


def _share_of_way_to_rim(tray: TrayModel, z: Floats, lamp: Floats) -> Floats:
    """How far along the way from heights (n,) to a lamp the rim's height is reached, 0 to 1."""
    fall = np.where(np.abs(lamp[2] - z) < 1e-3, -1e-3, lamp[2] - z)
    return np.asarray(np.clip((-tray.wall_height - z) / fall, 0.0, 1.0))


def _wall_blocks_lamp(tray: TrayModel, x: Floats, y: Floats, z: Floats, lamp: Floats) -> BoolArray:
    """True for places in the tray, (n,), that have a wall between themselves and a lamp."""
    at_rim, (inner_x, inner_y) = _share_of_way_to_rim(tray, z, lamp), tray.rim_inner
    rim_x, rim_y = x + (lamp[0] - x) * at_rim, y + (lamp[1] - y) * at_rim
    return np.asarray((np.abs(rim_x) > inner_x) | (np.abs(rim_y) > inner_y))


def _tray_blocks_lamp(tray: TrayModel, x: Floats, y: Floats, z: Floats, lamp: Floats) -> BoolArray:
    """True for places beside the tray, (n,), whose way to a lamp its outer box blocks."""
    leave = _share_of_way_to_rim(tray, z, lamp)
    enter = np.zeros_like(x)
    for here, there, half in zip((x, y), lamp[:2], tray.rim_outer, strict=True):
        step = np.where(np.abs(there - here) < 1e-6, 1e-6, there - here)
        first, second = (-half - here) / step, (half - here) / step
        enter = np.maximum(enter, np.minimum(first, second))
        leave = np.minimum(leave, np.maximum(first, second))
    return np.asarray(enter + 1e-3 < leave)


def _near_walls(tray: TrayModel, points: Floats, lamps: Floats) -> BoolArray:
    """True for points (n, 3) that are close enough to a wall for it to hide some of the lamps.

    Most of the floor and the table is not, and need not be tested lamp by lamp.
    """
    top, lowest, highest = -tray.wall_height, points[:, 2].max(initial=0.0), lamps[:, 2].max()
    # The share of the way to a lamp for which a ray is still below the rim.
    share = (lowest - top) / (lowest - highest) if highest < top else 1.0
    clear, away = np.ones(len(points), np.bool_), np.zeros(len(points), np.bool_)
    for axis in (0, 1):
        here, there = points[:, axis], lamps[:, axis]
        least = here - share * np.maximum(here - there.min(), 0)
        most = here + share * np.maximum(there.max() - here, 0)
        inner, outer = tray.half[axis] - 0.1, tray.rim_outer[axis] + 0.1
        clear &= (least > -inner) & (most < inner)
        away |= (least > outer) | (most < -outer)
    return np.asarray(~(clear | away) & (points[:, 2] > top + 0.05), np.bool_)


TABLE, FLOOR, WALL, RIM, SIDE, TRIM = range(6)
"""The parts of the empty scene: `WALL` is the inside of a wall, `SIDE` the outside, `TRIM` the
moulding along its foot."""


@dataclass(frozen=True, slots=True, eq=False)
class TrayHits:
    """Geometry of the empty scene, one row per ray."""

    depth: Floats
    normals: Floats
    part: NDArray[np.uint8]


def trace_rays(tray: TrayModel, origin: Floats, rays: Floats) -> TrayHits:
    """Where rays (n, 3) from the camera (3,) hit the tray or the table."""
    count = len(rays)
    dz = np.maximum(rays[:, 2], 1e-3)
    depth = (tray.base - origin[2]) / dz
    part = np.zeros(count, np.uint8)
    normals = np.zeros((count, 3), np.float32)
    normals[:, 2] = -1
    at_rim = (-tray.wall_height - origin[2]) / dz
    # Axis by axis, and only where it matters: several times faster than on whole points.
    rim = [origin[axis] + rays[:, axis] * at_rim for axis in (0, 1)]
    inner, outer = tray.rim_inner, tray.rim_outer
    in_outer = (np.abs(rim[0]) <= outer[0]) & (np.abs(rim[1]) <= outer[1])
    in_inner = (np.abs(rim[0]) <= inner[0]) & (np.abs(rim[1]) <= inner[1])
    # Outside walls, seen by rays that pass outside the rim and head inwards.
    beside = np.flatnonzero(~in_outer)
    past = rays[beside]
    for axis in (0, 1):
        for sign in (-1.0, 1.0):
            step = np.where(np.abs(past[:, axis]) < 1e-6, 1e-6, past[:, axis])
            reach = (sign * outer[axis] - origin[axis]) / step
            along, down = (origin[k] + past[:, k] * reach for k in (1 - axis, 2))
            ok = (past[:, axis] * sign < 0) & (np.abs(along) <= outer[1 - axis])
            ok &= (down > -tray.wall_height) & (down < tray.base) & (reach > 0)
            at = beside[ok]
            depth[at], part[at] = reach[ok], SIDE
            normals[at] = 0
            normals[at, axis] = sign
    at = np.flatnonzero(in_outer & ~in_inner)
    depth[at], part[at] = at_rim[at], RIM
    normals[at, :2] = _rim_bevel(tray, np.column_stack([rim[0][at], rim[1][at]]))
    into = np.flatnonzero(in_inner)
    depth[into], part[into] = -origin[2] / dz[into], FLOOR
    floor = [origin[axis] + rays[into, axis] * depth[into] for axis in (0, 1)]
    index = into[(np.abs(floor[0]) > tray.half[0]) | (np.abs(floor[1]) > tray.half[1])]
    best = np.full(len(index), np.inf, np.float32)
    toward = np.zeros((len(index), 3), np.float32)
    for axis in (0, 1):
        for sign in (-1.0, 1.0):
            # The wall: sign * x = half + slope * (-z).
            d = sign * rays[index, axis] + tray.slope * rays[index, 2]
            foot = tray.half[axis] + tray.trim
            reach = (foot - sign * origin[axis] - tray.slope * origin[2]) / np.where(
                np.abs(d) < 1e-6, 1e-6, d
            )
            closer = (d > 1e-6) & (reach < best)
            best[closer] = reach[closer]
            toward[closer] = 0
            toward[closer, axis] = -sign
            toward[closer, 2] = -tray.slope
    depth[index], part[index] = best, WALL
    normals[index] = toward
    if tray.trim:
        _trace_moulding(tray, origin, rays, index, depth, normals, part)
    slanting = np.flatnonzero((part >= WALL) & (part != SIDE))
    normals[slanting] /= vector_lengths(normals[slanting])[:, None]
    return TrayHits(depth.astype(np.float32), normals, part)


def _rim_bevel(tray: TrayModel, rim: Floats) -> Floats:
    """How normals tilt at places (n, 2) on the rim.

    Its edges are rounded over about a millimetre, and so catch the light.
    """
    inner, outer, off = tray.rim_inner, tray.rim_outer, np.abs(rim)
    beyond = np.maximum(off[:, 0] - inner[0], off[:, 1] - inner[1])
    edge = np.minimum(beyond, np.minimum(outer[0] - off[:, 0], outer[1] - off[:, 1]))
    bevel = np.clip(1 - edge / 1.2, 0, 1)[:, None] * 0.6
    outward = np.sign(rim) * (off > np.array(inner) - 0.01)
    nearer_in = beyond < tray.wall_width / 2
    return np.asarray(np.where(nearer_in[:, None], -outward, outward) * bevel)


def _trace_moulding(
    tray: TrayModel,
    origin: Floats,
    rays: Floats,
    index: IndexArray,
    depth: Floats,
    normals: Floats,
    part: NDArray[np.uint8],
) -> None:
    """Where rays that miss the floor hit a moulding before the wall, in place."""
    down = rays[index]
    for axis in (0, 1):
        way = down[:, (axis, 2)]
        for sign in (-1.0, 1.0):
            middle = np.float32(sign * (tray.half[axis] + tray.trim))
            start = origin[[axis, 2]] - (middle, np.float32(0))
            # A ray hits a horizontal cylinder: |start + t way| = radius.
            a, b = (way * way).sum(1), way @ start
            inside = b * b - a * np.float32(start @ start - tray.trim**2)
            reach = (-b - np.sqrt(np.maximum(inside, 0))) / np.maximum(a, 1e-9)
            # If walls slope, a ray may run past the moulding's outer half, with the wall behind it.
            hit = start + reach[:, None] * way
            ok = (inside > 0) & (reach > 0) & (reach < depth[index]) & (hit[:, 1] <= 0)
            at = index[ok]
            depth[at], part[at] = reach[ok], TRIM
            normals[at] = 0
            normals[at, axis], normals[at, 2] = hit[ok, 0], hit[ok, 1]


def materials_seen(
    tray: TrayModel, part: NDArray[np.uint8]
) -> tuple[tuple[Material, BoolArray], ...]:
    """Each material of the empty scene and where it is seen."""
    return (
        (tray.table, part == TABLE),
        (tray.floor, part == FLOOR),
        (tray.floor if tray.lined else tray.wall, part == WALL),
        (tray.wall, (part == RIM) | (part == SIDE)),
        (tray.moulding, part == TRIM),
    )


def surface_seen(
    tray: TrayModel, points: Floats, part: NDArray[np.uint8], pixel_mm: float
) -> tuple[Floats, Floats, Floats]:
    """Colours (n, 3), slopes (n, 2) and roughness (n,) of what is seen at points (n, 3)."""
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    colours = np.empty((len(part), 3), np.float32)
    slopes = np.zeros((len(part), 2), np.float32)
    rough = np.empty(len(part), np.float32)
    # The grain of a wall runs along it.
    along_x = np.abs(y) * tray.half[0] > np.abs(x) * tray.half[1]
    standing = part >= WALL
    u = np.where(standing & ~along_x, y, x)
    v = np.where(standing, np.where(along_x, y, x) * np.float32(0.7) + z, y)
    for material, mask in materials_seen(tray, part):
        at = np.flatnonzero(mask)
        if len(at):
            colours[at], slopes[at] = sample_material(material, u[at], v[at], pixel_mm)
            rough[at] = material.roughness
    return colours, slopes, rough


def openness(tray: TrayModel, points: Floats, part: NDArray[np.uint8]) -> Floats:
    """How open the surroundings are (0 to 1): corners get less of the ambient light."""
    share = np.ones(len(part), np.float32)
    at = np.flatnonzero(part == FLOOR)
    x, y = np.abs(points[at, 0]), np.abs(points[at, 1])
    to_wall = np.minimum(tray.half[0] + tray.trim - x, tray.half[1] + tray.trim - y)
    share[at] = 1 - 0.45 * np.exp(-np.maximum(to_wall, 0) / (0.7 * tray.wall_height))
    at = np.flatnonzero((part == WALL) | (part >= SIDE))
    share[at] = 0.6 + 0.4 * np.clip(-points[at, 2] / tray.wall_height, 0, 1)
    at = np.flatnonzero(part == TABLE)
    x, y = np.abs(points[at, 0]), np.abs(points[at, 1])
    away = np.hypot(np.maximum(x - tray.rim_outer[0], 0), np.maximum(y - tray.rim_outer[1], 0))
    share[at] = 1 - 0.45 * np.exp(-away / (0.5 * tray.wall_height))
    return share

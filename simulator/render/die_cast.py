"""Ray casting on dice: where rays hit a rounded cube, and whether a die is in the way."""

from dataclasses import dataclass

import numpy as np

from simulator.render.artwork import FACE_SIDE_PX, face_atlas
from simulator.render.dice_model import FACE_DOWN, FACE_NORMALS, FACE_RIGHT, DieBody
from simulator.render.pinhole import dot_products, scaled
from simulator.render.texture import sample_picture
from vision.image.arrays import Floats, IndexArray


@dataclass(frozen=True, slots=True, eq=False)
class DieHit:
    """Where rays hit a die; one row per ray that does.

    Attributes:
        index: which of the rays.
        depth: distance along the ray, millimetres.
        local: the points in the die's own frame, (n, 3).
        normals: in the die's own frame, (n, 3).
    """

    index: IndexArray
    depth: Floats
    local: Floats
    normals: Floats


def _intersect_slabs(origin: Floats, rays: Floats, half: float) -> tuple[Floats, Floats]:
    """Entry and exit distances of rays (n, 3) through a cube about the origin."""
    enter = np.full(len(rays), -np.inf, np.float32)
    leave = np.full(len(rays), np.inf, np.float32)
    for axis in range(3):
        slope = 1 / _away_from_zero(rays[:, axis])
        first, second = (-half - origin[..., axis]) * slope, (half - origin[..., axis]) * slope
        np.maximum(enter, np.minimum(first, second), out=enter)
        np.minimum(leave, np.maximum(first, second), out=leave)
    return enter, leave


def _away_from_zero(values: Floats) -> Floats:
    return np.where(np.abs(values) < 1e-7, np.float32(1e-7), values)


def cast_rays(die: DieBody, origin: Floats, rays: Floats) -> DieHit:
    """Intersects unit rays (n, 3) from a point (3,), in world coordinates, with a die.

    The slabs of the cube give the start; sphere tracing on the exact distance to the rounded cube
    (https://iquilezles.org/articles/distfunctions/, "Round Box"), cut by a sphere if the style has
    one, finds the surface.
    """
    rotation = die.rotation.astype(np.float32)
    start = (origin - np.array(die.position, np.float32)) @ rotation
    local_rays = rays @ rotation
    enter, leave = _intersect_slabs(start, local_rays, die.half)
    index = np.flatnonzero((enter < leave) & (enter > 0))
    directions = local_rays[index]
    depth = enter[index]
    ends = leave[index]
    radius = die.style.edge_radius
    core = np.float32(die.half - radius)
    live = np.arange(len(index))
    for _ in range(12):
        points = scaled(directions[live], depth[live])
        points += start
        beyond = np.abs(points) - core
        out = np.maximum(beyond, 0)
        distance = np.sqrt(dot_products(out, out))
        widest = np.maximum(np.maximum(beyond[:, 0], beyond[:, 1]), beyond[:, 2])
        distance += np.minimum(widest, 0) - radius
        if die.style.sphere:
            ball = np.sqrt(dot_products(points, points)) - die.style.sphere
            distance = np.maximum(distance, ball)
        depth[live] += np.maximum(distance, 0)
        live = live[(distance > 0.01) & (depth[live] < ends[live])]
        if not len(live):
            break
    met = np.ones(len(index), np.bool_)
    met[live] = False
    met &= depth < ends
    index, depth, directions = index[met], depth[met], directions[met]
    points = scaled(directions, depth)
    points += start
    normals = np.sign(points) * np.maximum(np.abs(points) - core, 0)
    if die.style.sphere:
        away = np.sqrt(dot_products(points, points))
        cut = away > die.style.sphere - 0.02
        normals[cut] = points[cut]
    length = np.sqrt(dot_products(normals, normals))
    normals /= np.maximum(length, 1e-6)[:, None]
    return DieHit(
        index, depth.astype(np.float32), points.astype(np.float32), normals.astype(np.float32)
    )


def printed_surface(die: DieBody, hit: DieHit) -> tuple[Floats, Floats, Floats]:
    """The print where rays hit a die.

    Returns:
        colours (n, 3), coverage by pips or print (n, 1), and the normals in the die's own frame
        including the bowls of the pips (n, 3).
    """
    colour, slope = face_atlas(die.kind, die.style, die.edge)
    face = np.argmax(hit.local @ FACE_NORMALS.T, axis=1)
    right = dot_products(hit.local, FACE_RIGHT[face])
    down = dot_products(hit.local, FACE_DOWN[face])
    scale = FACE_SIDE_PX / die.edge
    x = np.clip((right + die.half) * scale - 0.5, 0, FACE_SIDE_PX - 1)
    y = np.clip((down + die.half) * scale - 0.5, 0, FACE_SIDE_PX - 1) + face * FACE_SIDE_PX
    found, falls = sample_picture(colour, x, y), sample_picture(slope, x, y)
    normals = hit.normals.copy()
    bent = np.abs(falls).max(axis=1) > 1e-3
    normals[bent] += (
        falls[bent, :1] * FACE_RIGHT[face[bent]] + falls[bent, 1:] * FACE_DOWN[face[bent]]
    )
    normals /= np.sqrt(dot_products(normals, normals))[:, None]
    return found[:, :3], found[:, 3:], normals


def blocked_share(die: DieBody, points: Floats, lamps: Floats) -> Floats:
    """Share of lamps (k, 3) that a die hides from points (n, 3): (n,)."""
    rotation = die.rotation.astype(np.float32)
    middle = np.array(die.position, np.float32)
    local = ((points - middle) @ rotation).T
    shining = ((lamps - middle) @ rotation).T
    half = np.float32(die.half * 0.975)
    enter = np.full((len(lamps), len(points)), 1e-4, np.float32)
    leave = np.ones_like(enter)
    for axis in range(3):
        slope = 1 / _away_from_zero(shining[axis][:, None] - local[axis])
        first, second = (-half - local[axis]) * slope, (half - local[axis]) * slope
        np.maximum(enter, np.minimum(first, second), out=enter)
        np.minimum(leave, np.maximum(first, second), out=leave)
    return np.asarray((enter < leave).mean(axis=0, dtype=np.float32))


def cube_corners(die: DieBody) -> Floats:
    """The eight corners of the cube, (8, 3) in the world."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    placed = (signs * die.half) @ die.rotation.T + np.array(die.position)
    return np.asarray(placed, np.float32)

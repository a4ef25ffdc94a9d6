"""How thrown dice move: rigid cubes with impulses at their corners, in millimetres and seconds.

A cube's inertia is the same about every axis, so one number describes it. Contacts are solved as
impulses with restitution and Coulomb friction at the corners, averaged over a body's contacts
(Jacobi); dice touch one another with their corners and the midpoints of their edges.
"""

from dataclasses import dataclass

import numpy as np

from simulator.render.dice_model import EDGE_MM
from vision.image.arrays import BoolArray, FloatArray

GRAVITY_MM_S2 = 9810.0
STEP_S = 1 / 600
MAX_THROW_S = 3.5
"""A throw that has not come to rest by then is given up."""
STEPS_PER_POSE = 4

_RESTITUTION = 0.6
_FRICTION = 0.3
_ROLLING_RESISTANCE = 0.6
"""How dice behave on a floor."""

_CORNER_SIGNS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_EDGE_MIDPOINTS = np.array(
    [np.insert((a, b), axis, 0) for axis in range(3) for a in (-1, 1) for b in (-1, 1)], np.float64
)
_CONTACT_POINTS = np.concatenate([_CORNER_SIGNS, _EDGE_MIDPOINTS])


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Dice in motion, one row per die.

    Attributes:
        x: centres, (n, 3).
        r: orientations, (n, 3, 3).
        v: velocities, (n, 3).
        w: angular velocities, (n, 3) radians a second.
        fixed: which dice cannot be moved, (n,).
    """

    x: FloatArray
    r: FloatArray
    v: FloatArray
    w: FloatArray
    fixed: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """The poses of dice over time.

    Attributes:
        step_s: between two rows.
        x: (rows, n, 3).
        r: (rows, n, 3, 3).
        settled: whether all dice came to rest flat.
    """

    step_s: float
    x: FloatArray
    r: FloatArray
    settled: bool


def _rotate_by(r: FloatArray, w: FloatArray, dt: float) -> FloatArray:
    """Orientations (n, 3, 3) after turning by w (n, 3) for dt (Rodrigues' formula)."""
    angle = np.linalg.norm(w, axis=1)
    axis = w / np.maximum(angle, 1e-9)[:, None]
    a = angle * dt
    k = np.zeros_like(r)
    k[:, 0, 1], k[:, 0, 2], k[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    k[:, 1, 0], k[:, 2, 0], k[:, 2, 1] = axis[:, 2], -axis[:, 1], axis[:, 0]
    turn = np.eye(3) + np.sin(a)[:, None, None] * k + (1 - np.cos(a))[:, None, None] * (k @ k)
    return np.asarray(turn @ r)


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross products along the last axis; several times faster than `np.cross` on small arrays."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


_PLANE_NORMALS = np.array(((0, 0, -1), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0)), np.float64)


def _apply_plane_contacts(body: Bodies, half: tuple[float, float], inverse: FloatArray) -> None:
    """Lets floor and walls act on the dice, in place."""
    arms = (body.r @ (_CORNER_SIGNS.T * EDGE_MM / 2)).transpose(0, 2, 1)
    points = body.x[:, None] + arms
    offsets = np.array((0.0, -half[0], -half[0], -half[1], -half[1]))
    depth = offsets - points @ _PLANE_NORMALS.T
    touching = depth > -0.02
    if not touching.any():
        return
    die, corner, plane = np.nonzero(touching)
    arm, normal = arms[die, corner], _PLANE_NORMALS[plane]
    mass = _effective_mass(arm, normal, inverse)
    for _ in range(2):
        speed = body.v[die] + _cross(body.w[die], arm)
        jn, impulse = _contact_impulses(speed, arm, normal, mass, inverse)
        share = np.bincount(die[jn > 0], minlength=len(body.x)).astype(np.float64)
        impulse /= np.maximum(share, 1.0)[die][:, None] ** 0.75
        np.add.at(body.v, die, impulse)
        np.add.at(body.w, die, _cross(arm, impulse) * inverse[die, None])
    push = np.where(touching, np.maximum(depth - 0.01, 0), 0).max(axis=1)
    body.x[...] += 0.4 * push @ _PLANE_NORMALS
    low = touching[:, :, 0].any(axis=1)
    body.w[low] *= 1 - _ROLLING_RESISTANCE * STEP_S
    body.v[low] *= 1 - 0.6 * _ROLLING_RESISTANCE * STEP_S


def _effective_mass(arm: FloatArray, normal: FloatArray, inverse: FloatArray) -> FloatArray:
    """Effective masses of contacts at arms (n, 3) of unit masses, along normals (n, 3): (n,)."""
    lever = _cross(arm, normal)
    return np.asarray(1 / (1 + np.einsum("ij,ij->i", lever, lever) * inverse[0]))


def _contact_impulses(
    speed: FloatArray, arm: FloatArray, normal: FloatArray, mass: FloatArray, inverse: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Normal impulses (n,) and total impulses (n, 3) of contacts of unit masses."""
    vn = np.einsum("ij,ij->i", speed, normal)
    bounce = np.where(vn < -120.0, _RESTITUTION, 0.0)
    jn = np.maximum(-(1 + bounce) * vn * mass, 0)
    slide = speed - vn[:, None] * normal
    size = np.sqrt(np.einsum("ij,ij->i", slide, slide))
    way = slide / np.maximum(size, 1e-9)[:, None]
    side = _cross(arm, way)
    grip = size / (1 + np.einsum("ij,ij->i", side, side) * inverse[0])
    jt = np.minimum(grip, _FRICTION * jn)
    return jn, jn[:, None] * normal - jt[:, None] * way


def _apply_die_contacts(body: Bodies, inverse: FloatArray) -> None:
    """Lets dice push one another, in place."""
    count = len(body.x)
    half = EDGE_MM / 2
    apart = body.x[:, None] - body.x[None]
    close = np.einsum("ijk,ijk->ij", apart, apart) < (1.75 * EDGE_MM) ** 2
    np.fill_diagonal(close, False)
    close &= ~(body.fixed[:, None] & body.fixed[None])
    first, second = np.nonzero(close)
    if not len(first):
        return
    arms = (body.r @ (_CONTACT_POINTS.T * half)).transpose(0, 2, 1)
    points = body.x[first][:, None] + arms[first]
    local = np.einsum("ijk,ikl->ijl", points - body.x[second][:, None], body.r[second])
    depth = half - np.abs(local)
    pair, probe = np.nonzero(depth.min(axis=2) > 0)
    if not len(pair):
        return
    a, b = first[pair], second[pair]
    inside = depth[pair, probe]
    axis = inside.argmin(axis=1)
    rows = np.arange(len(pair))
    sign = np.sign(local[pair, probe][rows, axis])
    normal = body.r[b][rows, :, axis] * sign[:, None]
    point = points[pair, probe]
    arm_a, arm_b = point - body.x[a], point - body.x[b]
    free_a, free_b = (~body.fixed[a]).astype(float), (~body.fixed[b]).astype(float)
    speed = body.v[a] + _cross(body.w[a], arm_a) - body.v[b] - _cross(body.w[b], arm_b)
    mass = _effective_mass(arm_a, normal, inverse)
    jn, impulse = _contact_impulses(speed, arm_a, normal, mass, inverse)
    share = np.bincount(a[jn > 0], minlength=count) + np.bincount(b[jn > 0], minlength=count)
    scale = 1 / np.maximum(np.maximum(share[a], share[b]), 1) / (free_a + free_b)
    impulse *= scale[:, None]
    np.add.at(body.v, a, impulse * free_a[:, None])
    np.add.at(body.w, a, _cross(arm_a, impulse) * (inverse[a] * free_a)[:, None])
    np.add.at(body.v, b, -impulse * free_b[:, None])
    np.add.at(body.w, b, -_cross(arm_b, impulse) * (inverse[b] * free_b)[:, None])
    push = (0.3 * inside[rows, axis] / (free_a + free_b))[:, None] * normal
    move = np.zeros_like(body.x)
    np.add.at(move, a, push * free_a[:, None])
    np.add.at(move, b, -push * free_b[:, None])
    body.x[...] += np.clip(move, -0.8, 0.8)


def simulate_roll(start: Bodies, half: tuple[float, float]) -> Track:
    """Lets dice fly, bounce and roll until they come to rest.

    Args:
        start: where they are and how they move; not modified.
        half: half the floor's width and depth, millimetres.
    """
    body = Bodies(start.x.copy(), start.r.copy(), start.v.copy(), start.w.copy(), start.fixed)
    inverse = np.full(len(body.x), 6.0 / EDGE_MM**2)
    free = ~body.fixed
    xs, rs = [body.x.copy()], [body.r.copy()]
    calm = 0
    settled = False
    for step in range(round(MAX_THROW_S / STEP_S)):
        body.v[free, 2] += GRAVITY_MM_S2 * STEP_S
        _apply_die_contacts(body, inverse)
        _apply_plane_contacts(body, half, inverse)
        body.v[body.fixed] = 0
        body.w[body.fixed] = 0
        body.x[body.fixed] = start.x[body.fixed]
        body.x[free] += body.v[free] * STEP_S
        body.r[free] = _rotate_by(body.r[free], body.w[free], STEP_S)
        if step % STEPS_PER_POSE == STEPS_PER_POSE - 1:
            xs.append(body.x.copy())
            rs.append(body.r.copy())
        slow = (np.abs(body.v[free]).max() < 45.0) and (np.abs(body.w[free]).max() < 3.5)
        calm = calm + 1 if slow else 0
        if calm > 24:
            upright = np.abs(body.r[free, 2]).max(axis=1)
            flat = np.arccos(np.clip(upright, -1, 1)) < np.radians(4.0)
            low = np.abs(body.x[free, 2] + EDGE_MM / 2) < 1.0
            settled = bool((flat & low).all())
            break
    return Track(STEP_S * STEPS_PER_POSE, np.array(xs), np.array(rs), settled)

"""Places for dice: footprints that do not overlap, dice that lean."""

import numpy as np

from simulator.render import dice_model
from simulator.render.die_cast import cube_corners
from vision.image.arrays import FloatArray
from vision.reading import Face, Kind

Place = tuple[float, float, float]
"""x, y in millimetres and yaw in radians of a flat die."""


def footprint(place: Place) -> FloatArray:
    """The four corners of a flat die's footprint on the floor, (4, 2)."""
    x, y, yaw = place
    c, s = np.cos(yaw) * dice_model.EDGE_MM / 2, np.sin(yaw) * dice_model.EDGE_MM / 2
    return np.array(
        (
            (x - c + s, y - s - c),
            (x + c + s, y + s - c),
            (x + c - s, y + s + c),
            (x - c - s, y - s + c),
        )
    )


def separation(a: Place, b: Place) -> tuple[float, FloatArray]:
    """Gap between two flat dice along the best separating axis, and that axis (from a to b).

    By the separating axis theorem. If they overlap, the gap is minus the depth of the overlap.
    """
    first, second = footprint(a), footprint(b)
    best, axis = -np.inf, np.array((1.0, 0.0))
    for yaw in (a[2], a[2] + np.pi / 2, b[2], b[2] + np.pi / 2):
        way = np.array((np.cos(yaw), np.sin(yaw)))
        if np.dot((b[0] - a[0], b[1] - a[1]), way) < 0:
            way = -way
        gap = float((second @ way).min() - (first @ way).max())
        if gap > best:
            best, axis = gap, way
    return best, axis


def wall_gap(place: Place, half: tuple[float, float]) -> float:
    """Smallest distance of a flat die from the tray's walls; negative if it overlaps one."""
    points = np.abs(footprint(place))
    return float(min(half[0] - points[:, 0].max(), half[1] - points[:, 1].max()))


def draw_free_place(
    rng: np.random.Generator, half: tuple[float, float], taken: list[Place], gap: float = 1.0
) -> Place:
    """Draws a place for a flat die clear of the walls and of other dice.

    Raises:
        ValueError: the tray is too full.
    """
    for _ in range(2000):
        x, y = rng.uniform(-half[0], half[0]), rng.uniform(-half[1], half[1])
        place = (float(x), float(y), float(rng.uniform(-np.pi, np.pi)))
        if wall_gap(place, half) < gap:
            continue
        if all(separation(place, other)[0] >= gap for other in taken):
            return place
    raise ValueError(
        f"no room for another die of {dice_model.EDGE_MM:g} mm beside {len(taken)}; "
        "use a larger tray"
    )


def leaning_die(
    kind: Kind,
    face: Face,
    wall: float,
    along: float,
    side: int,
    tilt: float,
    style: dice_model.DieStyle | None = None,
) -> dice_model.DieBody:
    """A die that leans against something upright.

    Args:
        kind: what it is.
        face: the face that points most upwards (for a tilt below 45 degrees).
        wall: distance of the upright surface from the tray's centre, millimetres.
        along: where along that surface, millimetres.
        side: 0 right, 1 bottom, 2 left, 3 top of the picture.
        tilt: radians.
        style: how it is made.
    """
    made = style or dice_model.STANDARD_STYLES[kind]
    flat = dice_model.flat_die(kind, face, (0.0, 0.0), 0.0, made)
    c, s = np.cos(tilt), np.sin(tilt)
    roll = np.array(((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)))
    a = side * np.pi / 2
    turn = np.array(((np.cos(a), -np.sin(a), 0.0), (np.sin(a), np.cos(a), 0.0), (0.0, 0.0, 1.0)))
    rotation = turn @ roll @ flat.rotation
    rest = dice_model.DieBody(kind, (0.0, 0.0, 0.0), dice_model.as_quaternion(rotation), made)
    reach = cube_corners(rest)
    out = np.array((np.cos(a), np.sin(a)))
    middle = out * (wall - float((reach[:, :2] @ out).max())) + along * np.array((-out[1], out[0]))
    height = -float(reach[:, 2].max())
    return dice_model.DieBody(
        kind, (float(middle[0]), float(middle[1]), height), rest.orientation, made
    )

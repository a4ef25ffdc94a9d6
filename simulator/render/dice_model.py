"""The model of a die: its shape, its six faces and how they are arranged.

Numbered dice are the standard western kind: opposite faces add up to seven, and 1, 2 and 3 run
counter-clockwise round the corner they share. In a die's own frame the faces 1, 2, 3 are on +x, +y,
+z and 6, 5, 4 opposite. The positions of the faces are called slots, 0 to 5 for those of 1 to 6; a
Power die's style says which of its faces sits in which slot.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations, product

import numpy as np

from simulator.render.pinhole import Vector
from vision.image.arrays import FloatArray, Floats
from vision.reading import POWER_FACES, Face, Kind

EDGE_MM = 16.0
MIN_LEANING_DEG = 12.0
"""A die tilted more than this has no value."""

FACE_NORMALS: Floats = np.array(
    ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1), (0, -1, 0), (-1, 0, 0)), np.float32
)
"""Outward normals of the slots of 1 to 6, (6, 3)."""

FACE_RIGHT: Floats = np.array(
    ((0, 1, 0), (0, 0, 1), (1, 0, 0), (1, 0, 0), (0, 0, 1), (0, 1, 0)), np.float32
)
"""The direction to the right on each face, seen from outside, (6, 3)."""

FACE_DOWN: Floats = np.cross(FACE_RIGHT, FACE_NORMALS).astype(np.float32)
"""The direction downwards on each face, seen from outside, (6, 3)."""

Quaternion = tuple[float, float, float, float]
"""A rotation from the die's frame to the world's: w, x, y, z."""


@dataclass(frozen=True, slots=True)
class PowerArt:
    """How a Power die is printed.

    Attributes:
        order: which of `POWER_FACES` sits in each slot.
        turns: quarter turns of the print in each slot.
        designs: the variant drawn for each of `POWER_FACES`; see `artwork`.
        scale: size of the print; 1 is the usual size.
        font: which of the stroke fonts draws the digits.
        accents: whether the symbols have a colour of their own.
    """

    order: tuple[int, ...] = (0, 1, 4, 3, 2, 5)
    turns: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    designs: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    scale: float = 1.0
    font: int = 0
    accents: bool = False


@dataclass(frozen=True, slots=True)
class DieStyle:
    """How a die is made. Colours are linear, blue green red, 0 to 1.

    Attributes:
        body: colour of the body.
        pip: colour of pips and print.
        edge_radius: rounding of edges and corners, millimetres.
        sphere: radius of the sphere that cuts the corners off, millimetres; 0 for none.
        pip_radius: millimetres.
        pip_depth: how deep the pips are drilled, millimetres.
        pip_spread: from the centre of the face to the outer pips along an axis, millimetres.
        flips: whether the pips of the faces 2, 3 and 6 are given a quarter turn.
        roughness: 0.05 is polished, 0.5 is matte.
        wear: 0 is new; scratches and worn paint grow up to 1.
        power: the print of a Power die.
    """

    body: Vector = (0.012, 0.011, 0.011)
    pip: Vector = (0.75, 0.76, 0.76)
    edge_radius: float = 1.6
    sphere: float = 0.0
    pip_radius: float = 1.45
    pip_depth: float = 0.4
    pip_spread: float = 4.0
    flips: tuple[bool, bool, bool] = (False, False, False)
    roughness: float = 0.18
    wear: float = 0.15
    power: PowerArt = field(default_factory=PowerArt)


STANDARD_STYLES: dict[Kind, DieStyle] = {
    Kind.BLACK: DieStyle(),
    Kind.RED: DieStyle(body=(0.018, 0.022, 0.42)),
    Kind.WHITE: DieStyle(body=(0.70, 0.74, 0.76), pip=(0.012, 0.011, 0.011)),
    Kind.YELLOW: DieStyle(body=(0.03, 0.48, 0.70), pip=(0.012, 0.011, 0.011)),
    Kind.POWER: DieStyle(body=(0.45, 0.10, 0.024)),
    Kind.OTHER: DieStyle(body=(0.05, 0.28, 0.05)),
}


@dataclass(frozen=True, slots=True)
class DieBody:
    """A die somewhere in the world.

    Attributes:
        kind: what it is.
        position: of its centre, millimetres.
        orientation: from its own frame to the world's, unit quaternion w, x, y, z.
        style: how it is made.
        edge: length of an edge, millimetres.
    """

    kind: Kind
    position: Vector
    orientation: Quaternion
    style: DieStyle
    edge: float = EDGE_MM

    @property
    def half(self) -> float:
        """Half an edge, millimetres."""
        return self.edge / 2

    @property
    def rotation(self) -> FloatArray:
        """From its own frame to the world's, 3x3."""
        return rotation_matrix(self.orientation)


def rotation_matrix(q: Quaternion) -> FloatArray:
    """The 3x3 matrix of a unit quaternion w, x, y, z."""
    w, x, y, z = q
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )


def as_quaternion(rotation: FloatArray) -> Quaternion:
    """The unit quaternion w, x, y, z (w >= 0) of a 3x3 rotation matrix.

    Bar-Itzhack's method: the eigenvector of the largest eigenvalue of a symmetric 4x4 matrix.
    """
    m = rotation
    k = np.array(
        (
            (m[0, 0] - m[1, 1] - m[2, 2], 0.0, 0.0, 0.0),
            (m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0.0, 0.0),
            (m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], 0.0),
            (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], np.trace(m)),
        )
    )
    _, vectors = np.linalg.eigh(k)
    x, y, z, w = vectors[:, -1] * (1.0 if vectors[3, -1] >= 0 else -1.0)
    return (float(w), float(x), float(y), float(z))


@lru_cache(maxsize=1)
def cube_rotations() -> tuple[FloatArray, ...]:
    """The 24 rotations that map a cube onto itself."""
    found = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            m = np.zeros((3, 3))
            m[range(3), order] = signs
            if np.linalg.det(m) > 0:
                found.append(m)
    return tuple(found)


def slot_of(kind: Kind, face: Face, art: PowerArt | None = None) -> int:
    """The slot (0 to 5) where a face sits.

    Raises:
        ValueError: the kind of die has no such face.
    """
    if kind is Kind.POWER:
        if isinstance(face, str) and face in POWER_FACES:
            return (art or PowerArt()).order.index(POWER_FACES.index(face))
        raise ValueError(f"a Power die shows one of {', '.join(POWER_FACES)}, not {face!r}")
    if isinstance(face, int) and 1 <= face <= 6:
        return face - 1
    raise ValueError(f"a {kind.value} die shows 1 to 6, not {face!r}")


def top_slot(die: DieBody) -> tuple[int, float]:
    """The slot that points most upwards, and its angle to the vertical in degrees."""
    rises = -(die.rotation @ FACE_NORMALS.T)[2]
    slot = int(np.argmax(rises))
    return slot, float(np.degrees(np.arccos(np.clip(rises[slot], -1.0, 1.0))))


def face_up(die: DieBody) -> Face:
    """The face that points most upwards."""
    slot, _ = top_slot(die)
    return POWER_FACES[die.style.power.order[slot]] if die.kind is Kind.POWER else slot + 1


def top_face_points(die: DieBody, places: FloatArray) -> FloatArray:
    """World points of places (n, 2) on the top face, millimetres right and down from its centre."""
    slot, _ = top_slot(die)
    local = (
        FACE_NORMALS[slot] * die.half
        + places[:, :1] * FACE_RIGHT[slot]
        + places[:, 1:] * FACE_DOWN[slot]
    )
    return np.asarray(local @ die.rotation.T + np.array(die.position), np.float64)


def flat_die(
    kind: Kind,
    face: Face,
    place: tuple[float, float],
    yaw: float,
    style: DieStyle | None = None,
    edge: float = EDGE_MM,
    floor: float = 0.0,
) -> DieBody:
    """A die that lies flat.

    Args:
        kind: what it is.
        face: the face that is up.
        place: of its centre on the tray, millimetres.
        yaw: rotation of its print, clockwise, radians; 0 is upright in the picture.
        style: how it is made; by default the standard style of its kind.
        edge: millimetres.
        floor: height of what it lies on above the tray's floor, millimetres.
    """
    made = style or STANDARD_STYLES[kind]
    slot = slot_of(kind, face, made.power)
    c, s = np.cos(yaw), np.sin(yaw)
    right, down, up = np.array((c, s, 0.0)), np.array((-s, c, 0.0)), np.array((0.0, 0.0, -1.0))
    rotation = (
        np.outer(right, FACE_RIGHT[slot])
        + np.outer(down, FACE_DOWN[slot])
        + np.outer(up, FACE_NORMALS[slot])
    )
    return DieBody(
        kind=kind,
        position=(float(place[0]), float(place[1]), float(-floor - edge / 2)),
        orientation=as_quaternion(rotation),
        style=made,
        edge=edge,
    )

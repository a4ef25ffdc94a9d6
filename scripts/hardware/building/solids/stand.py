"""The column's foot, the holder of camera and lamp below the arm, the Pi's plate on the column."""

from math import cos, radians, sin

from build123d import Rot

from scripts.hardware.building import sizes
from scripts.hardware.building.solids.shapes import (
    M2_PILOT_HOLE,
    M3_PILOT_HOLE,
    M4_CLEARANCE_HOLE,
    M25_PILOT_HOLE,
    Solid,
    block,
    cylinder,
    prism,
    side_hole,
)

_SLEEVE = 5.0
_SLEEVE_TOP = 50.0
_SLOT_SCREW = 36.0
_PLATE = 4.0
"""Thickness of the holder's plate."""
CAMERA_HOLES = ((-10.5, 0.0), (10.5, 0.0), (-10.5, -12.5), (10.5, -12.5))
"""Of the Camera Module 3, from its lens, by its maker's drawing; its connector is at larger y."""
_SPACER = 4.0
PI_HOLES = ((-29.0, -24.5), (29.0, -24.5), (-29.0, 24.5), (29.0, 24.5))
ZERO_HOLES = ((-29.0, -24.5), (29.0, -24.5), (-29.0, -1.5), (29.0, -1.5))
COLUMN_HOLES = ((0.0, -13.0), (0.0, 11.0))
ARM_HOLES = ((0.0, 34.0), (0.0, 90.0))


def foot_screws() -> list[tuple[float, float]]:
    """Bolts through foot and board, from the column's middle."""
    y = sizes.COLUMN / 2 + sizes.BOARD_EDGE - 6
    return [(x, sy * y) for x in (-29.0, 29.0) for sy in (-1, 1)]


def foot() -> Solid:
    """A socket for the column; bolted through the board, clamped into the column's slots."""
    deep, base = sizes.COLUMN / 2 + sizes.BOARD_EDGE, sizes.FOOT_BASE
    inner = sizes.COLUMN / 2 + sizes.PLAY
    outer = inner + _SLEEVE
    made = block((-35, 35), (-deep, deep), (0, base))
    made += block((-outer, outer), (-outer, outer), (0, _SLEEVE_TOP))
    for side in (-1, 1):
        rib = [(side * (outer - 1), base - 1), (side * 33, base - 1), (side * (outer - 1), 26)]
        # Drawn in x and y, then turned upright.
        made += Rot(90, 0, 0) * prism(rib, (-3, 3))
    made -= block((-inner, inner), (-inner, inner), (base, _SLEEVE_TOP + 1))
    for x, y in foot_screws():
        made -= cylinder(x, y, M4_CLEARANCE_HOLE, (-1, base + 1))
    made -= side_hole((0, 0, _SLOT_SCREW), M4_CLEARANCE_HOLE, "x", 60)
    return made - side_hole((0, outer, _SLOT_SCREW), M4_CLEARANCE_HOLE, "y", 20)


def _at(angle: float, radius: float) -> tuple[float, float]:
    return (radius * cos(radians(angle)), radius * sin(radians(angle)))


def lamp_radii() -> tuple[float, float, float, float]:
    """Radii of the lamp's channel: both faces of its inner wall, both of its outer wall."""
    outer, inner = sizes.RING
    low, high = inner / 2 - 1, outer / 2 + 1
    return (low - sizes.WALL, low, high, high + sizes.WALL)


def opal_screws() -> list[tuple[float, float]]:
    """Where the opal ring is screwed on, from the lens."""
    return [_at(angle, lamp_radii()[3] + 2.6) for angle in (45, 135, 225, 315)]


def holder() -> Solid:
    """Holder of camera and lamp as it hangs: z 0 is the arm's underside, the lens is at x, y 0."""
    bore, low, high, out = lamp_radii()
    down = -sizes.CAMERA_DROP
    made = cylinder(0, 0, 2 * out, (-_PLATE, 0)) - cylinder(0, 0, 2 * bore, (-_PLATE - 1, 1))
    made += block((-20, 20), (-22, 22), (-_PLATE, 0))
    reach = (-low, low)
    made += block(reach, (-10, 10), (-_PLATE, 0)) + block((-12, 12), reach, (-_PLATE, 0))
    made += block((-12, 12), (high, sizes.PLATE_END), (-_PLATE, 0))
    for x in (-12.0, 12 - sizes.WALL):
        made += block((x, x + sizes.WALL), (20, low - 2), (-12, 0))
    for inner, outer in ((bore, low), (high, out)):
        wall = cylinder(0, 0, 2 * outer, (down, 0)) - cylinder(0, 0, 2 * inner, (down - 1, 1))
        made += wall
    for x, y in opal_screws():
        made += cylinder(x, y, 9, (down, 0)) - cylinder(0, 0, 2 * high, (down, 1))
        made -= cylinder(x, y, M3_PILOT_HOLE, (down - 1, down + 12))
    for x, y in CAMERA_HOLES:
        made += cylinder(x, y, 5, (-_PLATE - _SPACER, 0))
    for x, y in CAMERA_HOLES:
        made -= cylinder(x, y, M2_PILOT_HOLE, (-_PLATE - _SPACER - 1, 1))
    for x, y in ARM_HOLES:
        made -= cylinder(x, y, M4_CLEARANCE_HOLE, (-_PLATE - 1, 1))
    # The camera's cable comes up here; that of the lamp leaves at the side.
    made -= block((-9, 9), (13, 16.5), (-_PLATE - 1, 1))
    made -= Rot(0, 0, 65) * block((high - 3, out + 3), (-5, 5), (down - 1, -_PLATE))
    for angle in (20, 160, 200, 340):
        for radius in (low + 3, high - 3):
            made -= cylinder(*_at(angle, radius), 3, (-_PLATE - 1, 1))
    return made


def opal() -> Solid:
    """The opal ring below the lamp, to be cut out."""
    bore, _, _, out = lamp_radii()
    made = cylinder(0, 0, 2 * (out + 7.2), (0, 3)) - cylinder(0, 0, 2 * bore, (-1, 4))
    for x, y in opal_screws():
        made -= cylinder(x, y, 3.4, (-1, 4))
    return made


def pi_plate() -> Solid:
    """Carries a Raspberry Pi or a Zero on the back of the column; y runs up the column."""
    made = block((-36, 36), (-31, 31), (0, _PLATE))
    for x, y in {*PI_HOLES, *ZERO_HOLES}:
        made += cylinder(x, y, 6, (0, _PLATE + 5))
        made -= cylinder(x, y, M25_PILOT_HOLE, (-1, _PLATE + 6))
    for x, y in COLUMN_HOLES:
        made -= cylinder(x, y, M4_CLEARANCE_HOLE, (-1, _PLATE + 1)) + cylinder(
            x, y, 9, (_PLATE - 2, _PLATE + 1)
        )
    return made

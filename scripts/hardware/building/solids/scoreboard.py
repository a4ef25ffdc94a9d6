"""The scoreboard: front, bars behind its modules, box, and the carrier of Pico and level shifter.

Seen from the front x runs right and y down from the front's top left corner, as on the drawings; z
runs back from the front's face.
"""

from appliance.picture import WIDTH
from scripts.hardware.building import parts, sizes
from scripts.hardware.building.solids.shapes import (
    M2_PILOT_HOLE,
    M3_CLEARANCE_HOLE,
    M3_PILOT_HOLE,
    Solid,
    block,
    cylinder,
    side_hole,
    side_slot,
)

_FACE = 4.0
"""Thickness of the front."""
_LIP = 1.2
"""Thickness of the lip in front of the film, which covers 0.4 of the modules' edges."""
_COLLAR = 8.0
"""How far back the wall round the modules reaches; connectors at their ends lie behind it."""
_FILM = 1.0
_BACK = 3.0
_BOSS = 6.4
_FLANGE = 3.0
_CARRIER_ABOVE_BACK = 4.0
_CARRIER_THICKNESS = 3.0
_BOARDS_ABOVE_CARRIER = 5.0
PICO = (51.0, 21.0)
PICO_HOLES = ((-23.5, -5.7), (23.5, -5.7), (-23.5, 5.7), (23.5, 5.7))
"""Of the Pico, from its middle, by its data sheet's drawing; its USB socket points to larger x."""
PERFBOARD = (60.0, 40.0)
PERFBOARD_HOLES = ((-28.0, -18.0), (28.0, -18.0), (-28.0, 18.0), (28.0, 18.0))


def depth() -> float:
    """Depth of the whole scoreboard."""
    return _FACE + sizes.BOX_DEPTH + 10


def _sides() -> tuple[tuple[str, tuple[float, float]], ...]:
    wide = parts.front_size()[0]
    return (("left", (0.0, wide / 2)), ("right", (wide / 2, wide)))


def clamp_screws() -> list[tuple[float, float]]:
    """Where the bars behind the modules are screwed to the front."""
    high = parts.front_size()[1]
    xs = [sizes.FRONT_EDGE + n * sizes.MODULE for n in sizes.CLAMPS if n < WIDTH // 8]
    return [(x, y) for x in xs for y in (6.0, high - 6)]


def _clamp_top() -> float:
    return _LIP + _FILM + sizes.MODULE_DEPTH


def front() -> dict[str, Solid]:
    """The front in two halves; printed face down."""
    wide, high = parts.front_size()
    edge = sizes.FRONT_EDGE
    lip, pocket = edge + 0.4, edge - 0.3
    collar = pocket - sizes.WALL
    made = block((0, wide), (0, high), (0, _FACE))
    made += block((collar, wide - collar), (collar, high - collar), (0, _COLLAR))
    for x, y in clamp_screws():
        inward = sorted((y, collar + 1 if y < high / 2 else high - collar - 1))
        made += cylinder(x, y, _BOSS, (0, _clamp_top()))
        made += block((x - _BOSS / 2, x + _BOSS / 2), (inward[0], inward[1]), (0, _COLLAR))
    made -= block((pocket, wide - pocket), (pocket, high - pocket), (_LIP, 100))
    made -= block((lip, wide - lip), (lip, high - lip), (-1, 100))
    for x, y in clamp_screws():
        made -= cylinder(x, y, M3_PILOT_HOLE, (_FACE, 100))
    for x, y in parts.front_screws():
        made -= cylinder(x, y, sizes.PANEL_SCREW, (-1, _FACE + 1))
    return {f"front-{name}": made & block(x, (0, high), (-1, 100)) for name, x in _sides()}


def bar() -> Solid:
    """A bar that presses the modules to the front; y runs along it as on the front."""
    high = parts.front_size()[1]
    made = block((-5, 5), (3, high - 3), (0, 4))
    for y in (6.0, high - 6):
        made -= cylinder(0, y, M3_CLEARANCE_HOLE + 0.2, (-1, 5))
    return made


def bar_places() -> list[tuple[float, float]]:
    """X and z of the bars."""
    return [(x, _clamp_top()) for x, y in clamp_screws() if y == 6.0]


def pico_middle() -> tuple[float, float]:
    """Middle of the Pico, in the front's x and y: its socket is 3 from the right wall."""
    return (parts.front_size()[0] - sizes.WALL - 3 - PICO[0] / 2, 22.0)


def perfboard_middle() -> tuple[float, float]:
    """Middle of the small circuit board with the level shifter."""
    return (parts.front_size()[0] - 54, 56.0)


def carrier_screws() -> list[tuple[float, float]]:
    """Screws of the carrier, in the front's x and y."""
    right = parts.front_size()[0]
    return [(right - 76, 18), (right - 13, 58), (right - 70, 80.5), (right - 22, 80.5)]


def pcb_level() -> float:
    """Z of the backs of the circuit boards on the carrier."""
    return depth() - _BACK - _CARRIER_ABOVE_BACK - _CARRIER_THICKNESS - _BOARDS_ABOVE_CARRIER


def carrier() -> Solid:
    """Carries the Pico and a small circuit board with the level shifter."""
    right = parts.front_size()[0]
    back = depth() - _BACK - _CARRIER_ABOVE_BACK
    face = back - _CARRIER_THICKNESS
    made = block((right - 88, right - 10), (10, 84), (face, back))
    made += block((right - 11, right - 4), (12.5, 32), (face, back))
    spots = [(pico_middle(), hole) for hole in PICO_HOLES]
    spots += [(perfboard_middle(), hole) for hole in PERFBOARD_HOLES]
    for middle, hole in spots:
        at = (middle[0] + hole[0], middle[1] + hole[1])
        made += cylinder(*at, 5, (face - _BOARDS_ABOVE_CARRIER, back))
        made -= cylinder(*at, M2_PILOT_HOLE, (face - _BOARDS_ABOVE_CARRIER - 1, back + 1))
    for x, y in carrier_screws():
        made -= cylinder(x, y, M3_CLEARANCE_HOLE, (face - 1, back + 1))
    return made


def box() -> dict[str, Solid]:
    """The box in two halves; printed on its back."""
    wide, high = parts.front_size()
    wall, end = sizes.WALL, depth()
    inside, seam = end - _BACK, wide / 2
    made = block((0, wide), (0, high), (_FACE, end))
    made -= block((wall, wide - wall), (wall, high - wall), (_FACE - 1, inside))
    # Flanges where the halves are bolted together, behind modules and bars; wires pass between.
    flange = (seam - _FLANGE, seam + _FLANGE)
    made += block(flange, (wall, high - wall), (_FACE + 20, inside))
    made -= block(flange, (16, high - 16), (_FACE, inside - 16))
    for x, y in parts.front_screws():
        outward = (0.0, y) if y < high / 2 else (y, high)
        made += cylinder(x, y, _BOSS, (_FACE, inside))
        made += block((x - _BOSS / 2, x + _BOSS / 2), outward, (_FACE, inside))
        if x < 10 or x > wide - 10:
            corner = (0.0, x) if x < 10 else (x, wide)
            made += block(corner, outward, (_FACE, inside))
        made -= cylinder(x, y, M3_PILOT_HOLE, (_FACE - 1, _FACE + 16))
    for y in (high / 2 - 14, high / 2 + 14):
        made -= side_hole((seam, y, inside - 8), M3_CLEARANCE_HOLE, "x", 20, up=-1)
    for left in (0.0, seam):
        for n in range(5):
            x = left + 30 + 20 * n
            for y in (0.0, high):
                made -= side_slot((x, y, _FACE + 32), 4, 10, "y", 3 * wall, up=-1)
    for x, y in carrier_screws():
        made += cylinder(x, y, 7, (inside - _CARRIER_ABOVE_BACK, inside))
        made -= cylinder(x, y, M3_PILOT_HOLE, (inside - _CARRIER_ABOVE_BACK - 1, end - 1))
    # Openings for the Pico's socket, and for the supply's.
    made -= side_slot((wide, pico_middle()[1], pcb_level() - 2.5), 14, 9, "x", 3 * wall, up=-1)
    made -= side_hole((wide, 62, pcb_level() - 8), sizes.SOCKET_HOLE, "x", 3 * wall, up=-1)
    return {f"box-{name}": made & block(x, (0, high), (0, 200)) for name, x in _sides()}

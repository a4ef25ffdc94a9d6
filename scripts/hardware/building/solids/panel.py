"""The panel of buttons and its box; x right, y towards the players, z down from its face."""

from scripts.hardware.building import parts, sizes
from scripts.hardware.building.solids.shapes import M3_PILOT_HOLE, Solid, block, cylinder, side_slot

_FACE = 3.0
_BOSS = 7.0


def panel() -> Solid:
    """The panel; printed face down."""
    made = block((0, sizes.PANEL[0]), (0, sizes.PANEL[1]), (0, _FACE))
    for _, x, y, wide in parts.holes():
        made -= cylinder(x, y, wide, (-1, _FACE + 1))
    return made


def box() -> Solid:
    """The box; printed on its bottom. The wires leave it towards the tray."""
    wide, high = sizes.PANEL
    wall, end = sizes.WALL, sizes.PANEL_DEPTH
    made = block((0, wide), (0, high), (_FACE, end))
    made -= block((wall, wide - wall), (wall, high - wall), (_FACE - 1, end - wall))
    for name, x, y, _ in parts.holes():
        if name != "screw":
            continue
        corner = ((0.0, x) if x < wide / 2 else (x, wide), (0.0, y) if y < high / 2 else (y, high))
        made += block(corner[0], corner[1], (_FACE, end))
        made += cylinder(x, y, _BOSS, (_FACE, end))
        made -= cylinder(x, y, M3_PILOT_HOLE, (_FACE - 1, _FACE + 18))
    return made - side_slot((wide / 2, 0, end - 12), 14, 6, "y", 3 * wall, up=-1)

"""Bought parts as plain blocks, for pictures and to check that printed parts clear them."""

from itertools import pairwise

from appliance.picture import HEIGHT, WIDTH
from scripts.hardware.building import parts, sizes
from scripts.hardware.building.solids import scoreboard, stand
from scripts.hardware.building.solids.shapes import Solid, block, cylinder


def profile(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Solid:
    """An aluminium profile with its slots."""
    made = block(x, y, z)
    sides = [b - a for a, b in (x, y, z)]
    along = sides.index(max(sides))
    middles = [(a + b) / 2 for a, b in (x, y, z)]
    spans = [x, y, z]
    for across in range(3):
        if across == along:
            continue
        for end in spans[across]:
            cut = [(middle - 3, middle + 3) for middle in middles]
            cut[along] = (spans[along][0] - 1, spans[along][1] + 1)
            cut[across] = (end - 2, end + 2)
            made -= block(cut[0], cut[1], cut[2])
    return made


def camera() -> Solid:
    """The Camera Module 3 in the coordinates of its holder."""
    back = -8.0
    made = block((-12.5, 12.5), (-14.4, 9.5), (back - 1, back))
    for x, y in stand.CAMERA_HOLES:
        made -= cylinder(x, y, 2.2, (back - 2, back + 1))
    made += block((-10.5, 10.5), (3.9, 9.5), (back, back + 2.8))
    made += block((-5.5, 5.5), (-5.5, 5.5), (back - 5, back - 1))
    return made + cylinder(0, 0, 8, (back - 8.7, back - 5))


def lamp() -> Solid:
    """The ring of LEDs in its channel."""
    outer, inner = sizes.RING
    return cylinder(0, 0, outer, (-8, -4)) - cylinder(0, 0, inner, (-9, -3))


def modules() -> Solid:
    """The modules as they lie in the front."""
    made = None
    width, height = WIDTH // 8, HEIGHT // 8
    edge, wide = sizes.FRONT_EDGE, sizes.MODULE
    for column in range(width):
        for row in range(height):
            x, y = edge + column * wide, edge + row * wide
            one = block((x + 0.1, x + wide - 0.1), (y + 0.1, y + wide - 0.1), (2.2, 10))
            made = one if made is None else made + one
    ends = [edge + 4 * wide * n for n in range(width // 4 + 1)]
    for left, right in pairwise(ends):
        for row in range(height):
            y = edge + row * wide
            made += block(
                (left + 0.1, right - 0.1), (y + 0.1, y + wide - 0.1), (10, 2.2 + sizes.MODULE_DEPTH)
            )
    return made


def pico() -> Solid:
    """The Pico on its carrier."""
    x, y = scoreboard.pico_middle()
    z = scoreboard.pcb_level()
    long, wide = (side / 2 for side in scoreboard.PICO)
    made = block((x - long, x + long), (y - wide, y + wide), (z - 1, z))
    return made + block((x + long - 4.6, x + long + 1.3), (y - 4, y + 4), (z - 3.7, z - 1))


def perfboard() -> Solid:
    """The small circuit board with the level shifter."""
    x, y = scoreboard.perfboard_middle()
    z = scoreboard.pcb_level()
    long, wide = (side / 2 for side in scoreboard.PERFBOARD)
    made = block((x - long, x + long), (y - wide, y + wide), (z - 1.6, z))
    return made + block((x - 10, x + 10), (y - 4, y + 4), (z - 7, z - 1.6))


def pi() -> Solid:
    """A Raspberry Pi 4 on its plate."""
    made = block((-32.5, 52.5), (-28, 28), (9, 10.5))
    made += block((36, 55), (-27, 27), (10.5, 26)) + block((-25.5, 25.5), (22, 27), (10.5, 19))
    return made


def buttons() -> Solid:
    """Buttons and lights in the panel."""
    made = None
    for name, x, y, wide in parts.holes():
        if name == "screw":
            continue
        small = name.startswith("light")
        cap, deep = (wide + 0.8, 6.0) if small else (wide + 2.3, 26.0)
        one = cylinder(x, y, cap, (-3 if small else -6, 0))
        one += cylinder(x, y, wide - 0.2, (0, deep))
        made = one if made is None else made + one
    return made

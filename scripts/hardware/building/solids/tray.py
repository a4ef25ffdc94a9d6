"""The tray: its rim with shelves for the markers, and the rail for kept dice.

x runs right, y away from the players, z up from the board that carries everything; the middle is 0.
"""

from build123d import Plane, Pos, Rectangle, loft

from scripts.hardware.building import sizes
from scripts.hardware.building.solids.shapes import (
    WOOD_SCREW_HEAD,
    WOOD_SCREW_HOLE,
    Solid,
    block,
    countersunk,
    cylinder,
    prism,
)

_TOP = sizes.TRAY.base + sizes.RIM
_BOSS = (12.0, 6.0)
"""How far a joint's thicker wall reaches along the wall and out of it."""
_DOVETAIL_NARROW_END = 4.0
_DOVETAIL_WIDE_END = 7.0
_DOVETAIL_LENGTH = 6.0


def _half() -> tuple[float, float]:
    return (sizes.OPENING[0] / 2, sizes.OPENING[1] / 2)


def joints() -> tuple[bool, bool]:
    """The joints of the rim: if it is in a left and a right piece, and in a near and a far one."""
    x, y = _half()
    return (2 * (x + sizes.PLATE) > sizes.BED, 2 * (y + sizes.PLATE) > sizes.BED)


def post_screws() -> list[tuple[float, float]]:
    """Where screws go through the markers' shelves into the board."""
    x, y = (half + sizes.PLATE / 2 for half in _half())
    return [(-x, y), (x, y), (x, -y), (-x, -y)]


def _joint_spots() -> list[tuple[str, int]]:
    """Where joints are: the axis across which the rim is cut, and the side."""
    across, along = joints()
    return [("x", side) for side in (-1, 1) if across] + [("y", side) for side in (-1, 1) if along]


def whole_rim() -> Solid:
    """The rim in one piece, with the thicker walls of its joints."""
    x, y = _half()
    wall, plate = sizes.TRAY.wall_width, sizes.PLATE
    made = block((-x - wall, x + wall), (-y - wall, y + wall), (0, _TOP))
    for sx in (-1, 1):
        for sy in (-1, 1):
            corner = [(sx * a, sy * b) for a in (x, x + plate) for b in (y, y + plate)]
            made += prism([corner[0], corner[1], corner[3], corner[2]], (0, _TOP))
            made += prism(
                [
                    (sx * (x + wall - 1), sy * y),
                    (sx * (x + plate), sy * y),
                    (sx * (x + wall - 1), sy * (y - plate + wall)),
                ],
                (0, _TOP),
            )
        # None towards the players: the rail lies there.
        made += prism(
            [
                (sx * x, y + wall - 1),
                (sx * x, y + plate),
                (sx * (x - plate + wall), y + wall - 1),
            ],
            (0, _TOP),
        )
    for axis, side in _joint_spots():
        reach = sorted((side * ((y if axis == "x" else x) + 1), side * _boss_end(axis)))
        along = (-_BOSS[0], _BOSS[0])
        out = (reach[0], reach[1])
        both = (along, out) if axis == "x" else (out, along)
        made += block(both[0], both[1], (0, _TOP))
    floor = (sizes.FLOOR[0] + 2 * sizes.PLAY, sizes.FLOOR[1] + 2 * sizes.PLAY)
    made -= block(
        (-floor[0] / 2, floor[0] / 2), (-floor[1] / 2, floor[1] / 2), (-1, sizes.TRAY.base)
    )
    made -= loft(
        [
            Pos(0, 0, sizes.TRAY.base) * Plane.XY * Rectangle(*floor),
            Pos(0, 0, _TOP) * Plane.XY * Rectangle(*sizes.OPENING),
        ]
    )
    for px, py in post_screws():
        made -= countersunk(px, py, WOOD_SCREW_HOLE, WOOD_SCREW_HEAD, (0, _TOP))
    return made


def _boss_end(axis: str) -> float:
    return _half()[1 if axis == "x" else 0] + sizes.TRAY.wall_width + _BOSS[1]


def _key(axis: str, side: int, play: float) -> Solid:
    """The dovetail of a joint, which points to larger values; enlarged by some play."""
    middle = side * (_boss_end(axis) - _BOSS[1])
    neck, head = _DOVETAIL_NARROW_END / 2 + play, _DOVETAIL_WIDE_END / 2 + play
    plan = [(-1.0, -neck), (0.0, -neck), (_DOVETAIL_LENGTH + play, -head)]
    plan += [(along, -across) for along, across in reversed(plan)]
    points = [
        (along, middle + across) if axis == "x" else (middle + across, along)
        for along, across in plan
    ]
    return prism(points, (0, _TOP))


def rim() -> dict[str, Solid]:
    """The pieces of the rim by name; they slide into each other from above."""
    whole, far = whole_rim(), 1000.0
    across, along = joints()
    columns = (("left", (-far, 0.0)), ("right", (0.0, far))) if across else (("", (-far, far)),)
    rows = (("near", (-far, 0.0)), ("far", (0.0, far))) if along else (("", (-far, far)),)
    pieces: dict[str, Solid] = {}
    for row, in_y in rows:
        for column, in_x in columns:
            room = block(in_x, in_y, (-1, _TOP + 1))
            piece = whole & room
            for axis, side in _joint_spots():
                own, other = (in_x, in_y) if axis == "x" else (in_y, in_x)
                if not other[0] <= side <= other[1]:
                    continue
                if own[1] == 0:
                    piece += _key(axis, side, 0)
                elif own[0] == 0:
                    piece -= _key(axis, side, sizes.PLAY)
            name = "-".join(word for word in ("rim", row, column) if word)
            pieces[name] = piece
    return pieces


def rail_screws() -> list[tuple[float, float]]:
    """Where screws go through the rail into the board."""
    x, y = _half()
    middle = -(y + (sizes.HOLDER + _BOSS[1]) / 2)
    return [(side * at, middle) for side in (-1, 1) for at in (20.0, x - 20)]


def rail() -> dict[str, Solid]:
    """The rail for kept dice, between the near shelves; in two pieces if it is long."""
    x, y = _half()
    wall = sizes.TRAY.wall_width
    near, base = -(y + wall), sizes.TRAY.base
    edge = -(y + sizes.HOLDER)
    length = (-x + 1, x - 1)
    made = block(length, (edge, near - sizes.PLAY), (0, base))
    made += block(length, (edge, edge + wall), (0, base + sizes.RIM / 2))
    if joints()[0]:
        out = near - _BOSS[1] - sizes.PLAY
        made -= block((-_BOSS[0] - sizes.PLAY, _BOSS[0] + sizes.PLAY), (out, near), (-1, base + 1))
    for sx, sy in rail_screws():
        made -= countersunk(sx, sy, WOOD_SCREW_HOLE, WOOD_SCREW_HEAD - 0.8, (0, base))
    if length[1] - length[0] <= sizes.BED:
        return {"rail": made}
    far = 1000.0
    return {
        "rail-left": made & block((-far, 0), (-far, far), (-1, 100)),
        "rail-right": made & block((0, far), (-far, far), (-1, 100)),
    }


def floor_panel() -> Solid:
    """The sheet below the felt, to be cut: it lies loose in the rim."""
    x, y = (size / 2 for size in sizes.FLOOR)
    return block((-x, x), (-y, y), (0, sizes.TRAY.base))


def board(column: float, foot: list[tuple[float, float]]) -> Solid:
    """The board under tray and column, to be cut and drilled; `column` is that one's y."""
    x, y = (half + sizes.PLATE + sizes.BOARD_EDGE for half in _half())
    far = column + sizes.COLUMN / 2 + sizes.BOARD_EDGE
    made = block((-x, x), (-y, far), (-sizes.BOARD, 0))
    for sx, sy in post_screws() + rail_screws():
        made -= cylinder(sx, sy, 2.0, (-sizes.BOARD - 1, 1))
    for sx, sy in foot:
        made -= cylinder(sx, sy + column, 4.4, (-sizes.BOARD - 1, 1))
    return made

"""Prints and pips on the faces of a die, as small pictures.

Every face is a square coverage map, 0 for body to 1 for pip or print, drawn here with lines and
polygons. The Power die's symbols come in several designs, so that a reader cannot learn just one.
"""

from functools import lru_cache
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.render import letters
from simulator.render.dice_model import DieStyle, PowerArt
from vision.image.arrays import Floats, GreyImage
from vision.image.warping import warped
from vision.reading import POWER_FACES, Kind

FACE_SIDE_PX = 128
_DRAWING_SIDE_PX = 512
_FONTS = (letters.DUPLEX, letters.COMPLEX, letters.SIMPLEX, letters.TRIPLEX)

ACCENT_COLOURS = ((0.05, 0.75, 0.10), (0.55, 0.75, 0.10), (0.05, 0.60, 0.85))
"""Colours of coloured symbols (double, freeze, power), linear blue green red."""

PIP_PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of 1 to 6 sit: steps right and down from the centre."""


def pip_places(value: int, style: DieStyle) -> Floats:
    """Centres of the pips of a face, (n, 2) millimetres right and down from its centre."""
    places = np.array(PIP_PLACES[value], np.float32) * style.pip_spread
    turned = {2: 0, 3: 1, 6: 2}.get(value)
    if turned is not None and style.flips[turned]:
        places = np.stack([-places[:, 1], places[:, 0]], axis=1)
    return places


def _to_drawing_points(*pairs: tuple[float, float]) -> NDArray[np.int32]:
    """Drawing coordinates of points in face units (-1..1), with four fractional bits."""
    scaled = (np.array(pairs) + 1.0) * _DRAWING_SIDE_PX / 2 * 16
    return np.rint(scaled).astype(np.int32)


def _draw_polygon(ink: GreyImage, *pairs: tuple[float, float], value: int = 255) -> None:
    cv2.fillPoly(ink, [_to_drawing_points(*pairs)], value, cv2.LINE_AA, 4)


def _draw_line(
    ink: GreyImage, width: float, *pairs: tuple[float, float], closed: bool = False
) -> None:
    thick = max(1, round(width * _DRAWING_SIDE_PX / 2))
    cv2.polylines(ink, [_to_drawing_points(*pairs)], closed, 255, thick, cv2.LINE_AA, 4)


def _draw_disc(ink: GreyImage, x: float, y: float, radius: float, width: float = 0.0) -> None:
    cx, cy = _to_drawing_points((x, y))[0]
    thick = -1 if width == 0 else max(1, round(width * _DRAWING_SIDE_PX / 2))
    cv2.circle(
        ink, (int(cx), int(cy)), round(radius * _DRAWING_SIDE_PX * 8), 255, thick, cv2.LINE_AA, 4
    )


def _draw_text(
    ink: GreyImage, text: str, x: float, y: float, height: float, font: int, value: int = 255
) -> None:
    """Draws text centred on x, y; `height` is that of a capital, in face units."""
    face = _FONTS[font % len(_FONTS)]
    scale = height * _DRAWING_SIDE_PX / 2 / letters.CAPITAL
    thick = max(1, round(scale * face.bold))
    width, tall = letters.text_size(text, face, scale, thick)
    origin = (
        round((x + 1) * _DRAWING_SIDE_PX / 2 - width / 2),
        round((y + 1) * _DRAWING_SIDE_PX / 2 + tall / 2),
    )
    letters.put_text(ink, text, origin, face, scale, value, thick)


def _arc_points(
    cx: float, cy: float, r: float, start: float, end: float
) -> list[tuple[float, float]]:
    angles = np.radians(np.linspace(start, end, 25))
    return [(cx + r * float(np.cos(a)), cy + r * float(np.sin(a))) for a in angles]


def _polar_point(r: float, angle: float) -> tuple[float, float]:
    return (r * float(np.cos(angle)), r * float(np.sin(angle)))


def _box_corners(x: float, y: float, w: float, h: float) -> tuple[tuple[float, float], ...]:
    """The corners of a box, given its centre and half its width and height."""
    return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))


def _draw_digit(ink: GreyImage, digit: str, design: int, font: int) -> None:
    if design == 1:
        _draw_text(ink, "x" + digit, 0.0, 0.0, 0.62, font)
    elif design == 2:
        _draw_disc(ink, 0.0, 0.0, 0.68, 0.07)
        _draw_text(ink, digit, 0.0, 0.0, 0.72, font)
    else:
        _draw_text(ink, digit, 0.0, 0.0, 0.95, font)
        if design == 3:
            _draw_line(ink, 0.09, (-0.35, 0.68), (0.35, 0.68))


def _draw_anchor(ink: GreyImage, font: int) -> None:
    """An anchor with a 1 beside it."""
    x = -0.18
    _draw_disc(ink, x, -0.58, 0.13, 0.08)
    _draw_line(ink, 0.11, (x, -0.44), (x, 0.60))
    _draw_line(ink, 0.09, (x - 0.26, -0.27), (x + 0.26, -0.27))
    _draw_line(ink, 0.11, *_arc_points(x, 0.12, 0.48, 10, 170))
    for side in (-1, 1):
        tip = x + side * 0.48
        _draw_polygon(ink, (tip - 0.14, 0.30), (tip + 0.14, 0.30), (tip + side * 0.04, 0.02))
    _draw_text(ink, "1", 0.52, -0.30, 0.50, font)


def _draw_snowflake(ink: GreyImage) -> None:
    for k in range(6):
        a = np.pi / 3 * k
        _draw_line(ink, 0.09, (0.0, 0.0), _polar_point(0.72, a))
        for bend in (-0.7, 0.7):
            (x, y), (dx, dy) = _polar_point(0.42, a), _polar_point(0.24, a + bend)
            _draw_line(ink, 0.08, (x, y), (x + dx, y + dy))


def _draw_freeze(ink: GreyImage, design: int, font: int) -> None:
    if design == 1:
        _draw_snowflake(ink)
    elif design == 2:
        _draw_line(ink, 0.14, *_arc_points(0, 0, 0.62, 22.5, 382.5), closed=True)
        _draw_polygon(ink, *_box_corners(0.0, 0.0, 0.28, 0.09))
    elif design == 3:
        for side in (-0.26, 0.26):
            _draw_polygon(ink, *_box_corners(side, 0.0, 0.13, 0.5))
    else:
        _draw_anchor(ink, font)


def _draw_double(ink: GreyImage, design: int, font: int) -> None:
    if design == 1:
        _draw_line(ink, 0.09, *_box_corners(-0.2, 0.2, 0.34, 0.34), closed=True)
        _draw_polygon(ink, *_box_corners(0.2, -0.2, 0.34, 0.34))
    elif design == 2:
        _draw_text(ink, "x2", 0.0, -0.14, 0.6, font)
        _draw_line(ink, 0.09, (-0.45, 0.40), (0.45, 0.40))
        _draw_line(ink, 0.09, (-0.45, 0.58), (0.45, 0.58))
    elif design == 3:
        for x in (-0.30, 0.30):
            _draw_disc(ink, x, 0.0, 0.36, 0.11)
    else:
        # Two sails over a hull, and a 2 between them.
        _draw_polygon(ink, (-0.06, -0.72), (-0.06, 0.22), (-0.66, 0.22))
        _draw_polygon(ink, (0.04, -0.52), (0.04, 0.22), (0.52, 0.22))
        _draw_polygon(ink, (-0.70, 0.34), (0.66, 0.34), (0.42, 0.60), (-0.46, 0.60))
        _draw_text(ink, "2", 0.60, -0.48, 0.46, font)


def _draw_power(ink: GreyImage, design: int, font: int) -> None:
    if design == 1:
        left = ((0.12, -0.75), (-0.48, 0.12), (-0.08, 0.12))
        _draw_polygon(ink, *left, (-0.16, 0.75), (0.48, -0.18), (0.06, -0.18))
    elif design == 2:
        radii = 5 * (0.76, 0.34)
        _draw_polygon(
            ink, *(_polar_point(r, np.pi / 5 * k - np.pi / 2) for k, r in enumerate(radii))
        )
        _draw_text(ink, "3", 0.0, 0.03, 0.36, font, value=0)
    else:
        # A sunburst: rays round a disc with P3 or P cut out of it.
        for k in range(12 if design == 0 else 8):
            a = 2 * np.pi * k / (12 if design == 0 else 8)
            _draw_polygon(
                ink,
                _polar_point(0.50, a - 0.16),
                _polar_point(0.82, a),
                _polar_point(0.50, a + 0.16),
            )
        _draw_disc(ink, 0.0, 0.0, 0.52)
        _draw_text(ink, "P3" if design == 0 else "P", 0.0, 0.0, 0.44, font, value=0)


def power_face(name: str, art: PowerArt) -> Floats:
    """The print of one face of a Power die, coverage 0 to 1, `FACE_SIDE_PX` square."""
    ink = np.zeros((_DRAWING_SIDE_PX, _DRAWING_SIDE_PX), np.uint8)
    design = art.designs[POWER_FACES.index(name)]
    match name:
        case "freeze":
            _draw_freeze(ink, design, art.font)
        case "double":
            _draw_double(ink, design, art.font)
        case "power":
            _draw_power(ink, design, art.font)
        case _:
            _draw_digit(ink, name, design, art.font)
    slot = art.order.index(POWER_FACES.index(name))
    middle = ((_DRAWING_SIDE_PX - 1) / 2, (_DRAWING_SIDE_PX - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, -90.0 * art.turns[slot], 0.84 * art.scale)
    turned = warped(ink, turn, (_DRAWING_SIDE_PX, _DRAWING_SIDE_PX))
    small = cv2.resize(turned, (FACE_SIDE_PX, FACE_SIDE_PX), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255.0


def pip_face(value: int, style: DieStyle, edge: float) -> tuple[Floats, Floats]:
    """A face with pips.

    Returns:
        coverage 0 to 1 and depth in millimetres, both `FACE_SIDE_PX` square.
    """
    pixel = edge / FACE_SIDE_PX
    axis = (np.arange(FACE_SIDE_PX, dtype=np.float32) + 0.5) * pixel - edge / 2
    x, y = np.meshgrid(axis, axis)
    coverage, depth = np.zeros_like(x), np.zeros_like(x)
    for px, py in pip_places(value, style):
        away = np.hypot(x - px, y - py)
        coverage = np.maximum(coverage, np.clip((style.pip_radius - away) / pixel + 0.5, 0, 1))
        bowl = np.clip(1 - (away / (style.pip_radius * 1.08)) ** 2, 0, None)
        depth = np.maximum(depth, style.pip_depth * np.sqrt(bowl))
    return coverage, depth


@lru_cache(maxsize=64)
def face_atlas(kind: Kind, style: DieStyle, edge: float) -> tuple[Floats, Floats]:
    """All six faces stacked vertically, in slot order.

    Returns:
        colour: (6 * FACE_SIDE_PX, FACE_SIDE_PX, 4): linear blue, green, red, and the
            coverage by paint or pip (0 to 1).
        slope: (6 * FACE_SIDE_PX, FACE_SIDE_PX, 2): fall of the surface to the right and down.
    """
    rng = np.random.default_rng(crc32(repr((kind.value, style)).encode()))
    body, pip = np.array(style.body, np.float32), np.array(style.pip, np.float32)
    colours, slopes = [], []
    for slot in range(6):
        ink_colour = pip
        if kind is Kind.POWER:
            name = POWER_FACES[style.power.order[slot]]
            coverage, depth = power_face(name, style.power), np.zeros(1, np.float32)
            depth = coverage * min(style.pip_depth, 0.15)
            if style.power.accents and name in POWER_FACES[3:]:
                ink_colour = np.array(ACCENT_COLOURS[POWER_FACES.index(name) - 3], np.float32)
        else:
            coverage, depth = pip_face(slot + 1, style, edge)
        noise = cv2.resize(
            rng.standard_normal((16, 16), dtype=np.float32),
            (FACE_SIDE_PX, FACE_SIDE_PX),
            interpolation=cv2.INTER_CUBIC,
        )
        worn = coverage * (1 - style.wear * np.clip(noise * 0.5, 0, 1) * 0.6)
        mottle = 1 + style.wear * 0.12 * noise
        colour = body * (1 - worn[..., None]) * mottle[..., None] + ink_colour * worn[..., None]
        colours.append(np.concatenate([colour, coverage[..., None]], axis=-1))
        pixel = edge / FACE_SIDE_PX
        slopes.append(np.stack(np.gradient(cv2.GaussianBlur(depth, (0, 0), 1.0), pixel)[::-1], -1))
    return (
        np.ascontiguousarray(np.concatenate(colours), np.float32),
        np.ascontiguousarray(np.concatenate(slopes), np.float32),
    )

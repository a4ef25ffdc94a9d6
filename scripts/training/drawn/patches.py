"""Training patches: small scenes with exact labels, some of which show no face."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.training.drawn.drawing import (
    SYMBOL,
    Style,
    View,
    draw_die,
    make_style,
    pip_places,
)
from scripts.training.drawn.floors import draw_floor
from scripts.training.drawn.makes import Generator, smooth_noise
from vision.geometry.camera import rotation_of
from vision.image.arrays import Float32Array, FloatArray

SIDE = 48
"""Side of a patch, pixels."""
EDGE = 24.0
"""Edge of the die that a patch is cut for, pixels."""
NONE = 0
"""Class of patches that show no face in the middle; 1 to 6 and `SYMBOL` are others."""
LEANING = 8
"""Class of dice that lean so far that no face is up."""
COVERED = 9
"""Class of dice whose top is partly hidden."""
MAX_LABELLED_LEAN_DEGREES = 28.0
"""Dice that lean by less, degrees, are labelled for the face classifier with the value they show:
how a die lies is left to the posture classifier."""
CLASSES = 10
PIP_AS_DIE_SHARE = 0.2
"""Share of the patches cut wrongly that show one pip: with a rim, a ring or a reflection it looks
like a die that shows a 1, and so does the highlight in a tray's rim."""
PIP_AS_DIE_SIZE = (0.35, 0.95)
"""Diameter of such a pip, in edges of the die that a patch is cut for."""
LEAST_GROWN = 1.9
"""The die itself is then so much larger than what a patch is cut for, or more."""
REFLECTING_TOP_SHARE = 0.16
"""Share of tops that reflect a lamp or the ceiling."""

CAMERA_TILT_TANGENT = 0.06
"""How far an uncalibrated camera is off from looking straight down, as a tangent along each axis
(standard deviation)."""

_OVER = 2


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """One example.

    Attributes:
        picture: (SIDE, SIDE, 3), BGR, 8 bits.
        label: `NONE`, 1 to 6, `SYMBOL`, `LEANING` or `COVERED`.
        kind: index into `KINDS`, or -1 where there is no face.
        pose: dx, dy of the true middle, log of true over nominal edge, cos and sin of four
            times the yaw; edges. NaN where it is not known.
        lean: tangent of the angle of view, or of the apparent one where tops lean upwards.
    """

    picture: NDArray[np.uint8]
    label: int
    kind: int
    pose: Float32Array
    lean: float = 0.0


def make_patch(
    rng: Generator,
    size: int = SIDE,
    nominal: float = EDGE,
    outward: bool = False,
    lenient: float = 0.0,
) -> Patch:
    """Draws one example.

    Args:
        rng: source of randomness.
        size: side of the patch, pixels.
        nominal: edge of the die that it is cut for, pixels.
        outward: whether tops lean upwards in the patch; otherwise in any direction.
        lenient: dice that lean by less, degrees, are labelled with the value they show.
    """
    nominal *= _OVER
    side = size * _OVER
    what = rng.random()
    canvas = draw_floor(rng, side)
    if what < 0.14:
        _clutter(rng, canvas)
        return Patch(_develop(rng, canvas, size, False), NONE, -1, np.zeros(5, np.float32))
    # Photographs of a single die are often taken from the side.
    aside = not outward and rng.random() < 0.16
    angle = rng.uniform(30, 60) if aside else rng.uniform(0, 34)
    lean = np.tan(np.radians(angle))
    where = -np.pi / 2 if outward else rng.uniform(0, 2 * np.pi)
    slant = lean * np.array([np.cos(where), np.sin(where)])
    view = View(
        scale=nominal,
        slant=slant + rng.normal(0, CAMERA_TILT_TANGENT, 2) * outward,
        depth=float(rng.uniform(0.0, 0.08)),
        squeeze=_foreshortened(angle, where) if aside else _squeeze(rng),
    )
    style = make_style(rng)
    value = SYMBOL if style.kind == 4 else int(rng.integers(1, 7))
    turn = float(rng.uniform(0, 2 * np.pi))
    label = value
    tilt = None
    shift, log_scale = rng.uniform(-0.14, 0.14, 2), rng.uniform(-0.36, 0.36)
    if what < 0.28:
        degrees = rng.uniform(14, 45)
        tilt = _tilt(rng, degrees)
        label = value if degrees < lenient else LEANING
    elif what < 0.52:  # cut at the wrong place or size
        label = NONE
        if value != SYMBOL and rng.random() < PIP_AS_DIE_SHARE:
            shift, log_scale = _at_a_pip(rng, style, value, turn)
        elif rng.random() < 0.35:
            log_scale = rng.choice([-1, 1]) * rng.uniform(0.6, 1.0)
        if abs(log_scale) < 0.6 or rng.random() < 0.3:
            away = rng.uniform(0, 2 * np.pi)
            shift = rng.uniform(0.36, 1.0) * np.array([np.cos(away), np.sin(away)])
            if rng.random() < 0.4:  # towards the visible side face, where its pips tempt
                shift = -view.slant * rng.uniform(0.4, 1.0) - 0.5 * view.slant / (lean + 1e-6)
    view = View(view.scale * np.exp(log_scale), view.slant, view.depth, view.squeeze)
    middle = np.array([side / 2, side / 2]) - 0.5 + shift * view.scale
    _shadows(rng, canvas, view, middle, turn)
    own = [(np.zeros(2), turn, style, value, tilt)]
    own += _neighbours(rng, style, turn)
    order = (
        rng.permutation(len(own))
        if label == NONE or tilt is not None
        else np.arange(len(own))[::-1]
    )
    quad = np.zeros((4, 2))
    for k in order:
        place, yaw, make, face, lift = own[k]
        corners = draw_die(
            rng, canvas, view, middle, place, yaw, make, face, lift, mirrors=REFLECTING_TOP_SHARE
        )
        if k == 0:
            quad = corners
    if rng.random() < 0.12:
        hidden = _cover(rng, canvas, quad, nominal)
        if hidden > 0.2 and label != NONE:
            label = COVERED if hidden < 0.8 else NONE
    found = quad.mean(axis=0)
    edge = float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))))
    along = quad[1] - quad[0]
    yaw4 = 4 * np.arctan2(along[1], along[0])
    pose = np.array(
        [
            *((found - (side - 1) / 2) / nominal),
            np.log(max(edge, 1.0) / nominal),
            np.cos(yaw4),
            np.sin(yaw4),
        ],
        dtype=np.float32,
    )
    kind = -1 if label == NONE else style.kind
    return Patch(_develop(rng, canvas, size, label != NONE), label, kind, pose, float(lean))


def _at_a_pip(rng: Generator, style: Style, value: int, turn: float) -> tuple[FloatArray, float]:
    """Where a die lies, in edges, and its size as a logarithm, to show a pip as large as a die."""
    places = pip_places(style, value, bool(rng.integers(2)))
    x, y = places[int(rng.integers(len(places)))]
    c, s = np.cos(turn), np.sin(turn)
    across = 2 * style.radius * (style.make.one_radius if value == 1 else 1.0)
    grown = max(LEAST_GROWN, rng.uniform(*PIP_AS_DIE_SIZE) / across)
    return np.array((s * y - c * x, -s * x - c * y)), float(np.log(grown))


def _foreshortened(degrees: float, where: float) -> FloatArray:
    """The map of a horizontal plane seen from the side, by a camera turned towards it."""
    axis = np.array([np.cos(where), np.sin(where)])
    less = 1 - np.cos(np.radians(degrees))
    grown = np.exp(0.35 * less)
    return np.asarray((np.eye(2) - less * np.outer(axis, axis)) * grown, dtype=np.float64)


def _squeeze(rng: Generator) -> FloatArray:
    angle = rng.uniform(0, np.pi)
    axis = np.array([np.cos(angle), np.sin(angle)])
    less = rng.uniform(0, 0.16)
    return np.asarray(np.eye(2) - less * np.outer(axis, axis), dtype=np.float64)


def _tilt(rng: Generator, degrees: float) -> FloatArray:
    about = rng.uniform(0, 2 * np.pi)
    vector = np.radians(degrees) * np.array([np.cos(about), np.sin(about), 0.0])
    return rotation_of(vector)


def _neighbours(
    rng: Generator, style: Style, turn: float
) -> list[tuple[FloatArray, float, Style, int, FloatArray | None]]:
    """Dice beside the middle one; some of the same make, some in a row with it."""
    out: list[tuple[FloatArray, float, Style, int, FloatArray | None]] = []
    for _ in range(int(rng.choice(3, p=[0.55, 0.3, 0.15]))):
        same = style if rng.random() < 0.5 else make_style(rng)
        if rng.random() < 0.35:
            yaw = turn
            place = np.array([np.cos(yaw), np.sin(yaw)]) * rng.uniform(1.01, 1.06)
            if rng.random() < 0.5:
                place = np.array([-place[1], place[0]])
            place = place * rng.choice([-1, 1])
        else:
            yaw = float(rng.uniform(0, 2 * np.pi))
            where = rng.uniform(0, 2 * np.pi)
            place = rng.uniform(1.28, 1.7) * np.array([np.cos(where), np.sin(where)])
        if any(np.hypot(*(place - other[0])) < 1.2 for other in out):
            continue
        value = SYMBOL if same.kind == 4 else int(rng.integers(1, 7))
        out.append((place, yaw, same, value, None))
    return out


def _clutter(rng: Generator, canvas: Float32Array) -> None:
    """What may pass for dice: lone spots, rows of spots, coins, letters, bars, highlights."""
    side = canvas.shape[0]
    for _ in range(int(rng.integers(0, 4))):
        what = int(rng.integers(6))
        colour = rng.uniform(0, 1, 3).tolist()
        x, y = (int(v) for v in rng.uniform(0.1 * side, 0.9 * side, 2))
        if what == 0:
            for _ in range(int(rng.integers(1, 9))):
                at = (rng.uniform(0, side, 2) * 16).astype(int)
                size = int(rng.uniform(2, 9) * 16)
                cv2.circle(canvas, (int(at[0]), int(at[1])), size, colour, -1, cv2.LINE_AA, 4)
        elif what == 1:
            cv2.circle(canvas, (x, y), int(rng.uniform(10, 45)), colour, -1, cv2.LINE_AA)
        elif what == 2:
            text = "".join(chr(int(c)) for c in rng.integers(48, 91, int(rng.integers(1, 5))))
            cv2.putText(
                canvas,
                text,
                (x - 30, y),
                int(rng.integers(0, 5)),
                float(rng.uniform(0.5, 2.5)),
                colour,
                int(rng.integers(1, 6)),
                cv2.LINE_AA,
            )
        elif what == 3:
            points = rng.normal([x, y], 25, (int(rng.integers(3, 6)), 2)).astype(np.int32)
            cv2.fillConvexPoly(canvas, cv2.convexHull(points), colour, cv2.LINE_AA)
        elif what == 4:
            axis = np.arange(side)
            wide = rng.uniform(4, 30)
            bump = np.exp(-((axis[:, None] - y) ** 2 + (axis[None] - x) ** 2) / (2 * wide**2))
            canvas += ((1 - canvas) * (bump * rng.uniform(0.3, 1))[..., None]).astype(np.float32)
        else:
            end = rng.uniform(0, side, 2).astype(int)
            cv2.line(canvas, (x, y), (int(end[0]), int(end[1])), colour, int(rng.integers(1, 14)))


def _shadows(
    rng: Generator, canvas: Float32Array, view: View, middle: FloatArray, turn: float
) -> None:
    """Shadows of the middle die from up to three lamps, near or far, large or small."""
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    ground = 0.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ spin.T
    for _ in range(int(rng.choice(4, p=(0.2, 0.5, 0.2, 0.1)))):
        away = rng.normal(0, rng.choice((0.2, 0.4, 0.7)), 2)
        points = np.concatenate([ground, ground + away])
        flat = view.project(np.column_stack([points, np.zeros(8)]), middle)
        mask = np.zeros(canvas.shape[:2], dtype=np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(flat.astype(np.int32)), 255, cv2.LINE_AA)
        soft = view.scale * rng.choice((0.05, 0.25)) * rng.random() + 0.5
        weight = cv2.GaussianBlur(mask, (0, 0), soft).astype(np.float32)
        canvas *= 1 - (weight / 255 * rng.uniform(0.1, 0.8))[..., None]


def _cover(rng: Generator, canvas: Float32Array, quad: FloatArray, nominal: float) -> float:
    """Lays a card or a finger over the patch; returns how much of the top it hides."""
    angle = rng.uniform(0, 2 * np.pi)
    normal = np.array([np.cos(angle), np.sin(angle)])
    start = rng.uniform(0.1, 0.9) * nominal
    side = canvas.shape[0]
    axis = np.arange(side)
    u = normal[0] * (axis[None] - side / 2) + normal[1] * (axis[:, None] - side / 2)
    mask = u > start
    colour = rng.uniform(0, 1, 3)
    if rng.random() < 0.5:
        colour = np.array([0.45, 0.6, 0.85]) * rng.uniform(0.3, 1.1)
    top = np.zeros((side, side), dtype=np.uint8)
    cv2.fillConvexPoly(top, quad.astype(np.int32), 1)
    canvas[mask] = np.clip(colour, 0, 1)
    return float((mask & (top > 0)).sum() / max(1, int(top.sum())))


def _in_the_sun(rng: Generator, picture: Float32Array) -> Float32Array:
    """Hard shadows across everything, as of a window's bars, a branch or a hand; the rest burns."""
    side = picture.shape[0]
    shade = np.zeros((side, side), np.uint8)
    if rng.random() < 0.5:
        angle = rng.uniform(0, np.pi)
        axis = np.arange(side) / side - 0.5
        u = np.cos(angle) * axis[:, None] + np.sin(angle) * axis[None] + rng.uniform(-0.4, 0.4)
        wide = rng.uniform(0.05, 0.6)
        shade[np.abs((u + 2) % (wide * rng.uniform(1.5, 3)) - wide / 2) < wide / 2] = 255
    else:
        points = rng.normal(rng.uniform(0, side, 2), 0.45 * side, (int(rng.integers(3, 9)), 2))
        cv2.fillPoly(shade, [points.astype(np.int32)], 255, cv2.LINE_AA)
    soft = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.4, 3.0))).astype(np.float32) / 255
    lit = picture * np.float32(rng.uniform(1.0, 1.5))
    # What only the sky lights is bluer.
    dark = np.float32(rng.uniform(0.15, 0.6)) * np.array((1.15, 1.0, 0.95), np.float32)
    return np.asarray(lit * (1 - (1 - dark) * soft[..., None]), np.float32)


def _through_glass(rng: Generator, picture: Float32Array) -> Float32Array:
    """A veil of what a pane reflects, or a frosted pane that blurs what is farther from it."""
    side = picture.shape[0]
    if rng.random() < 0.5:
        axis = np.arange(side, dtype=np.float32) / side - 0.5
        away = np.hypot(axis[:, None], axis[None]) - np.float32(rng.uniform(0.05, 0.2))
        blurred = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(2, 7)))
        share = np.clip(away * np.float32(rng.uniform(4, 20)), 0, 1)[..., None]
        picture = np.asarray(picture + (blurred - picture) * share, np.float32)
    tone = np.clip(rng.uniform(0.3, 0.95) + rng.normal(0, 0.05, 3), 0, 1).astype(np.float32)
    veil = (rng.uniform(0.05, 0.45) * (0.5 + smooth_noise(rng, side, 3, 3)))[..., None]
    return np.asarray(picture + (tone - picture) * np.clip(veil, 0, 0.6), np.float32)


def _develop(
    rng: Generator, canvas: Float32Array, size: int, keep_readable: bool
) -> NDArray[np.uint8]:
    """Light, lens and sensor: from the drawn scene to 8 bits at the size of a patch."""
    picture = np.asarray(canvas, dtype=np.float32)
    if rng.random() < 0.12:
        picture = _in_the_sun(rng, picture)
    elif rng.random() < 0.25:  # a shadow's edge, or light falling off
        side = picture.shape[0]
        axis = np.arange(side, dtype=np.float32) / side - 0.5
        angle = rng.uniform(0, 2 * np.pi)
        u = np.cos(angle) * axis[:, None] + np.sin(angle) * axis[None] - rng.normal(0, 0.15)
        edge = 1 / (1 + np.exp(-u * rng.uniform(4, 60)))
        picture = picture * (1 - rng.uniform(0.1, 0.7) * edge)[..., None].astype(np.float32)
    gains = np.exp(rng.normal(0, 0.08, 3)) * np.exp(rng.normal(0, 0.18))
    picture = np.clip(picture * gains, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.15:
        picture = picture * np.float32(rng.uniform(0.25, 0.7))
    if rng.random() < 0.06:
        picture = _through_glass(rng, picture)
    sigma = float(rng.uniform(0.3, 2.2 if keep_readable else 3.0))
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    small = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.25:  # sharpened by the camera
        soft = cv2.GaussianBlur(small, (0, 0), 1.0)
        small = small + (small - soft) * np.float32(rng.uniform(0.3, 1.2))
    noise = rng.normal(0, rng.uniform(0, 0.04), small.shape)
    out = np.clip((small + noise) * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))]
        out = cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(out, dtype=np.uint8)

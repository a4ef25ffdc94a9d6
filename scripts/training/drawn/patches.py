"""Training patches: small scenes with exact labels, some of which show no face."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.training.drawn.drawing import View, draw_die
from scripts.training.drawn.floors import draw_floor
from scripts.training.drawn.makes import Generator
from scripts.training.drawn.staging import (
    add_clutter,
    cast_shadows,
    develop,
    foreshortened,
    lay_cover,
    squeezed,
    tilted,
)
from scripts.training.drawn.styles import SYMBOL, Style, make_style
from scripts.training.drawn.textures import pip_places
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
        add_clutter(rng, canvas)
        return Patch(develop(rng, canvas, size, False), NONE, -1, np.zeros(5, np.float32))
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
        squeeze=foreshortened(angle, where) if aside else squeezed(rng),
    )
    style = make_style(rng)
    value = SYMBOL if style.kind == 4 else int(rng.integers(1, 7))
    turn = float(rng.uniform(0, 2 * np.pi))
    label = value
    tilt = None
    shift, log_scale = rng.uniform(-0.14, 0.14, 2), rng.uniform(-0.36, 0.36)
    if what < 0.28:
        degrees = rng.uniform(14, 45)
        tilt = tilted(rng, degrees)
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
    cast_shadows(rng, canvas, view, middle, turn)
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
        hidden = lay_cover(rng, canvas, quad, nominal)
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
    return Patch(develop(rng, canvas, size, label != NONE), label, kind, pose, float(lean))


def _at_a_pip(rng: Generator, style: Style, value: int, turn: float) -> tuple[FloatArray, float]:
    """Where a die lies, in edges, and its size as a logarithm, to show a pip as large as a die."""
    places = pip_places(style, value, bool(rng.integers(2)))
    x, y = places[int(rng.integers(len(places)))]
    c, s = np.cos(turn), np.sin(turn)
    across = 2 * style.radius * (style.make.one_radius if value == 1 else 1.0)
    grown = max(LEAST_GROWN, rng.uniform(*PIP_AS_DIE_SIZE) / across)
    return np.array((s * y - c * x, -s * x - c * y)), float(np.log(grown))


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

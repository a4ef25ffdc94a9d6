"""How each drawn die is made: its colours, pips and edges, of all kinds."""

from dataclasses import dataclass, replace

import numpy as np

from scripts.training.drawn.makes import SMALL_PIP_RADIUS, Generator, Make, hsv, ivory, random_make
from vision.image.arrays import FloatArray

TEXTURE = 64
"""Side of the picture of a face, pixels."""
SYMBOL = 7
"""Stands for a face with a symbol in place of pips."""
PLAIN = Make()
PATTERNED_SHARE = {5: 0.5, 2: 0.2, 1: 0.12, 0: 0.12, 3: 0.12}
"""Share of the dice of each kind whose bodies are not of one colour; other makers' most often."""


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """How one die is made. Colours are BGR, 0 to 1.

    Attributes:
        kind: index into `KINDS`.
        body: colour of the body.
        pip: colour of the pips.
        radius: pip radius, edges.
        spread: distance of outer pips from the middle, edges.
        corner: radius of the rounded corners of a face, edges.
        translucent: how much of the bottom face's pips shines through, 0 to 1.
        gloss: strength of reflections, 0 to 1.
        print_strength: strength of lettering around the pips, 0 for none.
        make: what else its maker does.
    """

    kind: int
    body: FloatArray
    pip: FloatArray
    radius: float
    spread: float
    corner: float
    translucent: float
    gloss: float
    print_strength: float
    make: Make = PLAIN


KINDS = ("black", "red", "white", "yellow", "power", "other")


def make_style(rng: Generator, kind: int | None = None) -> Style:
    """A style of one kind, or of any."""
    if kind is None:
        kind = int(rng.choice(6, p=[0.22, 0.18, 0.16, 0.07, 0.1, 0.27]))
    style = _plain_style(rng, kind)
    small = kind != 4 and rng.random() < 0.15
    return replace(
        style,
        radius=float(rng.uniform(*SMALL_PIP_RADIUS)) if small else style.radius,
        make=random_make(rng, PATTERNED_SHARE.get(kind, 0.0)),
    )


def _plain_style(rng: Generator, kind: int) -> Style:
    """A style of one kind, its body of one colour, its pips all alike."""
    white = np.clip(rng.uniform(0.72, 1.0) + rng.normal(0, 0.03, 3), 0, 1)
    dark = np.clip(rng.uniform(0.02, 0.16) + rng.normal(0, 0.012, 3), 0.01, 1)
    translucent = 0.0
    pip = white
    if kind == 0:
        body = np.clip(rng.uniform(0.03, 0.26) + rng.normal(0, 0.015, 3), 0.01, 1)
    elif kind == 1:
        body = hsv(rng.uniform(-9, 9), rng.uniform(0.6, 1.0), rng.uniform(0.35, 0.95))
        translucent = float(rng.uniform(0.05, 0.5)) if rng.random() < 0.4 else 0.0
    elif kind == 2:
        body = np.clip(rng.uniform(0.7, 1.0) * np.array([rng.uniform(0.72, 1), 0.97, 1]), 0, 1)
        if rng.random() < 0.4:
            body = ivory(rng)
        pip = dark
    elif kind == 3:
        body = hsv(rng.uniform(42, 62), rng.uniform(0.6, 1.0), rng.uniform(0.65, 1.0))
        pip = dark
    elif kind == 4:
        body = hsv(rng.uniform(200, 240), rng.uniform(0.65, 1.0), rng.uniform(0.4, 1.0))
    else:
        body, pip = _foreign(rng, white, dark)
        translucent = float(rng.uniform(0.05, 0.5)) if rng.random() < 0.3 else 0.0
    clear = rng.random() < (0.55 if kind == 1 else 0.4)
    if kind in (1, 5) and clear:  # as thrown in casinos: sharp, clear, large pips
        if kind == 5 and rng.random() < 0.7:
            body, pip = hsv(rng.uniform(95, 260), 0.85, rng.uniform(0.1, 0.6)), white
        return Style(
            kind=kind,
            body=body,
            pip=white if kind == 1 else pip,
            radius=float(rng.uniform(0.115, 0.176)),
            spread=float(rng.uniform(0.25, 0.345)),
            corner=float(rng.uniform(0.0, 0.05)),
            translucent=float(rng.uniform(0.1, 0.9)),
            gloss=float(rng.random() ** 2),
            print_strength=float(rng.uniform(0.2, 1.0)) if rng.random() < 0.85 else 0.0,
        )
    return Style(
        kind=kind,
        body=body,
        pip=pip,
        radius=float(rng.uniform(0.072, 0.135)),
        spread=float(rng.uniform(0.2, 0.29)),
        corner=float(rng.uniform(0.0, 0.3) if rng.random() < 0.85 else rng.uniform(0.3, 0.45)),
        translucent=translucent,
        gloss=float(rng.random() ** 2),
        print_strength=float(rng.uniform(0.2, 0.8)) if translucent and rng.random() < 0.5 else 0.0,
    )


def _foreign(rng: Generator, white: FloatArray, dark: FloatArray) -> tuple[FloatArray, FloatArray]:
    which = int(rng.integers(7))
    if which == 0:  # black, grey or brown with red pips, or with other coloured ones
        pip = hsv(rng.uniform(-10, 10) if rng.random() < 0.6 else rng.uniform(20, 330), 0.8, 0.75)
        tint = np.clip(rng.normal(1, 0.08, 3), 0.7, 1.3)
        return np.clip(rng.uniform(0.04, 0.35) * tint, 0, 1), pip * rng.uniform(0.6, 1.2)
    if which == 1:  # brown, bronze, orange, olive with black pips
        return hsv(rng.uniform(15, 60), rng.uniform(0.3, 0.9), rng.uniform(0.25, 0.7)), dark
    if which == 2:  # any two colours that differ
        return _two_colours(rng)
    if which == 3 and rng.random() < 0.5:  # pale with coloured pips
        return np.full(3, rng.uniform(0.75, 1.0)), hsv(rng.uniform(-10, 240), 0.8, 0.6)
    if which == 4:  # blue, green, violet, red with golden, yellow, red or silver pips
        body = hsv(rng.uniform(90, 370), rng.uniform(0.5, 1.0), rng.uniform(0.15, 0.8))
        hue = rng.uniform(38, 58) if rng.random() < 0.6 else rng.uniform(-10, 10)
        pip = hsv(hue, rng.uniform(0.3, 0.9), rng.uniform(0.6, 1.0))
        return (body, pip) if differ(body, pip) else (body, white)
    return hsv(rng.uniform(75, 330), rng.uniform(0.45, 1.0), rng.uniform(0.2, 0.9)), white


def _two_colours(rng: Generator) -> tuple[FloatArray, FloatArray]:
    while True:
        body, pip = (
            hsv(rng.uniform(0, 360), rng.uniform(0.3, 1.0), rng.uniform(0.15, 0.95))
            for _ in range(2)
        )
        if differ(body, pip):
            return body, pip


def differ(one: FloatArray, other: FloatArray) -> bool:
    """True if people would tell pips of one colour from a body of the other."""
    return float(np.abs(one - other).max()) > 0.3

"""Prints of makers on faces, beside the pips or in place of them."""

from collections.abc import Callable

import cv2
import numpy as np

from scripts.training.drawn.makes import Generator
from scripts.training.drawn.styles import TEXTURE, Style
from vision.frame import Image
from vision.image.arrays import Float32Array, FloatArray


def draw_lettering(rng: Generator, out: Float32Array, style: Style, face: int) -> None:
    """Draws a maker's print beside the pips: most often where a face has room for it."""
    ink = np.zeros((TEXTURE, TEXTURE), dtype=np.uint8)
    if face in _USUAL and rng.random() < 0.7:
        usual = _USUAL[face]
        usual[int(rng.integers(len(usual)))](rng, ink)
    else:
        (_mark, _logo, _ring, _word)[int(rng.choice(4, p=(0.2, 0.2, 0.25, 0.35)))](rng, ink)
    if rng.random() < 0.5:  # it may lie any way round
        ink = np.asarray(np.rot90(ink, int(rng.integers(1, 4))), dtype=np.uint8)
    weight = ink.astype(np.float32)[..., None] / 255 * style.print_strength
    out[..., :3] += (style.pip - out[..., :3]).astype(np.float32) * weight


def _letters(rng: Generator, count: int) -> str:
    return "".join(chr(int(c)) for c in rng.integers(65, 91, count))


def _mark(rng: Generator, ink: Image) -> None:
    """A maker's mark where the third pip of a 2 would be: a letter, or two in one."""
    size, thick = float(rng.uniform(0.6, 1.3)), int(rng.integers(1, 6))
    for letter in _letters(rng, 1 if rng.random() < 0.6 else 2):
        where = _write(ink, letter, size, thick)
        if thick > 3 and rng.random() < 0.5:  # only the outline
            cv2.putText(ink, letter, where, cv2.FONT_HERSHEY_SIMPLEX, size, 0, thick - 3)


def _logo(rng: Generator, ink: Image) -> None:
    """A maker's picture in the middle: linked loops, a letter in a badge, a star."""
    n = TEXTURE
    size, thick = float(rng.uniform(0.09, 0.2)) * n, int(rng.integers(2, 7))
    turn, flat = float(rng.uniform(0, 180)), float(rng.uniform(0.6, 1.0))
    which = rng.random()
    axis = np.array((np.cos(np.radians(turn)), np.sin(np.radians(turn))))
    if which < 0.6:
        apart = axis * size * rng.uniform(0.6, 1.1)
        shapes = [
            (n / 2 + sign * apart, (size, size * flat), float(rng.uniform(200, 360)))
            for sign in (-1, 1)
        ]
    else:
        shapes = [(np.full(2, n / 2), (1.5 * size, 1.5 * size * flat), 360.0)]
    for middle, reach, arc in shapes:
        start = float(rng.uniform(0, 360))
        for wide, tone in ((thick, 255), (thick - 3, int(rng.choice((0, 110, 255))))):
            if wide > 0:
                at = (round(float(middle[0])), round(float(middle[1])))
                half = (round(reach[0]), round(reach[1]))
                cv2.ellipse(ink, at, half, turn, start, start + arc, tone, wide, cv2.LINE_AA)
    if which >= 0.8:
        _star(ink, 5, 0.45 * size, size, rng.uniform(0, 2 * np.pi))
    elif which >= 0.6:
        _letter(rng, ink, size)


def _write(
    ink: Image, text: str, size: float, thick: int, font: int = cv2.FONT_HERSHEY_SIMPLEX
) -> tuple[int, int]:
    """Writes letters in the middle of a face; returns where they begin."""
    (w, h), _ = cv2.getTextSize(text, font, size, thick)
    where = (TEXTURE - w) // 2, (TEXTURE + h) // 2
    cv2.putText(ink, text, where, font, size, 255, thick, cv2.LINE_AA)
    return where


def _letter(rng: Generator, ink: Image, size: float) -> None:
    _write(ink, _letters(rng, 1), size / 12, int(rng.integers(1, 4)))


def _star(ink: Image, spikes: int, inner: float, outer: float, turn: float = 0.0) -> None:
    angle = np.arange(2 * spikes) * np.pi / spikes + turn
    radius = np.where(np.arange(2 * spikes) % 2, inner, outer)
    points = np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None] + TEXTURE / 2
    cv2.fillPoly(ink, [points.astype(np.int32)], 255, cv2.LINE_AA)


def _ring(rng: Generator, ink: Image) -> None:
    """Letters round the middle, as on the 1 of many casino dice."""
    reach, count = rng.uniform(11, 23), int(rng.integers(8, 16))
    size, thick = float(rng.uniform(0.28, 0.5)), int(rng.integers(1, 4))
    for k in range(count):
        angle = 2 * np.pi * k / count
        at = (int(30 + reach * np.cos(angle)), int(34 + reach * np.sin(angle)))
        letter = _letters(rng, 1)
        cv2.putText(ink, letter, at, cv2.FONT_HERSHEY_SIMPLEX, size, 255, thick, cv2.LINE_AA)


def _word(rng: Generator, ink: Image) -> None:
    """A word anywhere."""
    size = float(rng.uniform(0.4, 1.0))
    where = (int(rng.integers(4, 24)), int(rng.integers(24, 48)))
    word = _letters(rng, int(rng.integers(1, 6)))
    cv2.putText(ink, word, where, cv2.FONT_HERSHEY_SIMPLEX, size, 255, 2, cv2.LINE_AA)


def _between(rng: Generator, ink: Image) -> None:
    """A name or number between the two rows of a 6."""
    size, thick = float(rng.uniform(0.35, 0.75)), int(rng.integers(1, 4))
    word = "".join(chr(int(c)) for c in rng.integers(48, 91, int(rng.integers(2, 5))))
    _write(ink, word, size, thick)


_USUAL: dict[int, tuple[Callable[[Generator, Image], None], ...]] = {
    1: (_ring,),
    2: (_mark, _logo),
    3: (_logo,),
    6: (_between,),
}
"""The most frequent prints beside the pips of a face."""


def draw_symbol(rng: Generator, out: Float32Array, colour: FloatArray) -> None:
    """A digit, a letter, a star or another symbol in place of pips."""
    ink = np.zeros((TEXTURE, TEXTURE), dtype=np.uint8)
    n = TEXTURE
    which = int(rng.integers(6))
    if which <= 1:
        font = int(rng.integers(0, 8)) + 16 * int(rng.integers(2))
        text = str(rng.choice(["1", "2", "3", "P", "x2", "D", "F", "P3", "A", "W", "III", "VI"]))
        thick = int(rng.integers(3, 9))
        size = float(rng.uniform(1.0, 1.9)) * (0.65 if len(text) > 1 else 1)
        _write(ink, text, size, thick, font)
    elif which == 2:  # star or sun
        _star(ink, int(rng.integers(4, 11)), rng.uniform(5, 14), rng.uniform(15, 24))
    elif which == 3:  # snowflake, anchor: strokes
        arms = int(rng.integers(3, 7))
        for k in range(arms):
            tip = (
                int(n / 2 + 22 * np.cos(2 * np.pi * k / arms)),
                int(n / 2 + 22 * np.sin(2 * np.pi * k / arms)),
            )
            cv2.line(ink, (n // 2, n // 2), tip, 255, int(rng.integers(3, 7)), cv2.LINE_AA)
    elif which == 4:  # overlapping boxes
        for dx in (-7, 7):
            corner = (n // 2 - 11 + dx, n // 2 - 11 + dx)
            far = (n // 2 + 11 + dx, n // 2 + 11 + dx)
            cv2.rectangle(ink, corner, far, 255, -1 if rng.random() < 0.5 else 4)
    else:  # bolt, sails: a random polygon
        points = rng.normal(n / 2, 13, (int(rng.integers(4, 8)), 2))
        cv2.fillPoly(ink, [points.astype(np.int32)], 255, cv2.LINE_AA)
    weight = ink.astype(np.float32)[..., None] / 255
    out[..., :3] += (colour - out[..., :3]).astype(np.float32) * weight

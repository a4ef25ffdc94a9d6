"""Floors full of spots: dots, checks, lace, noise, a lit board; every pitch and size, or random."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

DOTS = (3, 4, 5, 6, 8, 10, 12, 16, 20, 24)
PITCHES = (6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 50, 60)
CHECKS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)
Grey = NDArray[np.float32]
Size = tuple[int, int]
Step = TypeVar("Step", int, float)
Draw = Callable[[Size, np.random.Generator], Image]


@dataclass(frozen=True)
class Pattern:
    """A pattern: its family, its name, and a function to draw it in 8 bits, (height, width, 3)."""

    family: str
    name: str
    draw: Draw


def _tinted(light: Grey, rng: np.random.Generator, low: float = 45, high: float = 205) -> Image:
    """A pattern of values from 0 to 1 as grey levels, with camera noise."""
    grey = low + (high - low) * light + rng.normal(0, 2.5, light.shape).astype(np.float32)
    one = np.clip(grey, 0, 255).astype(np.uint8)
    return np.asarray(cv2.merge([one, one, one]), np.uint8)


def _grid(size: Size, angle: float = 0.0) -> tuple[Grey, Grey]:
    y, x = np.mgrid[: size[1], : size[0]].astype(np.float32)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return c * x + s * y, c * y - s * x


def _discs(size: Size, radius: Grey | float, pitch: float, angle: float = 0.0) -> Grey:
    return np.asarray(np.clip(radius - _away(size, pitch, angle) + 0.5, 0, 1), np.float32)


def _away(size: Size, pitch: float, angle: float = 0.0) -> Grey:
    """How far each pixel is from the nearest point of a square grid."""
    x, y = _grid(size, angle)
    away = np.hypot((x + pitch / 2) % pitch - pitch / 2, (y + pitch / 2) % pitch - pitch / 2)
    return np.asarray(away, np.float32)


def _dots(dot: float, pitch: float, angle: float = 0.0, dark: bool = False) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        light = _discs(size, dot / 2, pitch, angle)
        return _tinted(1 - light if dark else light, rng)

    return draw


def _checks(side: float, angle: float = 0.0) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        x, y = _grid(size, angle)
        return _tinted(((x // side + y // side) % 2).astype(np.float32), rng)

    return draw


def _stripes(side: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        return _tinted((_grid(size)[0] // side % 2).astype(np.float32), rng)

    return draw


def _cloth(side: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        x, y = _grid(size)
        light = ((x // side % 2) + (y // side % 2)) / 2
        thread = 0.06 * (np.sin(x * 2.1) + np.sin(y * 2.1))
        return _tinted(np.asarray(light + thread, np.float32), rng)

    return draw


def _lace(pitch: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        rings = (np.abs(_away(size, pitch) - pitch / 3) < pitch / 20) * 1.0
        holes = np.maximum(_discs(size, pitch / 11, pitch / 4), rings)
        return _tinted(np.asarray(1 - holes, np.float32), rng)

    return draw


def _gauze(sigma: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        light = rng.normal(0, 1, (size[1], size[0])).astype(np.float32)
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
        return _tinted(np.clip(0.5 + light / (4 * light.std()), 0, 1), rng, 0, 255)

    return draw


def _halftone(pitch: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        x, y = _grid(size)
        tone = 0.5 + 0.5 * np.sin(x / 90) * np.cos(y / 70)
        return _tinted(_discs(size, np.asarray(tone * pitch * 0.6, np.float32), pitch, 0.4), rng)

    return draw


def _confetti(count: int, least: float, most: float) -> Draw:
    def draw(size: Size, rng: np.random.Generator) -> Image:
        picture = _tinted(np.full((size[1], size[0]), 0.3, np.float32), rng)
        share = size[0] * size[1] / (1536 * 864)
        for _ in range(round(count * share)):
            middle = (int(rng.integers(size[0])), int(rng.integers(size[1])))
            colour = [int(v) for v in rng.integers(0, 256, 3)]
            cv2.circle(picture, middle, round(rng.uniform(least, most)), colour, -1, cv2.LINE_AA)
        return picture

    return draw


def _board(pitch: int, share: float) -> Draw:
    """A scoreboard of 64 x 16 lights in the middle of a plain floor."""

    def draw(size: Size, rng: np.random.Generator) -> Image:
        picture = _tinted(np.full((size[1], size[0]), 0.35, np.float32), rng)
        left, top = (size[0] - 64 * pitch) // 2, (size[1] - 16 * pitch) // 2
        cv2.rectangle(picture, (left, top), (left + 64 * pitch, top + 16 * pitch), (12,) * 3, -1)
        for row, column in np.argwhere(rng.random((16, 64)) < share).tolist():
            middle = (left + column * pitch + pitch // 2, top + row * pitch + pitch // 2)
            cv2.circle(picture, middle, max(1, pitch // 3), (60, 70, 250), -1, cv2.LINE_AA)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)

    return draw


def patterns(fine: bool = False) -> Iterator[Pattern]:
    """All patterns of the tables, or every second size and pitch."""

    def some(sizes: Sequence[Step]) -> Sequence[Step]:
        return sizes if fine else sizes[1::2]

    for dot in some(DOTS):
        for pitch in (p for p in some(PITCHES) if p > dot):
            yield Pattern("dots", f"dots {dot} every {pitch}", _dots(dot, pitch))
            yield Pattern("dark dots", f"dark {dot} every {pitch}", _dots(dot, pitch, dark=True))
    for side in some(CHECKS):
        yield Pattern("checks", f"checks {side}", _checks(side))
        yield Pattern("stripes", f"stripes {side}", _stripes(side))
        yield Pattern("checked cloth", f"cloth {side}", _cloth(side))
    for pitch in some((16, 24, 32, 48, 64, 96)):
        yield Pattern("lace", f"lace {pitch}", _lace(pitch))
    for sigma in some((0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 2.5, 3.0, 4.0, 6.0)):
        yield Pattern("gauze, noise", f"noise {sigma}", _gauze(sigma))
    for pitch in some((6, 8, 10, 12, 16, 20, 24, 32)):
        yield Pattern("halftone", f"halftone {pitch}", _halftone(pitch))
    for count in some((200, 500, 1000, 2000, 5000, 20000)):
        yield Pattern("confetti", f"confetti {count}", _confetti(count, 2.5, 9))
    for pitch in (5, 6, 8, 10, 12, 14, 17, 20):
        for share in (0.2, 0.5, 1.0):
            yield Pattern("lit board", f"board {pitch}, {share:.0%} lit", _board(pitch, share))


def drawn_at_random(count: int, seed: int) -> Iterator[Pattern]:
    """Random patterns, to search for the worst."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        pitch, angle = float(rng.uniform(6, 60)), float(rng.uniform(0, np.pi / 2))
        dot = float(rng.uniform(0.25, 0.95)) * pitch
        least = float(rng.uniform(2, 8))
        many = round(10 ** rng.uniform(2.5, 4))
        dots = Pattern(
            "random",
            f"dots {dot:.1f} every {pitch:.1f} at {angle:.2f}",
            _dots(dot, pitch, angle, bool(rng.random() < 0.5)),
        )
        checks = Pattern(
            "random", f"checks {pitch / 2:.1f} at {angle:.2f}", _checks(pitch / 2, angle)
        )
        confetti = Pattern(
            "random",
            f"confetti {many} of {least:.1f} up",
            _confetti(many, least, least * float(rng.uniform(1, 2.5))),
        )
        yield (dots, checks, confetti)[int(rng.choice(3, p=(0.6, 0.15, 0.25)))]

"""Floors for drawn dice: plain, wood, cloth, felt, leather, carpet, denim, cardboard, checks."""

from collections.abc import Callable

import cv2
import numpy as np

from scripts.training.drawn.makes import Generator, hsv, smooth_noise
from vision.image.arrays import Float32Array

Texture = Callable[[Generator, int], Float32Array]
"""Draws a factor on the colour of a floor, (side, side)."""


def draw_floor(rng: Generator, side: int) -> Float32Array:
    """A floor of (side, side, 3), BGR, 0 to 1."""
    tone = float(rng.choice([rng.uniform(0.02, 0.3), rng.uniform(0.2, 0.98)]))
    base = np.clip(tone + rng.normal(0, 0.03, 3), 0, 1)
    if rng.random() < 0.5:
        base = hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.9), tone)
    canvas = np.empty((side, side, 3), dtype=np.float32)
    canvas[:] = base
    axis = np.arange(side, dtype=np.float32) / side
    slope = rng.normal(0, 0.25, 2)
    canvas *= (1 + (axis[:, None] - 0.5) * slope[0] + (axis[None] - 0.5) * slope[1])[..., None]
    which = rng.random()
    if which < 0.62:
        texture = TEXTURES[int(rng.integers(len(TEXTURES)))]
        canvas *= texture(rng, side)[..., None]
    elif which < 0.7:
        _checks(rng, canvas)
    elif which < 0.78:  # a wall, a rim, the edge of a card
        angle = rng.uniform(0, 2 * np.pi)
        u = np.cos(angle) * (axis[:, None] - 0.5) + np.sin(angle) * (axis[None] - 0.5)
        canvas[u > rng.uniform(0.0, 0.6)] = rng.uniform(0, 1, 3)
    return np.clip(canvas, 0, 1)


def _turned(rng: Generator, side: int) -> tuple[Float32Array, Float32Array]:
    """Coordinates along two directions at right angles, turned by any angle, in sides."""
    axis = np.arange(side, dtype=np.float32) / side
    angle = rng.uniform(0, np.pi)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    along, across = c * axis[None] + s * axis[:, None], c * axis[:, None] - s * axis[None]
    return np.asarray(along, np.float32), np.asarray(across, np.float32)


def _waves(rng: Generator, side: int) -> Float32Array:
    """Cloth, or boards: waves along one direction."""
    u, v = _turned(rng, side)
    bend = rng.uniform(0, 0.05) * np.sin(v * rng.uniform(3, 12))
    wave = np.sin(rng.uniform(10, 120) * (u + bend))
    return np.asarray(1 + rng.uniform(0.02, 0.25) * wave, np.float32)


def _wood(rng: Generator, side: int) -> Float32Array:
    """Veins that bend, some dark, and fine pores along them."""
    u, v = _turned(rng, side)
    bend = smooth_noise(rng, side, 3, 3) * np.float32(rng.uniform(0.05, 0.4))
    veins = np.sin((u + bend) * rng.uniform(15, 90))
    dark = np.abs(veins) ** rng.uniform(1, 8) * rng.uniform(0.03, 0.3)
    pores = rng.normal(0, rng.uniform(0, 0.08), (side, max(2, side // 12))).astype(np.float32)
    long = cv2.resize(pores, (side, side), interpolation=cv2.INTER_LINEAR)
    return np.asarray(1 - dark + long + 0.02 * np.sin(v * 9), np.float32)


def _grain(rng: Generator, side: int) -> Float32Array:
    """Felt, sand, paper: grain of some size."""
    cells = int(rng.choice([side, side // 2, side // 4, side // 8]))
    noise = rng.normal(0, rng.uniform(0.02, 0.25), (cells, cells)).astype(np.float32)
    return np.asarray(1 + cv2.resize(noise, (side, side), interpolation=cv2.INTER_LINEAR))


def _weave(rng: Generator, side: int) -> Float32Array:
    """Canvas, linen, denim: threads that cross, those of one direction paler."""
    u, v = _turned(rng, side)
    rate, twill = rng.uniform(25, 140), float(rng.choice((0.0, 0.5, 1.0)))
    over = np.sin(rate * (u + twill * v)) * np.sin(rate * v)
    uneven = smooth_noise(rng, side, 9, 9) - np.float32(0.5)
    threads = rng.normal(0, 0.05, (side, side)).astype(np.float32)
    return np.asarray(1 + rng.uniform(0.04, 0.35) * over + 0.2 * uneven + threads, np.float32)


def _carpet(rng: Generator, side: int) -> Float32Array:
    """Loops or tufts with dark gaps between them."""
    loop = float(rng.uniform(1.0, 4.5))
    noise = rng.standard_normal((side, side)).astype(np.float32)
    soft = cv2.GaussianBlur(noise, (0, 0), loop)
    tufts = soft / max(float(soft.std()), 1e-6)
    return np.asarray(1 + rng.uniform(0.08, 0.35) * np.clip(tufts, -2, 1.2), np.float32)


def _leather(rng: Generator, side: int) -> Float32Array:
    """Cells with dark creases between them: where two of the nearest points are equally near."""
    count = int(rng.integers(30, 260))
    seeds = np.full((side, side), 255, np.uint8)
    seeds[rng.integers(0, side, count), rng.integers(0, side, count)] = 0
    away = cv2.distanceTransform(seeds, cv2.DIST_L2, 3)
    crease = away / max(float(np.quantile(away, 0.95)), 1e-6)
    return np.asarray(1 + rng.uniform(0.05, 0.3) * (0.5 - crease), np.float32)


def _cardboard(rng: Generator, side: int) -> Float32Array:
    """Faint flutes, and fibres that are darker or paler."""
    u, _ = _turned(rng, side)
    flutes = np.sin(u * rng.uniform(20, 80)) * rng.uniform(0.0, 0.06)
    fibres = np.ones((side, side), np.float32)
    for _ in range(int(rng.integers(5, 50))):
        start = rng.integers(0, side, 2)
        end = start + rng.integers(-9, 10, 2)
        tone = float(1 + rng.normal(0, 0.15))
        cv2.line(fibres, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), tone, 1)
    return np.asarray(fibres + flutes, np.float32)


def _checks(rng: Generator, canvas: Float32Array) -> None:
    """Squares of two colours."""
    u, v = _turned(rng, canvas.shape[0])
    size = rng.uniform(0.15, 1.0)
    square = (np.floor(u / size) + np.floor(v / size)) % 2
    canvas += (rng.uniform(0, 1, 3) - canvas) * (0.7 * square[..., None]).astype(np.float32)


TEXTURES: tuple[Texture, ...] = (
    _waves,
    _wood,
    _grain,
    _grain,
    _weave,
    _carpet,
    _leather,
    _cardboard,
)

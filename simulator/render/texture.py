"""Procedural textures of floors, walls and tables, and their lookup at lists of places.

Textures are pictures that tile seamlessly.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import lru_cache

import cv2
import numpy as np

from simulator.render.pinhole import Vector
from vision.image.arrays import Floats

_FOLDED_COLUMNS = 256


class Border(IntEnum):
    """The continuation of a picture beyond its edges."""

    EDGE = cv2.BORDER_REPLICATE
    REPEAT = cv2.BORDER_WRAP
    NOTHING = cv2.BORDER_CONSTANT


def sample_picture(picture: Floats, x: Floats, y: Floats, border: Border = Border.EDGE) -> Floats:
    """Samples (n, channels) of a picture at columns and rows (n,).

    `cv2.remap` refuses rows longer than 32767, so the places are folded into a block.

    Args:
        picture: (rows, columns, channels).
        x: columns.
        y: rows.
        border: what lies beyond its edges.
    """
    count = len(x)
    rows = max(1, -(-count // _FOLDED_COLUMNS))
    block = np.zeros((2, rows * _FOLDED_COLUMNS), np.float32)
    block[0, :count], block[1, :count] = x, y
    folded = block.reshape(2, rows, _FOLDED_COLUMNS)
    found = cv2.remap(picture, folded[0], folded[1], cv2.INTER_LINEAR, borderMode=int(border))
    return np.asarray(found.reshape(rows * _FOLDED_COLUMNS, -1)[:count], np.float32)


TEXTURE_SIDE_PX = 1024
TEXTURE_SIDE_MM = 320.0
"""The length that a texture covers before it repeats."""


class Surface(StrEnum):
    """The material of a floor, wall or table."""

    FELT = "felt"
    WOOD = "wood"
    LEATHER = "leather"
    PLASTIC = "plastic"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class Material:
    """A surface.

    Attributes:
        surface: what it is made of.
        colour: linear blue green red, 0 to 1.
        roughness: 0.1 shines, 1 is dull.
        seed: chooses the grain.
    """

    surface: Surface
    colour: Vector
    roughness: float = 0.8
    seed: int = 0


def _tiling_noise(rng: np.random.Generator, cells: int, cells_y: int | None = None) -> Floats:
    """Smooth, seamlessly tiling noise of about unit standard deviation, `TEXTURE_SIDE_PX` square.

    The numbers of cells must divide `TEXTURE_SIDE_PX`.
    """
    rows = cells_y or cells
    coarse = rng.standard_normal((rows, cells), dtype=np.float32)
    pad = 2
    wide = np.pad(coarse, pad, mode="wrap")
    size = (
        (cells + 2 * pad) * TEXTURE_SIDE_PX // cells,
        (rows + 2 * pad) * TEXTURE_SIDE_PX // rows,
    )
    big = cv2.resize(wide, size, interpolation=cv2.INTER_CUBIC)
    x, y = pad * TEXTURE_SIDE_PX // cells, pad * TEXTURE_SIDE_PX // rows
    return np.asarray(big[y : y + TEXTURE_SIDE_PX, x : x + TEXTURE_SIDE_PX], np.float32)


def _fractal_noise(rng: np.random.Generator, cells: int, octaves: int) -> Floats:
    total = np.zeros((TEXTURE_SIDE_PX, TEXTURE_SIDE_PX), np.float32)
    for k in range(octaves):
        total += 0.5**k * _tiling_noise(rng, cells * 2**k)
    return total


def _wood_grain(rng: np.random.Generator) -> Floats:
    """Growth rings cut lengthwise, with fine fibres along x."""
    y = np.linspace(0, 2 * np.pi, TEXTURE_SIDE_PX, endpoint=False, dtype=np.float32)[:, None]
    warp = 1.1 * _tiling_noise(rng, 2, 4) + 0.5 * _tiling_noise(rng, 4, 8)
    rings = np.sin(7 * y + 2.2 * warp)
    rings = np.sign(rings) * np.abs(rings) ** 0.7
    fibres = _tiling_noise(rng, 16, 256) + 0.6 * _tiling_noise(rng, 32, 512)
    return np.asarray(1 + 0.13 * rings + 0.055 * fibres + 0.05 * warp, np.float32)


@lru_cache(maxsize=12)
def make_texture(surface: Surface, seed: int) -> Floats:
    """Brightness (about 1) and slopes of a surface.

    Returns:
        `TEXTURE_SIDE_PX` square, 3 deep: factor on the colour; rise to the right and down
            (tangents).
    """
    rng = np.random.default_rng((seed, sum(surface.value.encode())))
    factor: Floats
    slopes: Floats = np.zeros((2, TEXTURE_SIDE_PX, TEXTURE_SIDE_PX), np.float32)
    match surface:
        case Surface.FELT:
            fluff = _tiling_noise(rng, 256) + 0.8 * _tiling_noise(rng, 512)
            factor = 1 + 0.07 * _fractal_noise(rng, 8, 4) + 0.05 * fluff
            slopes = np.stack([0.10 * _tiling_noise(rng, 256), 0.10 * _tiling_noise(rng, 256)])
        case Surface.WOOD:
            factor = _wood_grain(rng)
            fibres = _tiling_noise(rng, 16, 256)
            slopes = np.stack([0.0 * fibres, 0.03 * fibres])
        case Surface.LEATHER:
            bumps = np.abs(_tiling_noise(rng, 256)) + 0.5 * np.abs(_tiling_noise(rng, 512))
            factor = 1 + 0.05 * _fractal_noise(rng, 8, 3) - 0.10 * (bumps < 0.25)
            slopes = np.stack([np.gradient(bumps, axis=1), np.gradient(bumps, axis=0)]) * 0.22
        case Surface.CHECK:
            step = TEXTURE_SIDE_PX // 8
            rows, columns = np.indices((TEXTURE_SIDE_PX, TEXTURE_SIDE_PX)) // step % 2
            squares = rows + columns
            weave = 1 + 0.06 * _tiling_noise(rng, 512) + 0.03 * _fractal_noise(rng, 8, 3)
            factor = np.choose(squares, (0.2, 0.6, 1.0)) * weave
        case Surface.PLASTIC:
            factor = 1 + 0.02 * _fractal_noise(rng, 4, 3)
            slopes = np.stack([0.01 * _tiling_noise(rng, 256), 0.01 * _tiling_noise(rng, 256)])
    stacked = np.stack([np.clip(factor, 0.03, None), slopes[0], slopes[1]], axis=-1)
    return np.ascontiguousarray(stacked, np.float32)


@lru_cache(maxsize=24)
def _mipmap(surface: Surface, seed: int, level: int) -> Floats:
    """The texture at 1 / 2**level of its resolution, averaged within each pixel."""
    full = make_texture(surface, seed)
    side = TEXTURE_SIDE_PX >> level
    return np.asarray(cv2.resize(full, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def sample_material(
    material: Material, u: Floats, v: Floats, pixel_mm: float = 0.0
) -> tuple[Floats, Floats]:
    """A material at places on its surface.

    Args:
        material: the material.
        u: millimetres along the surface, (n,).
        v: millimetres across it, (n,).
        pixel_mm: size of a pixel on the surface; finer grain than that is smoothed away.

    Returns:
        colours (n, 3) and slopes (n, 2).
    """
    fine = max(pixel_mm * TEXTURE_SIDE_PX / TEXTURE_SIDE_MM, 1.0)
    level = min(4, round(float(np.log2(fine))))
    tile = _mipmap(material.surface, material.seed, level)
    scale, side = (TEXTURE_SIDE_PX >> level) / TEXTURE_SIDE_MM, TEXTURE_SIDE_PX >> level
    columns, rows = u * scale, v * scale
    for places in (columns, rows):
        # Several times faster than np.mod, and as exact: the side is a power of two.
        places -= np.floor(places / side) * side
    found = sample_picture(tile, columns, rows, Border.REPEAT)
    colours = found[:, :1] * np.array(material.colour, np.float32)
    if material.surface is Surface.CHECK:
        # Dyed and undyed threads cross: dyed squares, undyed ones, and those that are half of each.
        undyed = np.clip((found[:, :1] - 0.2) / 0.8, 0, 1)
        dyed = np.array(material.colour, np.float32) * (found[:, :1] / (0.2 + 0.8 * undyed))
        colours = dyed * (1 - undyed) + undyed * np.float32(0.62)
    return colours, found[:, 1:]

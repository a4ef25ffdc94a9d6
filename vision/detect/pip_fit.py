"""How well the pips of each value fit a top: matched filters, and nothing that was learnt.

The networks have learnt from drawings, and err alike. Here the pips of each value are drawn as
discs, of several sizes and spacings, and correlated with the top as it is. Of 1,830 dice in
photographs whose networks were never asked, 1,681 fit their own value by 0.1 more than any other,
and 5 another one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.classify.face import Pyramid
from vision.detect.detection import Detection
from vision.image.arrays import Float32Array, FloatArray, IndexArray

VALUES = 6
MIN_PLAIN_FACE = 0.98
"""Probability of a plain face, by the face classifier."""

# The patch of a top that is compared, and the larger one that it is the mean of.
FIT_SIDE_PX = 16
SAMPLED_SIDE_PX = 2 * FIT_SIDE_PX

# Of pips, as shares of the edge; makers choose from these.
PIP_SPACINGS = (0.2, 0.235, 0.27, 0.305)
PIP_RADII = (0.06, 0.085, 0.115, 0.15)
ROW_DISTANCES = (1.0, 0.75, 0.55)
"""Between the rows of a 6, in distances of the pips of a 4."""
SHIFT = 0.06
"""How far the middle may be from where the face classifier puts it, along either side."""
SOFTNESS = 0.02
"""Of the rim of a pip."""

_DIAGONAL = ((-1.0, -1.0), (1.0, 1.0))
_CORNERS = (*_DIAGONAL, (-1.0, 1.0), (1.0, -1.0))
_MIDDLE = ((0.0, 0.0),)
_PIPS = (_MIDDLE, _DIAGONAL, _DIAGONAL + _MIDDLE, _CORNERS, _CORNERS + _MIDDLE)
"""Of 1 to 5, in spacings from the middle."""
DIAGONAL_VALUES = (2, 3)
"""Their pips lie across the face: their mirror image is their quarter turn.

The other values are their own mirror image.
"""
_SHIFTED = SHIFT * np.array([(0, 0), (1, 0), (0, 1), (1, 1), (1, -1)])
"""Ways to shift the middle, of which the rest are mirror images."""


@dataclass(frozen=True, slots=True, eq=False)
class _Bank:
    """Drawn tops, as unit vectors without their slope of light; one of each four mirror images.

    Attributes:
        tops: folded, (4, n, pixels / 4), ordered by value.
        starts: where each value begins in them, (6,).
        slope: what is left out of both: an orthonormal basis of even light that grows along the
            sides, (pixels, 3).
    """

    tops: Float32Array
    starts: IndexArray
    slope: Float32Array


@lru_cache(maxsize=1)
def _bank() -> _Bank:
    steps = (np.arange(FIT_SIDE_PX) + 0.5) / FIT_SIDE_PX - 0.5
    pixels = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    even = np.column_stack([np.ones(len(pixels)), pixels])
    slope = np.linalg.qr(even)[0].astype(np.float32)
    tops: list[FloatArray] = []
    starts: list[int] = []
    for value in range(1, VALUES + 1):
        starts.append(len(tops))
        for places in _placed(value):
            gaps = np.sqrt(((pixels[:, None] - places) ** 2).sum(axis=2)).min(axis=1)
            tops += [1 / (1 + np.exp((gaps - radius) / SOFTNESS)) for radius in PIP_RADII]
    drawn = _without_slope(np.array(tops, np.float32), slope)
    return _Bank(_folded(drawn), np.array(starts, np.intp), slope)


def _placed(value: int) -> Iterator[FloatArray]:
    """Where the pips of a value may be, (value, 2) each, in edges from the middle of a top.

    Of mirror images one is enough.
    """
    shifts = _SHIFTED if value in DIAGONAL_VALUES else _SHIFTED[:-1]
    for spacing in PIP_SPACINGS if value > 1 else PIP_SPACINGS[:1]:
        for pips in _patterns(value):
            yield from (spacing * pips + shift for shift in shifts)


def _patterns(value: int) -> Iterator[FloatArray]:
    """The pips of a value, (value, 2), in spacings; a 6 also by a quarter turn."""
    if value < VALUES:
        yield np.array(_PIPS[value - 1])
        return
    rows = [(side, step) for side in (-1.0, 1.0) for step in (-1.0, 0.0, 1.0)]
    for distance in ROW_DISTANCES:
        pips = np.array(rows) * (distance, 1.0)
        yield pips
        yield pips[:, ::-1]


def _folded(rows: Float32Array) -> Float32Array:
    """Tops, (n, pixels), as their parts (4, n, pixels / 4): even or odd across, even or odd down.

    The products of parts add up to that of the tops, and a mirror image differs in signs alone.
    """
    parts = rows.reshape(1, -1, FIT_SIDE_PX, FIT_SIDE_PX)
    half = FIT_SIDE_PX // 2
    for _ in range(2):
        one, other = parts[..., :half], parts[..., : half - 1 : -1]
        parts = np.concatenate([one + other, one - other]).swapaxes(2, 3)
    return np.asarray(np.ascontiguousarray(parts.reshape(4, len(rows), -1)) / 2, np.float32)


def _without_slope(rows: Float32Array, slope: Float32Array) -> Float32Array:
    """Rows, (n, pixels), as unit vectors without even light and its slope; zero if that is all."""
    rest = rows - (rows @ slope) @ slope.T
    lengths = np.linalg.norm(rest, axis=1, keepdims=True)
    return np.asarray(rest / np.maximum(lengths, 1.0), np.float32)


def with_fits(pyramid: Pyramid, dice: list[Detection], all_of_them: bool) -> list[Detection]:
    """Dice with how well the pips of each value fit their tops; see `Detection.fits`.

    Args:
        pyramid: of the picture.
        dice: those found in it.
        all_of_them: whether also those are compared whose pips were found one by one.
    """
    some = [k for k, one in enumerate(dice) if all_of_them or not _has_its_pips(one)]
    if not some:
        return dice
    centers = np.array([dice[k].center for k in some])
    axes = np.array([dice[k].turned_axes for k in some])
    patches = pyramid.patches(centers, axes, SAMPLED_SIDE_PX, float(SAMPLED_SIDE_PX))
    fitted = list(dice)
    for k, fits in zip(some, fits_of(patches), strict=True):
        fitted[k] = replace(dice[k], fits=fits)
    return fitted


def _has_its_pips(one: Detection) -> bool:
    """True if a plain face has as many plain pips as its value."""
    value = 1 + int(one.faces[1:7].argmax())
    return len(one.plain_pips) == value and float(one.faces[value]) >= MIN_PLAIN_FACE


def fits_of(patches: np.ndarray) -> FloatArray:
    """The greatest correlation with the pips of each value, (n, 6), of tops that fill patches.

    Pips may be darker or brighter than the body, or of another colour: the darkest and the
    brightest channel are compared, and the direction in which the colours differ most.

    Args:
        patches: (n, side, side, 3), 8 bits.

    Source: J. P. Lewis, Fast normalized cross-correlation, Vision Interface 1995, 120-123.
    """
    size = (FIT_SIDE_PX, FIT_SIDE_PX)
    small = [cv2.resize(patch, size, interpolation=cv2.INTER_AREA) for patch in patches]
    by_pixel = np.array(small, np.float32).reshape(len(patches), -1, 3)
    levels = np.ascontiguousarray(by_pixel.transpose(0, 2, 1))
    spread = levels - levels.mean(axis=2, keepdims=True)
    ways = np.linalg.eigh(spread @ spread.transpose(0, 2, 1))[1][:, :, -1]
    shades = [levels.min(axis=1), levels.max(axis=1), (ways[:, None] @ spread)[:, 0]]
    bank = _bank()
    seen = _folded(_without_slope(np.concatenate(shades), bank.slope))
    plain, down, across, both = bank.tops @ seen.transpose(0, 2, 1)
    # The greatest that any of four mirror images reaches, whatever the sign.
    alike = np.maximum(
        np.abs(plain + both) + np.abs(across + down), np.abs(plain - both) + np.abs(across - down)
    )
    best = np.maximum.reduceat(alike, bank.starts, axis=0)
    by_shade = best.T.reshape(len(shades), len(patches), VALUES)
    return np.asarray(by_shade.max(axis=0), np.float64)

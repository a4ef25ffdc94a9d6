"""Straight edges in a picture of a tray from above: what may be a side of it.

Lines are followed outwards from the middle of the picture. Where colour changes on many of them
along one straight line, there may be a side: a shadow, the foot of the wall, an edge of the rim.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.frame import Image
from vision.image.arrays import BoolArray, Float32Array, FloatArray

ColourChanges = tuple[Float32Array, Float32Array]
"""How much colour changes along rows and along columns at each place, (height, width) each."""

WORK_WIDTH_PX = 720
"""Width of the pictures in which sides are looked for."""
_SCANS_PER_SIDE = 72  # lines followed towards each side
_SCANNED_BAND = (0.3, 0.7)  # of the picture: where the first and the last of them lie
_EDGE_REACH_PX = 3  # on each side of an edge, in the working picture
_MIN_COLOUR_CHANGE = 7.0  # CIE Lab as OpenCV scales it
_MAX_SLOPE = 0.3  # of a side against the picture's own
_MAX_CANDIDATES = 6  # for each side
_MIN_SUPPORT = 0.6  # share of those lines that must meet a side


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A straight edge.

    Attributes:
        line: a, b, c of a x + b y + c = 0 in the working picture, the normal (a, b) of length 1.
        support: share of the lines followed that meet it.
    """

    line: FloatArray
    support: float

    def beyond(self, other: "Side", middle: FloatArray) -> bool:
        """Whether it lies clearly farther from a point (2,) than another does."""
        point = np.append(middle, 1.0)
        return bool(abs(self.line @ point) > abs(other.line @ point) + 3.0)


def colour_changes(image: Image) -> tuple[ColourChanges, float]:
    """Where colour changes in a picture, and the scale of the working picture relative to it."""
    scale = WORK_WIDTH_PX / image.shape[1]
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (3, 3), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    return (_change_along(lab, axis=1), _change_along(lab, axis=0)), scale


def candidate_sides(edges: ColourChanges) -> list[list[Side]]:
    """Candidates for the upper, right, lower and left side."""
    height, width = edges[0].shape
    along, across = edges
    # Each side is looked for as the upper one of a turned picture, and turned back.
    turned: tuple[tuple[Any, Callable[[float, float, float], tuple[float, float, float]]], ...] = (
        (across, lambda a, b, c: (a, b, c)),
        (np.swapaxes(along[:, ::-1], 0, 1), lambda a, b, c: (-b, a, c + b * (width - 1))),
        (across[::-1], lambda a, b, c: (a, -b, c + b * (height - 1))),
        (np.swapaxes(along, 0, 1), lambda a, b, c: (b, a, c)),
    )
    return [
        [
            Side(np.array(back(*(float(v) for v in one.line))), one.support)
            for one in _upper_sides(seen)
        ]
        for seen, back in turned
    ]


def _change_along(lab: Float32Array, axis: int) -> Float32Array:
    """How much colour changes at each place along an axis, (height, width)."""
    ones = np.ones(_EDGE_REACH_PX)
    kernel = np.concatenate([-ones, [0.0], ones]).astype(np.float32) / _EDGE_REACH_PX
    shape = (1, -1) if axis == 1 else (-1, 1)
    across = cv2.filter2D(lab, -1, kernel.reshape(shape), borderType=cv2.BORDER_REPLICATE)
    # Average a little along the edge: grain is not an edge.
    along = (1, 5) if axis == 0 else (5, 1)
    smooth = cv2.blur(across, (along[1], along[0]))
    return np.asarray(np.linalg.norm(smooth, axis=2), np.float32)


def _find_peaks(strength: Float32Array) -> BoolArray:
    """Places along each column where colour changes most, (rows, columns)."""
    window = 2 * _EDGE_REACH_PX + 1
    highest = cv2.dilate(strength, np.ones((window, 1), np.uint8))
    return np.asarray((strength >= highest) & (strength > _MIN_COLOUR_CHANGE), np.bool_)


def _upper_sides(strength: Float32Array) -> list[Side]:
    """Lines that may be the upper side, seen from the middle of a picture (rows, columns)."""
    height, width = strength.shape
    first, last = (share * width for share in _SCANNED_BAND)
    columns = np.linspace(first, last, _SCANS_PER_SIDE).astype(int)
    peaks = _find_peaks(np.ascontiguousarray(strength))[: int(height * 0.46)][:, columns]
    rows, scans = np.nonzero(peaks)
    if len(rows) < _SCANS_PER_SIDE // 2:
        return []
    x = columns[scans].astype(np.float64)
    y = rows.astype(np.float64)
    middle = width / 2
    found: list[Side] = []
    left = np.ones(len(x), bool)
    for _ in range(_MAX_CANDIDATES):
        if np.count_nonzero(left) < _SCANS_PER_SIDE // 2:
            break
        best, where = 0, (0.0, 0.0)
        for slope in np.linspace(-_MAX_SLOPE, _MAX_SLOPE, 61):
            offsets = y[left] - slope * (x[left] - middle)
            bins = np.bincount(np.rint(np.clip(offsets, 0, height)).astype(int))
            counts = np.convolve(bins, np.ones(3), "same")
            at = int(counts.argmax())
            if counts[at] > best:
                best, where = int(counts[at]), (float(slope), float(at))
        slope, offset = where
        near = np.abs(y - offset - slope * (x - middle)) <= 2.0
        support = len(np.unique(scans[near & left])) / _SCANS_PER_SIDE
        if support < _MIN_SUPPORT:
            break
        fit = np.polyfit(x[near & left] - middle, y[near & left], 1)
        off = y - fit[1] - fit[0] * (x - middle)
        close = near & left & (np.abs(off) <= 1.2)
        if np.count_nonzero(close) > _SCANS_PER_SIDE // 3:
            fit = np.polyfit(x[close] - middle, y[close], 1)
        line = np.array((-fit[0], 1.0, fit[0] * middle - fit[1]))
        found.append(Side(line / np.hypot(line[0], line[1]), support))
        left &= np.abs(y - fit[1] - fit[0] * (x - middle)) > 3.0
    return found


def share_with_edge(strength: Float32Array, start: FloatArray, end: FloatArray, axis: int) -> float:
    """Share of a side along which an edge is seen within a pixel or two."""
    height, width = strength.shape
    shares = np.linspace(0.06, 0.94, 80)[:, None]
    places = start + shares * (end - start)
    step = np.array((1.0, 0.0) if axis == 1 else (0.0, 1.0))
    best = np.zeros(len(places), np.float32)
    for off in (-2, -1, 0, 1, 2):
        at = np.rint(places + off * step).astype(int)
        inside = (at >= 0).all(axis=1) & (at[:, 0] < width) & (at[:, 1] < height)
        values = np.where(
            inside, strength[at[:, 1].clip(0, height - 1), at[:, 0].clip(0, width - 1)], 0
        )
        best = np.maximum(best, values)
    return float((best > _MIN_COLOUR_CHANGE).mean())

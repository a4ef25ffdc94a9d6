"""The tray found by itself where no markers are glued on: four straight edges of one rectangle.

From the middle of the picture lines are followed outwards. Where colour changes on many of them
along one straight line there may be a side: a shadow, the foot of the wall, an edge of the rim.
Four sides are a rectangle seen by the known lens if some pose and some ratio of its sides explain
their corners: one number is left over that tells whether they are, and the ratio must be that of
the floor, whose size is told. The innermost that fits is the floor.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.adjust import rotation_of
from calibration.errors import RefusedError
from calibration.lens import Lens
from calibration.problems import Problem
from vision.frame import Image

Floats = NDArray[np.float64]

DOUBT_MM = 1.0
"""Spread of places where the tray was found so: a floor told to a millimetre, the lens."""
MOST_TILT = 14.0
RATIO = (1.0, 2.4)
"""Of a tray's width to its depth."""
_WORK = 720  # width at which sides are looked for, pixels
_SCANS = 72  # lines that are followed to each side
_BAND = (0.3, 0.7)  # of the picture: where those lines begin and end
_REACH = 3  # pixels of the working picture on each side of an edge
_LEAST_STEP = 7.0  # of colour, CIE Lab as OpenCV scales it
_SLANT = 0.3  # of a side to the picture's own, at most
_SIDES = 6  # candidates for each side
_SUPPORT = 0.6  # share of the scans that must meet an edge on a side
_SURE = 0.85  # share of a whole side along which its edge must be seen
_MISFIT = 0.006  # of the shorter side: corners against those of a rectangle
_RATIO_SPREAD = 0.004  # of the ratio of the sides, with lenses of one make
_TOLD_MM = 0.35  # spread of each side as it is told
_MISFIT_SPREAD_PX = 0.12
_MOST_UNLIKE = 6.0
_AS_SMALL = 1.06  # times the least area: sides that are a shadow's or the floor's
_MARGIN = 1.2  # squared spreads by which the floor must be nearer to what is told than a rival
_APART = 0.008  # of the width: rectangles that are nearer to each other are one
_RIMMED = 3  # sides beyond which an edge of the rim must be seen
_SHADED = 1  # sides along which a shadow may lie on the floor


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A rectangle that may be the tray.

    Attributes:
        corners: pixels, (4, 2), clockwise from the top left.
        ratio: of its width to its depth.
        seen: share of its sides along which the edge is seen, the worst side's.
        misfit_px: of its corners to those of the best rectangle.
        tilt_deg: between the camera's axis and its normal.
    """

    corners: Floats
    ratio: float
    seen: float
    misfit_px: float
    tilt_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    line: Floats  # a, b, c of a x + b y + c = 0, the normal of length 1
    support: float


def find_floor(image: Image, lens: Lens, floor_mm: tuple[float, float]) -> Outline:
    """Finds the floor of an empty tray, where it meets the walls.

    Args:
        image: the picture.
        lens: the camera's, for pictures of this size.
        floor_mm: width and depth of the floor.

    Raises:
        RefusedError: no such rectangle is seen for sure, or it is cut off.
    """
    scale = _WORK / image.shape[1]
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (3, 3), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    edges = _edges(lab, axis=1), _edges(lab, axis=0)
    sides = _four(edges)
    if not all(sides):
        raise _no_rim("not on every side of the middle an edge is seen")
    spread = float(np.hypot(_RATIO_SPREAD, np.hypot(*(_TOLD_MM / np.array(floor_mm)))))
    wanted = (floor_mm[0] / floor_mm[1], spread)
    found = [
        (one, lines)
        for one, lines in _outlines(sides, edges, lens, scale)
        if _unlike(one, wanted) < _MOST_UNLIKE
    ]
    if not found:
        raise _no_rim(
            f"no edges make a rectangle of {floor_mm[0]:g} x {floor_mm[1]:g} mm seen from above"
        )
    # Outside the floor come the rim's edges and the table's; nothing inside it is as large.
    least = min(_area(one) for one, _ in found)
    inner = [pair for pair in found if _area(pair[0]) < _AS_SMALL * least]
    best, lines = min(inner, key=lambda pair: _unlike(pair[0], wanted))
    apart = _APART * float(np.ptp(best.corners[:, 0]))
    for other, _ in inner:
        close = _unlike(other, wanted) < _unlike(best, wanted) + _MARGIN
        if close and float(np.abs(other.corners - best.corners).max()) > apart:
            raise _no_rim("two rectangles fit alike")
    within = sum(
        any(_nearer(other, line, best.corners * scale) for other in side)
        for side, line in zip(sides, lines, strict=True)
    )
    beyond = sum(
        any(_nearer(line, other, best.corners * scale) for other in side)
        for side, line in zip(sides, lines, strict=True)
    )
    if within > _SHADED or beyond < _RIMMED:
        raise _no_rim("the edges inside and outside of it are not those of a floor and its rim")
    left, top = best.corners.min(axis=0)
    right, bottom = best.corners.max(axis=0)
    if left < 2 or top < 2 or right > image.shape[1] - 3 or bottom > image.shape[0] - 3:
        raise RefusedError(
            Problem.CUT_OFF, "the tray reaches beyond the picture; move it or raise the camera"
        )
    return best


def _four(edges: tuple[NDArray[np.float32], NDArray[np.float32]]) -> list[list[_Side]]:
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
        [_Side(np.array(back(*(float(v) for v in one.line))), one.support) for one in _sides(seen)]
        for seen, back in turned
    ]


def _unlike(one: Outline, wanted: tuple[float, float]) -> float:
    """How far a rectangle is from a ratio of sides with its spread, in squared spreads."""
    ratio = (one.ratio / wanted[0] - 1) / wanted[1]
    return float(ratio**2 + (one.misfit_px / _MISFIT_SPREAD_PX) ** 2)


def _area(one: Outline) -> float:
    return float(cv2.contourArea(one.corners.astype(np.float32)))


def _nearer(other: _Side, line: _Side, corners: Floats) -> bool:
    """Whether another candidate for a side lies clearly inside the one that was taken."""
    middle = np.append(corners.mean(axis=0), 1.0)
    return bool(abs(other.line @ middle) < abs(line.line @ middle) - 3.0)


def _no_rim(why: str) -> RefusedError:
    return RefusedError(
        Problem.NO_RIM,
        f"the tray is not told for sure: {why}; measure its floor again, glue the printed markers "
        "on, or tell the corners in a terminal",
    )


def _edges(lab: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """How much colour changes across each place along an axis, (height, width)."""
    kernel = np.concatenate([-np.ones(_REACH), [0.0], np.ones(_REACH)]).astype(np.float32) / _REACH
    shape = (1, -1) if axis == 1 else (-1, 1)
    across = cv2.filter2D(lab, -1, kernel.reshape(shape), borderType=cv2.BORDER_REPLICATE)
    # Along the edge a little is averaged: grain is no edge.
    along = (1, 5) if axis == 0 else (5, 1)
    smooth = cv2.blur(across, (along[1], along[0]))
    return np.asarray(np.linalg.norm(smooth, axis=2), np.float32)


def _peaks(strength: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Places on the way upwards where colour changes most, (rows, columns)."""
    window = 2 * _REACH + 1
    highest = cv2.dilate(strength, np.ones((window, 1), np.uint8))
    return np.asarray((strength >= highest) & (strength > _LEAST_STEP), np.bool_)


def _sides(strength: NDArray[np.float32]) -> list[_Side]:
    """Lines that may be the upper side, seen from the middle of a picture (rows, columns)."""
    height, width = strength.shape
    columns = np.linspace(_BAND[0] * width, _BAND[1] * width, _SCANS).astype(int)
    peaks = _peaks(np.ascontiguousarray(strength))[: int(height * 0.46)][:, columns]
    rows, scans = np.nonzero(peaks)
    if len(rows) < _SCANS // 2:
        return []
    x = columns[scans].astype(np.float64)
    y = rows.astype(np.float64)
    middle = width / 2
    found: list[_Side] = []
    left = np.ones(len(x), bool)
    for _ in range(_SIDES):
        if np.count_nonzero(left) < _SCANS // 2:
            break
        best, where = 0, (0.0, 0.0)
        for slope in np.linspace(-_SLANT, _SLANT, 61):
            offsets = y[left] - slope * (x[left] - middle)
            bins = np.bincount(np.rint(np.clip(offsets, 0, height)).astype(int))
            counts = np.convolve(bins, np.ones(3), "same")
            at = int(counts.argmax())
            if counts[at] > best:
                best, where = int(counts[at]), (float(slope), float(at))
        slope, offset = where
        near = np.abs(y - offset - slope * (x - middle)) <= 2.0
        support = len(np.unique(scans[near & left])) / _SCANS
        if support < _SUPPORT:
            break
        fit = np.polyfit(x[near & left] - middle, y[near & left], 1)
        off = y - fit[1] - fit[0] * (x - middle)
        close = near & left & (np.abs(off) <= 1.2)
        if np.count_nonzero(close) > _SCANS // 3:
            fit = np.polyfit(x[close] - middle, y[close], 1)
        line = np.array((-fit[0], 1.0, fit[0] * middle - fit[1]))
        found.append(_Side(line / np.hypot(line[0], line[1]), support))
        left &= np.abs(y - fit[1] - fit[0] * (x - middle)) > 3.0
    return found


def _outlines(
    sides: Sequence[Sequence[_Side]],
    edges: tuple[NDArray[np.float32], NDArray[np.float32]],
    lens: Lens,
    scale: float,
) -> list[tuple[Outline, tuple[_Side, ...]]]:
    """All rectangles that sides make, seen from above, with their sides."""
    found = []
    for chosen in product(*sides):
        top, right, bottom, left = chosen
        lines = (left.line, top.line, right.line, bottom.line)
        corners = np.array([_meet(lines[k], lines[(k + 1) % 4]) for k in range(4)])
        if not np.isfinite(corners).all():
            continue
        seen = min(
            _seen(edges[0], corners[3], corners[0], 1),
            _seen(edges[1], corners[0], corners[1], 0),
            _seen(edges[0], corners[1], corners[2], 1),
            _seen(edges[1], corners[2], corners[3], 0),
        )
        if seen < _SURE:
            continue
        outline = rectangle((corners + 0.5) / scale - 0.5, lens, seen)
        if outline is not None:
            found.append((outline, chosen))
    return found


def rectangle(corners: Floats, lens: Lens, seen: float = 1.0) -> Outline | None:
    """The rectangle that is seen with these corners (4, 2), clockwise; None if there is none.

    A rectangle's two directions are at right angles to each other: of the eight numbers of its
    corners seven are its pose and its ratio, up to its size.
    """
    rays = np.column_stack([lens.undistort(corners), np.ones(4)])
    flat = cv2.getPerspectiveTransform(
        np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32), rays[:, :2].astype(np.float32)
    )
    across, down = flat[:, 0], flat[:, 1]
    ratio = float(np.linalg.norm(across) / max(float(np.linalg.norm(down)), 1e-9))
    if not RATIO[0] <= ratio <= RATIO[1]:
        return None
    y = 0.5 / ratio
    world = np.array(((-0.5, -y, 0), (0.5, -y, 0), (0.5, y, 0), (-0.5, y, 0)), np.float64)
    good, turn, shift = cv2.solvePnP(
        world, corners, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_ITERATIVE
    )
    if not good:
        return None
    again, _ = cv2.projectPoints(world, turn, shift, lens.matrix, lens.distortion)
    misfit = float(np.sqrt(((again.reshape(4, 2) - corners) ** 2).sum(axis=1).mean()))
    down_z = rotation_of(np.asarray(turn, np.float64).ravel())[2, 2]
    tilt = float(np.degrees(np.arccos(np.clip(down_z, -1, 1))))
    shorter = float(min(np.linalg.norm(corners[k] - corners[k - 1]) for k in range(4)))
    if misfit > _MISFIT * shorter or tilt > MOST_TILT:
        return None
    return Outline(np.asarray(corners, np.float64), ratio, seen, misfit, tilt)


def _meet(first: Floats, second: Floats) -> Floats:
    point = np.cross(first, second)
    return np.asarray(point[:2] / point[2] if abs(point[2]) > 1e-6 else np.full(2, np.nan))


def _seen(strength: NDArray[np.float32], start: Floats, end: Floats, axis: int) -> float:
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
    return float((best > _LEAST_STEP).mean())

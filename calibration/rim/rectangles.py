"""Rectangles seen from above: four edges that some pose of the known lens explains."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from calibration.markers.lens import Lens
from calibration.rim.lines import ColourChanges, Side, share_with_edge
from vision.geometry.camera import rotation_of
from vision.image.arrays import FloatArray

FLOOR_RATIO_RANGE = (1.0, 2.4)
"""Of a tray's width to its depth."""
_MAX_TILT_DEG = 14.0  # four corners tell a slant less well than four markers
_MIN_SEEN_SHARE = 0.85  # of a whole side along which its edge must be seen
_MAX_MISFIT = 0.006  # of the shorter side: corners against those of a rectangle
_RATIO_SPREAD = 0.004  # of the ratio of the sides, across lenses of one make
_RULER_SPREAD_MM = 0.35  # spread of each side as measured with a ruler
_MISFIT_SPREAD_PX = 0.12


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A rectangle that may be the tray.

    Attributes:
        corners: pixels, (4, 2), clockwise from the top left.
        ratio: of its width to its depth.
        seen: share of its worst side along which the edge is seen.
        misfit_px: of its corners against those of the best rectangle.
        tilt_deg: between the camera's axis and the rectangle's normal.
    """

    corners: FloatArray
    ratio: float
    seen: float
    misfit_px: float
    tilt_deg: float

    def unlikeness_to(self, floor_mm: tuple[float, float]) -> float:
        """How far it is from a floor of this width and depth, in squared spreads."""
        width, depth = floor_mm
        spread = np.hypot(
            _RATIO_SPREAD, np.hypot(_RULER_SPREAD_MM / width, _RULER_SPREAD_MM / depth)
        )
        ratio = (self.ratio / (width / depth) - 1) / spread
        return float(ratio**2 + (self.misfit_px / _MISFIT_SPREAD_PX) ** 2)


def possible_outlines(
    sides: Sequence[Sequence[Side]], edges: ColourChanges, lens: Lens, scale: float
) -> Iterator[tuple[Outline, tuple[Side, ...]]]:
    """All rectangles seen from above that the sides can form, with their sides."""
    for chosen in product(*sides):
        top, right, bottom, left = chosen
        lines = (left.line, top.line, right.line, bottom.line)
        corners = np.array([_intersect_lines(lines[k], lines[(k + 1) % 4]) for k in range(4)])
        if not np.isfinite(corners).all():
            continue
        seen = min(
            share_with_edge(edges[0], corners[3], corners[0], 1),
            share_with_edge(edges[1], corners[0], corners[1], 0),
            share_with_edge(edges[0], corners[1], corners[2], 1),
            share_with_edge(edges[1], corners[2], corners[3], 0),
        )
        if seen < _MIN_SEEN_SHARE:
            continue
        outline = fit_rectangle((corners + 0.5) / scale - 0.5, lens, seen)
        if outline is not None:
            yield outline, chosen


def fit_rectangle(corners: FloatArray, lens: Lens, seen: float = 1.0) -> Outline | None:
    """The rectangle that appears with these corners (4, 2), clockwise; None if there is none.

    A rectangle's two directions are at right angles to each other: its pose and its ratio, up to
    its size, account for seven of the eight numbers of its corners.
    """
    rays = np.column_stack([lens.undistort(corners), np.ones(4)])
    flat = cv2.getPerspectiveTransform(
        np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32), rays[:, :2].astype(np.float32)
    )
    across, down = flat[:, 0], flat[:, 1]
    ratio = float(np.linalg.norm(across) / max(float(np.linalg.norm(down)), 1e-9))
    if not FLOOR_RATIO_RANGE[0] <= ratio <= FLOOR_RATIO_RANGE[1]:
        return None
    y = 0.5 / ratio
    world = np.array(((-0.5, -y, 0), (0.5, -y, 0), (0.5, y, 0), (-0.5, y, 0)), np.float64)
    good, turn, shift = cv2.solvePnP(
        world, corners, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_ITERATIVE
    )
    if not good:
        return None
    rotation = rotation_of(turn)
    again = lens.placed(rotation, np.asarray(shift, np.float64).ravel()).to_pixels(world)
    misfit = float(np.sqrt(((again - corners) ** 2).sum(axis=1).mean()))
    down_z = rotation[2, 2]
    tilt = float(np.degrees(np.arccos(np.clip(down_z, -1, 1))))
    shorter = float(min(np.linalg.norm(corners[k] - corners[k - 1]) for k in range(4)))
    if misfit > _MAX_MISFIT * shorter or tilt > _MAX_TILT_DEG:
        return None
    return Outline(np.asarray(corners, np.float64), ratio, seen, misfit, tilt)


def _intersect_lines(first: FloatArray, second: FloatArray) -> FloatArray:
    point = np.cross(first, second)
    return np.asarray(point[:2] / point[2] if abs(point[2]) > 1e-6 else np.full(2, np.nan))

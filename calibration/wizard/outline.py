"""The outline of something flat that was laid in the plane of the markers, by the picture before.

All inside it differs from before, and nothing outside does: so its edge is found whatever is
printed on it. Light is compared, not grey levels: halfway through a soft edge is half its light.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration.calibration import Calibration
from calibration.markers.edges import light_of
from vision.frame import Image
from vision.image.arrays import BoolArray, FloatArray
from vision.image.numeric import log_levels
from vision.image.warping import sampled

_STEP_MM = 0.25
_REACH_MM = 6.0  # of a side, from where it seems to be at first
_INSIDE_MM = (1.5, 4.0)  # of the edge: what the thing looks like there
_INSIDE_AT_FIRST_MM = (3.0, 6.0)
_INSIDE_CORNER_MM = (2.5, 5.0)
_TO_CORNER_MM = 10.0
_SHARE = 0.8  # of a side, about its middle: corners may be round
_PLACES = 60  # along a side
_OFF_SIDE_MM = (2.0, 1.0, 0.5, 0.35)  # of places that count for it, from one fit to the next
_MIN_SHARE = 0.4  # of places along a side that must fit it
_MIN_DIFFERENCE = 0.002  # of white's light
_MIN_OF_NOISE = 2.0
_ACROSS_MM = 1.5
_COARSE = 8
_LEAST_LIGHT = 0.01
_TIP = 2**0.5 - 1  # how far an arc stays away from its corner, of its radius


@dataclass(frozen=True, slots=True)
class Place:
    """Where something lies that did not before, in the plane of the markers.

    Attributes:
        middle: (2,) millimetres.
        yaw: of its longer side, radians.
        size: about how long and wide it is, millimetres.
    """

    middle: FloatArray
    yaw: float
    size: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Compared:
    """Two pictures of a tray at rest, in the plane of its markers.

    Attributes:
        before: the picture from before.
        image: the present one.
        known: the tray.
    """

    before: Image
    image: Image
    known: Calibration

    def seen(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Grey levels before and now at places in the plane, (..., 2) to (..., 3) each."""
        pixels = self._pixels(places)
        before, now = (sampled(one, pixels, replicated=True) for one in (self.before, self.image))
        return np.asarray(before, np.float64), np.asarray(now, np.float64)

    def in_picture(self, places: FloatArray) -> BoolArray:
        """Whether places in the plane are seen, (...)."""
        height, width = self.image.shape[:2]
        pixels = self._pixels(places)
        inside = (pixels >= 0) & (pixels < (width - 1, height - 1))
        return np.asarray(inside.all(axis=-1), np.bool_)

    def difference(self, places: FloatArray) -> FloatArray:
        """By how much the light of places differs from before, in shares of white's, (..., 3)."""
        before, now = (light_of(np.rint(one).astype(np.uint8)) for one in self.seen(places))
        return np.asarray(now / self._gain - before, np.float64)

    @cached_property
    def _gain(self) -> FloatArray:
        """The light by that of before where nothing is new, of each channel."""
        before, now = (
            light_of(one[::_COARSE, ::_COARSE]) + _LEAST_LIGHT for one in (self.before, self.image)
        )
        return np.asarray(np.median(now / before, axis=(0, 1)), np.float64)

    def _pixels(self, places: FloatArray) -> FloatArray:
        flat = places.reshape(-1, 2)
        world = np.column_stack([flat, np.full(len(flat), -(self.known.rim_mm or 0.0))])
        pixels = self.known.profile.pinhole.to_pixels(world)
        return np.asarray(pixels.reshape(places.shape), np.float64)


def outline_of(compared: Compared, where: Place) -> FloatArray | None:
    """The corners of a four-sided thing, where its sides meet, (4, 2) millimetres in the plane.

    Args:
        compared: the pictures.
        where: it is, about.

    Returns:
        In turn; the first two end one of the shorter sides. None where a side is not seen.
    """
    sides = [_side(compared, where, k) for k in range(4)]
    lines = [side for side in sides if side is not None]
    if len(lines) < len(sides):
        return None
    return np.array([_meeting(*lines[k - 1], *lines[k]) for k in range(4)])


def has_gone(compared: Compared, corners: FloatArray) -> bool:
    """True if a thing of this outline lay there before, and does not any more.

    Args:
        compared: the pictures.
        corners: of the thing, (4, 2).
    """
    steps = np.zeros(2)
    middle = corners.mean(axis=0)
    share = np.linspace(-0.5, 0.5, _PLACES)[:, None] * _SHARE
    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        edge = (one + other) / 2 + share * (other - one)
        out = (one + other) / 2 - middle
        out *= _ACROSS_MM / np.linalg.norm(out)
        # Where it lies the picture steps all along its edge; elsewhere what is there goes on.
        inside, outside = (compared.seen(edge + way * out) for way in (-1, 1))
        for k in range(2):
            step = np.abs(log_levels(inside[k]) - log_levels(outside[k]))
            steps[k] += np.median(step.max(axis=1))
    return bool(steps[0] > steps[1])


def roundness_of(compared: Compared, corners: FloatArray) -> FloatArray:
    """Radii of corners, (4,) millimetres in the plane; NaN where one looks as what was there.

    Args:
        compared: the pictures.
        corners: where sides meet, (4, 2).
    """
    found = []
    for k, corner in enumerate(corners):
        ways = corners[[k - 1, (k + 1) % 4]] - corner
        inwards = (ways / np.linalg.norm(ways, axis=1, keepdims=True)).sum(axis=0)
        inwards /= np.linalg.norm(inwards)
        across = np.array((-inwards[1], inwards[0]))
        from_here = corner + _TO_CORNER_MM * inwards
        beside = np.array((-_STEP_MM, 0.0, _STEP_MM))
        seems = np.full(len(beside), _TO_CORNER_MM)
        ends = _edges(compared, from_here, (-inwards, across), beside, seems, _INSIDE_CORNER_MM)
        seen = ends[np.isfinite(ends)]
        short = _TO_CORNER_MM - float(np.median(seen)) if len(seen) else np.nan
        found.append(short / _TIP)
    return np.array(found)


def _side(compared: Compared, where: Place, k: int) -> tuple[FloatArray, FloatArray] | None:
    """A side as a place on it and the way along it; None where too little of it is seen.

    Args:
        compared: the pictures.
        where: the thing is, about.
        k: which of the four; the first is a shorter one.
    """
    out, along = (_way(where.yaw + turns * np.pi / 2) for turns in (k, k + 1))
    beside = np.arange(-0.5, 0.5, 1 / _PLACES) * _SHARE * where.size[1 - k % 2]
    slope, away = 0.0, where.size[k % 2] / 2
    inside = _INSIDE_AT_FIRST_MM
    for within in _OFF_SIDE_MM:
        seems = away + slope * beside
        found = _edges(compared, where.middle, (out, along), beside, seems, inside)
        if not np.isfinite(found).any():
            return None
        if inside is _INSIDE_AT_FIRST_MM:
            inside, away = _INSIDE_MM, float(np.nanmedian(found))
        left = found - away - slope * beside
        fits = np.abs(left) < within
        if np.count_nonzero(fits) < _MIN_SHARE * len(beside):
            return None
        turn, shift = np.polyfit(beside[fits], left[fits], 1)
        slope, away = slope + float(turn), away + float(shift)
    return where.middle + away * out, along + slope * out


def _edges(
    compared: Compared,
    middle: FloatArray,
    ways: tuple[FloatArray, FloatArray],
    beside: FloatArray,
    seems: FloatArray,
    inside: tuple[float, float],
) -> FloatArray:
    """How far from its middle a thing ends, (n,) millimetres; NaN where that is not seen.

    Args:
        compared: the pictures.
        middle: of the thing, (2,).
        ways: out of it, and along the edge, (2,) each.
        beside: at which places along the edge, (n,).
        seems: where it ends about, (n,).
        inside: how far from there the thing looks as it does.
    """
    steps = np.arange(-max(inside) - 1.0, _REACH_MM, _STEP_MM)
    out, along = ways
    away = seems[:, None] + steps
    difference = compared.difference(middle + away[..., None] * out + beside[:, None, None] * along)
    calm = np.asarray(cv2.blur(difference, (1, 3)), np.float64)
    shown = np.median(calm[:, (steps > -inside[1]) & (steps < -inside[0])], axis=1)
    beyond = calm[:, steps > _REACH_MM / 2]
    noise = np.abs(beyond - np.median(beyond, axis=1, keepdims=True)).mean(axis=(1, 2))
    strong = np.linalg.norm(shown, axis=1)
    cover = (calm * shown[:, None]).sum(axis=2) / np.maximum(strong**2, 1e-12)[:, None]
    covered = cover > 0.5
    # From outside on, as what is inside may look like what was there.
    last = len(steps) - 1 - np.argmax(covered[:, ::-1], axis=1)
    next_ = np.minimum(last + 1, len(steps) - 1)
    rows = np.arange(len(beside))
    more, less = cover[rows, last], cover[rows, next_]
    ends = away[rows, last] + _STEP_MM * (more - 0.5) / np.maximum(more - less, 1e-9)
    seen = strong > _MIN_OF_NOISE * noise + _MIN_DIFFERENCE
    return np.where(seen & covered.any(axis=1) & (next_ > last), ends, np.nan)


def _way(angle: float) -> FloatArray:
    return np.array((np.cos(angle), np.sin(angle)))


def _meeting(
    one: FloatArray, way: FloatArray, other: FloatArray, its_way: FloatArray
) -> FloatArray:
    """Where two lines meet."""
    far = np.linalg.solve(np.column_stack([way, -its_way]), other - one)
    return np.asarray(one + far[0] * way, np.float64)

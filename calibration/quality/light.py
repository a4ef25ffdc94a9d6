"""Is there enough light, evenly, without glare and without flicker?

The white paper of the markers is the reference: everything matt in the tray is darker, so whatever
is brighter shines. Light is compared as light, not as grey levels.
"""

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.markers.aruco import Marker, to_gray
from calibration.markers.edges import light_of
from calibration.problems import Problem, Verdict, quality_between
from vision.frame import Frame, Image
from vision.image.arrays import FloatArray, GreyImage
from vision.image.warping import warped

MIN_PAPER_LEVEL = 105.0
"""Least grey level of the darkest marker's paper."""
MAX_PAPER_LEVEL = 246.0
"""Greatest grey level of the brightest marker's paper; beyond it the sensor is saturated."""
_GOOD_PAPER_LEVELS = (180.0, 225.0)
_MAX_TOP_LEVEL = 235.0
_MAX_PERCENT_ABOVE_TOP_LEVEL = 0.05  # of the tray: lamps mirrored in it
_MIN_PAPER_LEVEL_FOR_TOPS = 112.0
"""Paper is darkened no further for the sake of tops; just over `MIN_PAPER_LEVEL`."""
_MIN_EXPOSURE_CHANGE = 0.85  # factors of exposure nearer to 1 than this are taken as 1
_PLATE_SCALE = 1.8  # times a marker's size, with the paper around it
_MIN_EVENNESS = 0.3  # ratio of the light on the darkest to that on the brightest marker
_MAX_OF_PAPER_LIGHT = 1.2  # what is brighter shines
_MAX_GLARE_SHARE = 0.002  # of the tray's opening, about a fifth of a die's top
_GLARE_GRID_PX = 160  # side of the square that is searched for glare
_MAX_FLICKER = 0.10
_FLICKER_BANDS = 12  # of a picture's height, each compared with itself
_MIN_BAND_LIGHT = 0.02  # of the light that saturates the sensor; changes below it are noise


def whole_picture(image: Image) -> Verdict:
    """Refuses a picture that is hopelessly dark or bright; needs no markers."""
    gray = to_gray(image)
    top = float(np.percentile(gray, 99.5))
    full = float((gray >= 252).mean())
    if top < 70:
        return Verdict(
            quality_between(top, 0, 70) * 0.45,
            Problem.TOO_DARK,
            f"the brightest places have level {int(top)} of 255, expected 70; give it more light",
        )
    if full > 0.35:
        return Verdict(
            0.45 * quality_between(full, 1, 0.35),
            Problem.TOO_BRIGHT,
            f"{full:.0%} of the picture is white; less light, or a shorter exposure",
        )
    return Verdict(min(quality_between(top, 40, 120), quality_between(full, 0.35, 0.1)))


def paper(markers: Sequence[Marker]) -> Verdict:
    """Checks that the markers' paper is exposed well, and evenly."""
    whites = [marker.square.white for marker in markers]
    least, most = min(whites), max(whites)
    even = float(light_of(np.array([least], np.uint8))[0]) / max(
        float(light_of(np.array([most], np.uint8))[0]), 1e-6
    )
    quality = min(
        quality_between(least, 60, 150),
        quality_between(most, 252, 235),
        quality_between(even, 0.15, 0.6),
    )
    if most > MAX_PAPER_LEVEL:
        return Verdict(
            quality,
            Problem.TOO_BRIGHT,
            f"the markers' paper has level {math.ceil(most)} of 255, expected at most "
            f"{MAX_PAPER_LEVEL:.0f}; less light, or a shorter exposure",
        )
    if even < _MIN_EVENNESS:
        return Verdict(
            quality,
            Problem.UNEVEN,
            f"one corner gets {even:.0%} of another's light, expected {_MIN_EVENNESS:.0%}; "
            "move the lamp over the tray",
        )
    if least < MIN_PAPER_LEVEL:
        return Verdict(
            quality,
            Problem.TOO_DARK,
            f"the markers' paper has level {int(least)} of 255, expected at least "
            f"{MIN_PAPER_LEVEL:.0f}; give it more light",
        )
    return Verdict(quality)


def exposure_change(image: Image, markers: Sequence[Marker]) -> float:
    """The factor by which exposure should change to keep paper and tops of dice below white.

    Lamps reflect in glossy dice, whose tops saturate long before the paper does, so dice in the
    tray make the picture darker, as far as the darkest paper allows; 1 is right.

    Args:
        image: the picture.
        markers: those that are seen; without any, the brightest places stand in for them.
    """
    gray = to_gray(image)
    whites = [marker.square.white for marker in markers] or [float(np.percentile(gray, 99.0))]
    paper, tops = max(whites), _level_of_tops(gray, markers)
    good = _GOOD_PAPER_LEVELS[0] <= paper <= _GOOD_PAPER_LEVELS[1]
    goal = (
        1.0
        if good
        else 0.5
        if paper >= 250
        else _ratio_of_light(sum(_GOOD_PAPER_LEVELS) / 2, max(paper, 4))
    )
    if tops is not None:
        best = 0.5 if tops >= 250 else _ratio_of_light(_MAX_TOP_LEVEL, tops)
        goal = min(goal, max(best, _ratio_of_light(_MIN_PAPER_LEVEL_FOR_TOPS, min(whites))))
        if _MIN_EXPOSURE_CHANGE < goal < 1 / _MIN_EXPOSURE_CHANGE:
            return 1.0
    return float(np.clip(goal, 0.25, 4.0))


def _level_of_tops(gray: GreyImage, markers: Sequence[Marker]) -> float | None:
    """The level of the brightest places between the markers; None for too few markers."""
    if len(markers) < 3:
        return None
    inside = np.zeros_like(gray)
    hull = cv2.convexHull(np.array([marker.corners.mean(axis=0) for marker in markers], np.float32))
    cv2.fillConvexPoly(inside, np.rint(hull).astype(np.int32), 1)
    for marker in markers:
        # Their paper is measured separately.
        middle = marker.corners.mean(axis=0)
        plate = middle + (marker.corners - middle) * _PLATE_SCALE
        cv2.fillConvexPoly(inside, np.rint(plate).astype(np.int32), 0)
    return float(np.percentile(gray[inside > 0], 100 - _MAX_PERCENT_ABOVE_TOP_LEVEL))


def _ratio_of_light(one: float, other: float) -> float:
    """Ratio of the light that one grey level stands for to that of another."""
    lights = light_of(np.array([one, max(other, 1.0)]).round().astype(np.uint8))
    return float(lights[0] / lights[1])


def opening(markers: Sequence[Marker]) -> FloatArray:
    """The tray's opening between the inner corners of four plates, (4, 2) pixels, clockwise."""
    inner = []
    for marker, k in zip(markers, (2, 3, 0, 1), strict=True):
        middle = marker.corners.mean(axis=0)
        # The paper's corner lies a cell's width beyond the ink's.
        inner.append(middle + (marker.corners[k] - middle) * (4 / 3))
    return np.array(inner)


def glare(image: Image, markers: Sequence[Marker]) -> Verdict:
    """Looks for something in the empty tray that shines, and on which side."""
    light = _light_within(image, opening(markers))
    whites = light_of(np.array([m.square.white for m in markers]).round().astype(np.uint8))
    a, b, c, d = (float(v) for v in whites)
    x = np.linspace(0, 1, _GLARE_GRID_PX)[None, :]
    y = np.linspace(0, 1, _GLARE_GRID_PX)[:, None]
    expected = (1 - y) * ((1 - x) * a + x * b) + y * ((1 - x) * d + x * c)
    return _glare_verdict(light, _MAX_OF_PAPER_LIGHT * expected)


def _light_within(image: Image, corners: FloatArray) -> FloatArray:
    """The light within four corners, as a square."""
    square = np.array(
        ((0, 0), (_GLARE_GRID_PX, 0), (_GLARE_GRID_PX, _GLARE_GRID_PX), (0, _GLARE_GRID_PX)),
        np.float32,
    )
    turn = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    # A little averaging keeps noise and grain from counting as glare.
    calm = np.asarray(cv2.GaussianBlur(to_gray(image), (5, 5), 0), np.uint8)
    return light_of(warped(calm, turn, (_GLARE_GRID_PX, _GLARE_GRID_PX))).astype(np.float64)


def _glare_verdict(light: FloatArray, dull: FloatArray) -> Verdict:
    """Refuses a square if more of it than allowed outshines what matt surfaces can; says where."""
    # A saturated sensor cannot show more.
    shining = light > np.minimum(dull, float(light_of(np.array([251], np.uint8))[0]))
    # The bright edge of the rim shows along the wall; dice lie farther in.
    edge = _GLARE_GRID_PX // 20
    shining[:edge] = shining[-edge:] = False
    shining[:, :edge] = shining[:, -edge:] = False
    amount = float(shining.mean())
    quality = quality_between(amount, 4 * _MAX_GLARE_SHARE, 0.0)
    if amount <= _MAX_GLARE_SHARE:
        return Verdict(quality)
    rows, columns = np.nonzero(shining)
    return Verdict(
        min(quality, 0.45),
        side_of(
            float(columns.mean()) / _GLARE_GRID_PX * 2 - 1,
            float(rows.mean()) / _GLARE_GRID_PX * 2 - 1,
        ),
        f"{amount:.1%} of the tray shines brighter than paper, expected {_MAX_GLARE_SHARE:.1%}; "
        "move the lamp, or put paper in front of it",
    )


def side_of(x: float, y: float) -> Problem:
    """The word for glare at a place of the tray, -1 to 1 from the left and from the top."""
    if max(abs(x), abs(y)) < 1 / 3:
        return Problem.GLARE_MIDDLE
    if abs(x) >= abs(y):
        return Problem.GLARE_LEFT if x < 0 else Problem.GLARE_RIGHT
    return Problem.GLARE_TOP if y < 0 else Problem.GLARE_BOTTOM


def shining_at(image: Image, places: Mapping[int, tuple[float, float]], reach: float) -> set[int]:
    """Which places are washed out: those where over half the pixels around are saturated."""
    gray = to_gray(image)
    height, width = gray.shape
    drowned = set()
    for key, (x, y) in places.items():
        left, right = max(0, round(x - reach)), min(width, round(x + reach))
        top, bottom = max(0, round(y - reach)), min(height, round(y + reach))
        if left < right and top < bottom and (gray[top:bottom, left:right] >= 250).mean() > 0.5:
            drowned.add(key)
    return drowned


def flicker(frames: Sequence[Frame]) -> Verdict:
    """Looks for light that changes from frame to frame; needs three frames or more."""
    if len(frames) < 3:
        return Verdict(1.0)
    # A rolling shutter turns fast flicker into bands.
    means = np.array(
        [
            [
                float(band.mean())
                for band in np.array_split(light_of(to_gray(seen)[:, ::4]), _FLICKER_BANDS)
            ]
            for seen in (f.image if f.small is None else f.small for f in frames)
        ]
    )
    spread = float((np.ptp(means, axis=0) / np.maximum(means.mean(axis=0), _MIN_BAND_LIGHT)).max())
    quality = quality_between(spread, 2 * _MAX_FLICKER, 0.02)
    if spread <= _MAX_FLICKER:
        return Verdict(quality)
    return Verdict(
        quality,
        Problem.FLICKER,
        f"brightness changes by {spread:.0%} between frames, expected {_MAX_FLICKER:.0%}; another "
        "lamp, or an exposure that is a multiple of 10 ms (8.3 ms at 60 Hz)",
    )

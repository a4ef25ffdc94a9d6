"""Is there enough light, evenly, without glare and without flicker?

The white paper of the markers is the reference: everything matt in the tray is darker, so whatever
is brighter shines. Light is compared as light, not as grey levels.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.markers.aruco import Marker, gray_of
from calibration.markers.edges import light_of
from calibration.problems import Problem, Verdict, share
from vision.frame import Frame, Image
from vision.image.arrays import FloatArray, GreyImage

DARK_PAPER = 105.0
"""Least grey level of the darkest marker's paper."""
BRIGHT_PAPER = 246.0
"""Greatest grey level of the brightest marker's paper; beyond it the sensor is saturated."""
_GOOD_PAPER = (180.0, 225.0)
_GOOD_TOPS, _MIRRORED = 235.0, 0.05  # level that only this percentage of the tray may exceed
_LEAST_PAPER = 112.0  # paper is darkened no further for the sake of tops; just over `DARK_PAPER`
_ALIKE = 0.85  # factors of exposure nearer to 1 than this are taken as 1
_PLATE = 1.8  # times a marker's size, with the paper around it
_UNEVEN = 0.3  # least ratio of the light on the darkest to that on the brightest marker
_SHINE = 1.2  # times the paper's light
_SHINE_FLOOR = 4.0  # times the floor's light in its middle
_SHINE_LEAST = 0.25  # of the light that saturates the sensor: less spoils no die
_SHINE_SHARE = 0.002  # of the tray's opening, about a fifth of a die's top
_GRID = 160  # side of the square that is searched for glare
_FLICKER = 0.10
_BANDS = 12  # of a picture's height, each compared with itself
_DARK_BAND = 0.02  # of the light that saturates the sensor; changes below it are noise


def whole_picture(image: Image) -> Verdict:
    """Whether a picture is hopelessly dark or bright; needs no markers."""
    gray = gray_of(image)
    top = float(np.percentile(gray, 99.5))
    full = float((gray >= 252).mean())
    if top < 70:
        return Verdict(
            share(top, 0, 70) * 0.45,
            Problem.TOO_DARK,
            f"the brightest places have level {top:.0f} of 255, expected 70; give it more light",
        )
    if full > 0.35:
        return Verdict(
            0.45 * share(full, 1, 0.35),
            Problem.TOO_BRIGHT,
            f"{full:.0%} of the picture is white; less light, or a shorter exposure",
        )
    return Verdict(min(share(top, 40, 120), share(full, 0.35, 0.1)))


def paper(markers: Sequence[Marker]) -> Verdict:
    """Whether the markers' paper is exposed well, and evenly."""
    whites = [marker.square.white for marker in markers]
    least, most = min(whites), max(whites)
    even = float(light_of(np.array([least], np.uint8))[0]) / max(
        float(light_of(np.array([most], np.uint8))[0]), 1e-6
    )
    quality = min(share(least, 60, 150), share(most, 252, 235), share(even, 0.15, 0.6))
    if most > BRIGHT_PAPER:
        return Verdict(
            quality,
            Problem.TOO_BRIGHT,
            f"the markers' paper has level {most:.0f} of 255, expected at most "
            f"{BRIGHT_PAPER:.0f}; less light, or a shorter exposure",
        )
    if even < _UNEVEN:
        return Verdict(
            quality,
            Problem.UNEVEN,
            f"one corner gets {even:.0%} of another's light, expected {_UNEVEN:.0%}; move the lamp "
            "over the tray",
        )
    if least < DARK_PAPER:
        return Verdict(
            quality,
            Problem.TOO_DARK,
            f"the markers' paper has level {least:.0f} of 255, expected at least "
            f"{DARK_PAPER:.0f}; give it more light",
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
    gray = gray_of(image)
    whites = [marker.square.white for marker in markers] or [float(np.percentile(gray, 99.0))]
    paper, tops = max(whites), _tops(gray, markers)
    good = _GOOD_PAPER[0] <= paper <= _GOOD_PAPER[1]
    goal = (
        1.0 if good else 0.5 if paper >= 250 else _lights_ratio(sum(_GOOD_PAPER) / 2, max(paper, 4))
    )
    if tops is not None:
        best = 0.5 if tops >= 250 else _lights_ratio(_GOOD_TOPS, tops)
        goal = min(goal, max(best, _lights_ratio(_LEAST_PAPER, min(whites))))
        if _ALIKE < goal < 1 / _ALIKE:
            return 1.0
    return float(np.clip(goal, 0.25, 4.0))


def _tops(gray: GreyImage, markers: Sequence[Marker]) -> float | None:
    """The level of the brightest places between the markers; None for too few markers."""
    if len(markers) < 3:
        return None
    inside = np.zeros_like(gray)
    hull = cv2.convexHull(np.array([marker.corners.mean(axis=0) for marker in markers], np.float32))
    cv2.fillConvexPoly(inside, np.rint(hull).astype(np.int32), 1)
    for marker in markers:
        # Their paper is measured separately.
        middle = marker.corners.mean(axis=0)
        plate = middle + (marker.corners - middle) * _PLATE
        cv2.fillConvexPoly(inside, np.rint(plate).astype(np.int32), 0)
    return float(np.percentile(gray[inside > 0], 100 - _MIRRORED))


def _lights_ratio(one: float, other: float) -> float:
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
    """Whether something in the empty tray shines, and on which side."""
    light = _within(image, opening(markers))
    whites = light_of(np.array([m.square.white for m in markers]).round().astype(np.uint8))
    a, b, c, d = (float(v) for v in whites)
    x = np.linspace(0, 1, _GRID)[None, :]
    y = np.linspace(0, 1, _GRID)[:, None]
    expected = (1 - y) * ((1 - x) * a + x * b) + y * ((1 - x) * d + x * c)
    return _shining(light, _SHINE * expected, "paper")


def floor_glare(image: Image, corners: FloatArray) -> Verdict:
    """As `glare`, where no paper shows how bright a matt surface can be: the floor itself does.

    Args:
        image: the picture.
        corners: of the floor, (4, 2) pixels, clockwise.
    """
    light = _within(image, corners)
    dull = max(_SHINE_FLOOR * float(np.median(light)), _SHINE_LEAST)
    return _shining(light, np.full_like(light, dull), "the floor elsewhere")


def _within(image: Image, corners: FloatArray) -> FloatArray:
    """The light within four corners, as a square."""
    square = np.array(((0, 0), (_GRID, 0), (_GRID, _GRID), (0, _GRID)), np.float32)
    turn = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    # A little averaging keeps noise and grain from counting as glare.
    calm = cv2.GaussianBlur(gray_of(image), (5, 5), 0)
    seen = np.asarray(cv2.warpPerspective(calm, turn, (_GRID, _GRID)), np.uint8)
    return light_of(seen).astype(np.float64)


def _shining(light: FloatArray, dull: FloatArray, than: str) -> Verdict:
    """Whether more of a square than allowed is brighter than matt surfaces can be, and where."""
    # A saturated sensor cannot show more.
    shining = light > np.minimum(dull, float(light_of(np.array([251], np.uint8))[0]))
    # The bright edge of the rim shows along the wall; dice lie farther in.
    edge = _GRID // 20
    shining[:edge] = shining[-edge:] = False
    shining[:, :edge] = shining[:, -edge:] = False
    amount = float(shining.mean())
    quality = share(amount, 4 * _SHINE_SHARE, 0.0)
    if amount <= _SHINE_SHARE:
        return Verdict(quality)
    rows, columns = np.nonzero(shining)
    return Verdict(
        min(quality, 0.45),
        side_of(float(columns.mean()) / _GRID * 2 - 1, float(rows.mean()) / _GRID * 2 - 1),
        f"{amount:.1%} of the tray shines brighter than {than}, expected {_SHINE_SHARE:.1%}; move "
        "the lamp, or put paper in front of it",
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
    gray = gray_of(image)
    height, width = gray.shape
    drowned = set()
    for key, (x, y) in places.items():
        left, right = max(0, round(x - reach)), min(width, round(x + reach))
        top, bottom = max(0, round(y - reach)), min(height, round(y + reach))
        if left < right and top < bottom and (gray[top:bottom, left:right] >= 250).mean() > 0.5:
            drowned.add(key)
    return drowned


def flicker(frames: Sequence[Frame]) -> Verdict:
    """Whether the light changes from frame to frame; needs three frames or more."""
    if len(frames) < 3:
        return Verdict(1.0)
    # A rolling shutter turns fast flicker into bands.
    means = np.array(
        [
            [float(band.mean()) for band in np.array_split(light_of(gray_of(seen)[:, ::4]), _BANDS)]
            for seen in (f.image if f.small is None else f.small for f in frames)
        ]
    )
    spread = float((np.ptp(means, axis=0) / np.maximum(means.mean(axis=0), _DARK_BAND)).max())
    quality = share(spread, 2 * _FLICKER, 0.02)
    if spread <= _FLICKER:
        return Verdict(quality)
    return Verdict(
        quality,
        Problem.FLICKER,
        f"brightness changes by {spread:.0%} between frames, expected {_FLICKER:.0%}; another "
        "lamp, or an exposure that is a multiple of 10 ms (8.3 ms at 60 Hz)",
    )

"""Finds a card that was laid on the rim, by the picture from before.

A card of ISO/IEC 7810's size has sides of its ratio, right angles, and round corners; what else
lies on a desk mostly has others.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.known_sizes import PRINT_RANGE
from calibration.problems import Problem
from calibration.wizard.outline import Compared, Place, has_gone, outline_of, roundness_of
from vision.frame import Image
from vision.image.arrays import FloatArray, GreyImage
from vision.image.numeric import log_levels

CARD_MM = (85.60, 53.98)
"""ID-1 (ISO/IEC 7810): cards of banks, libraries, insurances."""
CARD_ROUND_MM = 3.18
"""Radius of its corners."""
_AROUND_MM = 75.0  # the markers
_STEP_MM = 1.0
_MIN_CHANGE = 0.16  # of the light at a place, beyond what all places share
_BRIDGED_MM = 15  # where what is new looks as what was there
_SPECK_MM2 = 30.0  # noise of dark places, which bridges would join to what is new
_THIN_MM = 11  # what is thinner is a shadow, or a tray that was touched
_MIN_AREA_MM2 = 1200.0
_RATIO_WITHIN = 0.010  # of a card's, in logarithms
_SIDES_WITHIN = 0.012  # opposite ones of one another, likewise
_ASLANT_WITHIN = 0.022  # cosines of angles
_ROUND_WITHIN_MM = (CARD_ROUND_MM - 1.1, CARD_ROUND_MM + 1.4)
_BESIDE_MM = -1.0  # where a corner looks as what was there, something else is found for it
_MIN_CORNERS = 2
_MAT_MM = 2.0
"""A rim that is no higher is one with its floor."""


def something_new(before: Image, image: Image, known: Calibration) -> Place | None:
    """Where something of a card's size or larger lies that did not before; None if nothing does."""
    assert known.layout is not None
    flat = known.layout[..., :2].reshape(-1, 2)
    first, last = flat.min(axis=0) - _AROUND_MM, flat.max(axis=0) + _AROUND_MM
    x, y = (np.arange(a, b, _STEP_MM) for a, b in zip(first, last, strict=True))
    places = np.stack(np.meshgrid(x, y), -1)
    # A pixel of the plan covers several of the picture.
    before, image = (np.asarray(cv2.blur(one, (3, 3)), np.uint8) for one in (before, image))
    compared = Compared(before, image, known)
    was, now = compared.seen(places)
    change = log_levels(now) - log_levels(was)
    # Another light is on all of it.
    change -= np.median(change, axis=(0, 1))
    differs = np.abs(change).max(axis=2) > _MIN_CHANGE
    differs &= compared.in_picture(places)
    mask = _without_specks(_opened(differs.astype(np.uint8), 3))
    bridges = np.ones((_BRIDGED_MM, _BRIDGED_MM), np.uint8)
    closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, bridges), np.uint8)
    # Only a frame of it may differ.
    whole = _opened(_filled(closed, _outlines(closed)), _THIN_MM)
    outlines = _outlines(whole)
    largest = max(outlines, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) * _STEP_MM**2 < _MIN_AREA_MM2:
        return None
    only = cv2.findNonZero(mask & _filled(mask, [largest]))
    middle, sides, degrees = cv2.minAreaRect(only)
    yaw = float(np.radians(degrees)) + (0.0 if sides[0] >= sides[1] else np.pi / 2)
    size = max(sides) * _STEP_MM, min(sides) * _STEP_MM
    return Place(first + np.array(middle) * _STEP_MM, yaw, size)


def card_on_rim(before: Image, image: Image, known: Calibration, where: Place) -> float:
    """The size of the print by a card, 1 as it should be.

    Args:
        before: the tray without it.
        image: with it.
        known: the tray.
        where: the card is, about.

    Raises:
        RefusedError: what lies there is no card, or does not lie across the edge of the opening.
    """
    compared = Compared(before, image, known)
    corners = outline_of(compared, where)
    if corners is None or not _is_card(corners, roundness_of(compared, corners)):
        raise RefusedError(
            Problem.NO_CARD,
            "what lies there is no card of 85.6 x 54 mm with round corners; lay it flat on the "
            "rim, across a corner",
        )
    tray = known.profile.tray.astype(np.float32)
    inside = [cv2.pointPolygonTest(tray, tuple(map(float, one)), True) > 0 for one in corners]
    # On the floor it looks like a larger print, beside the tray like any.
    if (known.rim_mm or 0.0) > _MAT_MM and (all(inside) or not any(inside)):
        raise RefusedError(
            Problem.CARD_LOW,
            "only on the rim a card tells how large the print is: elsewhere the height of the rim "
            "does as much",
        )
    return known.print_scale * _print_by(corners)


def was_taken_away(before: Image, image: Image, known: Calibration, where: Place) -> bool:
    """True if what is new is that something of four sides does not lie there any more."""
    compared = Compared(before, image, known)
    corners = outline_of(compared, where)
    return corners is not None and has_gone(compared, corners)


def _print_by(corners: FloatArray) -> float:
    """The size of the print for which what has such corners is as large as a card."""
    sides = _sides(corners)
    return float(np.sqrt(CARD_MM[0] * CARD_MM[1] / sides[0::2].mean() / sides[1::2].mean()))


def _sides(corners: FloatArray) -> FloatArray:
    """Lengths of the sides, from that after the first corner on, (4,)."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1), np.float64)


def _is_card(corners: FloatArray, radii: FloatArray) -> bool:
    """True if this is the outline of a card of any size that prints make it seem.

    Args:
        corners: where its sides meet, (4, 2); the first side is a shorter one.
        radii: of its corners, (4,).
    """
    sides = _sides(corners)
    ways = (np.roll(corners, -1, axis=0) - corners) / sides[:, None]
    aslant = np.abs((ways * np.roll(ways, -1, axis=0)).sum(axis=1)).max()
    logs = np.log(sides)
    uneven = np.abs(logs[:2] - logs[2:]).max()
    ratio = logs[1::2].mean() - logs[0::2].mean() - np.log(CARD_MM[0] / CARD_MM[1])
    if aslant > _ASLANT_WITHIN or uneven > _SIDES_WITHIN or abs(ratio) > _RATIO_WITHIN:
        return False
    scale = _print_by(corners)
    least, most = _ROUND_WITHIN_MM
    true_radii = radii * scale
    round_ = (true_radii > least) & (true_radii < most)
    sharp = (true_radii > _BESIDE_MM) & (true_radii <= least)
    right = np.count_nonzero(round_) >= _MIN_CORNERS and not sharp.any()
    return bool(right and PRINT_RANGE[0] < scale < PRINT_RANGE[1])


def _outlines(mask: GreyImage) -> Sequence[MatLike]:
    return cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]


def _filled(mask: GreyImage, outlines: Sequence[MatLike]) -> GreyImage:
    """A mask of all that is inside of outlines in one like it."""
    filled = cv2.drawContours(np.zeros_like(mask), outlines, -1, 1, cv2.FILLED)
    return np.asarray(filled, np.uint8)


def _without_specks(mask: GreyImage) -> GreyImage:
    """A mask without its smallest patches."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    large = stats[:, cv2.CC_STAT_AREA] * _STEP_MM**2 >= _SPECK_MM2
    return np.asarray(mask * large[labels], np.uint8)


def _opened(mask: GreyImage, side: int) -> GreyImage:
    """A mask without what is thinner."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    return np.asarray(opened, np.uint8)

"""Pips: small round spots that stand out against the body of a die."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.classify.face import Pyramid
from vision.detect.components import components
from vision.image.arrays import BoolArray, FloatArray, GreyImage, IndexArray
from vision.image.numeric import near_along

MIN_SPOT_RADIUS_PX = 2.5
"""Of a pyramid level; smaller spots have no shape left to measure."""
MAX_SPOT_RADIUS_PX = 9.0
"""Of a pyramid level; larger ones are found on the next level up."""
MIN_SPOT_CONTRAST = 22
MIN_SPOT_ASPECT = 0.3
MIN_SPOT_AREA_PX = np.pi * MIN_SPOT_RADIUS_PX**2 * MIN_SPOT_ASPECT
MAX_SPOT_AREA_PX = np.pi * (1.2 * MAX_SPOT_RADIUS_PX) ** 2

MAX_SPOTS = 1000
"""Of one polarity in a picture: those with the most contrast are kept. Carpet, wood and
leather have up to 2,400 in photographs by strangers; a tray with dice has up to 632."""

SAME_SPOT_RADII = 0.8
"""Spots of two levels whose middles are nearer than this, in radii of the larger, are one."""

_WIDE_KERNEL = np.ones((int(2 * MAX_SPOT_RADIUS_PX) + 3,) * 2, np.uint8)
_NEAR_KERNEL = np.ones((7, 7), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Pips:
    """Spots of one polarity, as parallel arrays of length n.

    Attributes:
        xy: centres in pixels of the given picture, (n, 2).
        major: semi-axes of the ellipse with the same second moments, pixels, (n,).
        minor: see `major`.
        contrast: difference from the surroundings, grey levels, (n,).
        bright: whether these are spots brighter than their surroundings.
    """

    xy: FloatArray
    major: FloatArray
    minor: FloatArray
    contrast: FloatArray
    bright: bool

    def __len__(self) -> int:
        return len(self.major)

    @property
    def parts(self) -> tuple[FloatArray, ...]:
        """All four arrays."""
        return self.xy, self.major, self.minor, self.contrast

    def take(self, keep: IndexArray | BoolArray) -> "Pips":
        """The spots chosen by a mask or by indices."""
        xy, major, minor, contrast = (part[keep] for part in self.parts)
        return Pips(xy, major, minor, contrast, self.bright)

    def most_prominent(self, count: int) -> "Pips":
        """At most `count` of them, those with the most contrast, in the order they had."""
        if len(self) <= count:
            return self
        first = np.argsort(-self.contrast, kind="stable")[:count]
        return self.take(np.sort(first))


def find_pips(
    pyramid: Pyramid, levels: int = 4, smooth: bool = False, dark: bool = True
) -> tuple[Pips, Pips]:
    """Finds bright and dark pips over a range of sizes.

    Bright pips are searched for in the darkest of the three channels and dark ones in the
    brightest: there white and black pips on a coloured body have the most contrast.

    Args:
        pyramid: the picture, (height, width, 3), BGR, and its halves.
        levels: how many of its levels are searched.
        smooth: whether to remove single-pixel noise first.
        dark: whether to look for dark pips; otherwise none are returned.

    Returns:
        Bright pips, dark pips: the `MAX_SPOTS` most prominent ones of each.
    """
    found: tuple[list[Pips], list[Pips]] = ([], [])
    for step in range(levels):
        level = pyramid.level(step)
        if min(level.shape[:2]) < 16:
            break
        # Into NumPy's own arrays: those that OpenCV allocates take three times as long.
        blue, green, red, grey = np.empty((4, *level.shape[:2]), np.uint8)
        cv2.split(level, [blue, green, red])
        scale = 2.0**step
        for bright, into in ((True, found[0]), (False, found[1]))[: 1 + dark]:
            extreme = cv2.min if bright else cv2.max
            extreme(extreme(blue, green, grey), red, grey)
            if not bright:
                cv2.bitwise_not(grey, grey)
            if smooth:
                cv2.GaussianBlur(grey, (3, 3), 0.6, grey)
            spots = find_spots(grey, bright)
            xy, sizes = (spots.xy + 0.5) * scale - 0.5, (spots.major * scale, spots.minor * scale)
            into.append(Pips(xy, *sizes, spots.contrast, bright))
    return _merge_levels(found[0], True), _merge_levels(found[1], False)


def find_spots(grey: GreyImage, bright: bool) -> Pips:
    """Spots lighter than what is around them; `bright` says what that is in the picture itself."""
    # The opening erases everything narrower than the kernel, whatever lies beside it.
    hat = np.empty_like(grey)
    cv2.morphologyEx(grey, cv2.MORPH_TOPHAT, _WIDE_KERNEL, hat)
    # A spot must exceed half of the greatest contrast near it, and so what is left of that.
    least = np.asarray(cv2.dilate(hat, _NEAR_KERNEL), np.uint8)
    cv2.subtract(least, hat, least)
    mask = np.greater(hat, least, out=least.view(np.bool_))
    mask &= hat > MIN_SPOT_CONTRAST
    index, places, total = components(mask, MIN_SPOT_AREA_PX, MAX_SPOT_AREA_PX)
    n = len(total)
    ys, xs = np.divmod(places, hat.shape[1])
    mx = np.bincount(index, xs, n) / total
    my = np.bincount(index, ys, n) / total
    dx, dy = xs - mx[index], ys - my[index]
    # One twelfth is a pixel's own second moment.
    xx = np.bincount(index, dx * dx, n) / total + 1 / 12
    yy = np.bincount(index, dy * dy, n) / total + 1 / 12
    xy = np.bincount(index, dx * dy, n) / total
    root = np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    major = 2 * np.sqrt((xx + yy) / 2 + root)
    minor = 2 * np.sqrt(np.maximum((xx + yy) / 2 - root, 1e-9))
    # An ellipse fills pi times the product of its semi-axes; letters and arcs fill less.
    fill = total / (np.pi * major * minor)
    good = (fill > 0.82) & (minor / major > MIN_SPOT_ASPECT)
    good &= (major >= MIN_SPOT_RADIUS_PX) & (major <= MAX_SPOT_RADIUS_PX * 1.1)
    contrast = np.bincount(index, hat.ravel()[places], n) / total
    return Pips(np.stack([mx, my], axis=1), major, minor, contrast, bright).take(good)


def _join_pips(one: Pips, other: Pips) -> Pips:
    pairs = zip(one.parts, other.parts, strict=True)
    xy, major, minor, contrast = (np.concatenate(pair) for pair in pairs)
    return Pips(xy, major, minor, contrast, one.bright)


def shift_pips(pips: Pips, right: int, down: int) -> Pips:
    """Spots found in a part of a picture whose corner is this far right and down, pixels."""
    return replace(pips, xy=pips.xy + np.array([right, down]))


def _no_pips(bright: bool) -> Pips:
    return Pips(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0), bright)


def _merge_levels(levels: list[Pips], bright: bool) -> Pips:
    """Joins the levels; of a spot found on two of them the finer one is kept."""
    prominent = [level.most_prominent(MAX_SPOTS) for level in levels]
    kept = prominent[0] if prominent else _no_pips(bright)
    for level in prominent[1:]:
        largest = np.maximum(level.major, kept.major.max(initial=0.0))
        one, other = near_along(level.xy[:, 0], kept.xy[:, 0], SAME_SPOT_RADII * largest)
        gap = np.hypot(*(level.xy[one] - kept.xy[other]).T)
        same = gap < np.maximum(level.major[one], kept.major[other]) * SAME_SPOT_RADII
        new = np.bincount(one[same], minlength=len(level)) == 0
        kept = _join_pips(kept, level.take(new)).most_prominent(MAX_SPOTS)
    return kept

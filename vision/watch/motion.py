"""Changes between two frames, seen on small copies: cheap enough for every frame.

Light is told apart from matter in three ways. Pictures are compared on a logarithmic scale, where
a change of exposure is a constant; the smooth part of the change is subtracted, which removes that
constant, the bands of a rolling shutter under flickering lamps and the soft edge of a shadow; and
a pixel on an edge may change by as much as a shift of a fraction of a pixel explains, which
tolerates a shaking camera.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.image.arrays import Float32Array, Mask
from vision.image.numeric import largest

SMALL_LONG_SIDE_PX = 320
"""Longer side of the small copy, pixels."""
NO_DETAIL_LEVEL = 128
"""Level of a detail picture where there is no detail."""

_LOG_OFFSET = 24.0  # keeps the noise of dark pixels from being blown up by the logarithm
_LEVELS_PER_OCTAVE = 255.0 / math.log2((255.0 + _LOG_OFFSET) / _LOG_OFFSET)
LOG_TABLE = np.round(
    _LEVELS_PER_OCTAVE * np.log2((np.arange(256) + _LOG_OFFSET) / _LOG_OFFSET)
).astype(np.uint8)
"""Levels of the logarithmic scale by grey levels."""
# Wider than a die is on the small copy, narrower than an arm's shadow.
_SMOOTHING_WINDOW_PX = (15, 15)
_EDGE_KERNEL = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
_FORGIVEN_EDGE_SHARE = 0.2  # of the range within 3x3 pixels: a shift of about 0.4 pixels
_NOISE_WINDOW_PX = (31, 31)
_SPECK_KERNEL = np.ones((2, 2), np.uint8)
_MIN_MOTION_THRESHOLD = 9  # 255 is 3.5 octaves, so about 9 % of the light
_MAX_MOTION_THRESHOLD = 24
_NOISE_FACTOR = 5.0  # threshold over the mean change around a pixel
_THRESHOLD_TABLE = np.clip(np.arange(256), _MIN_MOTION_THRESHOLD, _MAX_MOTION_THRESHOLD).astype(
    np.uint8
)
_STEEPNESS_UNIT = 16
_STEEPNESS_TABLE = np.round(
    _STEEPNESS_UNIT
    * _LEVELS_PER_OCTAVE
    / math.log(2)
    / _LOG_OFFSET
    * np.exp2(-np.arange(256) / _LEVELS_PER_OCTAVE)
).astype(np.uint8)  # slope of the logarithm at its values, in sixteenths
_MIN_PATTERN = 12.0  # spread of a change in levels; black dice on dark felt: 19, an empty floor: 1
_NOISES_OF_PATTERN = 3.0
_NOISE_OF_MEDIAN = 1.48  # a standard deviation over the median of the absolute values
_MIN_UNLIKE_SHARE = 0.5  # of both variances; another pattern: 0.7 to 1, a shift of 0.6 px: to 0.36
_MEAN_OF_CHANNELS = np.full((1, 3), 1 / 3, np.float32)
# How far around a pixel changes affect the decision about it.
_DECISION_RADIUS_PX = _NOISE_WINDOW_PX[0] // 2 + 2
# The same for the content of both pictures.
_CONTENT_RADIUS_PX = _SMOOTHING_WINDOW_PX[0] // 2 + _DECISION_RADIUS_PX + 1


@dataclass(frozen=True, slots=True, eq=False)
class Small:
    """A small copy of a frame, ready for comparison.

    Attributes:
        color: (height, width, 3) BGR, longer side `SMALL_LONG_SIDE_PX`.
        log: the same on a logarithmic scale of light.
        edges: range of `log` within 3x3 pixels.
        detail: `log` without its smooth part, `NO_DETAIL_LEVEL` where there is none.
        bright: largest channel of `log`, (height, width).
        scale: pixels of the small copy per pixel of the full picture.
    """

    color: Image
    log: Image
    edges: Image
    detail: Image
    bright: Image
    scale: float

    def made_with(self, change: Callable[..., Image], *others: "Small") -> "Small":
        """A copy; `change` makes each of its pictures from this one's and those of `others`."""
        names = ("color", "log", "edges", "detail", "bright")
        made = {name: change(*(getattr(one, name) for one in (self, *others))) for name in names}
        return Small(scale=self.scale, **made)


def shrink(image: Image, full_side: int | None = None) -> Small:
    """Makes the small copy of a picture.

    Args:
        image: (height, width, 3); the full picture, or one that the camera made smaller.
        full_side: longer side of the full picture, pixels, if `image` is a smaller one.
    """
    color = image
    factor = min(1.0, SMALL_LONG_SIDE_PX / max(color.shape[:2]))
    if factor < 1.0:
        height, width = (max(1, round(side * factor)) for side in color.shape[:2])
        if factor < 0.5:
            # Sixteen samples per pixel instead of all: a tenth of the time, hardly more noise.
            color = resized(color, 2 * width, 2 * height, cv2.INTER_LINEAR)
        color = resized(color, width, height, cv2.INTER_AREA)
    scale = max(color.shape[:2]) / (full_side or max(image.shape[:2]))
    log = np.asarray(cv2.LUT(color, LOG_TABLE), np.uint8)
    edges = np.asarray(
        cv2.subtract(cv2.dilate(log, _EDGE_KERNEL), cv2.erode(log, _EDGE_KERNEL)), np.uint8
    )
    detail = np.asarray(
        cv2.addWeighted(log, 1, cv2.blur(log, _SMOOTHING_WINDOW_PX), -1, NO_DETAIL_LEVEL), np.uint8
    )
    return Small(color, log, edges, detail, largest(log), scale)


def resized(image: Image, width: int, height: int, how: int) -> Image:
    """A picture in another size; `how` is OpenCV's flag of interpolation."""
    return cv2.resize(image, (width, height), interpolation=how).astype(np.uint8, copy=False)


def changed_pixels(before: Small, after: Small, region: Mask | None = None) -> Mask:
    """Marks the pixels where matter, not light, differs between two small copies of one size.

    Only in `region`; everywhere if that is None.
    """
    if region is None:
        return _mark_matter(before, after, np.s_[:, :])
    part = _padded_bounds(region, _CONTENT_RADIUS_PX)
    mask = np.zeros_like(region)
    mask[part] = _mark_matter(before, after, part)
    return np.asarray(cv2.bitwise_and(mask, region), np.uint8)


def unlike_places(before: Small, after: Small, side_px: int) -> Mask:
    """Marks the middles of squares whose pattern is another one, though few pixels may show it.

    A black die on a dark floor in little light changes hardly a pixel beyond the noise, but the
    whole square then has nothing in common with what was there: its variance is that of both
    pictures together. What only shines more or less, or has shifted by a part of a pixel, keeps
    most of its pattern.

    Args:
        before: a small copy.
        after: another one, of the same size.
        side_px: side of the squares, pixels of the small copy.
    """
    old, new = (_grey_detail(one) for one in (before, after))
    change = new - old
    changed = _spread(change, side_px)
    noise = _NOISE_OF_MEDIAN * float(np.median(np.abs(change)))
    least = max(_MIN_PATTERN, _NOISES_OF_PATTERN * noise) ** 2
    shared = (_spread(old, side_px) + _spread(new, side_px)) * _MIN_UNLIKE_SHARE
    return np.asarray(cv2.compare(changed, np.maximum(shared, least), cv2.CMP_GT), np.uint8)


def _grey_detail(small: Small) -> Float32Array:
    return np.asarray(cv2.transform(small.detail, _MEAN_OF_CHANNELS), np.float32)


def _spread(values: Float32Array, side_px: int) -> Float32Array:
    """The variance in the square around each pixel."""
    size = (side_px, side_px)
    mean = cv2.blur(values, size)
    return np.asarray(cv2.blur(values * values, size) - mean * mean, np.float32)


def _mark_matter(before: Small, after: Small, part: tuple[slice, slice]) -> Mask:
    # Smooth changes are light: the details leave them out.
    matter = cv2.absdiff(before.detail[part], after.detail[part])
    edges = cv2.max(before.edges[part], after.edges[part])
    forgiven = cv2.convertScaleAbs(edges, alpha=_FORGIVEN_EDGE_SHARE)
    calm = cv2.blur(largest(cv2.subtract(matter, forgiven)), (3, 3))
    mask = (calm > _MIN_MOTION_THRESHOLD).view(np.uint8)
    if not cv2.hasNonZero(mask):
        return mask
    near = _padded_bounds(mask, _DECISION_RADIUS_PX)
    calm, bright = calm[near], (one.bright[part][near] for one in (before, after))
    # The threshold of a change comes from its surroundings. The logarithm makes a dark strip beside
    # a bright floor noisier than these, but grain may still be strongest where it is bright.
    steepness = cv2.LUT(cv2.min(*bright), _STEEPNESS_TABLE)
    of_light = cv2.blur(
        cv2.divide(calm, steepness, scale=_STEEPNESS_UNIT * _STEEPNESS_UNIT), _NOISE_WINDOW_PX
    )
    weighed = cv2.multiply(
        of_light, steepness, scale=_NOISE_FACTOR / (_STEEPNESS_UNIT * _STEEPNESS_UNIT)
    )
    plain = cv2.blur(cv2.convertScaleAbs(calm, alpha=_NOISE_FACTOR), _NOISE_WINDOW_PX)
    found = cv2.compare(calm, cv2.LUT(cv2.max(plain, weighed), _THRESHOLD_TABLE), cv2.CMP_GT)
    mask[near] = cv2.morphologyEx(found, cv2.MORPH_OPEN, _SPECK_KERNEL)
    return mask


def _padded_bounds(mask: cv2.typing.MatLike, margin: int) -> tuple[slice, slice]:
    """Rows and columns of what a mask marks and of this many pixels around it."""
    x, y, width, height = cv2.boundingRect(mask)
    return np.s_[max(0, y - margin) : y + height + margin, max(0, x - margin) : x + width + margin]

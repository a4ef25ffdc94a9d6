"""Whether a tray at rest may have changed: a look at 160 pixels before that at 320.

Each frame is compared with the one that was last looked at whole, never with the one before, so
that slow changes add up. As in `vision.watch.motion`, pictures are compared on a logarithmic scale
of light, and smooth changes are left out. What remains counts against the noise around it between
two frames: in single samples for small patterns, and in sums over 3x3 of them, where noise averages
out, for faint ones. It opens for less than what counts as movement there; opening by mistake costs
only the look.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Image
from vision.image.arrays import BoolArray, Float32Array, Mask
from vision.watch.motion import LOG_TABLE, resized

LOOK_INTERVAL_S = 2.0
"""Seconds after which a frame is looked at, whatever this says."""

TIME_EPSILON_S = 1e-6  # frame times are sums of fractions
_LONG_SIDE = 160
_LIGHT_WINDOW = (9, 9)
_NOISE_WINDOW = (31, 31)
_NOISE_OF_EDGE_WINDOW = (9, 9)  # edges are noisier than what lies around them
_NOISE_OF_EDGE_SHARE = 0.8
_SUM_WINDOW = (3, 3)
_SAMPLE_NOISES = 8.0  # mean absolute values of noise, 6.4 standard deviations
_SUM_NOISES = 7.5  # 6 standard deviations
_LEAST_OF_SAMPLE = 12.0
_LEAST_OF_SUM = 25.0  # the smallest movement has 45: 5x5 pixels that changed by 9 levels each
_MAX_CAUTION = 1.6  # times as much, where looks find nothing: compressed pictures flicker
_CAUTION_STEP = 1.25
_FIRST_LOOKS = 3  # pairs of frames that are compared before any is left out
_NEVER = float(np.iinfo(np.int16).max)


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """What changed but is not light, in levels of the logarithm, or a limit of that.

    Attributes:
        samples: in each sample and channel.
        sums: summed over 3x3 samples.
    """

    samples: NDArray[np.int16]
    sums: NDArray[np.int16]

    @staticmethod
    def between(before: Image, after: Image) -> "_Change":
        """What changed between two glimpses."""
        change = cv2.subtract(after, before, dtype=cv2.CV_16S)
        matter = cv2.subtract(change, cv2.blur(change, _LIGHT_WINDOW))
        sums = cv2.boxFilter(matter, cv2.CV_16S, _SUM_WINDOW, normalize=False)
        return _Change(np.abs(np.asarray(matter, np.int16)), np.abs(np.asarray(sums, np.int16)))

    def exceeds(self, limit: "_Change") -> bool:
        """True if any of it is beyond a limit."""
        pairs = ((self.samples, limit.samples), (self.sums, limit.sums))
        return any(
            cv2.hasNonZero(cv2.compare(change, most, cv2.CMP_GT).reshape(-1))
            for change, most in pairs
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Noise:
    """What the noise of a quiet picture allows, in single samples and in sums."""

    samples: Float32Array
    sums: Float32Array

    @staticmethod
    def of(change: _Change) -> "_Noise":
        """From how two frames differ between which nothing changed."""
        found = []
        for values, noises in ((change.samples, _SAMPLE_NOISES), (change.sums, _SUM_NOISES)):
            noise = values.astype(np.float32)
            at_edges = cv2.blur(noise, _NOISE_OF_EDGE_WINDOW) * _NOISE_OF_EDGE_SHARE
            found.append(noises * cv2.max(cv2.blur(noise, _NOISE_WINDOW), at_edges))
        return _Noise(*found)

    def or_less(self, other: "_Noise") -> "_Noise":
        """The lesser of two at each place: what passed through in only one of them is no noise."""
        return _Noise(np.minimum(self.samples, other.samples), np.minimum(self.sums, other.sums))

    def limit(self, caution: float, outside: BoolArray) -> _Change:
        """From where on a change counts."""
        limits = []
        for allowed, least in ((self.samples, _LEAST_OF_SAMPLE), (self.sums, _LEAST_OF_SUM)):
            limit = caution * np.maximum(least, allowed)
            limit[outside] = _NEVER
            limits.append(limit.astype(np.int16))
        return _Change(*limits)


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a picture in which changes may count.

    Attributes:
        where: its rows and columns.
        width: of its glimpse, samples.
        height: the same.
    """

    where: tuple[slice, slice]
    width: int
    height: int


class Gate:
    """Says of each frame whether something may have changed since the last look.

    Args:
        region: where changes count, as a mask of any size over the whole picture; None is
            everywhere.
    """

    def __init__(self, region: Mask | None = None) -> None:
        self._region = region
        self._parts: dict[tuple[int, ...], _Part] = {}
        self.forget()

    def forget(self) -> None:
        """The next frames are to be looked at: something has moved, or is not known yet."""
        self._looked_s = -math.inf
        self._looks = 0
        self._reference: Image | None = None
        self._last: Image | None = None
        self._noise: _Noise | None = None
        self._limit: _Change | None = None
        self._caution = 1.0
        self._surprised = False

    @property
    def surprised(self) -> bool:
        """True if the last frame has changed, and was not looked at only because it was time."""
        return self._surprised

    def may_have_changed(self, frame: Frame) -> bool:
        """True if a frame should be looked at; it is taken as quiet otherwise."""
        before, now = self._last, self._glimpse(frame)
        if before is not None and before.shape != now.shape:
            self.forget()
            before = None
        self._last, self._surprised = now, False
        since_s = frame.time_s - self._looked_s
        late = not 0.0 <= since_s < LOOK_INTERVAL_S - TIME_EPSILON_S
        if self._reference is not None and self._limit is not None:
            if _Change.between(self._reference, now).exceeds(self._limit):
                self._surprised = True
                self._caution = min(_MAX_CAUTION, self._caution * _CAUTION_STEP)
            elif late:
                self._caution = max(1.0, self._caution / _CAUTION_STEP)
            else:
                return False
        self._reference, self._looked_s = now, frame.time_s
        # What has just changed here is no noise.
        if before is not None and not self._surprised:
            self._learn_noise(_Noise.of(_Change.between(before, now)))
        if self._noise is not None and self._looks >= _FIRST_LOOKS:
            self._limit = self._noise.limit(self._caution, self._outside(now))
        return True

    def _learn_noise(self, noise: _Noise) -> None:
        self._looks += 1
        begins = self._looks <= _FIRST_LOOKS and self._noise is not None
        self._noise = self._noise.or_less(noise) if begins and self._noise else noise

    def _outside(self, now: Image) -> BoolArray:
        """Where changes do not count."""
        height, width = now.shape[:2]
        if self._region is None:
            return np.zeros((height, width), np.bool_)
        part = self._region[self._part(self._region).where]
        inside = cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.dilate(inside, np.ones((5, 5), np.uint8)) == 0)

    def _part(self, picture: Image | Mask) -> _Part:
        """Where changes may count in pictures of this size."""
        shape = picture.shape[:2]
        if shape not in self._parts:
            self._parts[shape] = self._part_of(*shape)
        return self._parts[shape]

    def _part_of(self, height: int, width: int) -> _Part:
        share = max(1.0, max(height, width) / _LONG_SIDE)  # pixels for each sample
        x, y, wide, high = 0, 0, width, height
        if self._region is not None:
            scale = width / self._region.shape[1]
            x, y, wide, high = (side * scale for side in cv2.boundingRect(self._region))
        # Whole samples: where they are two pixels wide, OpenCV is several times as fast.
        left, top = int(x / share), int(y / share)
        right = max(left + 1, math.ceil(round((x + wide) / share, 6)))
        bottom = max(top + 1, math.ceil(round((y + high) / share, 6)))
        rows, columns = (
            slice(round(first * share), min(round(last * share), side))
            for first, last, side in ((top, bottom, height), (left, right, width))
        )
        return _Part((rows, columns), right - left, bottom - top)

    def _glimpse(self, frame: Frame) -> Image:
        """The part of a frame that counts, with so few samples that comparing it costs little."""
        image = frame.image if frame.small is None else frame.small
        part = self._part(image)
        picture = image[part.where]
        # The samples of `shrink`: a column of pixels that it sees must not fall between these.
        if picture.shape[1] > 4 * part.width:
            picture = resized(picture, 4 * part.width, 4 * part.height, cv2.INTER_LINEAR)
        for fold in (2, 1):
            if picture.shape[1] > fold * part.width:
                size = fold * part.width, fold * part.height
                picture = resized(picture, *size, cv2.INTER_AREA)
        return np.asarray(cv2.LUT(picture, LOG_TABLE), np.uint8)

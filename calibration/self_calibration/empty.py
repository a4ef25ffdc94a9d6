"""Learns how the empty tray looks, while people play, and whether that helps to read.

A picture of the empty tray shows where something has come to lie; but so does a soft shadow that
dice cast on dark felt. So a picture is on trial first: in a few throws nothing more and nothing
less may be found with it than was found without.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from vision.frame import Frame, Image
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray
from vision.image.numeric import CHANGE_OFFSET, log_levels
from vision.reading import DieReading

STILL_S = 3.0
"""The tray lies empty and still for so long before a picture is taken."""
TRIALS = 3
"""Throws in which a picture must not make anything worse."""
MAX_REFUSALS = 3
"""After so many pictures that did, none is taken again until the next start."""
_PICTURES = 5
_PICTURE_INTERVAL_S = 0.2
_CHECK_INTERVAL_S = 30.0  # between two looks whether a picture is still as the tray is
_CELLS_PER_EDGE = 4.0
_MAX_CHANGE = 0.16  # of the light on a cell, beyond what the whole tray shares, as in vision.detect
_MAX_CHANGED_SHARE = 0.35  # of the cells that a die would cover


class EmptyTray:
    """The picture of the empty tray, for one pose of the camera.

    Attributes:
        picture: that is on trial or has passed; None while there is none.
        passed: whether the picture has passed its trials, so that it may be read with.
    """

    def __init__(self, picture: Image | None = None) -> None:
        self.picture = picture
        self.passed = picture is not None
        self._trials = 0
        self._refusals = 0
        self._images: list[Image] = []
        self._since_s: float | None = None
        self._next_s = 0.0

    def forget(self) -> None:
        """The tray has moved, or looks otherwise."""
        self.picture, self.passed = None, False
        self._trials = 0
        self._images.clear()

    def disturb(self) -> None:
        """Something moves or lies in the tray."""
        self._since_s = None
        self._images.clear()

    def see(self, frame: Frame, profile: Profile) -> bool:
        """Looks at a frame of a tray that lies empty; whether a picture turned out to be stale."""
        if self._since_s is None:
            self._since_s = frame.time_s
            self._next_s = frame.time_s + STILL_S
        if frame.time_s < self._next_s or self._refusals >= MAX_REFUSALS:
            return False
        if self.picture is not None:
            self._next_s = frame.time_s + _CHECK_INTERVAL_S
            if looks_alike(self.picture, frame.image, profile):
                return False
            had_passed = self.passed
            self.forget()
            return had_passed
        self._next_s = frame.time_s + _PICTURE_INTERVAL_S
        self._images.append(frame.image)
        if len(self._images) == _PICTURES:
            self.picture = np.asarray(np.median(np.stack(self._images), axis=0), np.uint8)
            self._images.clear()
        return False

    def try_out(
        self,
        calibration: Calibration,
        image: Image,
        found: Sequence[DieReading],
        expected: int | None = None,
    ) -> bool:
        """Reads a throw with the picture on trial; whether that was the last trial, and passed.

        Args:
            calibration: with which the throw was read, without such a picture.
            image: of dice at rest.
            found: what was read.
            expected: how many dice the game expects in the tray; None if that is not known.
        """
        if self.picture is None or self.passed:
            return False
        profile = replace(calibration.profile, empty=self.picture)
        reading = CalibratedReader(replace(calibration, profile=profile)).read(image)
        if not _is_as_good(found, reading.dice, expected):
            self._refusals += 1
            self.forget()
            return False
        self._trials += 1
        self.passed = self._trials == TRIALS
        return self.passed


def _is_as_good(
    before: Sequence[DieReading], now: Sequence[DieReading], expected: int | None
) -> bool:
    """True if as many dice are found as should be, and none that was sure is in doubt."""
    here = [die for die in before if not (die.aside or die.held)]
    there = [die for die in now if not (die.aside or die.held)]
    # A picture may also show dice that were missed without it.
    right = len(here) if expected is None or len(here) == expected else expected
    if len(there) != right:
        return False
    for die in here:
        near = min(there, key=lambda one: float(np.hypot(*np.subtract(one.center, die.center))))
        if die.sure and (not near.sure or near.value != die.value):
            return False
    return True


def looks_alike(before: Image, now: Image, profile: Profile) -> bool:
    """True if an empty tray still looks as it did, apart from more or less light on all of it."""
    scale = min(1.0, _CELLS_PER_EDGE / profile.usual_edge())
    change = _log_light(now, scale) - _log_light(before, scale)
    inside = np.zeros(change.shape[:2], np.uint8)
    corners = np.array(profile.tray_pixels()) * scale
    cv2.fillPoly(inside, [np.rint(corners).astype(np.int32)], 1)
    change -= np.median(change[inside > 0], axis=0)
    changed = ((np.abs(change).max(axis=2) > _MAX_CHANGE) & (inside > 0)).astype(np.float32)
    side = round(_CELLS_PER_EDGE)
    return bool(cv2.blur(changed, (side, side)).max() < _MAX_CHANGED_SHARE)


def _log_light(image: Image, scale: float) -> FloatArray:
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return log_levels(small, CHANGE_OFFSET)

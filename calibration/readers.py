"""Readers that leave out what is printed on the tray's rim: markers are not dice.

`CalibratedReader` knows where the markers are, `UncalibratedReader` finds them in each picture.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.calibration import Calibration
from calibration.markers.aruco import find_markers
from calibration.markers.printed import PLATE_MM
from calibration.markers.rim import plate_of_missing
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.image.memory import memory_watched
from vision.image.numeric import halved_towards
from vision.reader import Reader
from vision.reading import DieReading, TrayReading, TrayState
from vision.watch.darker import Exposure
from vision.watch.watcher import Watcher, watcher_for

_PLATE_MARGIN_MM = 4.0
"""Plates lie higher than floor and tops, so their places appear a little off."""
_MIN_SEARCHED_SIDE_PX = 600
"""Markers are searched for in pictures halved while both sides stay at least this long: in noise
the search takes 0.2 s a megapixel, and here it only has to tell which dice are part of one."""


class CalibratedReader:
    """A reader for one installation.

    Without a picture of the empty tray, as after a small shift was followed, markers would be
    mistaken for dice beside the tray.

    Args:
        calibration: the installation.

    Attributes:
        profile: what the reader needs, with the holders.
    """

    def __init__(self, calibration: Calibration) -> None:
        self.profile = replace(
            calibration.profile,
            holders=calibration.holders,
            only_holders=not calibration.holder_learnt,
        )
        self._reader = Reader(self.profile)
        layout = calibration.layout
        self._plates = None if layout is None else layout[:, :, :2].mean(axis=1)

    def read(self, image: Image, darker: Sequence[Image] = ()) -> TrayReading:
        """Reads one picture, (height, width, 3), BGR, and darker ones of the same scene.

        Raises:
            ProfileError: the profile is for pictures of another size.
            OutOfMemory: the memory is too small.
        """
        return self._leave_out_plates(self._reader.read(image, darker))

    def read_again(
        self, image: Image, reading: TrayReading, darker: Sequence[Image]
    ) -> TrayReading:
        """The reading of a picture updated with what darker ones show; errors as `read`."""
        return self._leave_out_plates(self._reader.read_again(image, reading, darker))

    def _leave_out_plates(self, reading: TrayReading) -> TrayReading:
        dice = tuple(die for die in reading.dice if not self._on_plate(die))
        if len(dice) == len(reading.dice):
            return reading
        return replace(reading, dice=dice, tray=reading.tray if dice else TrayState.EMPTY)

    def _on_plate(self, die: DieReading) -> bool:
        if self._plates is None or die.mm is None or not (die.aside or die.held):
            return False
        away = np.abs(self._plates - np.array(die.mm)).max(axis=1)
        return bool((away < PLATE_MM / 2 + _PLATE_MARGIN_MM).any())


_SEARCH_RADIUS_EDGES = 2.0
"""How far around a die a marker is searched for that it may be a part of, edges."""


def _parts_to_search(
    reading: TrayReading, scale: float, shape: tuple[int, ...]
) -> list[tuple[slice, slice] | None]:
    """Rows and columns of a picture, `scale` times smaller, in which markers may look like dice.

    On a checked cloth the search takes 20 s for the whole picture, so where the floor is crowded it
    is confined to the surroundings of dice that are claimed.
    """
    if not reading.crowded:
        return [None]
    parts: list[tuple[slice, slice] | None] = []
    for die in (die for die in reading.dice if die.sure):
        corners = np.array(die.outline) / scale
        reach = _SEARCH_RADIUS_EDGES * float(np.ptp(corners, axis=0).max())
        (left, top), (right, bottom) = corners.mean(axis=0) - reach, corners.mean(axis=0) + reach
        rows = slice(max(0, round(top)), min(shape[0], round(bottom)))
        columns = slice(max(0, round(left)), min(shape[1], round(right)))
        parts.append((rows, columns))
    return parts


class UncalibratedReader:
    """Reads pictures of a tray that is not calibrated.

    Args:
        profile: the geometry of the view, where it is known; None to read any picture.
    """

    def __init__(self, profile: Profile | None = None) -> None:
        self._reader = Reader(profile)

    def read(self, image: Image) -> TrayReading:
        """Reads one picture, (height, width, 3), BGR; what lies on a marker is left out.

        Raises:
            ProfileError: the geometry is of pictures of another size.
            OutOfMemory: the memory is too small.
        """
        reading = self._reader.read(image)
        if not reading.dice:
            return reading
        with memory_watched():
            small = halved_towards(image, (_MIN_SEARCHED_SIDE_PX, _MIN_SEARCHED_SIDE_PX))
            scale = image.shape[1] / small.shape[1]
            markers = [
                marker
                for part in _parts_to_search(reading, scale, small.shape[:2])
                for marker in find_markers(small, part).values()
            ]
        plates = [marker.corners for marker in markers]
        if (hidden := plate_of_missing(markers)) is not None:
            # Where a die lies on a marker, what is left of the print looks like more of them.
            plates.append(hidden)
        squares = [np.asarray(scale * corners, np.float32) for corners in plates]

        def printed(die: DieReading) -> bool:
            return any(cv2.pointPolygonTest(s, die.center, False) >= 0 for s in squares)

        dice = tuple(die for die in reading.dice if not printed(die))
        return replace(reading, tray=reading.tray if dice else TrayState.EMPTY, dice=dice)


def calibrated_watcher(calibration: Calibration, camera: Exposure | None = None) -> Watcher:
    """The watcher for a calibrated tray; `camera` takes darker frames, if there is one that can."""
    reader = CalibratedReader(calibration)
    return watcher_for(reader, reader.profile, camera)

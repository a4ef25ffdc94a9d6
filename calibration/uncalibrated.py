"""Reads a tray that nothing is known of yet; the markers that wait on its rim are no dice."""

from dataclasses import replace

import cv2
import numpy as np

from calibration.markers.aruco import find_markers
from vision.errors import memory_watched
from vision.frame import Image
from vision.reader import Reader
from vision.reading import DieReading, TrayReading, TrayState


class UncalibratedReader:
    """Reads pictures without a profile."""

    def __init__(self) -> None:
        self._reader = Reader()

    def read(self, image: Image) -> TrayReading:
        """Reads one picture, (height, width, 3), BGR; what lies on a marker is left out.

        Raises:
            Unreadable: too much in view may be dice, or the memory is too small.
        """
        reading = self._reader.read(image)
        if not reading.dice:
            return reading
        with memory_watched():
            markers = find_markers(image).values()
        squares = [np.asarray(marker.corners, np.float32) for marker in markers]

        def printed(die: DieReading) -> bool:
            return any(cv2.pointPolygonTest(s, die.center, False) >= 0 for s in squares)

        dice = tuple(die for die in reading.dice if not printed(die))
        return replace(reading, tray=reading.tray if dice else TrayState.EMPTY, dice=dice)

"""Where the holder is: shown in CALIBRATE, or learnt from where players put dice that they keep."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.calibration import Calibration
from vision.image.arrays import FloatArray
from vision.reading import DieReading

LEARNT_FROM_DICE = 3
"""So many dice must have been put beside the tray before there is a holder, and not just one."""
_MARGIN_MM = 6.0  # around the dice in it

Place = tuple[float, float]


def holder_around(places: Sequence[Place], die_edge_mm: float) -> FloatArray:
    """The corners of the zone, (4, 2) millimetres, that dice with their middles at places take up.

    Args:
        places: at least one, millimetres.
        die_edge_mm: edge of the dice.
    """
    reach = die_edge_mm / 2 + _MARGIN_MM
    middle, size, turn = cv2.minAreaRect(np.array(places, np.float32))
    grown = (middle, (size[0] + 2 * reach, size[1] + 2 * reach), turn)
    return np.asarray(cv2.boxPoints(grown), np.float64)


class HolderPlaces:
    """Collects where dice are put, as people play.

    Only dice count that lay in the tray before and were read for sure where they stand now: a cup
    or a thumb is no holder. What somebody has shown stays as it is.
    """

    def __init__(self) -> None:
        self._places: list[Place] = []

    def see(self, calibration: Calibration, moved: Sequence[DieReading]) -> Calibration | None:
        """The calibration with a new or larger holder; None if there is nothing new.

        Args:
            calibration: with which the dice were read.
            moved: dice that were moved since the last throw.
        """
        if calibration.holders is not None and not calibration.holder_learnt:
            return None
        profile = replace(calibration.profile, holders=calibration.holders)
        new = [
            die.mm
            for die in moved
            if die.held and die.sure and die.mm is not None and not profile.held(np.array(die.mm))
        ]
        self._places += new
        if not new or (calibration.holders is None and len(self._places) < LEARNT_FROM_DICE):
            return None
        edge = calibration.profile.die_edge_mm
        zone = holder_around(self._places, edge)
        if calibration.holders is not None:
            both = np.concatenate([calibration.holders, zone])
            zone = np.asarray(cv2.boxPoints(cv2.minAreaRect(both.astype(np.float32))), np.float64)
        self._places.clear()
        return replace(calibration, holders=zone, holder_learnt=True)

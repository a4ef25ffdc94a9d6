"""Learns how large the dice are, from throws as people play.

The outline of a top that the reader finds follows what is seen, whatever size was believed: it is
a share of the edge, as edges are rounded. Read with the right size, dice of 10 to 25 mm are as sure
as those of 16 mm; read as 16 mm, those of 20 mm are nearly all asked about.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

import numpy as np

from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from vision.frame import Image
from vision.geometry.axes import axes_of, top_edge
from vision.geometry.profile import Profile
from vision.reading import DieReading

USUAL_DIE_EDGES_MM = (10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 25.0)
"""Sizes that dice are made in."""
CONFIRMING_THROWS = 3
"""After so many throws of one size another one is surprising."""
MAX_OFF_LOG = 0.09
"""How much the logarithm of a measured edge may differ from that of the dice. In 84 throws in eight
set-ups of `tests/rigs/any_set_up.py`, whose rim is guessed, it differed by 0.05 at most of nine in
ten, by 0.09 of the worst: 79 were taken for the right size, the others for the one beside it, and
408 of 420 dice were sure with either, 274 as dice of 16 mm."""
_OUTLINED_SHARE = 0.955  # of the edge, in those throws
_MIN_DICE = 3
_CLEARLY_MORE = 2  # dice that are sure with the right size alone


class Size(Enum):
    """The evidence of a throw on the size that is believed."""

    UNCLEAR = auto()
    AGREES = auto()


class DiceSize:
    """Compares throws with the size that is believed.

    One throw changes it if it is read clearly better then; otherwise two that agree do.
    """

    def __init__(self) -> None:
        self._last: float | None = None

    def see(
        self, calibration: Calibration, image: Image, dice: Sequence[DieReading]
    ) -> float | Size:
        """The size of the dice, millimetres, where a throw shows that it is not the one believed.

        Args:
            calibration: with which the throw was read.
            image: of the dice at rest.
            dice: what was read.
        """
        believed = calibration.profile.die_edge_mm
        before = _in_tray(dice)
        edge = outlined_edge(calibration.profile, before)
        if edge is None:
            return Size.UNCLEAR
        if abs(np.log(edge / believed)) <= MAX_OFF_LOG:
            self._last = None
            return Size.AGREES
        last, self._last = self._last, None
        found = usual_edge(edge)
        other = replace(calibration.profile, die_edge_mm=found)
        now = _in_tray(CalibratedReader(replace(calibration, profile=other)).read(image).dice)
        again = outlined_edge(other, [die for die in now if die.sure])
        if again is None or abs(np.log(again / edge)) > MAX_OFF_LOG:
            return Size.UNCLEAR
        # Outlines are surest with a size that is nearly right.
        found = usual_edge(again)
        if found == believed:
            return Size.UNCLEAR
        more = sum(die.sure for die in now) - sum(die.sure for die in before)
        if more < 0 or len(now) < len(before):
            return Size.UNCLEAR
        if more >= _CLEARLY_MORE or last == found:
            return found
        self._last = found
        return Size.UNCLEAR


def outlined_edge(profile: Profile, dice: Sequence[DieReading]) -> float | None:
    """Edge of dice in the tray by their outlines, millimetres; None where there are too few.

    The squares of a checked floor have outlines, too, and are not sure: they count only where
    nearly all are in doubt, as dice of another size are.
    """
    outlined = [die for die in dice if len(die.outline) == 4]
    sure = [die for die in outlined if die.sure]
    edges = [
        top_edge(axes_of(die.outline)) / profile.edge_pixels(die.center) * profile.die_edge_mm
        for die in (sure if len(sure) >= _MIN_DICE else outlined)
    ]
    return float(np.median(edges)) / _OUTLINED_SHARE if len(edges) >= _MIN_DICE else None


def usual_edge(edge: float) -> float:
    """The usual size that is nearest to an edge in millimetres."""
    return min(USUAL_DIE_EDGES_MM, key=lambda usual: abs(float(np.log(usual / edge))))


def _in_tray(dice: Sequence[DieReading]) -> list[DieReading]:
    return [die for die in dice if die.mm is not None and not (die.aside or die.held)]

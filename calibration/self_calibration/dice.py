"""Learns from throws as people play: how large the dice are, with them how high the rim stands.

The first throws are weighed with all that may be (`scale`). Later ones only tell whether the dice
are others now. The outline of a top that the reader finds follows what is seen, whatever size was
believed: it is a share of the edge, as edges are rounded. Read with the right size, dice of 10 to
25 mm are as sure as those of 16 mm; read as 16 mm, those of 20 mm are nearly all asked about.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

import numpy as np

from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from calibration.self_calibration.scale import SHARES_OF_SIZES, explained
from calibration.self_calibration.silhouettes import Silhouettes, silhouettes_of
from calibration.self_calibration.walls import likely_by_all, likely_rims
from vision.frame import Image
from vision.geometry.axes import axes_of, top_edge
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray
from vision.reading import DieReading

THROWS_OF_SCALE = 3
"""After so many throws the height of the rim is taken as known."""
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
_SAME_EDGE = 0.07  # in logarithms: outlines of throws of the same dice differ by less
_USUAL_SHARE = 0.02  # of the sizes that later throws may show


class Size(Enum):
    """The evidence of a throw on the size that is believed."""

    UNCLEAR = auto()
    AGREES = auto()


class ThrownDice:
    """Compares throws with what is believed of tray and dice.

    The first throws tell size, rim and print together. Of later ones one changes the size if it is
    read clearly better then; otherwise two that agree do.

    Args:
        learns_rim: whether the first throws may do so.
    """

    def __init__(self, *, learns_rim: bool = True) -> None:
        self._throws_left = THROWS_OF_SCALE if learns_rim else 0
        self._share: float | None = None
        self._seen: list[Silhouettes] = []
        self._walls: list[FloatArray] = []
        self._last: float | None = None

    def see(
        self, calibration: Calibration, image: Image, dice: Sequence[DieReading]
    ) -> Calibration | float | Size:
        """What a throw shows that is not believed: the tray by all throws, or the dice's size, mm.

        Args:
            calibration: with which the throw was read.
            image: of the dice at rest.
            dice: what was read.
        """
        before = _in_tray(dice)
        edge = outlined_edge(calibration.profile, before)
        if edge is None:
            return Size.UNCLEAR
        if self._throws_left and calibration.layout is not None and calibration.rim_mm is not None:
            found = self._explained(calibration, image, before, edge)
            same = found is None or found.profile.die_edge_mm == calibration.profile.die_edge_mm
            # Dice of another size than was confirmed may be new ones, about which people are asked.
            if found is not None and (same or not calibration.size_known):
                return found
        return self._compared(calibration, image, before, edge)

    def _explained(
        self, calibration: Calibration, image: Image, dice: Sequence[DieReading], edge: float
    ) -> Calibration | None:
        """The tray by all throws up to this one; None where they tell nothing."""
        camera = calibration.profile.pinhole
        away = float(-camera.position[2])
        # What is seen is the same for larger dice farther away.
        share = edge / away
        if self._share is None or abs(np.log(share / self._share)) > _SAME_EDGE:
            self._share, self._throws_left = share, THROWS_OF_SCALE
            self._seen.clear()
            self._walls.clear()
        sure = [die for die in dice if die.sure]
        chosen = sure if len(sure) >= _MIN_DICE else [die for die in dice if len(die.outline) == 4]
        self._throws_left -= 1
        self._seen.append(silhouettes_of(image, camera, chosen, self._share * away))
        self._walls.append(likely_rims(image, calibration))
        widths = tuple(width for one in self._seen for width in one.widths)
        found = Silhouettes(self._share, widths).best_edge()
        return None if found is None else explained(calibration, *found, likely_by_all(self._walls))

    def _compared(
        self, calibration: Calibration, image: Image, before: Sequence[DieReading], edge: float
    ) -> float | Size:
        """The size of the dice, where a throw shows that it is not the one believed."""
        believed = calibration.profile.die_edge_mm
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
    usual = [one for one, share in SHARES_OF_SIZES.items() if share >= _USUAL_SHARE]
    return min(usual, key=lambda one: abs(float(np.log(one / edge))))


def _in_tray(dice: Sequence[DieReading]) -> list[DieReading]:
    return [die for die in dice if die.mm is not None and not (die.aside or die.held)]

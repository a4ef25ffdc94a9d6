"""Learns how high the rim stands, and how large the dice are, from throws as people play.

The markers alone do not tell how far below them the floor lies; dice alone do not tell whether they
are large or near. Together, with the sizes that dice are made in, mostly one height explains what
is seen. Where several do, what is stated covers them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.calibration import SPREADS_OF_WORST_PLACE, Calibration
from calibration.errors import RefusedError
from calibration.markers.aruco import Marker
from calibration.markers.assumed import assumed_lens
from calibration.markers.bundle import RimHeight, place_tray
from calibration.markers.edges import Square
from calibration.self_calibration.dice import outlined_edge
from calibration.self_calibration.silhouettes import Silhouettes, silhouettes_of
from calibration.self_calibration.walls import HEIGHTS_MM, likely_rims
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.reading import DieReading

THROWS_OF_SCALE = 3
"""After so many throws the height of the rim is taken as known."""
HIGHEST_RIM_MM = 62.0
_MIN_DICE = 3
_SHARES_OF_SIZES = {
    10.0: 0.01,
    12.0: 0.08,
    14.0: 0.08,
    15.0: 0.01,
    16.0: 0.5,
    17.0: 0.01,
    18.0: 0.1,
    19.0: 0.1,
    20.0: 0.02,
    22.0: 0.02,
    25.0: 0.07,
}
"""Edges that dice are made in, millimetres, and how usual each is."""
_KNOWN_SIZE = 0.9  # that dice are of the size that throws have confirmed before
_MAT_SHARE = 0.2
_MAT_MM = 2.0  # what lies on a table without a rim is no thicker
_PRINTS = np.linspace(0.94, 1.04, 21)
_PRINT_SPREAD = 0.004
_OTHER_PRINT_SHARE = 0.08
_MADE_TO = 0.0045  # of the edge: to which dice are made, and sides are found at best
_PLACES = 9  # along each side of the floor, at which explanations are compared
_MOST = 0.95  # of explanations, and of places, for which what is stated is true
_LEAST = 1e-4  # weights that do not matter
_SAME_EDGE = 0.07  # in logarithms: outlines of throws of the same dice differ by less


@dataclass(frozen=True, slots=True)
class Explanation:
    """What may be seen, and how likely that is beside the others.

    Attributes:
        edge: of the dice, millimetres.
        print_scale: size of the printed markers; 1 is as it should be.
        rim_mm: height of the rim.
        weight: its share of all explanations.
    """

    edge: float
    print_scale: float
    rim_mm: float
    weight: float


class RimOfDice:
    """Collects throws until they tell how high the rim is."""

    def __init__(self) -> None:
        self._share: float | None = None
        self._seen: list[Silhouettes] = []

    @property
    def done(self) -> bool:
        """True once as many throws were seen as count."""
        return len(self._seen) >= THROWS_OF_SCALE

    def see(
        self, calibration: Calibration, image: Image, dice: Sequence[DieReading]
    ) -> Calibration | None:
        """The calibration by all throws up to this one; None where it tells nothing.

        Args:
            calibration: with which the throw was read.
            image: of the dice at rest.
            dice: what was read.
        """
        if self.done or calibration.layout is None or calibration.rim_mm is None:
            return None
        profile = calibration.profile
        flat = [d for d in dice if len(d.outline) == 4 and not (d.aside or d.held)]
        sure = [die for die in flat if die.sure]
        edge = outlined_edge(profile, flat)
        if edge is None:
            return None
        camera = profile.pinhole
        away = float(-camera.position[2])
        # What is seen is the same for larger dice farther away.
        share = edge / away
        if self._share is None or abs(np.log(share / self._share)) > _SAME_EDGE:
            self._share, self._seen = share, []
        chosen = sure if len(sure) >= _MIN_DICE else flat
        self._seen.append(silhouettes_of(image, camera, chosen, self._share * away))
        widths = tuple(width for one in self._seen for width in one.widths)
        found = Silhouettes(self._share, widths).best_edge()
        if found is None:
            return None
        return explained(calibration, *found, likely_rims(image, calibration))


def explained(
    calibration: Calibration, share: float, spread: float, walls: FloatArray
) -> Calibration | None:
    """The likeliest calibration, with what all others may differ from it in its doubt.

    Args:
        calibration: with four markers, whose rim is not known.
        share: edge of the dice by the camera's height above the floor.
        spread: how far it may be off, in logarithms.
        walls: how likely each of `HEIGHTS_MM` is by what is seen of the walls.
    """
    known = calibration.profile.die_edge_mm if calibration.size_known else None
    spread = float(np.hypot(spread, _MADE_TO))
    explanations = explanations_of(calibration, share, spread, walls, known)
    if not explanations:
        return None
    best = max(explanations, key=lambda one: one.weight)
    found = at_scale(calibration, best.rim_mm, best.print_scale, best.edge)
    doubt = _doubt_with_rim(found)
    if doubt is None:
        return None
    places = _places_of_dice(found)
    tops = np.column_stack([places, np.full(len(places), -best.edge)])
    pixels = found.profile.to_pixels(tops)
    off = []
    for one in explanations:
        other = at_scale(calibration, one.rim_mm, one.print_scale, one.edge)
        moved = other.profile.to_mm(pixels, one.edge) - places
        off.append(float(np.quantile(np.linalg.norm(moved, axis=1), _MOST)))
    order = np.argsort(off)
    reached = np.cumsum([explanations[k].weight for k in order])
    last = min(int(np.searchsorted(reached, _MOST)), len(order) - 1)
    within = off[order[last]]
    said = float(np.hypot(within, SPREADS_OF_WORST_PLACE * doubt))
    return replace(found, doubt_mm=said / SPREADS_OF_WORST_PLACE, rim_learnt=True)


def explanations_of(
    calibration: Calibration,
    share: float,
    spread: float,
    walls: FloatArray,
    known_edge: float | None = None,
) -> tuple[Explanation, ...]:
    """All that may be: sizes of dice, of prints, and heights of the rim.

    Args:
        calibration: with four markers.
        share: edge of the dice by the camera's height above the floor.
        spread: how far it may be off, in logarithms.
        walls: how likely each of `HEIGHTS_MM` is by what is seen of the walls.
        known_edge: of the dice, where throws have confirmed it before, millimetres.
    """
    above = float(-calibration.profile.pinhole.position[2]) - (calibration.rim_mm or 0.0)
    usual = np.exp(-0.5 * ((_PRINTS - 1) / _PRINT_SPREAD) ** 2)
    prints = (1 - _OTHER_PRINT_SHARE) * usual / usual.sum() + _OTHER_PRINT_SHARE / len(_PRINTS)
    errors = np.linspace(-2.4, 2.4, 13)
    found = []
    for edge, usual_share in _SHARES_OF_SIZES.items():
        size = usual_share if known_edge is None else usual_share * (1 - _KNOWN_SIZE)
        size += _KNOWN_SIZE if edge == known_edge else 0.0
        for scale, chance in zip(_PRINTS.tolist(), prints.tolist(), strict=True):
            for error in errors.tolist():
                rim = edge / (share * np.exp(error * spread)) - scale * above
                seen = float(np.interp(rim / scale, HEIGHTS_MM, walls))
                weight = size * chance * float(np.exp(-0.5 * error**2)) * _likely_rim(rim) * seen
                if weight > 0:
                    found.append(Explanation(edge, scale, float(max(rim, 0.0)), weight))
    total = sum(one.weight for one in found)
    likely = [one for one in found if one.weight > _LEAST * total]
    total = sum(one.weight for one in likely)
    return tuple(replace(one, weight=one.weight / total) for one in likely)


def _places_of_dice(calibration: Calibration) -> FloatArray:
    """Places all over the floor where the middles of dice may be, (n, 2) millimetres."""
    tray, edge = calibration.profile.tray, calibration.profile.die_edge_mm
    middle = tray.mean(axis=0)
    sides = np.abs(tray - middle).mean(axis=0)
    x, y = (np.linspace(-1, 1, _PLACES) * max(side - edge / 2, 0.0) for side in sides)
    return np.asarray(np.stack(np.meshgrid(x, y), -1).reshape(-1, 2) + middle, np.float64)


def _likely_rim(mm: float) -> float:
    """How likely a height of the rim is, for each millimetre."""
    if not -_MAT_MM <= mm <= HIGHEST_RIM_MM:
        return 0.0
    return (1 - _MAT_SHARE) / HIGHEST_RIM_MM + (_MAT_SHARE / 2 / _MAT_MM if mm <= _MAT_MM else 0.0)


def with_rim_learnt(found: Calibration, known: Calibration | None) -> Calibration:
    """A tray measured again, with the height of its rim as throws have shown it before."""
    if found.rim_known or known is None or not known.rim_learnt or known.rim_mm is None:
        return found
    lower = at_scale(found, known.rim_mm, 1.0, known.profile.die_edge_mm)
    return replace(lower, doubt_mm=known.doubt_mm, rim_learnt=True)


def at_scale(
    calibration: Calibration, rim_mm: float, print_scale: float, edge: float
) -> Calibration:
    """The same view of the same markers, with a floor so far below them and prints of this size."""
    profile, layout, before = calibration.profile, calibration.layout, calibration.rim_mm
    if layout is None or before is None:
        raise ValueError("expected a tray with four markers")
    lower = before - rim_mm / print_scale
    translation = print_scale * (profile.translation - profile.rotation[:, 2] * lower)
    lifted = print_scale * (layout + np.array((0.0, 0.0, lower)))
    holders = [None if one is None else one * print_scale for one in (profile.holders,)]
    moved = replace(
        profile,
        translation=translation,
        tray=profile.tray * print_scale,
        holders=holders[0],
        die_edge_mm=edge,
    )
    own = None if calibration.holders is None else calibration.holders * print_scale
    return replace(calibration, profile=moved, layout=lifted, rim_mm=rim_mm, holders=own)


def _doubt_with_rim(calibration: Calibration) -> float | None:
    """One standard deviation of places if the rim's height were known, millimetres."""
    profile, layout = calibration.profile, calibration.layout
    if layout is None or calibration.look is None or calibration.rim_mm is None:
        return None
    corners: FloatArray = profile.to_pixels(layout.reshape(-1, 3)).reshape(4, 4, 2)
    markers = [Marker(k, Square(corners[k], 0.0, 255.0, 1.0, 0.1)) for k in range(4)]
    lens, doubt = assumed_lens(profile.size, profile.sight)
    measured = calibration.lens
    if measured is not None and measured.serves(profile.size, profile.sight):
        lens, doubt = measured.lens, measured.doubt
    try:
        return place_tray(lens, markers, (), RimHeight(calibration.rim_mm, 0.2), doubt).doubt_mm
    except RefusedError:
        return None

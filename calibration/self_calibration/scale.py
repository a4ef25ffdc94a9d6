"""Learns how high the rim stands, and how large the dice are, from throws as people play.

The markers alone do not tell how far below them the floor lies; dice alone do not tell whether they
are large or near. Together, with the sizes that dice are made in, mostly one height explains what
is seen. Where several do, what is stated covers them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from calibration.calibration import SPREADS_OF_WORST_PLACE, Calibration
from calibration.errors import RefusedError
from calibration.markers.aruco import Marker
from calibration.markers.assumed import assumed_lens
from calibration.markers.bundle import RimHeight, place_tray
from calibration.markers.edges import Square
from calibration.self_calibration.walls import HEIGHTS_MM
from vision.image.arrays import FloatArray

HIGHEST_RIM_MM = 62.0
SHARES_OF_SIZES: Mapping[float, float] = MappingProxyType(
    {
        10.0: 0.02,
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
)
"""Edges that dice are made in, millimetres, and how usual each is."""
_KNOWN_SIZE = 0.9  # that dice are of the size that throws have confirmed before
_MAT_SHARE = 0.2
_MAT_MM = 2.0  # what lies on a table without a rim is no thicker
_KNOWN_RIM_SPREAD_MM = 1.0  # of one that was entered or measured, on whatever print
_PRINTS = np.append(np.linspace(0.70, 0.714, 3), np.linspace(0.935, 1.045, 23))
_PRINT_SPREAD = 0.004
_KNOWN_PRINT_SPREAD = 0.007  # by a card or the paper
_OTHER_PRINT_SHARE = 0.14  # to fit a page, or by a printer that is not exact
_HALF_PRINT = 0.8
_HALF_PRINT_SHARE = 0.01  # two pages on a sheet
_ERRORS = np.linspace(-2.6, 2.6, 21)  # of what is measured of the dice, in spreads
_AS_PRINTED = 0.015  # a print that is off by less is as it should be
_MADE_TO = 0.009  # of the edge: to which dice are made, and sides are found
_PLACES = 4  # along each side of the floor, at which explanations are compared
_MOST = 0.95  # of explanations, and of places, for which what is stated is true
_LEAST = 3e-4  # weights that do not matter


@dataclass(frozen=True, slots=True, eq=False)
class Explanations:
    """All that may be seen, each of which is as likely as its weight says.

    Attributes:
        edge: of the dice, millimetres, (n,).
        print_scale: size of the printed markers; 1 is what is believed, (n,).
        rim_mm: height of the rim, (n,).
        weight: share of all, (n,).
    """

    edge: FloatArray
    print_scale: FloatArray
    rim_mm: FloatArray
    weight: FloatArray


def explained(
    calibration: Calibration, share: float, spread: float, walls: FloatArray
) -> Calibration | None:
    """The middle of those with the likeliest size, with what all may differ from it in its doubt.

    One whose rim is known stays as it is unless its print is not, and one of another size may be
    the reason for what is seen.

    Args:
        calibration: with four markers.
        share: edge of the dice by the camera's height above the floor.
        spread: how far it may be off, in logarithms.
        walls: how likely each of `HEIGHTS_MM` is by what is seen of the walls.
    """
    if calibration.rim_known and calibration.print_known:
        return None
    may_be = explanations_of(calibration, share, spread, walls)
    if may_be is None:
        return None
    print_scale = calibration.print_scale * may_be.print_scale
    otherwise_printed = may_be.weight[np.abs(print_scale - 1) > _AS_PRINTED].sum()
    # What a throw has made of the print is taken back where later ones say otherwise.
    as_printed = abs(calibration.print_scale - 1) <= _AS_PRINTED
    if calibration.rim_known and as_printed and otherwise_printed < 1 - _MOST:
        return None
    places = _places_read(calibration, may_be)
    best = _middle(may_be, places)
    within = _radius(places, may_be.weight, places[best])
    rim_mm, edge = float(may_be.rim_mm[best]), float(may_be.edge[best])
    found = at_scale(calibration, rim_mm, float(print_scale[best]), edge)
    doubt = doubt_with_rim(found)
    if doubt is None:
        return None
    said = float(np.hypot(within, SPREADS_OF_WORST_PLACE * doubt))
    return replace(found, doubt_mm=said / SPREADS_OF_WORST_PLACE, rim_learnt=True)


def _middle(explanations: Explanations, places: FloatArray) -> int:
    """Which explanation with the likeliest size of dice is nearest to the mean of all with it.

    Args:
        explanations: all that may be.
        places: by each explanation, (n, places, 2).
    """
    edge, weight = explanations.edge, explanations.weight
    likeliest = max(np.unique(edge), key=lambda one: float(weight[edge == one].sum()))
    among = np.flatnonzero(edge == likeliest)
    mean = np.average(places[among], axis=0, weights=weight[among])
    off = np.linalg.norm(places[among] - mean, axis=2).mean(axis=1)
    return int(among[np.argmin(off)])


def _radius(places: FloatArray, weight: FloatArray, centre: FloatArray) -> float:
    """How far from a centre most explanations are, at most places, millimetres.

    Args:
        places: by each explanation, (n, places, 2).
        weight: of each, (n,).
        centre: by the one that is taken, (places, 2).
    """
    off = np.quantile(np.linalg.norm(places - centre, axis=2), _MOST, axis=1)
    order = np.argsort(off)
    last = int(np.searchsorted(np.cumsum(weight[order]), _MOST))
    return float(off[order[min(last, len(order) - 1)]])


def explanations_of(
    calibration: Calibration, share: float, spread: float, walls: FloatArray
) -> Explanations | None:
    """All that may be: sizes of dice, of prints, and heights of the rim; None where nothing may.

    Args:
        calibration: with four markers.
        share: edge of the dice by the camera's height above the floor.
        spread: how far it may be off, in logarithms.
        walls: how likely each of `HEIGHTS_MM` is by what is seen of the walls.
    """
    rim = calibration.rim_mm or 0.0
    above = float(-calibration.profile.pinhole.position[2]) - rim
    prints, usual = _prints(calibration)
    edges = np.array(list(SHARES_OF_SIZES))
    sizes = np.array(list(SHARES_OF_SIZES.values()))
    if calibration.size_known:
        sizes = (1 - _KNOWN_SIZE) * sizes + _KNOWN_SIZE * (edges == calibration.profile.die_edge_mm)
    spread = float(np.hypot(spread, _MADE_TO))
    edge, scale, error = np.meshgrid(edges, prints, _ERRORS, indexing="ij")
    height = edge / (share * np.exp(error * spread)) - scale * above
    weight = sizes[:, None, None] * usual[None, :, None] * np.exp(-0.5 * error**2)
    if calibration.rim_known:
        weight = weight * np.exp(-0.5 * ((height - rim) / _KNOWN_RIM_SPREAD_MM) ** 2)
    else:
        weight = weight * _likely_rims(height) * np.interp(height / scale, HEIGHTS_MM, walls)
    total = weight.sum()
    if total <= 0.0:
        return None
    kept = weight > _LEAST * weight.max()
    rims = np.maximum(height[kept], 0.0)
    return Explanations(edge[kept], scale[kept], rims, weight[kept] / weight[kept].sum())


def _prints(calibration: Calibration) -> tuple[FloatArray, FloatArray]:
    """Sizes of prints, for what is believed, and how usual each is; both (n,).

    What throws have made of a print is no reason to believe it: they are weighed all over again.
    """
    if calibration.print_known:
        around = np.linspace(-2.5, 2.5, 11)
        return 1 + _KNOWN_PRINT_SPREAD * around, np.exp(-0.5 * around**2)
    usual = np.exp(-0.5 * ((_PRINTS - 1) / _PRINT_SPREAD) ** 2)
    half = _PRINTS < _HALF_PRINT
    other = np.where(half, _HALF_PRINT_SHARE / half.sum(), _OTHER_PRINT_SHARE / (~half).sum())
    shares = (1 - other.sum()) * usual / usual.sum() + other
    return _PRINTS / calibration.print_scale, shares


def _places_read(calibration: Calibration, explanations: Explanations) -> FloatArray:
    """Where dice all over the floor are by each explanation, (n, places, 2) millimetres."""
    profile = calibration.profile
    places = _places_of_dice(calibration)
    eye = profile.pinhole.position
    high = float(-eye[2]) - (calibration.rim_mm or 0.0)
    slopes = (places - eye[:2]) / (float(-eye[2]) - profile.die_edge_mm)
    scale, edge = explanations.print_scale, explanations.edge
    down = scale * high + explanations.rim_mm - edge
    found = scale[:, None, None] * eye[:2] + down[:, None, None] * slopes
    return np.asarray(found, np.float64)


def _places_of_dice(calibration: Calibration) -> FloatArray:
    """Places all over the floor where the middles of dice may be, (n, 2) millimetres."""
    tray, edge = calibration.profile.tray, calibration.profile.die_edge_mm
    middle = tray.mean(axis=0)
    sides = np.abs(tray - middle).mean(axis=0)
    x, y = (np.linspace(-1, 1, _PLACES) * max(side - edge / 2, 0.0) for side in sides)
    return np.asarray(np.stack(np.meshgrid(x, y), -1).reshape(-1, 2) + middle, np.float64)


def _likely_rims(mm: FloatArray) -> FloatArray:
    """How likely heights of the rim are, for each millimetre."""
    mat = np.where(mm <= _MAT_MM, _MAT_SHARE / 2 / _MAT_MM, 0.0)
    box = (1 - _MAT_SHARE) / HIGHEST_RIM_MM
    return np.where((mm >= -_MAT_MM) & (mm <= HIGHEST_RIM_MM), mat + box, 0.0)


def with_rim_learnt(found: Calibration, known: Calibration | None) -> Calibration:
    """A tray measured again, with the height of its rim as throws have shown it before."""
    if found.rim_known or known is None or not known.rim_learnt or known.rim_mm is None:
        return found
    lower = at_scale(found, known.rim_mm, known.print_scale, known.profile.die_edge_mm)
    return replace(lower, doubt_mm=known.doubt_mm, rim_learnt=True)


def at_scale(
    calibration: Calibration, rim_mm: float, print_scale: float, edge: float
) -> Calibration:
    """The same view of the same markers, with a floor so far below them.

    The print is of this size then, 1 as it should be.
    """
    profile, layout, before = calibration.profile, calibration.layout, calibration.rim_mm
    if layout is None or before is None:
        raise ValueError("expected a tray with four markers")
    change = print_scale / calibration.print_scale
    lower = before - rim_mm / change
    translation = change * (profile.translation - profile.rotation[:, 2] * lower)
    lifted = change * (layout + np.array((0.0, 0.0, lower)))
    moved = replace(
        profile,
        translation=translation,
        tray=profile.tray * change,
        holders=None if profile.holders is None else profile.holders * change,
        die_edge_mm=edge,
    )
    own = None if calibration.holders is None else calibration.holders * change
    return replace(
        calibration,
        profile=moved,
        layout=lifted,
        rim_mm=rim_mm,
        holders=own,
        print_scale=print_scale,
    )


def doubt_with_rim(calibration: Calibration, rim_doubt_mm: float = 0.2) -> float | None:
    """One standard deviation of places if the rim were known so well, millimetres."""
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
        return place_tray(
            lens, markers, (), RimHeight(calibration.rim_mm, rim_doubt_mm), doubt
        ).doubt_mm
    except RefusedError:
        return None

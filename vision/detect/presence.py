"""Evidence for a die: how plainly a place found is one, and what speaks against it."""

import math
from dataclasses import replace

import numpy as np

from vision.classify.face import SYMBOL, FaceEstimates, Pyramid
from vision.classify.posture import VALUE_CLASSES
from vision.detect.counting import spots_by_threshold
from vision.detect.detection import (
    MAX_MIDPOINT_OFFSET,
    MIN_EDGE_OF_LARGE_PIPS_PX,
    Detection,
    count_twins,
    is_on_top,
    lie_across,
    measure_prominence,
    places_on_top,
    plain_pips,
)
from vision.detect.pips import Pips
from vision.detect.tops import Tops
from vision.geometry.axes import top_edges
from vision.image.arrays import BoolArray, FloatArray
from vision.image.numeric import log_odds

MIN_PRESENCE = 1.0
"""Anything with less presence is no die, and nobody is asked about it. Of 860 dice in photographs
two had less, both in crops that end at the die; of 256 places without a die 46 had more."""
MIN_KNOWN_PRESENCE = 0.0
"""Least presence where size and place of dice are known: a hand may hide most of a die there."""
HEAT_WEIGHT = 2.0
"""How much more the heat map counts than the face classifier."""
MAX_HEAT_DISTANCE_EDGES = 0.35
MIN_SHARE = 1e-6

MAX_NO_DIE_OF_PLAIN = 0.003
"""Probability of no face of what is plainly a die."""
MAX_SIZE_RATIO = 1.7
"""How much larger or smaller than those the others may be. In photographs with dice of one set none
is; specks of a carpet, and whole pieces of furniture, are."""

MIN_TWINS = 20
"""Pips with so many twins on the floor are part of a pattern, see `count_twins`."""

MAX_CHANCE_PIPS = 3
"""So many, or fewer, may be seen by chance on something that is no die."""
MAX_HELD_SIZE = 0.55
"""Edge of a die within something, in edges of that."""
MIN_HELD_PROBABILITY = 0.98
"""Of one number of pips. What lay within dice of one to three pips, in 187 photographs, had at most
0.89."""
MIN_HELD_SYMBOL = 0.9
"""Of a symbol: a tray in which the Power die lies alone was a 1 without a profile. What lay within
dice of one to three pips, in 157 pictures, had at most 0.6, beside a leaning one 0.87."""
HELD_SIZES = (0.1, 0.2)
"""Edges of a die that is taken for a pip, in edges of the die that it would be on."""
MIN_THRESHOLDS = 3
"""At so many of them spots are plain."""
NO_VALUE = np.eye(VALUE_CLASSES)[0]
"""The posture classifier's answer for what shows no value."""


def presence(one: Detection, tops: Tops) -> float:
    """How plainly there is a die, in log-odds of the heat map and of the face classifier."""
    heat = tops.heat_at(one.center, MAX_HEAT_DISTANCE_EDGES * one.edge)
    return HEAT_WEIGHT * log_odds(heat, MIN_SHARE) - log_odds(float(one.faces[0]), MIN_SHARE)


def those_there(found: list[Detection], tops: Tops, least: float) -> list[Detection]:
    """Those with more than the least presence."""
    return [one for one in found if presence(one, tops) > least]


def hold_smaller_dice(seen: FaceEstimates) -> BoolArray:
    """Which of what was seen is large, shows few pips, and holds a plain die: a dish is no die.

    A die with a 1 does not tell: a single pip looks like one.
    """
    edges = top_edges(seen.axes)
    large = edges > MIN_EDGE_OF_LARGE_PIPS_PX
    large &= seen.faces[:, 1:SYMBOL].argmax(axis=1) < MAX_CHANCE_PIPS
    held_ones = seen.faces[:, 2:SYMBOL].max(axis=1) >= MIN_HELD_PROBABILITY
    held_ones |= seen.faces[:, SYMBOL] >= MIN_HELD_SYMBOL
    plain = seen.take(held_ones)
    gaps = np.hypot(*np.moveaxis(plain.centers[None] - seen.centers[:, None], 2, 0))
    held = (gaps < edges[:, None] / 2) & (
        top_edges(plain.axes)[None] < MAX_HELD_SIZE * edges[:, None]
    )
    return np.asarray(large & held.any(axis=1))


def of_one_size(found: list[Detection]) -> list[Detection]:
    """Leaves out what is not plainly a die, and much smaller or larger than what is.

    Dice of one set have one size, and those of one picture are about equally far away.
    """
    plain = [one.edge for one in found if one.faces[0] < MAX_NO_DIE_OF_PLAIN]
    if not plain:
        return found
    usual = float(np.median(plain))
    low, high = usual / MAX_SIZE_RATIO, usual * MAX_SIZE_RATIO
    return [one for one in found if one.faces[0] < MAX_NO_DIE_OF_PLAIN or low < one.edge < high]


def with_prominence(
    found: list[Detection], pips: tuple[Pips, Pips], crowded: bool
) -> list[Detection]:
    """Tops with their prominence among the spots of the picture."""
    if crowded:
        return [replace(one, prominence=_prominence_in_crowd(one, pips)) for one in found]
    if max(map(len, pips)) < MIN_TWINS:
        return found
    floor = [_off_tops(spots, found) for spots in pips]
    if max(map(len, floor)) < MIN_TWINS:
        return found
    return [replace(one, prominence=1.0) if _in_pattern(one, pips, floor) else one for one in found]


def _prominence_in_crowd(one: Detection, pips: tuple[Pips, Pips]) -> float:
    """How much the pips of a top stand out among the spots of their polarity.

    It is 0 where none of the spots in a crowded picture, the most prominent ones, is a pip of this
    die, unless it is too large for its pips to be among them.
    """
    if len(one.plain_pips) == 0:
        return math.inf if one.edge >= MIN_EDGE_OF_LARGE_PIPS_PX else 0.0
    polarity = pips[_polarity_of(one, pips)]
    return measure_prominence(polarity, one.center, one.turned_axes)


def _in_pattern(one: Detection, pips: tuple[Pips, Pips], floor: list[Pips]) -> bool:
    """True if the pips of a top have many twins among the spots that lie on no top."""
    which = _polarity_of(one, pips)
    return count_twins(pips[which], floor[which], one.center, one.turned_axes) >= MIN_TWINS


def _polarity_of(one: Detection, pips: tuple[Pips, Pips]) -> int:
    """Which of bright and dark spots are the pips of a top."""
    counts = [len(plain_pips(spots, one.center, one.turned_axes)[0]) for spots in pips]
    return int(np.argmax(counts))


def _off_tops(spots: Pips, found: list[Detection]) -> Pips:
    """The spots that lie on none of the tops."""
    off = np.ones(len(spots), np.bool_)
    for one in found:
        off &= ~is_on_top(places_on_top(spots, one.center, one.turned_axes))
    return spots.take(off)


def with_its_pips(pyramid: Pyramid, one: Detection) -> Detection:
    """A die, with its pips if it is large; one without them is denied any value.

    All may take a dish with some olives for a 1, 2 or 3: on what is so large, few pips must lie
    where they belong, and are plain then, too large as they may be for the spots that are searched
    for everywhere. Of more, a lamp or the slant of the view may hide some, but there are never too
    many.
    """
    if one.edge < MIN_EDGE_OF_LARGE_PIPS_PX:
        return one
    value = 1 + int(one.faces[1:7].argmax())
    counted = spots_by_threshold(pyramid, one)
    if value > MAX_CHANCE_PIPS:
        shown = MAX_CHANCE_PIPS <= max(map(len, counted), default=0) <= value
        return one if shown else replace(one, values=NO_VALUE)
    for spots in counted:
        if len(spots) == value and _are_placed(spots):
            marked = value == 1 and _is_marked(pyramid, one, spots[0])
            return replace(one, values=NO_VALUE) if marked else replace(one, plain_pips=spots)
    return replace(one, values=NO_VALUE)


def _is_marked(pyramid: Pyramid, one: Detection, spot: FloatArray) -> bool:
    """True if a spot, (2,) in edges, has several spots itself, as a die in a dish has."""
    middle = one.center + one.turned_axes @ spot
    for edge in HELD_SIZES:
        within = replace(one, center=middle, axes=edge * one.axes)
        counts = [len(spots) for spots in spots_by_threshold(pyramid, within)]
        if sum(count > 1 for count in counts) >= MIN_THRESHOLDS:
            return True
    return False


def _are_placed(spots: FloatArray) -> bool:
    """True if up to three spots, (n, 2) in edges, lie as pips do on a face."""
    if len(spots) == 1:
        return bool((np.abs(spots) < MAX_MIDPOINT_OFFSET).all())
    if len(spots) == 2:
        return lie_across(spots)
    # Seen a little aside, three in a row lie askew: their middle one is in the middle.
    middle = spots.mean(axis=0)
    return bool((np.abs(middle) < MAX_MIDPOINT_OFFSET).all()) and lie_across(spots - middle)

"""Combines pictures of one scene at several exposures into one reading.

A lamp reflected in a glossy top washes it out; in a darker picture of the same scene the top can be
read. Each die is taken from the brightest picture in which no lamp washes it out. Where two
pictures make different claims, the die is in doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.classify.colours import COLOUR_SAMPLE_SIDE_PX, SAMPLED_EDGE_SHARE
from vision.frame import Image
from vision.geometry.axes import axes_of, top_edge
from vision.image.warping import square_patch
from vision.reading import DieReading, DieState, Kind, TrayReading, TrayState

DARKER_EXPOSURE_SHARE = 1 / 8
"""Best exposure of a darker picture, as a share of the usual one: tops are up to ten times too
bright, and at a sixteenth black dice drown in noise."""

SATURATED_LEVEL = 250
"""Grey level from which a channel is saturated."""
MAX_SATURATED_SHARE = 0.3
"""Of a top without glare: pips cover a fifth."""
MIN_GLARE_MEDIAN = 90.0
"""Median of a top's darkest channel that only a lamp, or a white die, reaches."""
MAX_WHITE_MEDIAN = 240.0
"""Median that no white die reaches in a picture exposed as in calibration."""
_MAX_SAME_DIE_EDGES = 0.5  # between two readings of one die
_MIN_OTHER_DIE_EDGES = 0.85  # nearer than this, no other die fits


@dataclass(frozen=True, slots=True)
class _Seen:
    """A die, whether a lamp washes it out in the picture read, and whether that is a darker one."""

    die: DieReading
    glares: bool
    darker: bool


def may_be_in_glare(image: Image, die: DieReading) -> bool:
    """True if a lamp may wash out the top of a die in a picture."""
    return _is_outshone(*_glare_and_darkness(image, die))


def _is_outshone(full: float, least: float) -> bool:
    return full > MAX_SATURATED_SHARE or least >= MIN_GLARE_MEDIAN


def _glare_and_darkness(image: Image, die: DieReading) -> tuple[float, float]:
    """Share of a top on which a channel is saturated, and the median of its darkest channel."""
    axes = axes_of(die.outline) * SAMPLED_EDGE_SHARE / COLOUR_SAMPLE_SIDE_PX
    top = square_patch(image, np.array(die.center), axes, COLOUR_SAMPLE_SIDE_PX)
    return float((top.max(axis=2) >= SATURATED_LEVEL).mean()), float(np.median(top.min(axis=2)))


def combine_exposures(pictures: Sequence[tuple[Image, TrayReading]]) -> TrayReading:
    """Combines the readings of one or more pictures of one scene, the brightest first."""
    first, *darker = pictures
    seen = [_see_die(first[0], die, False) for die in first[1].dice]
    for image, reading in darker:
        dark = [_see_die(image, die, True) for die in reading.dice]
        seen = _merge_darker(seen, dark, first[0])
    dice = tuple(sorted((one.die for one in seen), key=lambda die: die.center))
    return TrayReading(TrayState.STILL if dice else TrayState.EMPTY, dice, first[1].crowded)


def _see_die(image: Image, die: DieReading, darker: bool) -> _Seen:
    """A die as a picture shows it; one whiter than white reflects a lamp and may be of any kind."""
    full, least = _glare_and_darkness(image, die)
    white = die.kind is Kind.WHITE and least >= (MIN_GLARE_MEDIAN if darker else MAX_WHITE_MEDIAN)
    kind = Kind.OTHER if white else die.kind
    return _Seen(replace(die, kind=kind), _is_outshone(full, least), darker)


def _merge_darker(bright: list[_Seen], dark: list[_Seen], first: Image) -> list[_Seen]:
    """Merges the dice seen so far with those of a darker picture; `first` is the brightest."""
    pairs = {
        i: j
        for j in range(len(dark))
        if (i := _nearest_die(bright, dark[j], _MAX_SAME_DIE_EDGES)) is not None
    }
    kept = [
        _better_reading(one, dark[pairs[i]]) if i in pairs else one for i, one in enumerate(bright)
    ]
    for one in (one for j, one in enumerate(dark) if j not in pairs.values() and one.die.sure):
        near = _nearest_die(kept, one, _MIN_OTHER_DIE_EDGES)
        if near is None:
            # Without glare the brighter picture would have shown it.
            kept.append(one if may_be_in_glare(first, one.die) else _mark_unsure(one))
        elif kept[near].glares and not kept[near].die.sure:
            kept[near] = one
    return kept


def _nearest_die(dice: list[_Seen], one: _Seen, reach: float) -> int | None:
    """The index of the die nearest to `one`, if it is within `reach` edges."""
    middle = np.array(one.die.center)
    gaps = [float(np.hypot(*(middle - other.die.center))) for other in dice]
    near = int(np.argmin(gaps)) if gaps else None
    edge = top_edge(axes_of(one.die.outline))
    return near if near is not None and gaps[near] < reach * edge else None


def _better_reading(bright: _Seen, dark: _Seen) -> _Seen:
    """One die from its readings in two pictures."""
    one, other = bright.die, dark.die
    if one.sure and other.sure:
        clash = one.kind is not other.kind and Kind.OTHER not in (one.kind, other.kind)
        if one.value != other.value or (clash and (dark.glares or not bright.glares)):
            return _mark_unsure(bright)
        # A dark picture without glare that names no kind merely has too little light to tell it.
        return dark if bright.glares and (dark.glares or other.kind is not Kind.OTHER) else bright
    # A claim made only in darker pictures falls if one of them shows the die better and doubts it.
    weak = bright.darker or not one.sure
    return dark if bright.glares and (other.sure or (weak and not dark.glares)) else bright


def _mark_unsure(seen: _Seen) -> _Seen:
    """Marks a die as unsure, which no darker picture can overrule."""
    return replace(seen, die=replace(seen.die, state=DieState.UNSURE), glares=False)

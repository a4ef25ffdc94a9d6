"""What speaks for a die lying with a face up, and for its value: numbers, higher where it does."""

import math

import numpy as np

from vision.classify import face, posture
from vision.decide.flatness import TrayPlace
from vision.detect.detection import Detection
from vision.image.arrays import FloatArray

NOTHING = 0
"""The networks' first class: no face."""
MANY = 4
"""Fewer pips may be what hands and cards leave to be seen of a larger value."""
ACROSS = (2, 3)
"""Values whose pips lie across the face and make a pattern where all are found."""
SQUARE = (4, 5)
"""Values whose pips make a square on every die; the rows of a 6 are closer on some."""
LEAST = 1e-4
"""Probabilities nearer to 0 or 1 than this are not told apart."""
BORNE_OUT = 2.0
"""From here on the pips that were found bear out a value; see `_borne_out`."""
PLAIN = 10.0
"""What stands for the evidence that is not asked of a die."""


def of_lying(one: Detection, alone: bool, place: TrayPlace | None) -> dict[str, float]:
    """What is known of how a die lies.

    Args:
        one: the die.
        alone: whether nothing is near that it could lean on.
        place: where it lies, with geometry; None without.
    """
    beyond = place is not None and place.beyond
    flat, leaning, stacked, covered = one.postures
    aspect = _aspect(one)
    squared = one.lattice is not None and one.lattice.value in SQUARE
    size = PLAIN if place is None else place.size
    return {
        # The floor of a holder may be higher than the tray's.
        "flat": odds(flat + stacked if beyond else flat),
        "not leaning": -odds(leaning),
        "not stacked": PLAIN if beyond else -odds(stacked),
        "not covered": -odds(covered),
        "level": -one.lean,
        "level beside others": PLAIN if alone else -one.lean,
        "alone": float(alone),
        "laid by hand": float(beyond),
        "a face": -odds(one.faces[NOTHING]),
        "a face upright": -odds(one.faces[face.LEANING]),
        # In the plane of the tops the pips of a flat die make a square, of one that leans none.
        "square": aspect if squared else PLAIN,
        "even": aspect,
        "no larger": PLAIN if place is None else -size,
        "no smaller": size,
    }


def of_value(
    one: Detection, value: int, confidence: float, place: TrayPlace | None
) -> dict[str, float]:
    """What is known of a value that the face classifier gives a die.

    Args:
        one: the die.
        value: 1 to 6.
        confidence: its probability.
        place: where it lies, with geometry; None without.
    """
    pattern = 0 if one.lattice is None else one.lattice.value
    few = value < MANY
    pips = _borne_out(one, value, pattern)
    both = min(odds(confidence), odds(one.values[value]))
    ahead = min(_ahead(one.faces[1:7], value - 1), _ahead(one.values, value))
    seen = {
        "both": both,
        "uncovered": -odds(one.faces[face.COVERED]),
        "not covered": -odds(one.postures[posture.COVERED]),
        "pips": pips,
    }
    size = PLAIN if place is None else place.size
    spread = PLAIN if one.lattice is None else one.lattice.edge / one.edge * min(size, 2.0)
    return {
        **seen,
        **{f"{name}, few": number if few else PLAIN for name, number in seen.items()},
        "both, without pips": both if pips < BORNE_OUT else PLAIN,
        "face": odds(confidence),
        "posture": odds(one.values[value]),
        "ahead": ahead,
        "ahead, without pips": ahead if pips < BORNE_OUT else PLAIN,
        "no symbol": -odds(max(one.faces[face.SYMBOL], one.values[face.SYMBOL])),
        "a face": -odds(one.faces[NOTHING]),
        "across": float(one.across or value not in ACROSS),
        "spread, few": spread if few and pattern == value else PLAIN,
        "whole, few": size if few else PLAIN,
        "whole": size,
        "far from stacks, few": -float(few and place is not None and place.by_stack),
        "many": float(not few),
        "more than one": float(value > 1),
    }


def _ahead(probabilities: FloatArray, k: int) -> float:
    """By how much one is likelier than all others, as a logarithm."""
    other = max(float(np.delete(probabilities, k).max()), LEAST)
    return math.log(max(float(probabilities[k]), LEAST) / other)


def odds(probability: float) -> float:
    """Logarithm of the odds of a probability."""
    inside = min(max(float(probability), LEAST), 1 - LEAST)
    return math.log(inside / (1 - inside))


def _aspect(one: Detection) -> float:
    """Ratio of the sides of the pattern of pips, of 1 at most; `PLAIN` without one."""
    return PLAIN if one.lattice is None else one.squareness


def _borne_out(one: Detection, value: int, pattern: int) -> float:
    """How well the pips found one by one bear out a value: from -1, against it, to 3."""
    if max(one.count, pattern) > value:
        return -1.0
    if pattern == value:
        return 3.0
    if one.count == value:
        # Two or three may lie in a row, as what a hand or glare leaves of a 4 or a 6.
        return 0.0 if value in ACROSS and not one.across else 2.0
    return 1.0

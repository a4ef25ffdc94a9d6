"""Evidence for and against a detected die: that it lies flat, and that it shows a value.

Each piece is a named number, the greater the better. All but the networks' log odds are 0 where
nothing is amiss, and less where something is.
"""

from dataclasses import dataclass

from vision.classify.face import LEANING
from vision.classify.posture import FLAT, STACKED
from vision.detect.detection import Detection
from vision.image import numeric

MIN_UNAMBIGUOUS_PIPS = 4
"""Fewer may be all that a hand or a card leaves visible of a larger value."""
SQUARE_VALUES = (4, 5)
"""Their pips make a square on every die; the rows of a 6 are closer together on some."""
MIN_FLAT_SQUARENESS = 0.97
"""Ratio of the sides of that square on a flat die."""
DIAGONAL_VALUES = (2, 3)
"""Their pips lie across the face."""
MIN_WHOLE_TOP_SIZE = 0.86
"""Apparent edge of a top of which nothing is missing, in edges: black dice on dark floors, and dice
of other makers, look smaller than they are."""
TENTH = 0.1
"""Sizes, leans and ratios of sides are counted in tenths."""
MAX_LOG_ODDS = 7.0
"""No network is trusted beyond this."""

# Up to these log odds the networks' outputs mean nothing.
MIN_LEANING_LOG_ODDS = -4.0
MIN_STACKED_LOG_ODDS = -3.0
MIN_NO_DIE_LOG_ODDS = -5.0

Evidence = dict[str, float]


@dataclass(frozen=True, slots=True)
class TrayPlace:
    """Where a die lies, if the geometry is known.

    Attributes:
        mm: its middle in the tray's frame, millimetres.
        inside: how far inside the edge of the floor, millimetres; negative outside it.
        held: whether it is in the zone where held dice stand.
        beyond: whether it lies beyond the walls.
        size: apparent edge of its top, relative to a flat die there, or to its mates.
    """

    mm: tuple[float, float]
    inside: float
    held: bool
    beyond: bool
    size: float


def lying_evidence(one: Detection, value: int | None, alone: bool) -> Evidence:
    """Evidence that a die lies flat.

    Args:
        one: the die.
        value: the one that it seems to show; None for a symbol.
        alone: whether nothing is near that it could lean on.
    """
    askew = 0.0
    if value in SQUARE_VALUES and pattern_value(one) == value:
        # Seen in the plane of the tops, the pips of a flat die make a square.
        askew = min(0.0, one.squareness - MIN_FLAT_SQUARENESS) / TENTH
    return {
        "flat": log_odds(one.postures[FLAT]),
        "near": -float(not alone),
        "stacked": -max(0.0, log_odds(one.postures[STACKED]) - MIN_STACKED_LOG_ODDS),
        "lean": -one.lean / TENTH,
        "leaning": -max(0.0, log_odds(one.faces[LEANING]) - MIN_LEANING_LOG_ODDS),
        "askew": askew,
    }


def value_evidence(
    one: Detection, value: int, confidence: float, place: TrayPlace | None
) -> Evidence:
    """Evidence for the value of a die that lies flat.

    Args:
        one: the die.
        value: 1 to 6.
        confidence: the probability that the face classifier gives it.
        place: where the die lies, with geometry; None without, where no size is known.
    """
    few, pattern = value < MIN_UNAMBIGUOUS_PIPS, pattern_value(one)
    # If a pattern has more pips than the value, only those found one by one count.
    found = max(one.count, pattern if pattern <= value else 0)
    missing = max(0, value - found) / value
    small = 0.0 if place is None else min(0.0, place.size - MIN_WHOLE_TOP_SIZE) / TENTH
    row = value in DIAGONAL_VALUES and not one.across and one.count == value != pattern
    return {
        "face": log_odds(confidence),
        "posture": log_odds(one.values[value]),
        "no die": -max(0.0, log_odds(one.faces[0]) - MIN_NO_DIE_LOG_ODDS),
        "few": -float(few),
        "small": small,
        # This is what a hand or glare may leave of a 4 or a 6.
        "in a row": -float(row),
        "missing": -missing,
    }


def few_unseen(one: Detection, value: int) -> float:
    """Evidence that few pips are pips: they were found one by one, where those of the value lie.

    A printed marker, and a reflection in the black rim of a tray, were a 1 to both networks.
    """
    seen = len(one.plain_pips) == 1 if value == 1 else pattern_value(one) == value
    return -float(value < MIN_UNAMBIGUOUS_PIPS and not seen)


def pattern_value(one: Detection) -> int:
    """The value whose pattern the pips make; 0 where they make none."""
    return 0 if one.lattice is None else one.lattice.value


def log_odds(probability: float) -> float:
    """Log odds of a probability, limited to plus or minus `MAX_LOG_ODDS`."""
    return min(max(numeric.log_odds(float(probability)), -MAX_LOG_ODDS), MAX_LOG_ODDS)

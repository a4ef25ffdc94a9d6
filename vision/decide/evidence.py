"""Evidence for and against a detected die: that it lies flat, and that it shows a value.

Each piece is a named number, the greater the better. All but the networks' log odds are 0 where
nothing is amiss, and less where something is.
"""

from dataclasses import dataclass

from vision.classify.face import LEANING
from vision.classify.posture import FLAT, STACKED
from vision.detect.detection import Detection
from vision.detect.pip_fit import DIAGONAL_VALUES
from vision.image import numeric

MIN_UNAMBIGUOUS_PIPS = 4
"""Fewer may be all that a hand or a card leaves visible of a larger value."""
SQUARE_VALUES = (4, 5)
"""Their pips make a square on every die; the rows of a 6 are closer together on some."""
MIN_FLAT_SQUARENESS = 0.97
"""Ratio of the sides of that square on a flat die."""
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

# How much better the pips of its value fit a top than those of any other, see
# `vision.detect.pip_fit`.
USUAL_LEADS = (0.45, 0.2, 0.2, 0.13, 0.13, 0.25)
"""Of 1 to 6, in correlations: of tops that were drawn like the filters, but for a 6, whose rows are
as far apart as its maker likes: there it is that of 386 dice in pictures."""
MIN_LEAD = 0.35
MIN_FIT = 0.6
"""Share of the usual lead, and correlation, from which pips count as seen."""
MIN_PLAIN_FIT = 0.6
"""Correlation times that share, from which the pips are plain: a single spot in a corner is a 2
with 0.53. Of 1,830 dice in photographs other pips reached 0.48, but on one whose sides are seen."""

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


def uncounted(one: Detection, value: int) -> float:
    """Evidence of a witness that owes nothing to the networks: as many pips as the value has.

    They were found one by one, or those of the value fit better than those of any other. Anything
    round fits a 1: its pip must have been found. A printed marker, and a reflection in the black
    rim of a tray, were a 1 to both networks.
    """
    found = len(one.plain_pips) == value or pattern_value(one) == value
    fits = value > 1 and one.fits[value - 1] >= MIN_FIT and lead_of(one, value) >= MIN_LEAD
    return -float(not found and not fits)


def fits_plainly(one: Detection, value: int) -> bool:
    """True if the pips of a value, and of no other, plainly fit a top."""
    return bool(one.fits[value - 1] * lead_of(one, value) >= MIN_PLAIN_FIT)


def lead_of(one: Detection, value: int) -> float:
    """How much better the pips of a value fit than any other's, as a share of what is usual."""
    # In plain Python: NumPy's overhead on six numbers exceeds the work.
    others: list[float] = one.fits.tolist()
    own = others.pop(value - 1)
    return (own - max(others)) / USUAL_LEADS[value - 1]


def pattern_value(one: Detection) -> int:
    """The value whose pattern the pips make; 0 where they make none."""
    return 0 if one.lattice is None else one.lattice.value


def log_odds(probability: float) -> float:
    """Log odds of a probability, limited to plus or minus `MAX_LOG_ODDS`."""
    return min(max(numeric.log_odds(float(probability)), -MAX_LOG_ODDS), MAX_LOG_ODDS)

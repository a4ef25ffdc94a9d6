"""What is claimed about a die: its state, from how it lies and how certain its value is."""

import numpy as np

from vision.classify.face import COVERED, SYMBOL
from vision.classify.posture import COVERED as HIDDEN
from vision.classify.posture import FLAT, STACKED
from vision.decide.certainty import certainty
from vision.decide.evidence import ACROSS, MANY, TrayPlace, of_lying, of_value, pattern_of
from vision.detect.detection import Detection
from vision.reading import DieState

LARGEST = 1.3
"""What looks larger, in edges, is no die: of 12,500 rendered ones none looked larger than 1.25."""
FLAT_BESIDE, LEAN_BESIDE, RISK_BESIDE = 0.01, 0.2, 0.01
"""Beyond the walls a die was laid by hand, mostly in a holder, whose sides and step deceive the
posture classifier: the least flatness and the most lean there, and the risk that it is not a die,
since cups and printed markers lie there too."""
LEAST_FLAT = 0.3
"""With geometry, the posture classifier's least probability of flat for a die to lie flat."""
LEAN_NEAR, FLAT_NEAR, SQUARE_NEAR, LEAN_ROW = 0.025, 0.994, 0.975, 0.05
"""With geometry, near something that it could lean on, a die is plainly flat up to the first lean
or from the second probability of flat; or if its pips make the pattern of its value, with sides as
equal as the third, and, where they lie in a row, up to the fourth lean."""
LEAST_FACE, LEAST_POSTURE = 0.4, 0.7
"""Least probability of a value by each network: in glare one alone has been sure of nonsense."""
COVERED_FEW = 0.05
"""Without geometry, most probability of covered, by the face classifier, with few pips."""
WHOLE, NARROW = ((LARGEST, 0.008), (0.83, 0.001)), 0.88
"""With geometry, where what is visible of a covered die may look like a smaller one: sizes of such
a top, in edges, each with the most probability of covered below it; and the size of the die that a
row of pips would belong to, below which they are half of a 6."""
COUNT_FACE, COUNT_POSTURE, COUNT_NONE, COUNT_COVERED = 0.5, 0.1, 0.01, 0.02
"""Without geometry, when counting pips at high thresholds may confirm a value: its least
probability by each network, and the most of no face, and of covered where the pips are few."""
OFF_MIDDLE = 0.12
"""Where no pip is nearer to the middle than this, in edges, the middle one of a 5 is missing."""
MIDDLE_SEEN = 0.98
"""From this probability of a 5 on, the face classifier has seen the middle pip, worn as it is: it
gave narrow sixes up to 0.92, and fives whose middle pip is not found as a spot 0.99."""
STANDS_OUT = 1.25
"""Least prominence of a die on a floor full of spots: it is 1 for what is part of a pattern."""
LARGE = 200.0
"""Edge of a die, pixels of the working picture, whose pips are too large to be found as spots."""
PLAIN = 0.9
"""Probability, by the posture classifier, from which a posture is plain."""
POSTURES_SEEN = (DieState.OK, DieState.LEANING, DieState.STACKED, DieState.COVERED)


def lying_risk(one: Detection, value: int | None, alone: bool, place: TrayPlace | None) -> float:
    """The risk that a die does not lie with a face up.

    Args:
        one: the die.
        value: the one that it seems to show; None for a symbol.
        alone: whether nothing is near that it could lean on.
        place: where it lies, with geometry; None without.
    """
    if place is not None and place.size > LARGEST:
        return 1.0
    if place is not None and place.beyond:
        # The floor of a holder may be higher than the tray's.
        level = one.postures[FLAT] + one.postures[STACKED]
        laid = level >= FLAT_BESIDE and one.lean < LEAN_BESIDE
        return RISK_BESIDE if laid and one.postures[HIDDEN] < PLAIN else 1.0
    if place is not None and one.postures[FLAT] < LEAST_FLAT:
        return 1.0
    if place is not None and not alone and not _plainly_flat(one, value):
        return 1.0
    return certainty(place is not None).lying.risk(of_lying(one, value, alone))


def _plainly_flat(one: Detection, value: int | None) -> bool:
    """Whether a die near something that it could lean on is plainly flat."""
    if one.lean <= LEAN_NEAR or one.postures[FLAT] >= FLAT_NEAR:
        return True
    # Two pips, or three in a row, fit a square whichever way the top faces.
    made = pattern_of(one) == value and one.squareness > SQUARE_NEAR
    return made and ((value or 0) >= MANY or one.lean <= LEAN_ROW)


def lies_flat(lying: float, place: TrayPlace | None) -> bool:
    """Whether a die with this risk is taken to lie flat."""
    return lying <= certainty(place is not None).risk


def state_of(
    one: Detection, value: int | None, confidence: float, lying: float, place: TrayPlace | None
) -> DieState:
    """The state of a die.

    Args:
        one: the die.
        value: according to the face classifier; None for a symbol.
        confidence: its probability.
        lying: the risk that it does not lie flat.
        place: where it lies, with geometry; None without.
    """
    covered = float(one.faces[COVERED])
    if covered > max(confidence, float(one.faces[SYMBOL])):
        return DieState.COVERED
    if not lies_flat(lying, place):
        return seen_posture(one)
    if value is None or not in_question(one, value, confidence, place):
        return DieState.UNSURE
    other = certainty(place is not None).value.risk(of_value(one, value, confidence, place))
    return DieState.OK if lies_flat(lying + other, place) else DieState.UNSURE


def in_question(one: Detection, value: int, confidence: float, place: TrayPlace | None) -> bool:
    """Whether a value may be claimed at all; see `state_of`."""
    agreed = int(one.values.argmax()) == value and one.values[value] >= LEAST_POSTURE
    covered = float(one.faces[COVERED])
    if not agreed or confidence < LEAST_FACE or pips_contradict(one, value, confidence):
        return False
    if value >= MANY:
        return True
    if place is None:
        return covered <= COVERED_FEW
    row = one.lattice if value in ACROSS and pattern_of(one) == value else None
    narrow = row is not None and row.edge / one.edge * place.size < NARROW
    return not narrow and all(place.size >= size or covered <= most for size, most in WHOLE)


def pips_contradict(one: Detection, value: int, confidence: float) -> bool:
    """Whether the pips that are plain to see forbid a value.

    More of them than the value always do, whatever the networks say: some makers put the rows of a
    6 so close together, at 0.58 of the distance in a square, that both take it for a 5. Where a
    reflection hides one of these six, no pip lies in the middle as one of a 5 would.

    Args:
        one: the die.
        value: 1 to 6.
        confidence: the probability that the face classifier gives it.
    """
    if len(one.plain_pips) > value:
        return True
    if value != 5 or len(one.plain_pips) < MANY or confidence >= MIDDLE_SEEN:
        return False
    return bool(np.hypot(*one.plain_pips.T).min() > OFF_MIDDLE)


def may_be_floor(one: Detection, value: int) -> bool:
    """Whether, on a floor full of spots, this may be some of them and no die.

    Lace and lit boards show all values to both networks, and a tuft of carpet with a dark speck was
    a 1: the pips must stand out from the spots of the floor, and few of them must all be plain. A
    die whose pips are larger than the spots that are searched for is excused from that.
    """
    if one.prominence < STANDS_OUT:
        return True
    return value < MANY and one.edge < LARGE and len(one.plain_pips) != value


def countable(one: Detection, value: int, confidence: float) -> bool:
    """Whether counting its pips may decide on a value that has this `confidence` so far."""
    hidden = value == 1 or (value < MANY and one.faces[COVERED] > COUNT_COVERED)
    seen = one.faces[0] <= COUNT_NONE and one.postures[FLAT] >= PLAIN and not hidden
    likely = confidence >= COUNT_FACE and one.values[value] >= COUNT_POSTURE
    return bool(seen and likely and not pips_contradict(one, value, confidence))


def seen_posture(one: Detection) -> DieState:
    """How a die that is not taken to lie flat plainly lies; `UNSURE` where that is not plain."""
    lies = int(one.postures.argmax())
    plain = lies != FLAT and one.postures[lies] > PLAIN
    return POSTURES_SEEN[lies] if plain else DieState.UNSURE

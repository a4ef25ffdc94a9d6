"""The claim about a die: its state, from how it lies and how certain its value is."""

from vision.classify.face import COVERED, SYMBOL
from vision.classify.posture import COVERED as POSTURE_COVERED
from vision.classify.posture import FLAT, STACKED
from vision.decide.certainty import certainty
from vision.decide.evidence import (
    MIN_UNAMBIGUOUS_PIPS,
    TrayPlace,
    fits_plainly,
    lying_evidence,
    pattern_value,
    uncounted,
    value_evidence,
)
from vision.detect.detection import MIN_EDGE_OF_LARGE_PIPS_PX, Detection
from vision.detect.pip_fit import DIAGONAL_VALUES
from vision.reading import DieState

MAX_APPARENT_EDGE = 1.3
"""In edges of a flat die there: of 12,500 rendered dice none looked larger than 1.25."""

# Beyond the walls dice were laid by hand, mostly in a holder, whose sides and step deceive the
# posture classifier.
MIN_LEVEL_BEYOND_WALLS = 0.01
"""Probability of flat or stacked."""
MAX_LEAN_BEYOND_WALLS = 0.2
RISK_BEYOND_WALLS = 0.01
"""That it is no die: cups and printed markers lie there too."""

MIN_FLAT = 0.3
"""Probability of flat, with geometry."""

# With geometry, near something that it could lean on, a die is plainly flat
# if it leans very little, or if the posture classifier is very sure,
MAX_LEAN_NEAR = 0.025
MIN_FLAT_NEAR = 0.994
# or if its pips make the pattern of its value, and lie in no leaning row. How square the pattern is
# counts in the risk.
MAX_LEAN_OF_ROW_NEAR = 0.05

MAX_LYING_RISK_OF_ANYBODYS = 0.28
"""Without geometry, that a die does not lie flat, however sure its value is: from here on leaning
dice with whole patterns were claimed. In photographs hardly any die leans, and they do not tell."""

# Neither network is trusted alone: in glare one alone has been sure of nonsense.
MIN_FACE_CONFIDENCE = 0.4
MIN_POSTURE_CONFIDENCE = 0.7

MAX_COVERED_WITH_FEW_PIPS = 0.05
"""Probability of covered, by the face classifier, without geometry."""
MAX_COVERED_BY_SIZE = ((MAX_APPARENT_EDGE, 0.007), (0.83, 0.001))
"""With geometry, what is visible of a covered die may look like a smaller one: apparent sizes of a
top, in edges, each with the most probability of covered for a top below it."""
MIN_ROW_DIE_SIZE = 0.88
"""In edges: a row of pips that implies a smaller die is half of a 6."""

# Without geometry, counting its pips at high thresholds may confirm a value.
MIN_FACE_TO_COUNT = 0.5
MIN_POSTURE_TO_COUNT = 0.1
MAX_NO_FACE_TO_COUNT = 0.01
MAX_COVERED_TO_COUNT = 0.02
"""Where the pips are few."""

MIN_PROMINENCE = 1.25
"""Of a die on a floor full of spots; what is part of a pattern has 1."""

PLAIN_POSTURE = 0.9
"""Probability from which a posture is plain."""
STATE_BY_POSTURE = (DieState.OK, DieState.LEANING, DieState.STACKED, DieState.COVERED)
"""In the order of `vision.classify.posture.POSTURES`."""


def lying_risk(one: Detection, value: int | None, alone: bool, place: TrayPlace | None) -> float:
    """The risk that a die does not lie with a face up.

    Args:
        one: the die.
        value: the one that it seems to show; None for a symbol.
        alone: whether nothing is near that it could lean on.
        place: where it lies, with geometry; None without.
    """
    if place is not None and place.size > MAX_APPARENT_EDGE:
        return 1.0
    if place is not None and place.beyond:
        # The floor of a holder may be higher than the tray's.
        level = one.postures[FLAT] + one.postures[STACKED]
        laid = level >= MIN_LEVEL_BEYOND_WALLS and one.lean < MAX_LEAN_BEYOND_WALLS
        return RISK_BEYOND_WALLS if laid and one.postures[POSTURE_COVERED] < PLAIN_POSTURE else 1.0
    if place is not None and one.postures[FLAT] < MIN_FLAT:
        return 1.0
    if place is not None and not alone and not _is_plainly_flat(one, value):
        return 1.0
    return certainty(place is not None).lying.risk(lying_evidence(one, value, alone))


def _is_plainly_flat(one: Detection, value: int | None) -> bool:
    """True if a die near something that it could lean on is plainly flat."""
    if one.lean <= MAX_LEAN_NEAR or one.postures[FLAT] >= MIN_FLAT_NEAR:
        return True
    # Two pips, or three in a row, fit a square whichever way the top faces.
    made = pattern_value(one) == value
    in_row = (value or 0) < MIN_UNAMBIGUOUS_PIPS
    return made and (not in_row or one.lean <= MAX_LEAN_OF_ROW_NEAR)


def is_acceptable_risk(
    lying: float, place: TrayPlace | None, value: float = 0.0, uncounted: float = 0.0
) -> bool:
    """True if a claim about a die may carry its risk, with geometry or without.

    Args:
        lying: the risk that it does not lie flat.
        place: where it lies, with geometry; None without.
        value: the risk that it shows another value.
        uncounted: see `vision.decide.evidence.uncounted`.
    """
    one = certainty(place is not None)
    may_lean = place is None and lying > MAX_LYING_RISK_OF_ANYBODYS
    return not may_lean and one.total(lying, value, uncounted) <= one.risk


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
    if not is_acceptable_risk(lying, place):
        return posture_state(one)
    if value is None or not may_claim(one, value, confidence, place):
        return DieState.UNSURE
    other = certainty(place is not None).value.risk(value_evidence(one, value, confidence, place))
    sure = is_acceptable_risk(lying, place, other, uncounted(one, value))
    return DieState.OK if sure else DieState.UNSURE


def may_claim(one: Detection, value: int, confidence: float, place: TrayPlace | None) -> bool:
    """True if a value may be claimed at all; see `state_of`."""
    agreed = int(one.values.argmax()) == value and one.values[value] >= MIN_POSTURE_CONFIDENCE
    covered = float(one.faces[COVERED])
    if not agreed or confidence < MIN_FACE_CONFIDENCE or pips_rule_out(one, value):
        return False
    if value >= MIN_UNAMBIGUOUS_PIPS:
        return True
    if place is None:
        return covered <= MAX_COVERED_WITH_FEW_PIPS
    row = one.lattice if value in DIAGONAL_VALUES and pattern_value(one) == value else None
    narrow = row is not None and row.edge / one.edge * place.size < MIN_ROW_DIE_SIZE
    return not narrow and all(
        place.size >= size or covered <= most for size, most in MAX_COVERED_BY_SIZE
    )


def pips_rule_out(one: Detection, value: int) -> bool:
    """True if the pips forbid a value, 1 to 6, whatever the networks say.

    More plain ones than the value do, and so do those of another value that fit plainly: some
    makers put the rows of a 6 so close together, at 0.58 of the distance in a square, that both
    networks take it for a 5.
    """
    others = (other for other in range(1, 7) if other != value)
    return len(one.plain_pips) > value or any(fits_plainly(one, other) for other in others)


def may_be_floor(one: Detection, value: int, crowded: bool) -> bool:
    """True if, on a floor full of spots, this may be some of them and no die.

    Lace and lit boards show all values to both networks, and a tuft of carpet with a dark speck was
    a 1: the pips must stand out from the spots of the floor, and few of them must all be plain. A
    die whose pips are larger than the spots that are searched for is excused from that.
    """
    if one.prominence < MIN_PROMINENCE:
        return True
    return (
        crowded
        and value < MIN_UNAMBIGUOUS_PIPS
        and one.edge < MIN_EDGE_OF_LARGE_PIPS_PX
        and len(one.plain_pips) != value
    )


def may_count_pips(one: Detection, value: int, confidence: float) -> bool:
    """True if counting its pips may decide on a value that has this `confidence` so far."""
    hidden = value == 1 or (
        value < MIN_UNAMBIGUOUS_PIPS and one.faces[COVERED] > MAX_COVERED_TO_COUNT
    )
    seen = (
        one.faces[0] <= MAX_NO_FACE_TO_COUNT and one.postures[FLAT] >= PLAIN_POSTURE and not hidden
    )
    likely = confidence >= MIN_FACE_TO_COUNT and one.values[value] >= MIN_POSTURE_TO_COUNT
    return bool(seen and likely and not pips_rule_out(one, value))


def posture_state(one: Detection) -> DieState:
    """How a die that is not taken to lie flat plainly lies; `UNSURE` where that is not plain."""
    lies = int(one.postures.argmax())
    plain = lies != FLAT and one.postures[lies] > PLAIN_POSTURE
    return STATE_BY_POSTURE[lies] if plain else DieState.UNSURE

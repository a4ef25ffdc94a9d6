"""What both networks and the pips of a die must say for its value to be claimed."""

import math

from vision.classify.face import COVERED, SYMBOL
from vision.classify.posture import FLAT
from vision.decide.flatness import TrayPlace, seen_posture
from vision.detect.detection import Detection
from vision.reading import DieState, Kind

SECOND_LEAST = 0.7
"""What the posture classifier must give a value in any case: four pips of a 6 that mirrors a lamp
may make the pattern of a 4."""
MANY = 4
"""Fewer pips may be what hands and cards leave to be seen of a larger value."""
ENOUGH_ALONE = 0.98
"""What the face classifier must give a value of which the posture classifier is less sure."""
AGREED, AGREED_PLAINLY, AGREED_FOREIGN = 0.85, 0.95, 0.9
"""What both must give a value on a die of our kinds, more than half of its pips found or not, and
on others."""
SECOND_FEW, AGREED_FEW = 0.85, 0.9
"""What the posture classifier must give fewer than `MANY` in these two cases: the half of a 5 or a
6 that a hand leaves to be seen looks like a 2 or a 3."""

ACROSS = (2, 3)
"""Values whose pips lie across the face and make a pattern where all are found; of 2,400 rendered
threes 10 did not, of which two were halves of a 6."""

WHOLE, WHOLE_MANY = 0.83, 0.9
"""With geometry, least edge of a top with fewer than `MANY` pips, in edges, and of one with more
that make no pattern and may be covered: the rest of a covered die is taken for a smaller one."""
PLAINLY_WHOLE, SECOND_WHOLE = 0.001, 0.995
"""What the face classifier may give a 2 or 3 to be covered, and the posture classifier its value,
for it to count as whole: black dice on dark floors seem smaller than they are."""
HALF, HALF_ASIDE = 0.75, 0.85
"""With geometry, least edge of the die that the pattern of a 2 or 3 belongs to, across its top or
not: what is left of a 6 and looks like a 3 belongs to a smaller one."""
ALONE_SURELY = 0.95
"""With geometry, what both must give a 1: its pip may be what they leave of a 2 or 3."""

FLAT_SURELY, LEAN_SURELY = 0.95, 0.02
"""How flat and, with geometry, how level for the posture classifier a top must be for the networks'
word to weigh more than pips found one by one: lamps that mirror in it hide those, letters and
reflections look like more of them."""
WHOLLY, NEARLY = 0.01, 0.04
"""What the face classifier may give such a top to be covered, with fewer than `MANY` pips and else.
With geometry it is asked of all with fewer that the posture classifier is not sure of: they may be
what hands and cards leave of larger values."""
BOTH_SURELY = 0.985
"""Without geometry, what both must give such a die."""
SEEN_MANY = ((0.6, 0.95), (0.4, 0.99))
SEEN_SURELY, SECOND_SURELY = 0.95, 0.99
"""With geometry, what both must give it: with `MANY` pips, no more spots than these; and else."""


def state_of(
    one: Detection,
    kind: Kind,
    value: int | None,
    confidence: float,
    flat: bool,
    place: TrayPlace | None,
) -> DieState:
    """The state of a die, of which `lies_flat` says `flat`; see there for the others.

    `confidence` is the probability that the face classifier gives the value.
    """
    if one.faces[COVERED] > max(confidence, float(one.faces[SYMBOL])):
        return DieState.COVERED
    if not flat:
        return seen_posture(one)
    if value is None or int(one.values.argmax()) != value or one.values[value] < SECOND_LEAST:
        return DieState.UNSURE
    if place is not None and _perhaps_covered(one, value, confidence, place):
        return DieState.UNSURE
    sure = agreed(one, kind, value, confidence) and not _cut_off(one, value, place)
    return DieState.OK if sure or _beyond_doubt(one, value, confidence, place) else DieState.UNSURE


def agreed(one: Detection, kind: Kind, value: int, confidence: float) -> bool:
    """Whether both networks and the pips found one by one say enough for a claim."""
    second = float(one.values[value])
    both = min(confidence, second)
    if _more_pips(one, value):
        pattern = _pattern(one)
        # Letters and reflections may lie round the pip of a 1, two of them like the pips of a 2.
        alone = pattern == 0 or (pattern == 2 and one.count == 1)
        return value == 1 and alone and both >= AGREED_PLAINLY
    if _in_a_row(one, value):
        return False
    if confidence >= ENOUGH_ALONE and (value >= MANY or second >= SECOND_FEW):
        return True
    if value < MANY and second < AGREED_FEW:
        return False
    if kind is Kind.OTHER:
        return both >= AGREED_FOREIGN
    return both >= (AGREED if value < 2 * one.count else AGREED_PLAINLY)


def _pattern(one: Detection) -> int:
    """The value whose pattern the pips make; 0 where they make none."""
    return 0 if one.lattice is None else one.lattice.value


def _more_pips(one: Detection, value: int) -> bool:
    """Whether more pips were found than a value has."""
    return max(one.count, _pattern(one)) > value


def _in_a_row(one: Detection, value: int) -> bool:
    """Whether two or three pips lie as what a hand or glare leaves of a 4 or a 6."""
    few = value in ACROSS and not one.across
    return few and one.count == value != _pattern(one)


def _cut_off(one: Detection, value: int, place: TrayPlace | None) -> bool:
    """Whether a top with few pips may be what is left to be seen of a larger one."""
    if place is None or value >= MANY or place.size >= WHOLE:
        return False
    covered, second = one.faces[COVERED], one.values[value]
    return not (value in ACROSS and covered <= PLAINLY_WHOLE and second >= SECOND_WHOLE)


def _pattern_edge(one: Detection, place: TrayPlace) -> float:
    """Edge of the die that the pattern of pips belongs to, in edges; infinite without pattern."""
    return math.inf if one.lattice is None else one.lattice.edge / one.edge * place.size


def _perhaps_covered(one: Detection, value: int, confidence: float, place: TrayPlace) -> bool:
    """Whether few pips may be what is left to be seen of more."""
    if value < MANY and place.by_stack:
        return True
    made, least = _pattern(one) == value, HALF if one.across else HALF_ASIDE
    if value in ACROSS and made and _pattern_edge(one, place) < least:
        return True
    covered, second = one.faces[COVERED], one.values[value]
    if value >= MANY and not made and place.size < WHOLE_MANY and covered > NEARLY:
        return True
    if value == 1 and min(confidence, second) < ALONE_SURELY:
        return True
    sure = covered <= NEARLY and second >= SECOND_SURELY
    return bool(value < MANY and covered > WHOLLY and not sure)


def _beyond_doubt(one: Detection, value: int, confidence: float, place: TrayPlace | None) -> bool:
    """Whether a die lies so plainly flat and whole that the networks' word will do."""
    if one.postures[FLAT] < FLAT_SURELY or one.faces[COVERED] > NEARLY:
        return False
    second = float(one.values[value])
    if place is None:
        return min(confidence, second) >= BOTH_SURELY
    if one.lean > LEAN_SURELY:
        return False
    if _in_a_row(one, value) or (
        _cut_off(one, value, place) and value in ACROSS and not one.across
    ):
        # Half of a 6 in which a lamp mirrors deceives both.
        return False
    if value >= MANY and not _more_pips(one, value):
        return any(confidence >= face and second >= least for face, least in SEEN_MANY)
    return confidence >= SEEN_SURELY and second >= SECOND_SURELY

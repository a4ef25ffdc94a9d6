"""Evidence for and against dice as the detector finds them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.decide.detected import found, place, plain
from vision.classify.face import LEANING
from vision.decide.evidence import (
    MAX_LOG_ODDS,
    MIN_FLAT_SQUARENESS,
    MIN_WHOLE_TOP_SIZE,
    log_odds,
    lying_evidence,
    value_evidence,
)
from vision.detect.patterns import EDGE_OVER_STEP, Face

PROBABILITY = st.floats(0, 1)


@given(PROBABILITY, PROBABILITY)
def test_log_odds_rise_with_probabilities_up_to_a_limit(low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert -MAX_LOG_ODDS <= log_odds(low) <= log_odds(high) <= MAX_LOG_ODDS
    if 0.01 < low < 0.99:
        assert 1 / (1 + math.exp(-log_odds(low))) == pytest.approx(low)


@given(
    value=st.integers(1, 6),
    count=st.integers(0, 8),
    pattern=st.sampled_from((0, 2, 3, 4, 5, 6)),
    size=st.floats(0.4, 1.3),
    posture=PROBABILITY,
    known=st.booleans(),
)
def test_nothing_but_the_networks_speaks_for_a_value(
    value: int, count: int, pattern: int, size: float, posture: float, known: bool
) -> None:
    one = found(count, pattern, posture, value)
    seen = value_evidence(one, value, 0.9, place(size) if known else None)
    assert all(worth <= 0 for name, worth in seen.items() if name not in ("face", "posture"))
    assert (seen["small"] < 0) == (known and size < MIN_WHOLE_TOP_SIZE)


@given(value=st.integers(1, 6), leaning=PROBABILITY, flat=PROBABILITY, lean=st.floats(0, 1))
def test_nothing_but_the_posture_classifier_speaks_for_lying_flat(
    value: int, leaning: float, flat: float, lean: float
) -> None:
    one = plain(found(value, value if value > 1 else 0, 1.0, value), flat, lean)
    faces = one.faces.copy()
    faces[LEANING] = leaning
    for alone in (False, True):
        seen = lying_evidence(replace(one, faces=faces), value, alone)
        assert all(worth <= 0 for name, worth in seen.items() if name != "flat")
        assert (seen["near"] == 0) is alone


def test_pips_in_a_row_that_make_no_pattern_may_be_part_of_more() -> None:
    row = replace(found(2, 0, 1.0, 2), across=False)
    assert value_evidence(row, 2, 1.0, None)["in a row"] == -1
    for other in (found(2, 0, 1.0, 2), replace(row, count=1), replace(row, count=3)):
        assert value_evidence(other, 2, 1.0, None)["in a row"] == 0
    assert value_evidence(replace(row, count=4), 4, 1.0, None)["in a row"] == 0


@pytest.mark.parametrize(
    ("value", "count", "pattern", "missing"),
    [
        (5, 5, 0, 0.0),
        (5, 2, 5, 0.0),
        (6, 4, 4, 1 / 3),
        (6, 2, 0, 2 / 3),
        (4, 0, 5, 1.0),
        (3, 1, 0, 2 / 3),
        (1, 3, 0, 0.0),
    ],
)
def test_pips_that_were_not_found_speak_against_a_value(
    value: int, count: int, pattern: int, missing: float
) -> None:
    seen = value_evidence(found(count, pattern, 1.0, value), value, 1.0, None)
    assert seen["missing"] == pytest.approx(-missing)


def test_pips_of_a_die_that_leans_make_no_square() -> None:
    for low, askew in ((0.98, 0.0), (MIN_FLAT_SQUARENESS, 0.0), (0.87, -1.0)):
        step = np.diag([30.0, 30.0 * low]) / EDGE_OVER_STEP
        pattern = Face(5, (0.0, 0.0), step, (), 0.0, 30.0)
        one = replace(found(5, 5, 1.0, 5), lattice=pattern)
        assert lying_evidence(one, 5, True)["askew"] == pytest.approx(askew)
        # The pattern of another value, and a 6, whose rows makers space as they like.
        assert lying_evidence(one, 4, True)["askew"] == 0
        six = replace(one, lattice=replace(pattern, value=6))
        assert lying_evidence(six, 6, True)["askew"] == 0

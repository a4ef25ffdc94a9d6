"""Risks, and what the shipped models ask for."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.decide.detected import found, place, plain
from vision.decide.certainty import Model, certainty, photographs_evidence
from vision.decide.evidence import (
    MIN_FIT,
    MIN_LEAD,
    USUAL_LEADS,
    lead_of,
    lying_evidence,
    uncounted,
    value_evidence,
)

KNOWN = pytest.mark.parametrize("known", [True, False])


def test_the_odds_are_the_sum_of_what_speaks_for_a_value() -> None:
    one = Model({"face": 0.5, "posture": 2.0}, best=1.0)
    assert one.risk({"face": 2.0, "posture": -1.0, "few": -1.0}) == pytest.approx(0.5)
    assert one.risk({"face": 2.0, "posture": 0.0}) == pytest.approx(1 / (1 + math.exp(2)))


@KNOWN
def test_more_evidence_never_makes_a_claim_riskier(known: bool) -> None:
    one = certainty(known)
    die = found(3, 3, 0.9, 3)
    for model, seen in (
        (one.lying, lying_evidence(die, 3, True)),
        (one.value, value_evidence(die, 3, 0.9, place())),
    ):
        assert set(model.weights) <= set(seen)
        assert all(weight >= 0 for weight in model.weights.values())


@KNOWN
@pytest.mark.parametrize("value", range(1, 7))
def test_what_is_known_at_best_is_enough_and_even_odds_are_not(known: bool, value: int) -> None:
    one, where = certainty(known), place() if known else None
    best = plain(found(value, value if value > 1 else 0, 0.9999, value))
    assert (
        one.lying.risk(lying_evidence(best, value, True))
        + one.value.risk(value_evidence(best, value, 0.9999, where))
        < one.risk
    )
    even = replace(best, postures=np.array([0.5, 0.5, 0.0, 0.0]), lean=0.3)
    assert one.lying.risk(lying_evidence(even, value, False)) > one.risk
    doubted = found(value, 0, 0.5, value)
    assert one.value.risk(value_evidence(doubted, value, 0.5, where)) > one.risk


@given(st.floats(-20, 20), st.floats(-20, 20))
def test_risks_fall_with_evidence(low: float, high: float) -> None:
    one = Model({"face": 1.0}, best=0.0)
    low, high = sorted((low, high))
    assert 0 <= one.risk({"face": high}) <= one.risk({"face": low}) <= 1


def test_a_claim_about_anybodys_dice_carries_four_percent_at_most() -> None:
    one = certainty(False)
    assert one.risk <= 0.04
    assert one.photographs is not None
    assert set(one.photographs.weights) == set(photographs_evidence(0.1, 0.1, 0.0))
    assert all(weight >= 0 for weight in one.photographs.weights.values())


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.sampled_from([0.0, -1.0]))
def test_the_whole_risk_grows_with_each_part(
    low: float, high: float, other: float, unseen: float
) -> None:
    low, high = sorted((low, high))
    for known in (True, False):
        one = certainty(known)
        assert one.total(low, other, unseen) <= one.total(high, other, unseen)
        assert one.total(other, low, unseen) <= one.total(other, high, unseen)
        assert one.total(low, other) <= one.total(low, other, unseen)


def test_with_geometry_both_risks_add_up() -> None:
    one = certainty(True)
    assert one.photographs is None
    assert one.total(0.004, 0.003, -1.0) == pytest.approx(0.007)


@pytest.mark.parametrize("value", range(1, 7))
def test_pips_are_counted_one_by_one_or_by_how_they_fit(value: int) -> None:
    nobody = found(value, 0, 0.99, value)
    assert uncounted(nobody, value) == -1
    assert uncounted(replace(nobody, plain_pips=np.zeros((value, 2))), value) == 0
    assert uncounted(found(value, value, 0.99, value), value) == 0
    # Anything round fits a 1.
    fitting = replace(nobody, fits=0.9 * np.eye(6)[value - 1])
    assert uncounted(fitting, value) == (-1 if value == 1 else 0)
    weak = replace(nobody, fits=(MIN_FIT - 0.01) * np.eye(6)[value - 1])
    assert uncounted(weak, value) == -1
    ahead = MIN_LEAD * USUAL_LEADS[value - 1]
    other = np.where(np.arange(6) == value - 1, 0.9, 0.0)
    other[value % 6] = 0.9 - ahead + 0.001
    assert uncounted(replace(nobody, fits=other), value) == -1
    assert lead_of(replace(nobody, fits=other), value) < MIN_LEAD

"""How certain values are, by evidence of which it is known what it is worth."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.decide.detected import found, place
from vision.decide.certainty import MOST_ODDS, Model, evidence, log_odds, model

PROBABILITY = st.floats(0, 1)


def test_the_odds_are_the_sum_of_what_speaks_for_a_value() -> None:
    one = Model({"face": 0.5, "posture": 2.0}, best=1.0, least=3.0)
    assert one.odds({"face": 2.0, "posture": -1.0, "few": -1.0}) == pytest.approx(0.0)


@pytest.mark.parametrize("known", [True, False])
def test_more_evidence_never_speaks_against_a_value(known: bool) -> None:
    one = model(known)
    names = set(evidence(found(3, 3, 0.9, 3), 3, 0.9, place()))
    assert set(one.weights) <= names
    assert all(weight >= 0 for weight in one.weights.values())
    # All that is known of a die at best is enough for a claim; with even odds it is not.
    assert one.odds({name: 7.0 if name in ("face", "posture") else 0.0 for name in names}) > (
        one.least
    )
    assert one.odds(dict.fromkeys(names, 0.0)) < one.least


@given(PROBABILITY, PROBABILITY)
def test_log_odds_rise_with_probabilities_up_to_a_limit(low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert -MOST_ODDS <= log_odds(low) <= log_odds(high) <= MOST_ODDS
    if 0.01 < low < 0.99:
        assert 1 / (1 + math.exp(-log_odds(low))) == pytest.approx(low)


@given(
    value=st.integers(1, 6), count=st.integers(0, 8), size=st.floats(0.4, 1.3), second=PROBABILITY
)
def test_nothing_but_the_networks_speaks_for_a_value(
    value: int, count: int, size: float, second: float
) -> None:
    seen = evidence(found(count, 0, second, value), value, 0.9, place(size))
    others = {name: worth for name, worth in seen.items() if name not in ("face", "posture")}
    assert all(worth <= 0 for worth in others.values())
    assert (seen["more pips"] < 0) == (count > value)
    assert (seen["few, small"] < 0) == (value < 4 and size < 0.95)


def test_a_row_of_three_of_a_smaller_die_may_be_half_of_a_six() -> None:
    for edge, size, narrow in ((30.0, 1.0, 0.0), (25.5, 1.0, -1.0), (30.0, 0.85, -1.0)):
        seen = evidence(found(3, 3, 0.99, 3, edge), 3, 0.99, place(size))
        assert seen["few, narrow"] == pytest.approx(narrow)
        assert evidence(found(4, 4, 0.99, 4, edge), 4, 0.99, place(size))["few, narrow"] == 0


def test_without_geometry_no_size_is_known() -> None:
    seen = evidence(found(3, 3, 0.99, 3, 20.0), 3, 0.99, None)
    assert (seen["few, small"], seen["few, narrow"], seen["few"]) == (0, 0, -1)

"""Curves: how their heights are added up, and what they allow."""

import math

import pytest

from scripts.certainty.curves import curves_of

RAW = {
    "limit": 0.1,
    "best": 3.0,
    "curves": {"a": [[0.0, -4.0], [2.0, 0.0]], "b": [[0, -1], [1, 0]]},
}


@pytest.mark.parametrize(
    ("a", "b", "odds"),
    [(2.0, 1.0, 3.0), (1.0, 1.0, 1.0), (-9.0, 1.0, -1.0), (5.0, 0.25, 2.25)],
)
def test_heights_between_bends_are_added(a: float, b: float, odds: float) -> None:
    risk = curves_of(RAW).risk({"a": a, "b": b})
    assert math.log((1 - risk) / risk) == pytest.approx(odds)


def test_what_is_riskier_than_the_limit_is_not_allowed() -> None:
    seen = curves_of(RAW)
    assert seen.allow({"a": 2.0, "b": 1.0})
    assert not seen.allow({"a": 1.0, "b": 1.0})

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.accuracy import (
    Check,
    accuracy_on_board,
    accuracy_statement,
    dice_needed,
    probability_of_at_most,
    upper_bound,
)

checks = st.integers(1, 2000).flatmap(
    lambda n: st.integers(0, n).map(lambda wrong: Check(n, wrong))
)


def interval(check: Check) -> tuple[float, float]:
    """The two-sided interval for the share of wrong dice: the right ones are bounded as well."""
    right = Check(check.dice, check.dice - check.wrong)
    return 1 - upper_bound(right, 0.975), upper_bound(check, 0.975)


def test_no_error_in_sixty_dice() -> None:
    assert upper_bound(Check(60, 0)) == pytest.approx(1 - 0.05 ** (1 / 60), abs=1e-9)
    assert accuracy_statement(Check(60, 0)).startswith("60 dice, 0 wrong: error below 4.9 %; ")
    # 299 in all: (1 - 0.01)**299 < 0.05 < (1 - 0.01)**298.
    assert dice_needed(Check(60, 0), 0.01) == 239
    assert accuracy_on_board(Check(60, 0)) == ("60 DICE 0 WRONG", "ERROR < 4.9%")


@pytest.mark.parametrize(
    ("wrong", "dice", "low", "high"),
    [
        # The two-sided intervals that R's binom.test gives.
        (0, 60, 0.0, 0.05962949),
        (1, 60, 0.00042188, 0.08940054),
        (5, 100, 0.01643187, 0.11283491),
        (10, 10, 0.69150289, 1.0),
    ],
)
def test_interval_is_the_exact_one(wrong: int, dice: int, low: float, high: float) -> None:
    found = interval(Check(dice, wrong))
    assert found == pytest.approx((low, high), abs=2e-6)


def test_sums_of_the_binomial() -> None:
    assert probability_of_at_most(2, 5, 0.3) == pytest.approx(
        sum(math.comb(5, k) * 0.3**k * 0.7 ** (5 - k) for k in range(3))
    )
    assert (
        probability_of_at_most(3, 3, 1.0) == 1.0
        and probability_of_at_most(2, 3, 1.0) == 0.0
        and probability_of_at_most(0, 9, 0.0) == 1.0
    )


@settings(deadline=None)
@given(checks)
def test_the_bound_is_above_what_was_seen_and_falls_with_good_dice(check: Check) -> None:
    bound = upper_bound(check)
    assert check.wrong / check.dice <= bound <= 1
    assert upper_bound(check.with_throw(6, 0)) < bound or check.wrong == check.dice
    low, high = interval(check)
    assert low <= check.wrong / check.dice <= high
    assert bound <= high + 1e-9


@settings(deadline=None)
@given(st.integers(0, 400), st.integers(0, 3), st.sampled_from((0.05, 0.01)))
def test_dice_needed_is_the_least_number(dice: int, wrong: int, goal: float) -> None:
    check = Check(max(dice, wrong), wrong)
    more = dice_needed(check, goal)
    if more:
        assert upper_bound(Check(check.dice + more, wrong)) < goal
        assert more == 1 or upper_bound(Check(check.dice + more - 1, wrong)) >= goal
    else:
        assert upper_bound(check) < goal


def test_a_correction_counts() -> None:
    before = Check(60, 0)
    after = before.with_throw(6, 1)
    assert (after.dice, after.wrong) == (66, 1)
    assert upper_bound(after) > upper_bound(before)


def test_nothing_was_checked() -> None:
    assert "not checked" in accuracy_statement(Check())
    assert accuracy_on_board(Check())[0] == "NOT CHECKED"
    with pytest.raises(ValueError, match="found 3 of 2"):
        Check(2, 3)

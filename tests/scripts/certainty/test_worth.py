"""What speaks for a claim, of dice that differ in one thing from a plain one."""

from dataclasses import replace

import numpy as np
import pytest

from scripts.certainty.worth import PLAIN, of_lying, of_value
from tests.vision.decide.test_acceptance import found, place, plain
from vision.classify.face import COVERED
from vision.detect.detection import Detection


def die(value: int, count: int | None = None, pattern: int | None = None) -> Detection:
    """One that lies flat, of whose pips so many were found."""
    seen = value if count is None else count
    made = value if pattern is None else pattern
    return plain(found(seen, made if made > 1 else 0, 0.99, value, across=True, edge=30.0))


def test_flat_and_level_is_more_than_leaning() -> None:
    flat, leaning = (of_lying(plain(die(3), *how), True, place()) for how in ((0.99,), (0.2, 0.1)))
    for name in ("flat", "not leaning", "level"):
        assert flat[name] > leaning[name]


def test_a_lean_counts_more_beside_what_a_die_could_lean_on() -> None:
    leaning = plain(die(3), 0.8, 0.1)
    assert of_lying(leaning, True, place())["level beside others"] == PLAIN
    assert of_lying(leaning, False, place())["level beside others"] == -0.1


def test_beyond_the_walls_the_floor_of_a_holder_is_no_stack() -> None:
    high = replace(die(3), postures=np.array([0.05, 0.0, 0.95, 0.0]))
    inside, beyond = (of_lying(high, True, place(beyond=one)) for one in (False, True))
    assert beyond["flat"] > 4 > 0 > inside["flat"]
    assert beyond["not stacked"] == PLAIN > 0 > inside["not stacked"]


@pytest.mark.parametrize(
    ("value", "count", "pattern", "worth"),
    [(4, 4, 4, 3.0), (4, 4, 0, 2.0), (4, 3, 0, 1.0), (4, 5, 4, -1.0), (4, 4, 5, -1.0)],
)
def test_pips_bear_a_value_out(value: int, count: int, pattern: int, worth: float) -> None:
    assert of_value(die(value, count, pattern), value, 0.99, place())["pips"] == worth


def test_pips_in_a_row_are_what_a_hand_leaves_of_a_six() -> None:
    row = replace(die(3, 3, 0), across=False)
    assert of_value(row, 3, 0.99, place())["pips"] == 0.0


def test_more_is_asked_of_few_pips() -> None:
    small = place(0.7)
    for value, few in ((3, True), (5, False)):
        seen = of_value(plain(die(value), covered=0.1), value, 0.99, small)
        assert (seen["whole, few"] == 0.7) is few
        assert (seen["uncovered, few"] == seen["uncovered"]) is few


def test_the_less_sure_network_is_what_both_say() -> None:
    sure = of_value(die(4), 4, 0.99, None)
    less = of_value(die(4), 4, 0.6, None)
    assert less["both"] == less["face"] < sure["both"]
    assert less["posture"] == sure["posture"]
    assert less["both, without pips"] == PLAIN


def test_what_may_be_covered_is_less_uncovered() -> None:
    clear, hidden = (plain(die(2), covered=one) for one in (0.001, 0.2))
    assert hidden.faces[COVERED] > clear.faces[COVERED]
    assert of_value(hidden, 2, 0.9, None)["uncovered"] < of_value(clear, 2, 0.9, None)["uncovered"]

"""What is claimed of a die that was found."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.decide.detected import found, place, plain
from vision.classify.face import COVERED
from vision.decide.acceptance import (
    HIDDEN,
    HIDDEN_SIZE,
    LEAST_FACE,
    LEAST_POSTURE,
    state_of,
)
from vision.decide.flatness import TrayPlace
from vision.reading import DieState

KNOWN = pytest.mark.parametrize("where", [place(), None], ids=["known", "unknown"])


@KNOWN
@pytest.mark.parametrize("value", range(1, 7))
def test_what_both_networks_are_sure_of_is_claimed(value: int, where: TrayPlace | None) -> None:
    one = plain(found(value, value if value > 1 else 0, 0.995, value))
    assert state_of(one, value, 0.995, True, where) is DieState.OK
    assert state_of(one, value, 0.995, False, where) is DieState.UNSURE
    assert state_of(one, value % 6 + 1, 0.995, True, where) is DieState.UNSURE
    assert state_of(one, None, 0.0, True, where) is DieState.UNSURE


@KNOWN
def test_neither_network_is_believed_alone(where: TrayPlace | None) -> None:
    sure = plain(found(5, 5, 1.0, 5))
    assert state_of(sure, 5, LEAST_FACE - 0.01, True, where) is DieState.UNSURE
    unsure = plain(found(5, 5, LEAST_POSTURE - 0.01, 5))
    assert state_of(unsure, 5, 1.0, True, where) is DieState.UNSURE


def test_with_geometry_the_posture_classifier_reads_what_glare_hides() -> None:
    one = plain(found(1, 0, 0.999, 5))
    assert state_of(one, 5, 0.5, True, place()) is DieState.OK
    assert state_of(one, 5, 0.5, True, None) is DieState.UNSURE


def test_what_is_more_likely_covered_than_anything_else_is_covered() -> None:
    one = plain(found(2, 2, 0.9, 2), covered=0.5)
    assert state_of(one, 2, 0.4, True, place()) is DieState.COVERED


@pytest.mark.parametrize(
    ("size", "covered", "state"),
    [
        (HIDDEN_SIZE - 0.01, HIDDEN + 0.01, DieState.UNSURE),
        (HIDDEN_SIZE + 0.01, HIDDEN + 0.01, DieState.OK),
        (HIDDEN_SIZE - 0.01, HIDDEN - 0.01, DieState.OK),
    ],
)
def test_a_small_top_that_may_be_covered_is_in_doubt(
    size: float, covered: float, state: DieState
) -> None:
    one = plain(found(4, 4, 1.0, 4), covered=covered)
    assert state_of(one, 4, 0.99, True, place(size)) is state
    assert state_of(one, 4, 0.99, True, None) is DieState.OK


@pytest.mark.parametrize(
    ("value", "count", "pattern", "edge", "size", "face", "posture"),
    [
        (1, 1, 0, 30.0, 0.78, 0.996, 0.996),
        (3, 2, 0, 30.0, 0.81, 0.971, 0.999),
        (2, 1, 0, 30.0, 0.81, 0.915, 0.996),
        (3, 3, 3, 27.4, 0.77, 0.944, 0.999),
        # Half of a 6: its row lies at the side, as close as on a smaller die.
        (3, 3, 3, 25.8, 0.88, 0.987, 0.992),
    ],
)
def test_few_pips_may_be_what_a_hand_leaves_of_more(
    value: int, count: int, pattern: int, edge: float, size: float, face: float, posture: float
) -> None:
    """As read wrongly once; the same on a whole top is claimed."""
    one = plain(found(count, pattern, posture, value, edge))
    assert state_of(one, value, face, True, place(size)) is DieState.UNSURE
    whole = plain(found(count, pattern, posture, value))
    assert state_of(whole, value, face, True, place()) is DieState.OK


def test_the_state_of_what_plainly_does_not_lie_flat_is_said() -> None:
    one = replace(plain(found(3, 3, 1.0, 3)), postures=np.array([0.0, 0.05, 0.95, 0.0]))
    assert one.faces[COVERED] == 0
    assert state_of(one, 3, 1.0, False, place()) is DieState.STACKED

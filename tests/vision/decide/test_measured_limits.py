"""The limits of claims in numbers: each was measured on dice, so none may change unnoticed.

Other tests are written in terms of the limits, and hold for any.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.decide.detected import found, place, plain
from vision.classify.face import LEANING
from vision.classify.posture import COVERED as POSTURE_COVERED
from vision.classify.posture import FLAT, STACKED
from vision.classify.posture import LEANING as POSTURE_LEANING
from vision.decide.acceptance import (
    is_acceptable_risk,
    lying_risk,
    may_be_floor,
    may_claim,
    may_count_pips,
    pips_rule_out,
    posture_state,
)
from vision.decide.evidence import log_odds, lying_evidence, uncounted, value_evidence
from vision.detect.detection import Detection
from vision.detect.patterns import EDGE_OVER_STEP, Face
from vision.reading import DieState

INSIDE = place()
BEYOND = place(beyond=True)


def with_pattern(value: int, squareness: float, **changes: float) -> Detection:
    """A flat die whose pips make the pattern of a value, with sides of this ratio."""
    step = np.diag([30.0, 30.0 * squareness]) / EDGE_OVER_STEP
    pattern = Face(value, (0.0, 0.0), step, (), 0.0, 30.0)
    return replace(plain(found(value, 0, 1.0, value), **changes), lattice=pattern)


def with_postures(flat: float, stacked: float = 0.0, covered: float = 0.0) -> Detection:
    """A die with the posture classifier's output, the rest leaning."""
    postures = np.zeros(4)
    postures[[FLAT, STACKED, POSTURE_COVERED]] = flat, stacked, covered
    postures[POSTURE_LEANING] = 1 - postures.sum()
    return replace(plain(found(3, 3, 1.0, 3)), postures=postures)


def with_pips(value: int, *pips: tuple[float, float]) -> Detection:
    return replace(plain(found(4, 4, 1.0, value)), plain_pips=np.array(pips).reshape(-1, 2))


def fitting(value: int, fit: float, other: float) -> Detection:
    """A die that the pips of a value fit so well, and those of a 2 that well."""
    fits = np.zeros(6)
    fits[[value - 1, 1]] = fit, other
    return replace(plain(found(0, 0, 1.0, value)), fits=fits)


def may_lie(one: Detection, value: int = 3, *, alone: bool = True, beyond: bool = False) -> bool:
    """True if it is not ruled out that a die lies flat."""
    return lying_risk(one, value, alone, BEYOND if beyond else INSIDE) < 1


def with_no_face(one: Detection, probability: float) -> Detection:
    faces = one.faces.copy()
    faces[0] = probability
    return replace(one, faces=faces)


LIMITS: dict[str, tuple[Callable[[float], bool], float, float]] = {
    "apparent size": (
        lambda size: lying_risk(plain(found(3, 3, 1.0, 3)), 3, True, place(size)) < 1,
        1.29,
        1.31,
    ),
    "lean beyond the walls": (
        lambda lean: may_lie(plain(found(3, 3, 1.0, 3), lean=lean), beyond=True),
        0.19,
        0.2,
    ),
    "not level beyond the walls": (
        lambda askew: may_lie(with_postures(1 - askew), beyond=True),
        0.989,
        0.991,
    ),
    "covered beyond the walls": (
        lambda covered: may_lie(with_postures(1 - covered, covered=covered), beyond=True),
        0.89,
        0.9,
    ),
    "not flat": (lambda askew: may_lie(plain(found(3, 3, 1.0, 3), 1 - askew)), 0.69, 0.71),
    "lean near others": (
        lambda lean: may_lie(plain(found(1, 0, 1.0, 1), 0.5, lean), 1, alone=False),
        0.025,
        0.026,
    ),
    "not flat near others": (
        lambda askew: may_lie(plain(found(1, 0, 1.0, 1), 1 - askew, 0.1), 1, alone=False),
        0.005,
        0.007,
    ),
    "lean of a row near others": (
        lambda lean: may_lie(with_pattern(3, 1.0, flat=0.5, lean=lean), 3, alone=False),
        0.05,
        0.051,
    ),
    "anybody's die that may lean": (lambda risk: is_acceptable_risk(risk, None, 1e-9), 0.28, 0.281),
    "doubt of the face": (
        lambda doubt: may_claim(plain(found(5, 5, 1.0, 5)), 5, 1 - doubt, INSIDE),
        0.59,
        0.61,
    ),
    "doubt of the posture classifier": (
        lambda doubt: may_claim(plain(found(5, 5, 1 - doubt, 5)), 5, 1.0, INSIDE),
        0.29,
        0.31,
    ),
    "few pips covered, anybody's": (
        lambda covered: may_claim(plain(found(3, 3, 1.0, 3), covered=covered), 3, 1.0, None),
        0.05,
        0.051,
    ),
    "few pips covered": (
        lambda covered: may_claim(plain(found(3, 3, 1.0, 3), covered=covered), 3, 1.0, INSIDE),
        0.007,
        0.0071,
    ),
    "few pips covered, small": (
        lambda covered: may_claim(
            plain(found(1, 0, 1.0, 1), covered=covered), 1, 1.0, place(0.829)
        ),
        0.001,
        0.0011,
    ),
    "few pips covered, not quite so small": (
        lambda small: may_claim(
            plain(found(1, 0, 1.0, 1), covered=0.005), 1, 1.0, place(1 - small)
        ),
        0.16,
        0.18,
    ),
    "narrow row": (
        lambda narrow: may_claim(plain(found(3, 3, 1.0, 3, 30 * (1 - narrow))), 3, 1.0, INSIDE),
        0.11,
        0.13,
    ),
    "face to count pips": (
        lambda doubt: may_count_pips(plain(found(0, 0, 1.0, 5)), 5, 1 - doubt),
        0.5,
        0.51,
    ),
    "posture to count pips": (
        lambda doubt: may_count_pips(plain(found(0, 0, 1 - doubt, 5)), 5, 1.0),
        0.89,
        0.91,
    ),
    "no face to count pips": (
        lambda none: may_count_pips(with_no_face(plain(found(0, 0, 1.0, 5)), none), 5, 1.0),
        0.01,
        0.011,
    ),
    "covered to count few pips": (
        lambda covered: may_count_pips(plain(found(0, 0, 1.0, 3), covered=covered), 3, 1.0),
        0.02,
        0.021,
    ),
    "not flat to count pips": (
        lambda askew: may_count_pips(plain(found(0, 0, 1.0, 5), 1 - askew), 5, 1.0),
        0.099,
        0.101,
    ),
    "lead of other pips": (
        lambda lead: not pips_rule_out(fitting(6, 0.9, 0.9 - lead), 5),
        0.166,
        0.167,
    ),
    "lead of other pips that fit less well": (
        lambda lead: not pips_rule_out(fitting(6, 0.6, 0.6 - lead), 5),
        0.249,
        0.251,
    ),
    "lack of fit": (
        lambda lack: uncounted(fitting(5, 1 - lack, 0.0), 5) == 0,
        0.39,
        0.41,
    ),
    "lack of a lead": (
        lambda behind: uncounted(fitting(5, 0.9, 0.6 + behind), 5) == 0,
        0.25,
        0.26,
    ),
    "lack of prominence": (
        lambda lack: not may_be_floor(replace(with_pips(5), prominence=2 - lack), 5, True),
        0.75,
        0.751,
    ),
    "smallness of large pips": (
        lambda small: (
            not may_be_floor(replace(with_pips(1), axes=(250 - small) * np.eye(2)), 1, True)
        ),
        50.0,
        50.1,
    ),
    "no pip off the diagonal": (
        lambda count: uncounted(with_pips(1, *[(0.0, 0.0)] * int(count)), 1) == 0,
        1,
        2,
    ),
}
"""The test of each limit, a value that still passes, and one that does not."""


@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_those_that_were_measured(name: str) -> None:
    passes, yes, no = LIMITS[name]
    assert passes(yes)
    assert not passes(no)


def test_what_was_laid_beside_the_tray_carries_a_hundredth_of_risk() -> None:
    assert lying_risk(plain(found(3, 3, 1.0, 3)), 3, True, BEYOND) == 0.01


def test_a_pattern_of_another_value_makes_no_die_plainly_flat() -> None:
    five = with_pattern(5, 1.0, flat=0.5, lean=0.1)
    assert may_lie(five, 5, alone=False)
    assert not may_lie(five, 4, alone=False)
    assert not may_lie(replace(five, lattice=None), 5, alone=False)


@given(st.floats(0.9, 1.0), st.booleans())
def test_the_less_square_a_pattern_the_greater_the_risk_without_a_step(
    square: float, alone: bool
) -> None:
    one, other = (
        lying_risk(with_pattern(5, ratio, lean=0.03), 5, alone, INSIDE)
        for ratio in (square, square - 0.001)
    )
    assert one <= other < one + 0.01


@pytest.mark.parametrize("alone", [False, True])
def test_a_pattern_that_is_not_square_is_a_risk(alone: bool) -> None:
    square, askew = (
        lying_risk(with_pattern(5, ratio, lean=0.03), 5, alone, INSIDE) for ratio in (1.0, 0.9)
    )
    assert askew > 5 * square


def test_a_symbol_near_others_is_judged_by_its_lean_alone() -> None:
    one = plain(found(0, 0, 1.0, 7), 0.5, 0.02)
    assert lying_risk(one, None, False, INSIDE) < 1
    assert lying_risk(replace(one, lean=0.03), None, False, INSIDE) == 1


@pytest.mark.parametrize(
    ("postures", "state"),
    [
        (with_postures(0.09), DieState.LEANING),
        (with_postures(0.11), DieState.UNSURE),
        (with_postures(0.09, stacked=0.91), DieState.STACKED),
        (with_postures(0.09, covered=0.91), DieState.COVERED),
        (with_postures(0.95), DieState.UNSURE),
    ],
)
def test_only_a_plain_posture_is_named(postures: Detection, state: DieState) -> None:
    assert posture_state(postures) is state


def test_no_network_is_trusted_beyond_a_thousand_to_one() -> None:
    assert (log_odds(1.0), log_odds(0.0), log_odds(0.5)) == (7.0, -7.0, 0.0)
    assert log_odds(0.9) == pytest.approx(2.197, abs=0.001)


def test_what_the_networks_say_in_passing_is_no_evidence() -> None:
    """Log odds of -4 are 0.018, -3 are 0.047, and -5 are 0.0067."""
    one = with_postures(0.9, stacked=0.047)
    assert lying_evidence(one, 3, True)["stacked"] == 0
    assert lying_evidence(with_postures(0.9, stacked=0.05), 3, True)["stacked"] < 0
    for leaning, worth in ((0.0179, 0.0), (0.05, -1.056)):
        faces = one.faces.copy()
        faces[LEANING] = leaning
        seen = lying_evidence(replace(one, faces=faces), 3, True)["leaning"]
        assert seen == pytest.approx(worth, abs=0.001)
    for none, worth in ((0.0066, 0.0), (0.05, -2.056)):
        faces = np.full_like(one.faces, 0.5)
        faces[0] = none
        seen = value_evidence(replace(one, faces=faces), 3, 0.9, None)["no die"]
        assert seen == pytest.approx(worth, abs=0.001)


def test_evidence_is_counted_in_tenths() -> None:
    leaning = plain(found(5, 0, 1.0, 5), lean=0.15)
    assert lying_evidence(leaning, 5, True)["lean"] == pytest.approx(-1.5)
    assert lying_evidence(with_pattern(4, 0.82), 4, True)["askew"] == pytest.approx(-1.5)
    assert lying_evidence(with_pattern(2, 0.82), 2, True)["askew"] == 0
    for size, small in ((0.86, 0.0), (0.71, -1.5)):
        seen = value_evidence(leaning, 5, 1.0, place(size))["small"]
        assert seen == pytest.approx(small)
    assert value_evidence(leaning, 5, 1.0, None)["small"] == 0


@pytest.mark.parametrize("value", range(1, 7))
def test_few_pips_are_three_or_less(value: int) -> None:
    one = plain(found(value, 0, 1.0, value))
    assert value_evidence(one, value, 1.0, None)["few"] == (-1 if value < 4 else 0)
    assert uncounted(one, value) == -1
    assert uncounted(with_pattern(value, 1.0), value) == 0
    assert uncounted(with_pattern(value % 6 + 1, 1.0), value) == -1

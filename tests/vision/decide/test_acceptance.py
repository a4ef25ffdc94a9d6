"""Claims about a die that was found."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.decide.detected import found, place, plain
from vision.classify.face import COVERED, SYMBOL
from vision.decide.acceptance import (
    MAX_APPARENT_EDGE,
    MAX_COVERED_BY_SIZE,
    MAX_COVERED_TO_COUNT,
    MAX_COVERED_WITH_FEW_PIPS,
    MAX_LEAN_NEAR,
    MAX_LEAN_OF_ROW_NEAR,
    MAX_LYING_RISK_OF_ANYBODYS,
    MAX_NO_FACE_TO_COUNT,
    MIN_FACE_CONFIDENCE,
    MIN_FACE_TO_COUNT,
    MIN_FLAT_NEAR,
    MIN_POSTURE_CONFIDENCE,
    MIN_POSTURE_TO_COUNT,
    MIN_PROMINENCE,
    MIN_ROW_DIE_SIZE,
    PLAIN_POSTURE,
    is_acceptable_risk,
    lying_risk,
    may_be_floor,
    may_claim,
    may_count_pips,
    state_of,
)
from vision.decide.evidence import MIN_PLAIN_FIT, USUAL_LEADS, TrayPlace
from vision.detect.detection import MIN_EDGE_OF_LARGE_PIPS_PX, Detection
from vision.detect.patterns import EDGE_OVER_STEP, Face
from vision.reading import DieState

KNOWN = pytest.mark.parametrize("where", [place(), None], ids=["known", "unknown"])


@KNOWN
@pytest.mark.parametrize("value", range(1, 7))
def test_what_both_networks_are_sure_of_is_claimed(value: int, where: TrayPlace | None) -> None:
    one = plain(found(value, value if value > 1 else 0, 0.999, value))
    lying = lying_risk(one, value, True, where)
    assert is_acceptable_risk(lying, where)
    assert state_of(one, value, 0.999, lying, where) is DieState.OK
    assert state_of(one, value, 0.999, 1.0, where) is DieState.UNSURE
    assert state_of(one, value % 6 + 1, 0.999, lying, where) is DieState.UNSURE
    assert state_of(one, None, 0.0, lying, where) is DieState.UNSURE


@KNOWN
def test_neither_network_is_believed_alone(where: TrayPlace | None) -> None:
    sure = plain(found(5, 5, 1.0, 5))
    assert may_claim(sure, 5, MIN_FACE_CONFIDENCE, where)
    assert may_claim(plain(found(5, 5, MIN_POSTURE_CONFIDENCE, 5)), 5, 1.0, where)
    assert not may_claim(sure, 5, MIN_FACE_CONFIDENCE - 0.01, where)
    assert state_of(sure, 5, MIN_FACE_CONFIDENCE - 0.01, 0.0, where) is DieState.UNSURE
    unsure = plain(found(5, 5, MIN_POSTURE_CONFIDENCE - 0.01, 5))
    assert state_of(unsure, 5, 1.0, 0.0, where) is DieState.UNSURE


@KNOWN
def test_a_little_risk_of_lying_and_a_little_of_the_value_may_be_too_much(
    where: TrayPlace | None,
) -> None:
    one = plain(found(5, 5, 0.999, 5))
    assert state_of(one, 5, 0.999, 0.0, where) is DieState.OK
    lying = max(k / 1000 for k in range(1000) if is_acceptable_risk(k / 1000, where))
    almost = plain(found(5, 5, 0.8, 5))
    assert state_of(almost, 5, 0.9, lying, where) is DieState.UNSURE


def test_with_geometry_both_networks_read_what_glare_hides() -> None:
    """A lamp is reflected in the top, and some or all of the pips are lost."""
    one = plain(found(3, 0, 0.999, 5))
    assert state_of(one, 5, 0.99, 0.0, place()) is DieState.OK
    doubted = plain(found(0, 0, 0.95, 5))
    assert state_of(doubted, 5, 0.5, 0.0, place()) is DieState.UNSURE


def test_what_is_more_likely_covered_than_anything_else_is_covered() -> None:
    one = plain(found(2, 2, 0.9, 2), covered=0.5)
    assert state_of(one, 2, 0.4, 0.0, place()) is DieState.COVERED
    faces = one.faces.copy()
    faces[SYMBOL] = 0.6
    assert state_of(replace(one, faces=faces), None, 0.0, 0.0, place()) is DieState.UNSURE


@pytest.mark.parametrize(
    ("where", "most"),
    [(place(), MAX_COVERED_BY_SIZE[0][1]), (None, MAX_COVERED_WITH_FEW_PIPS)],
    ids=["known", "unknown"],
)
def test_few_pips_of_what_may_be_covered_are_never_claimed(
    where: TrayPlace | None, most: float
) -> None:
    for covered, asked in ((0.9 * most, True), (1.1 * most, False)):
        for value in (2, 3, 4):
            one = plain(found(value, value, 1.0, value), covered=covered)
            assert one.faces[COVERED] == covered
            assert may_claim(one, value, 0.99, where) is (asked or value == 4)


@pytest.mark.parametrize(
    ("value", "count", "pattern", "edge", "size", "face", "posture"),
    [
        (1, 1, 0, 30.0, 0.6, 0.996, 0.996),
        (2, 1, 0, 30.0, 0.81, 0.915, 0.996),
        # Half of a 6: its row lies at the side, with pips as close as on a smaller die.
        (3, 3, 3, 25.8, 0.83, 0.987, 0.992),
        # What a hand left visible of a 4.
        (2, 2, 2, 30.0, 0.76, 0.984, 0.9999),
    ],
)
def test_few_pips_may_be_what_a_hand_leaves_of_more(
    value: int, count: int, pattern: int, edge: float, size: float, face: float, posture: float
) -> None:
    """Once read wrongly; the same on a whole top is claimed."""
    one = plain(found(count, pattern, posture, value, edge), covered=0.01)
    assert state_of(one, value, face, 0.0, place(size)) is DieState.UNSURE
    whole = plain(found(value, value if value > 1 else 0, posture, value), covered=0.0)
    assert state_of(whole, value, face, 0.0, place()) is DieState.OK


@pytest.mark.parametrize(
    ("postures", "lean", "flat"),
    [
        # The walls of a holder make a die seem to lean, its floor makes it seem stacked.
        ((0.06, 0.94, 0.0, 0.0), 0.17, True),
        ((0.4, 0.06, 0.54, 0.0), 0.0, True),
        ((0.06, 0.94, 0.0, 0.0), 0.21, False),
        ((0.005, 0.995, 0.0, 0.0), 0.1, False),
        ((0.03, 0.0, 0.97, 0.0), 0.0, True),
        ((0.05, 0.0, 0.0, 0.95), 0.0, False),
    ],
)
def test_a_die_beside_the_tray_was_laid_there(
    postures: tuple[float, ...], lean: float, flat: bool
) -> None:
    die = replace(found(3, 3, 1.0, 3), postures=np.array(postures), lean=lean)
    beside = place(beyond=True)
    assert is_acceptable_risk(lying_risk(die, 3, False, beside), beside) is flat


@pytest.mark.parametrize("beyond", [False, True])
def test_what_seems_far_larger_than_a_die_is_none(beyond: bool) -> None:
    die = plain(found(6, 6, 1.0, 6))
    for size, flat in ((MAX_APPARENT_EDGE - 0.01, True), (MAX_APPARENT_EDGE + 0.01, False)):
        where = place(size, beyond)
        assert is_acceptable_risk(lying_risk(die, 6, True, where), where) is flat


@pytest.mark.parametrize(
    ("flat", "lean", "alone", "believed"),
    [
        (0.99, 0.01, False, True),
        (0.99, 0.01, True, True),
        (0.9, 0.03, True, True),
        (0.9, 0.1, False, False),
        (0.3, 0.15, True, False),
    ],
)
def test_a_die_that_seems_to_lean_a_little_on_what_is_near_must_be_plainly_flat(
    flat: float, lean: float, alone: bool, believed: bool
) -> None:
    die = plain(found(1, 0, 1.0, 1), flat, lean)
    assert is_acceptable_risk(lying_risk(die, 1, alone, place()), place()) is believed


@pytest.mark.parametrize(
    ("value", "high", "flat", "lean", "alone", "lies"),
    [
        (5, 30.0, MIN_FLAT_NEAR - 0.005, MAX_LEAN_NEAR + 0.005, False, True),
        # The risk counts how square its pattern is.
        (5, 27.0, MIN_FLAT_NEAR - 0.005, MAX_LEAN_NEAR + 0.005, False, False),
        (5, 29.0, MIN_FLAT_NEAR - 0.005, MAX_LEAN_NEAR + 0.005, True, True),
        (5, 29.0, MIN_FLAT_NEAR + 0.005, MAX_LEAN_NEAR + 0.005, False, True),
        (5, 29.0, MIN_FLAT_NEAR - 0.005, MAX_LEAN_NEAR - 0.005, False, True),
        # Two pips, and three in a row, make a square whichever way the top faces.
        (3, 30.0, MIN_FLAT_NEAR - 0.005, MAX_LEAN_OF_ROW_NEAR - 0.005, False, True),
        (3, 30.0, MIN_FLAT_NEAR - 0.005, MAX_LEAN_OF_ROW_NEAR + 0.005, False, False),
        (1, 30.0, MIN_FLAT_NEAR - 0.005, MAX_LEAN_NEAR + 0.005, False, False),
    ],
)
def test_beside_others_a_die_is_plainly_flat_or_its_pips_make_a_square(
    value: int, high: float, flat: float, lean: float, alone: bool, lies: bool
) -> None:
    step = np.diag([30.0, high]) / EDGE_OVER_STEP
    pattern = Face(value, (0.0, 0.0), step, (), 0.0, 30.0)
    die = replace(found(value, 0, 1.0, value), lattice=pattern if value > 1 else None)
    for where, expected in ((place(), lies), (None, True)):
        one = plain(die, flat, lean)
        assert is_acceptable_risk(lying_risk(one, value, alone, where), where) is expected


def test_a_row_of_pips_that_lie_close_may_be_half_of_a_six() -> None:
    for value, edge, asked in (
        (3, 0.99, False),
        (2, 0.99, False),
        (3, 1.01, True),
        (4, 0.99, True),
    ):
        one = plain(found(value, value, 1.0, value, edge * MIN_ROW_DIE_SIZE * 30))
        assert may_claim(one, value, 0.99, place()) is asked
        assert may_claim(one, value, 0.99, None)
        smaller = plain(found(value, value, 1.0, value, 30.0))
        assert may_claim(smaller, value, 0.99, place(edge * MIN_ROW_DIE_SIZE)) is asked


@pytest.mark.parametrize(
    ("value", "pattern", "size", "covered", "asked"),
    [
        (1, 0, 0.84, 0.009, False),
        (1, 0, 0.84, 0.007, True),
        (1, 0, 0.82, 0.002, False),
        (1, 0, 0.82, 0.0005, True),
        (5, 0, 0.7, 0.2, True),
    ],
)
def test_what_seems_a_small_die_may_be_the_rest_of_a_covered_one(
    value: int, pattern: int, size: float, covered: float, asked: bool
) -> None:
    one = plain(found(value, pattern, 1.0, value), covered=covered)
    assert may_claim(one, value, 0.99, place(size)) is asked
    assert may_claim(one, value, 0.99, None)


@pytest.mark.parametrize(("flat", "lean", "lies"), [(0.2, 0.1, True), (0.01, 0.3, False)])
def test_in_a_picture_taken_aslant_all_tops_seem_to_lean(
    flat: float, lean: float, lies: bool
) -> None:
    one = plain(found(2, 0, 1.0, 2), flat=flat, lean=lean)
    assert is_acceptable_risk(lying_risk(one, 2, True, None), None) is lies
    assert not is_acceptable_risk(lying_risk(one, 2, True, place()), place())


def test_the_state_of_what_plainly_does_not_lie_flat_is_said() -> None:
    one = replace(plain(found(3, 3, 1.0, 3)), postures=np.array([0.0, 0.05, 0.95, 0.0]))
    assert state_of(one, 3, 1.0, 1.0, place()) is DieState.STACKED


def test_pips_are_counted_where_both_networks_think_the_value_possible() -> None:
    likely = plain(found(0, 0, MIN_POSTURE_TO_COUNT + 0.01, 5), PLAIN_POSTURE + 0.01)
    assert may_count_pips(likely, 5, MIN_FACE_TO_COUNT + 0.01)
    assert not may_count_pips(likely, 5, MIN_FACE_TO_COUNT - 0.01)
    assert not may_count_pips(replace(likely, values=likely.values * 0.8), 5, 1.0)
    assert not may_count_pips(plain(likely, PLAIN_POSTURE - 0.01), 5, 1.0)
    maybe_none = replace(
        likely, faces=likely.faces + np.eye(10)[0] * (MAX_NO_FACE_TO_COUNT + 0.001)
    )
    assert not may_count_pips(maybe_none, 5, 1.0)


@pytest.mark.parametrize("value", range(1, 7))
def test_few_pips_of_what_may_be_covered_are_not_counted_and_one_never(value: int) -> None:
    whole = plain(found(0, 0, 1.0, value), covered=MAX_COVERED_TO_COUNT - 0.001)
    covered = plain(whole, covered=MAX_COVERED_TO_COUNT + 0.001)
    assert may_count_pips(whole, value, 1.0) == (value > 1)
    assert may_count_pips(covered, value, 1.0) == (value > 3)


def with_plain_pips(value: int, *places: tuple[float, float]) -> Detection:
    """A die that both networks take for a value, with these pips plain to see, in edges."""
    one = plain(found(min(value, 4), 4, 1.0, value))
    return replace(one, plain_pips=np.array(places).reshape(-1, 2))


def test_without_geometry_a_one_whose_pip_nobody_found_is_asked_about() -> None:
    """Both networks saw a 1 in a printed marker, and in a reflection in a tray's rim."""
    marker = plain(found(0, 0, 0.99, 1))
    assert state_of(marker, 1, 0.965, 0.001, None) is DieState.UNSURE
    pip = replace(marker, plain_pips=np.zeros((1, 2)))
    assert state_of(pip, 1, 0.965, 0.001, None) is DieState.OK


def test_without_geometry_no_sure_value_makes_up_for_a_die_that_may_lean() -> None:
    whole = replace(plain(found(5, 5, 1.0, 5)), plain_pips=np.array([(0.0, 0.0)]))
    assert state_of(whole, 5, 0.9999, MAX_LYING_RISK_OF_ANYBODYS, None) is DieState.OK
    assert state_of(whole, 5, 0.9999, MAX_LYING_RISK_OF_ANYBODYS + 0.01, None) is not DieState.OK


SIX = [(0.26 * column, 0.15 * row) for column in (-1, 0, 1) for row in (-1, 1)]


@KNOWN
@pytest.mark.parametrize("value", range(1, 6))
def test_six_pips_forbid_every_claim_of_less(value: int, where: TrayPlace | None) -> None:
    one = with_plain_pips(value, *SIX)
    assert not may_claim(one, value, 0.999, where)
    assert state_of(one, value, 0.999, 0.0, where) is DieState.UNSURE
    assert not may_count_pips(one, value, 0.999)
    assert may_claim(with_plain_pips(6, *SIX), 6, 0.999, where)


@KNOWN
@pytest.mark.parametrize("value", range(1, 7))
def test_as_many_pips_as_the_value_or_fewer_forbid_nothing(
    value: int, where: TrayPlace | None
) -> None:
    for count in range(value + 1):
        one = with_plain_pips(value, *[(0.0, 0.0)] * count)
        assert may_claim(one, value, MIN_FACE_CONFIDENCE + 0.1, where)


@KNOWN
@pytest.mark.parametrize("value", range(1, 7))
def test_pips_of_another_value_that_fit_plainly_forbid_a_claim(
    value: int, where: TrayPlace | None
) -> None:
    """A 6 whose rows are close was a 5 to both networks."""
    one, other = plain(found(min(value, 4), 4, 1.0, value)), value % 6 + 1
    assert may_claim(replace(one, fits=0.8 * np.eye(6)[value - 1]), value, 0.999, where)
    fits = 0.8 * np.eye(6)[other - 1]
    assert not may_claim(replace(one, fits=fits), value, 0.999, where)
    for lead, forbids in ((MIN_PLAIN_FIT / 0.8 + 0.01, True), (MIN_PLAIN_FIT / 0.8 - 0.01, False)):
        fits[value - 1] = 0.8 - lead * USUAL_LEADS[other - 1]
        assert may_claim(replace(one, fits=fits), value, 0.999, where) is not forbids


@pytest.mark.parametrize("value", range(1, 7))
def test_on_a_crowded_floor_pips_must_stand_out_from_its_spots(value: int) -> None:
    shown = with_plain_pips(value, *[(0.0, 0.0)] * value)
    assert not may_be_floor(shown, value, True)
    assert may_be_floor(replace(shown, prominence=MIN_PROMINENCE - 0.01), value, False)
    assert not may_be_floor(replace(shown, prominence=MIN_PROMINENCE), value, True)


def test_on_a_crowded_floor_each_of_few_pips_must_be_plain() -> None:
    assert may_be_floor(with_plain_pips(1), 1, True)
    assert not may_be_floor(with_plain_pips(1, (0.0, 0.0)), 1, True)
    assert not may_be_floor(with_plain_pips(4), 4, True)
    large = replace(with_plain_pips(1), axes=MIN_EDGE_OF_LARGE_PIPS_PX * np.eye(2))
    assert not may_be_floor(large, 1, True)
    assert not may_be_floor(with_plain_pips(1), 1, False)

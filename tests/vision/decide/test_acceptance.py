"""When both networks and the pips found one by one say enough for a claim."""

from dataclasses import replace

import numpy as np
import pytest

from vision.classify.face import COVERED, LEANING
from vision.decide.acceptance import (
    BOTH_SURELY,
    SECOND_LEAST,
    WHOLE,
    agreed,
    state_of,
)
from vision.decide.flatness import LARGEST, NEARER, TrayPlace, lies_flat
from vision.detect.detection import Detection
from vision.detect.patterns import EDGE_OVER_STEP, Face
from vision.reading import DieState, Kind


def found(
    count: int, pattern: int, values: float, value: int, across: bool = False, edge: float = 25.0
) -> Detection:
    """A die of 30 pixels with so many pips found, and the posture classifier's word.

    Args:
        count: how many.
        pattern: that some of them make, or 0.
        values: what the posture classifier gives the value.
        value: the value.
        across: whether two of them lie opposite each other.
        edge: of the die that the pattern belongs to, pixels.
    """
    says = np.full(8, (1 - values) / 7)
    says[value] = values
    zeros = np.zeros(10)
    step = edge / EDGE_OVER_STEP * np.eye(2)
    face = Face(pattern, (0.0, 0.0), step, (), 0.0, True, 2.0, 90.0, 1.0, edge) if pattern else None
    return Detection(
        center=np.zeros(2),
        axes=30 * np.eye(2),
        turn=0.0,
        faces=zeros,
        values=says,
        postures=zeros[:4],
        lean=0.0,
        any_side=False,
        kinds=zeros[:6],
        lattice=face,
        count=count,
        across=across,
    )


@pytest.mark.parametrize(
    ("kind", "value", "count", "pattern", "face", "posture", "claimed"),
    [
        # The pattern of its pips does not make up for what a network doubts.
        (Kind.BLACK, 5, 5, 5, 0.81, 0.5, False),
        (Kind.BLACK, 5, 5, 5, 0.86, 0.86, True),
        (Kind.BLACK, 5, 5, 5, 0.79, 0.5, False),
        (Kind.BLACK, 3, 3, 3, 0.94, 0.5, False),
        (Kind.BLACK, 3, 3, 3, 0.86, 0.86, False),
        (Kind.BLACK, 3, 3, 3, 0.91, 0.91, True),
        (Kind.BLACK, 3, 3, 3, 0.86, 0.84, False),
        (Kind.BLACK, 3, 3, 3, 0.81, 0.86, False),
        (Kind.BLACK, 3, 3, 3, 0.79, 0.99, False),
        (Kind.OTHER, 4, 4, 0, 0.9, 0.91, True),
        (Kind.OTHER, 4, 4, 0, 0.9, 0.85, False),
        # Two pips beside each other are what a finger leaves of a 4, three in a row of a 6.
        (Kind.BLACK, 2, 2, 0, 1.0, 1.0, False),
        (Kind.BLACK, 3, 3, 0, 1.0, 1.0, False),
        (Kind.BLACK, 3, 3, 2, 1.0, 1.0, False),
        (Kind.BLACK, 3, 3, 3, 0.96, 0.84, False),
        (Kind.BLACK, 3, 3, 3, 0.96, 0.86, False),
        (Kind.BLACK, 3, 3, 3, 0.99, 0.86, True),
        (Kind.BLACK, 2, 2, 2, 0.99, 0.86, True),
        (Kind.BLACK, 2, 1, 0, 0.96, 0.96, True),
        # No pip was found.
        (Kind.OTHER, 6, 0, 0, 0.985, 0.65, True),
        (Kind.OTHER, 6, 0, 0, 0.91, 0.91, True),
        (Kind.OTHER, 6, 0, 0, 0.91, 0.89, False),
        (Kind.OTHER, 3, 0, 0, 0.89, 0.97, False),
        (Kind.RED, 6, 0, 0, 0.97, 0.97, True),
        # The half of a 5 or a 6 that a hand leaves to be seen looks like a 2 or a 3.
        (Kind.BLACK, 3, 2, 0, 0.9, 0.89, False),
        (Kind.BLACK, 3, 2, 0, 0.9, 0.91, True),
        (Kind.BLACK, 2, 1, 0, 0.99, 0.8, False),
        (Kind.BLACK, 2, 1, 0, 0.99, 0.9, True),
        (Kind.BLACK, 6, 5, 0, 0.9, 0.86, True),
        # More pips than the value has: no claim, but for a 1 with letters round its pip.
        (Kind.BLACK, 4, 5, 4, 1.0, 1.0, False),
        (Kind.BLACK, 4, 4, 5, 1.0, 1.0, False),
        (Kind.RED, 1, 3, 0, 0.96, 0.96, True),
        (Kind.RED, 1, 1, 2, 0.96, 0.96, True),
        (Kind.RED, 1, 1, 2, 0.96, 0.94, False),
        (Kind.RED, 1, 2, 2, 1.0, 1.0, False),
        (Kind.RED, 1, 1, 3, 1.0, 1.0, False),
        (Kind.OTHER, 1, 1, 2, 0.96, 0.96, True),
        (Kind.OTHER, 1, 1, 2, 0.96, 0.94, False),
    ],
)
def test_what_is_enough_for_a_claim(
    kind: Kind, value: int, count: int, pattern: int, face: float, posture: float, claimed: bool
) -> None:
    assert agreed(found(count, pattern, posture, value), kind, value, face) is claimed


@pytest.mark.parametrize(
    ("postures", "lean", "flat"),
    [
        # The sides of a holder look like a lean, its floor like a stack.
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
    assert lies_flat(die, Kind.BLACK, 3, False, place(beyond=True)) is flat


def place(size: float = 1.0, beyond: bool = False) -> TrayPlace:
    """Somewhere in the tray, or beyond its walls."""
    return TrayPlace((0.0, 0.0), -20.0 if beyond else 60.0, False, beyond, size)


def plain(one: Detection, flat: float = 1.0, lean: float = 0.0, covered: float = 0.0) -> Detection:
    """The same lying flat."""
    faces = np.zeros(10)
    faces[COVERED] = covered
    return replace(one, faces=faces, postures=np.array([flat, 1 - flat, 0.0, 0.0]), lean=lean)


@pytest.mark.parametrize(
    ("value", "size", "claimed"),
    [(1, -0.02, False), (3, -0.02, False), (4, -0.02, True), (1, 0.02, True), (2, 0.3, True)],
)
def test_a_small_top_with_few_pips_may_be_the_rest_of_a_covered_one(
    value: int, size: float, claimed: bool
) -> None:
    die = plain(found(value, value if value > 1 else 0, 0.96, value))
    state = state_of(die, Kind.BLACK, value, 0.96, True, place(WHOLE + size))
    assert (state is DieState.OK) is claimed


@pytest.mark.parametrize(
    ("value", "count", "pattern", "face", "posture", "claimed"),
    [
        # A lamp that mirrors in the top hides the pips; the posture classifier is sure
        # nevertheless.
        (5, 1, 0, 0.6, 0.96, True),
        (5, 1, 0, 0.5, 0.98, False),
        (5, 1, 0, 0.5, 0.99, True),
        (5, 1, 0, 0.39, 1.0, False),
        (5, 1, 0, 0.9, 0.94, False),
        # A lamp may hide half of a 4: of fewer the face classifier must be surer.
        (2, 1, 0, 0.94, 0.99, False),
        (3, 1, 0, 0.94, 0.98, False),
        # Something speaks against it.
        (2, 3, 2, 0.95, 0.99, True),
        (2, 3, 2, 0.94, 0.99, False),
        (2, 3, 2, 0.99, 0.98, False),
        (2, 2, 0, 0.98, 1.0, False),
        (4, 4, 5, 0.99, 0.98, False),
    ],
)
def test_with_geometry_what_lies_plainly_flat_is_read_by_the_posture_classifier(
    value: int, count: int, pattern: int, face: float, posture: float, claimed: bool
) -> None:
    die = plain(found(count, pattern, posture, value, across=pattern == value))
    beyond = claimed and min(face, posture) >= BOTH_SURELY
    for where, expected in ((place(), claimed), (None, beyond)):
        state = state_of(die, Kind.BLACK, value, face, True, where)
        assert (state is DieState.OK) is expected


@pytest.mark.parametrize(
    "doubt",
    [{"flat": 0.94}, {"lean": 0.03}, {"covered": 0.05}],
    ids=lambda doubt: next(iter(doubt)),
)
def test_what_lies_less_plainly_is_not(doubt: dict[str, float]) -> None:
    one = found(1, 0, 1.0, 5)
    for die, state in ((plain(one), DieState.OK), (plain(one, **doubt), DieState.UNSURE)):
        assert state_of(die, Kind.BLACK, 5, 0.8, True, place()) is state


def test_a_small_top_is_claimed_where_both_are_sure() -> None:
    for count, pattern, value, across, face, state in (
        (1, 0, 1, False, 0.95, DieState.OK),
        (1, 0, 1, False, 0.94, DieState.UNSURE),
        (3, 3, 3, True, 0.95, DieState.OK),
        # Halves of a 6.
        (3, 3, 3, False, 0.99, DieState.UNSURE),
        (2, 0, 3, False, 0.99, DieState.UNSURE),
    ):
        one = plain(found(count, pattern, 0.99, value, across, edge=36.0))
        assert state_of(one, Kind.RED, value, face, True, place(0.7)) is state


@pytest.mark.parametrize(("size", "state"), [(0.82, DieState.UNSURE), (0.84, DieState.OK)])
def test_two_or_three_pips_that_make_no_pattern_need_a_larger_top(
    size: float, state: DieState
) -> None:
    one = plain(found(1, 0, 0.99, 2))
    assert state_of(one, Kind.BLACK, 2, 0.99, True, place(size)) is state


@pytest.mark.parametrize(("face", "posture"), [(0.94, 0.99), (0.99, 0.94)])
def test_of_a_one_both_must_be_sure_with_geometry(face: float, posture: float) -> None:
    one = plain(found(1, 0, posture, 1))
    assert state_of(one, Kind.BLACK, 1, face, True, place()) is DieState.UNSURE
    assert state_of(one, Kind.BLACK, 1, face, True, None) is DieState.OK


def test_what_stands_on_another_die_would_look_larger() -> None:
    die = replace(found(6, 6, 1.0, 6), postures=np.array([0.55, 0.0, 0.45, 0.0]))
    assert lies_flat(die, Kind.BLACK, 6, False, place(NEARER - 0.01))
    assert not lies_flat(die, Kind.BLACK, 6, False, place(NEARER + 0.01))


@pytest.mark.parametrize("beyond", [False, True])
def test_what_seems_far_larger_than_a_die_is_none(beyond: bool) -> None:
    die = plain(found(6, 6, 1.0, 6))
    assert lies_flat(die, Kind.BLACK, 6, False, place(LARGEST - 0.01, beyond=beyond))
    assert not lies_flat(die, Kind.BLACK, 6, False, place(LARGEST + 0.01, beyond=beyond))


def test_a_pattern_of_another_value_says_nothing_of_how_a_die_lies() -> None:
    aslant = Face(5, (0.0, 0.0), np.diag([5.0, 7.5]), (), 0.0, True, 2.0, 90.0, 0.7, 24.5)
    die = replace(plain(found(5, 5, 1.0, 5), lean=0.02), lattice=aslant)
    assert not lies_flat(die, Kind.BLACK, 5, False, place())
    assert lies_flat(die, Kind.BLACK, 3, False, place())


def test_a_top_that_is_classified_as_level_may_have_pips_out_of_square() -> None:
    aslant = Face(5, (0.0, 0.0), np.diag([5.0, 7.5]), (), 0.0, True, 2.0, 90.0, 0.7, 24.5)
    die = replace(plain(found(5, 5, 1.0, 5)), lattice=aslant)
    assert lies_flat(die, Kind.BLACK, 5, False, place())
    assert not lies_flat(plain(die, flat=0.97), Kind.BLACK, 5, False, place())
    assert not lies_flat(die, Kind.BLACK, 5, False, None)


def test_two_pips_that_lie_across_need_not_make_the_usual_pattern() -> None:
    for across, state in ((False, DieState.UNSURE), (True, DieState.OK)):
        one = plain(found(2, 0, 0.99, 2, across))
        assert state_of(one, Kind.BLACK, 2, 0.99, True, place()) is state


@pytest.mark.parametrize(
    ("covered", "posture", "state"),
    [(0.001, 0.995, DieState.OK), (0.002, 0.995, DieState.UNSURE), (0.001, 0.99, DieState.UNSURE)],
)
def test_a_small_top_counts_as_whole_where_nothing_seems_to_cover_it(
    covered: float, posture: float, state: DieState
) -> None:
    one = plain(found(1, 0, posture, 3), covered=covered)
    assert state_of(one, Kind.BLACK, 3, 0.96, True, place(0.8)) is state


@pytest.mark.parametrize(("edge", "across"), [(28.0, True), (26.0, True), (28.0, False)])
def test_a_three_as_large_as_a_die_needs_both_networks(edge: float, across: bool) -> None:
    one = plain(found(3, 3, 0.96, 3, across, edge))
    assert state_of(one, Kind.BLACK, 3, 0.7, True, place()) is DieState.UNSURE


def test_a_row_of_three_beside_the_middle_of_a_top_may_be_half_of_a_six() -> None:
    for across, edge, state in (
        (True, 25.0, DieState.OK),
        (False, 25.0, DieState.UNSURE),
        (False, 26.0, DieState.OK),
    ):
        one = plain(found(3, 3, 1.0, 3, across, edge))
        assert state_of(one, Kind.BLACK, 3, 1.0, True, place()) is state


@pytest.mark.parametrize(
    ("size", "covered", "pattern", "state"),
    [
        (0.89, 0.05, 0, DieState.UNSURE),
        (0.91, 0.05, 0, DieState.OK),
        (0.89, 0.03, 0, DieState.OK),
        (0.89, 0.05, 4, DieState.OK),
    ],
)
def test_a_small_top_that_may_be_covered_needs_the_pattern_of_a_four(
    size: float, covered: float, pattern: int, state: DieState
) -> None:
    one = plain(found(3, pattern, 0.99, 4), covered=covered)
    assert state_of(one, Kind.BLACK, 4, 0.94, True, place(size)) is state


@pytest.mark.parametrize(("value", "believed"), [(2, False), (3, False), (4, True), (6, True)])
def test_two_pips_and_three_in_a_row_are_no_square(value: int, believed: bool) -> None:
    die = plain(found(value, value, 1.0, value, edge=30.0), 0.98, 0.05)
    assert lies_flat(die, Kind.BLACK, value, False, place()) is believed


@pytest.mark.parametrize(
    ("flat", "lean", "alone", "believed"),
    [
        # The camera may be elsewhere than is thought, so little is asked of flatness, but no lean.
        (0.2, 0.05, False, True),
        (0.2, 0.1, True, False),
        (0.1, 0.05, True, False),
        # In a picture taken aslant all tops seem to lean.
        (0.95, 0.2, False, True),
    ],
)
def test_without_geometry_no_top_may_seem_to_lean(
    flat: float, lean: float, alone: bool, believed: bool
) -> None:
    die = plain(found(1, 0, 1.0, 1), flat, lean)
    assert lies_flat(die, Kind.BLACK, 1, alone, None) is believed


@pytest.mark.parametrize(
    ("value", "covered", "posture", "claimed"),
    [(2, 0.02, 0.98, False), (2, 0.005, 0.98, True), (2, 0.02, 0.99, True), (2, 0.05, 0.99, False)],
)
def test_few_pips_on_a_top_that_may_be_covered_are_not_claimed_with_geometry(
    value: int, covered: float, posture: float, claimed: bool
) -> None:
    die = plain(found(value, value, posture, value, across=True), covered=covered)
    assert (state_of(die, Kind.BLACK, value, 1.0, True, place()) is DieState.OK) is claimed
    assert state_of(die, Kind.BLACK, value, 1.0, True, None) is DieState.OK
    more = plain(found(5, 5, posture, 5), covered=covered)
    assert state_of(more, Kind.BLACK, 5, 1.0, True, place()) is DieState.OK


@pytest.mark.parametrize(
    ("flat", "lean", "alone", "believed"),
    [
        (0.9, 0.03, False, False),
        (0.9, 0.02, False, True),
        (0.98, 0.07, False, False),
        (0.99, 0.07, False, True),
        (0.9, 0.05, True, True),
        (0.96, 0.1, False, False),
    ],
)
def test_a_die_that_seems_to_lean_a_little_on_what_is_near_must_be_plainly_flat(
    flat: float, lean: float, alone: bool, believed: bool
) -> None:
    die = plain(found(1, 0, 1.0, 1), flat, lean)
    assert lies_flat(die, Kind.BLACK, 1, alone, place()) is believed


@pytest.mark.parametrize(
    ("high", "flat", "lean", "known", "unknown"),
    [
        # Beside what it could lean on, and in a picture that may have been taken aslant.
        (30.0, 0.91, 0.06, True, True),
        (30.0, 0.89, 0.06, False, True),
        (29.2, 0.91, 0.06, False, True),
        (30.0, 0.3, 0.12, False, True),
        (28.5, 0.3, 0.12, False, False),
    ],
)
def test_pips_that_make_a_square_speak_for_a_die_that_seems_to_lean(
    high: float, flat: float, lean: float, known: bool, unknown: bool
) -> None:
    step = np.diag([30.0, high]) / EDGE_OVER_STEP
    square = Face(5, (0.0, 0.0), step, (), 0.0, True, 2.0, 90.0, high / 30, 30.0)
    die = replace(plain(found(5, 5, 1.0, 5), flat, lean), lattice=square)
    assert lies_flat(die, Kind.BLACK, 5, False, place()) is known
    assert lies_flat(die, Kind.BLACK, 5, False, None) is unknown
    other = replace(die, lattice=replace(square, value=4))
    assert not lies_flat(other, Kind.BLACK, 5, False, place())


@pytest.mark.parametrize(("value", "state"), [(3, DieState.UNSURE), (4, DieState.OK)])
def test_beside_a_stack_few_pips_may_be_what_it_leaves_of_more(value: int, state: DieState) -> None:
    one = plain(found(value, value, 1.0, value, edge=30.0))
    where = replace(place(), by_stack=True)
    assert state_of(one, Kind.BLACK, value, 1.0, True, place()) is DieState.OK
    assert state_of(one, Kind.BLACK, value, 1.0, True, where) is state


@pytest.mark.parametrize(
    ("flat", "lean", "alone", "lies"),
    [
        (0.15, 0.18, True, True),
        (0.15, 0.18, False, False),
        (0.15, 0.21, True, False),
        (0.09, 0.18, True, False),
    ],
)
def test_a_lone_die_photographed_from_any_side_lies_flat(
    flat: float, lean: float, alone: bool, lies: bool
) -> None:
    one = plain(found(2, 0, 1.0, 2), flat=flat, lean=lean)
    seen = replace(one, any_side=True)
    assert lies_flat(seen, Kind.RED, 2, alone, None) is lies
    assert not lies_flat(one, Kind.RED, 2, alone, None)


@pytest.mark.parametrize(
    ("flat", "lean", "upright", "alone", "lies"),
    [
        (0.03, 0.12, 0.99, True, True),
        (0.03, 0.12, 0.96, True, False),
        (0.03, 0.12, 0.99, False, False),
        (0.01, 0.12, 0.99, True, False),
        (0.03, 0.21, 0.99, True, False),
    ],
)
def test_a_lone_die_with_all_its_pips_lies_flat_wherever_the_camera_is(
    flat: float, lean: float, upright: float, alone: bool, lies: bool
) -> None:
    one = plain(found(3, 3, 1.0, 3), flat=flat, lean=lean)
    faces = one.faces.copy()
    faces[LEANING] = 1 - upright
    seen = replace(one, faces=faces)
    assert lies_flat(seen, Kind.RED, 3, alone, None) is lies
    assert not lies_flat(seen, Kind.RED, 2, alone, None)
    assert not lies_flat(seen, Kind.RED, 3, alone, place())


@pytest.mark.parametrize("where", [place(), None], ids=["known", "guessed"])
def test_the_pattern_is_not_enough_where_the_posture_hardly_has_the_value(
    where: TrayPlace | None,
) -> None:
    for values, state in (
        (SECOND_LEAST + 0.01, DieState.OK),
        (SECOND_LEAST - 0.01, DieState.UNSURE),
    ):
        one = plain(found(4, 4, values, 4, edge=30.0))
        assert state_of(one, Kind.BLACK, 4, 0.99, True, where) is state


@pytest.mark.parametrize(("edge", "state"), [(23.0, DieState.OK), (22.0, DieState.UNSURE)])
def test_a_three_of_too_small_a_die_is_the_half_of_a_six(edge: float, state: DieState) -> None:
    one = plain(found(3, 3, 0.99, 3, across=True, edge=edge))
    assert state_of(one, Kind.BLACK, 3, 0.99, True, place()) is state
    assert state_of(one, Kind.BLACK, 3, 0.99, True, None) is DieState.OK

"""How a die must lie for a claim."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.decide.detected import found, place, plain
from vision.classify.face import LEANING
from vision.decide.flatness import LARGEST, NEARER, lies_flat
from vision.detect.patterns import EDGE_OVER_STEP, Face
from vision.reading import Kind


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

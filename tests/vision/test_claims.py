"""When both networks and the pips found one by one say enough for a claim."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_holders import profile
from vision.finding import Found
from vision.lattice import Face
from vision.reader import WHOLE, _agreed, _lies_flat_beside, _looks_cut_off
from vision.reading import Kind
from vision.view import known_view


def found(count: int, pattern: int, judged: float, value: int) -> Found:
    """A die with so many pips found, a pattern among them or 0, and the judge's word."""
    says = np.full(8, (1 - judged) / 7)
    says[value] = judged
    zeros = np.zeros(10)
    face = Face(pattern, (0.0, 0.0), np.eye(2), (), 0.0, True, 2.0, 90.0, 1.0) if pattern else None
    return Found(
        np.zeros(2), 30 * np.eye(2), 0.0, zeros, says, zeros[:4], 0.0, 1.0, zeros[:6], face, count
    )


@pytest.mark.parametrize(
    ("kind", "value", "count", "pattern", "face", "judge", "claimed"),
    [
        # The pattern bears it out, or the number of pips does.
        (Kind.BLACK, 5, 5, 5, 0.81, 0.5, True),
        (Kind.BLACK, 5, 5, 5, 0.79, 0.5, False),
        (Kind.BLACK, 3, 3, 3, 0.94, 0.5, False),
        (Kind.BLACK, 3, 3, 3, 0.86, 0.86, True),
        (Kind.BLACK, 3, 3, 3, 0.86, 0.84, False),
        (Kind.BLACK, 3, 3, 3, 0.81, 0.86, True),
        (Kind.BLACK, 3, 3, 3, 0.79, 0.99, False),
        (Kind.OTHER, 4, 4, 0, 0.9, 0.91, True),
        (Kind.OTHER, 4, 4, 0, 0.9, 0.85, False),
        # Two pips beside each other are what a finger leaves of a 4, three in a row of a 6.
        (Kind.BLACK, 2, 2, 0, 1.0, 1.0, False),
        (Kind.BLACK, 3, 3, 0, 1.0, 1.0, False),
        (Kind.BLACK, 3, 3, 2, 1.0, 1.0, False),
        (Kind.BLACK, 3, 3, 3, 0.96, 0.84, False),
        (Kind.BLACK, 3, 3, 3, 0.96, 0.86, True),
        (Kind.BLACK, 2, 2, 2, 0.96, 0.86, True),
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
    kind: Kind, value: int, count: int, pattern: int, face: float, judge: float, claimed: bool
) -> None:
    assert _agreed(found(count, pattern, judge, value), kind, value, face) is claimed


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
    assert _lies_flat_beside(die) is flat


def test_a_small_top_with_few_pips_may_be_the_rest_of_a_covered_one() -> None:
    view = known_view(profile())
    assert view.profile is not None
    middle = (np.array(view.size) / 2 + 0.5) * view.scale - 0.5
    edge = view.profile.edge_pixels((view.size[0] / 2, view.size[1] / 2)) * view.scale
    for share, value, cut_off in (
        (WHOLE - 0.02, 1, True),
        (WHOLE - 0.02, 3, True),
        (WHOLE - 0.02, 4, False),
        (WHOLE + 0.02, 1, False),
        (1.0, 2, False),
    ):
        die = replace(found(1, 0, 1.0, value), center=middle, axes=share * edge * np.eye(2))
        assert _looks_cut_off(die, value, view) is cut_off

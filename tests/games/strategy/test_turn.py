"""Best-play chances in three rolls, exactly, against published figures and a slow computation."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from games import dice
from games.strategy.turn import HANDS, KEEP_INDEX, KEEPS, best_keep_worth, expected_worth
from scripts.solving.solver import WAYS

Wanted = Callable[[tuple[int, ...]], bool]


def best_chance(wanted: Callable[[tuple[int, ...]], bool], throws: int = 3) -> Fraction:
    """The exact chance of getting a wanted hand in this many throws with best play."""
    hands = np.array([Fraction(wanted(hand)) for hand in HANDS], dtype=object)
    for _ in range(throws - 1):
        hands = best_keep_worth(expected_worth(hands))
    chance = expected_worth(hands)[KEEP_INDEX[()]]
    return Fraction(chance)


@pytest.mark.parametrize(
    ("wanted", "chance"),
    [
        (lambda hand: bool(dice.five_alike(hand)), Fraction(347897, 7558272)),
        (lambda hand: dice.alike(hand, 4), 0.290794),
        (lambda hand: dice.alike(hand, 3), 0.743195),
        (dice.full_house, 0.362883),
        (dice.small_straight, 0.615442),
        (dice.large_straight, 0.261095),
        (lambda hand: sum(hand) >= 25, 0.416713),
    ],
    ids=["five alike", "four alike", "three alike", "full house", "small", "large", "25 or more"],
)
def test_best_chance_in_three_rolls(wanted: Wanted, chance: Fraction | float) -> None:
    found = best_chance(wanted)
    if isinstance(chance, Fraction):
        assert found == chance
    else:
        assert round(float(found), 6) == chance


@pytest.mark.parametrize("wanted", [dice.full_house, dice.large_straight])
def test_best_chance_in_one_roll_is_a_count(wanted: Wanted) -> None:
    count = sum(wanted(faces) for faces in product(range(1, 7), repeat=5))
    assert best_chance(wanted, throws=1) == Fraction(count, 7776)


def test_best_chance_in_two_rolls_the_slow_way() -> None:
    @cache
    def after(keep: tuple[int, ...]) -> Fraction:
        throws = list(product(range(1, 7), repeat=5 - len(keep)))
        return Fraction(sum(dice.full_house((*keep, *throw)) for throw in throws), len(throws))

    total = Fraction()
    for hand in product(range(1, 7), repeat=5):
        keeps = [tuple(sorted(f for f, k in zip(hand, kept, strict=True) if k)) for kept in KEPT]
        total += max(after(keep) for keep in keeps)
    assert best_chance(dice.full_house, throws=2) == total / 7776


KEPT = list(product((False, True), repeat=5))


def test_the_order_of_keeps() -> None:
    assert len(KEEPS) == 462
    assert len(HANDS) == 252
    assert KEEPS[0] == ()
    assert KEEPS[-252:] == HANDS
    assert all(KEEPS[index] == keep for keep, index in KEEP_INDEX.items())
    assert WAYS.sum() == 7776


def test_expected_and_best_of_the_total() -> None:
    totals = np.array([float(sum(hand)) for hand in HANDS])
    worth = expected_worth(totals)
    for keep, index in KEEP_INDEX.items():
        assert worth[index] == pytest.approx(sum(keep) + 3.5 * (5 - len(keep)))
    # Sixes, fives and fours are kept, the rest are thrown again.
    most = best_keep_worth(worth)
    for hand, value in zip(HANDS, most, strict=True):
        assert value == pytest.approx(sum(max(face, 3.5) for face in hand))


def test_columns_are_independent() -> None:
    random = np.random.default_rng(3)
    hands = random.random((252, 4))
    together = best_keep_worth(expected_worth(hands))
    for column in range(4):
        assert np.array_equal(
            together[:, column], best_keep_worth(expected_worth(hands[:, column]))
        )

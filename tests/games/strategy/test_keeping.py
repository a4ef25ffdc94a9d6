"""Dice to hold, against plain enumeration of everything that can be thrown."""

from itertools import product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from games.dice import FACES
from games.strategy.solver import best_hint
from games.strategy.turn import HANDS, SLOT_SUBSETS, keep_worth, weighed_keeps
from games.values import Keep, Measure


def best_keep(worth: NDArray[np.float64], dice: tuple[int, ...]) -> tuple[tuple[int, ...], float]:
    """The slots to hold, and what that is worth."""
    hint = best_hint(weighed_keeps(worth, dice), Measure.TOTAL)
    assert hint is not None
    assert isinstance(hint.choice, Keep)
    return hint.choice.slots, hint.expects


def enumerated(worth: dict[tuple[int, ...], float], dice: tuple[int, ...]) -> float:
    """The best of all holds of four dice at most, with one throw left."""
    totals = []
    for slots in SLOT_SUBSETS[1:]:
        kept = [dice[slot] for slot in slots]
        throws = list(product(FACES, repeat=5 - len(kept)))
        totals.append(sum(worth[tuple(sorted((*kept, *t)))] for t in throws) / len(throws))
    return max(totals)


def test_the_best_hold_is_that_of_an_enumeration() -> None:
    random = Random(3)
    worth = np.array([random.uniform(0, 50) for _ in HANDS])
    table = dict(zip(HANDS, worth.tolist(), strict=True))
    for _ in range(6):
        dice = tuple(random.choice(FACES) for _ in range(5))
        slots, value = best_keep(keep_worth(worth, 1), dice)
        assert value == pytest.approx(enumerated(table, dice))
        assert slots == tuple(sorted(slots))


def test_a_hand_can_be_used_before_the_last_throw() -> None:
    # Only five sixes are worth anything, so whoever has them must not throw again.
    worth = np.array([float(hand == (6,) * 5) for hand in HANDS])
    one, two = keep_worth(worth, 1), keep_worth(worth, 2)
    assert (two >= one - 1e-12).all()
    four = best_keep(two, (6, 6, 1, 6, 6))
    assert four[0] == (0, 1, 3, 4)
    assert four[1] == pytest.approx(1 - (5 / 6) ** 2)

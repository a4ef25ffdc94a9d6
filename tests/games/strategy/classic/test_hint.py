"""Hints for Classic: the packed table, and play that follows it."""

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from games import classic
from games.boxes import Score, Zero
from games.chance import throw
from games.classic import Box, Sheet
from games.strategy.classic import hint as classic_hint
from games.strategy.classic import values as classic_values
from games.strategy.classic.values import (
    FIFTY,
    OPEN_MASKS,
    STEPS_PER_POINT,
    UPPER_SUMS,
    five_alike_state,
    load_values,
    unpack_values,
)
from games.values import Choose, Keep, Rolled
from scripts.solving.packing import pack
from scripts.solving.solver import follow, solve
from scripts.solving.table import Table, tabulate
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

BEST = 254.5877287345
"""The worth of a whole game, as computed by the solver."""
HALF_STEP = 0.5 / STEPS_PER_POINT + 1e-9
FEW = 1 << Box.SIXES | 1 << Box.FULL_HOUSE | 1 << Box.FIVE_ALIKE


@pytest.fixture(scope="module")
def table() -> Table:
    return tabulate(FEW)


@pytest.fixture(scope="module")
def few(table: Table) -> NDArray[np.float64]:
    return solve(table, FEW).values


def test_the_shipped_table_has_the_worth_of_a_game() -> None:
    assert load_values()[0, OPEN_MASKS - 1, 0] / STEPS_PER_POINT == pytest.approx(
        BEST, abs=HALF_STEP
    )


def test_the_shipped_table_is_that_of_the_solver(few: NDArray[np.float64]) -> None:
    found = 0
    for mask in (m for m in range(1, OPEN_MASKS) if m & FEW == m):
        high = sum(5 * (box + 1) for box in range(6) if not mask >> box & 1)
        for flag in range(1 if mask >> Box.FIVE_ALIKE & 1 else 2):
            stored = load_values()[flag, mask, : high + 1] / STEPS_PER_POINT
            assert np.abs(stored - few[flag, mask, : high + 1]).max() <= HALF_STEP
            found += 1
    assert found == 10


def test_play_by_other_values_gets_no_more_than_the_best(
    table: Table, few: NDArray[np.float64]
) -> None:
    best = few[0, FEW, 0]
    right, rounded, wrong = (
        follow(table, believed, FEW).values[0, FEW, 0]
        for believed in (few, np.round(few * STEPS_PER_POINT) / STEPS_PER_POINT, -few)
    )
    assert right == pytest.approx(best)
    assert best - 3 / STEPS_PER_POINT <= rounded <= best + 1e-9
    assert wrong < best - 1


def test_packing_loses_no_more_than_half_a_step() -> None:
    values = np.random.default_rng(1).uniform(0, 288, (2, OPEN_MASKS, UPPER_SUMS))
    again = unpack_values(**pack(values.copy())) / STEPS_PER_POINT
    # With no upper box filled, the only upper sum is 0.
    assert np.abs(again[0, :, 0] - values[0, :, 0]).max() <= HALF_STEP
    assert np.abs(again[:, 0] - values[:, 0]).max() <= HALF_STEP
    assert (again[1, 1 << Box.FIVE_ALIKE :] >= 0).all()


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="up to 300"):
        pack(np.full((2, OPEN_MASKS, UPPER_SUMS), 300.0))


def totals(sheet: Sheet, dice: tuple[int, ...]) -> dict[Score | Zero, float]:
    """The expected total after each legal score or zero, by the rules alone."""
    state = classic.GAME.position(players=["A"], sheets=[sheet], roll=3, dice=dice, held=None)
    found: dict[Score | Zero, float] = {}
    for choice in classic.GAME.choices(state):
        assert isinstance(choice, Score | Zero)
        after = classic.GAME.apply(state, choice).sheets[0]
        flag = int(five_alike_state(after) == FIFTY)
        to_come = (
            load_values()[flag, after.open, min(after.upper, UPPER_SUMS - 1)] / STEPS_PER_POINT
        )
        found[choice] = after.total + float(to_come)
    return found


@settings(max_examples=examples(10, 40))
@given(st.integers(0, 10**6), st.tuples(*[st.integers(1, 6)] * 5), st.booleans())
def test_the_best_box_is_that_of_the_rules(
    seed: int, dice: tuple[int, ...], five_alike: bool
) -> None:
    states = list(decisions("classic", 1, seed))
    sheet = Random(seed).choice(states).sheets[0]
    dice = (dice[0],) * 5 if five_alike else dice
    state = classic.GAME.position(players=["A"], sheets=[sheet], roll=3, dice=dice, held=None)
    hint = classic_hint.hint(state)
    expected = totals(sheet, dice)
    assert hint is not None
    assert isinstance(hint.choice, Score)
    assert hint.expects == pytest.approx(max(expected.values()))
    assert expected[hint.choice] == pytest.approx(hint.expects)


@settings(max_examples=examples(5, 10))
@given(st.integers(0, 10**6))
def test_a_hold_is_worth_the_mean_of_what_can_follow(seed: int) -> None:
    state = Random(seed).choice([s for s in decisions("classic", 2, seed) if s.roll < 3])
    hint = classic_hint.hint(state)
    assert hint is not None
    for choice in (hint.choice, Keep((0, 1, 3)), Keep((0, 1, 2, 4))):
        if isinstance(choice, Keep) and len(choice.slots) > 2:
            held = classic.GAME.apply(state, choice)
            faces = product(range(1, 7), repeat=5 - len(choice.slots))
            values = []
            for thrown in faces:
                after = classic_hint.hint(classic.GAME.apply(held, Rolled(thrown)))
                assert after is not None
                values.append(after.expects)
            mean = sum(values) / len(values)
            if choice == hint.choice:
                assert hint.expects == pytest.approx(mean)
            else:
                assert hint.expects >= mean - 1e-9


def test_play_by_hints_has_the_mean_of_best_play() -> None:
    """Of 25 games, the mean has a standard deviation of 12; random legal play has a mean of 46."""
    random = Random(254)
    scores = []
    for _ in range(examples(25, 100)):
        state = classic.GAME.start(["A"], {})
        while (asked := classic.GAME.ask(state)) is not None:
            if isinstance(asked, Choose):
                hint = classic_hint.hint(state)
                assert hint is not None
                assert hint.choice is not None
                state = classic.GAME.apply(state, hint.choice)
            else:
                state = classic.GAME.apply(state, throw(asked.dice, random))
        scores.append(classic.GAME.scores(state)[0])
    error = float(np.std(scores) / np.sqrt(len(scores)))
    assert abs(float(np.mean(scores)) - BEST) < 4 * error


def test_there_is_no_hint_without_a_decision() -> None:
    assert classic_hint.hint(classic.GAME.start(["A", "B"], {})) is None


def test_the_file_is_read_once() -> None:
    assert load_values() is load_values()
    assert classic_values.load_values.cache_info().currsize == 1

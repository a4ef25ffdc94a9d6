"""Hints for Classic: the packed table, and play that follows it."""

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from games import classic, yatzy
from games.boxes import Score, Zero
from games.chance import throw
from games.classic import Box, Sheet
from games.strategy.boxes import BoxSolver
from games.strategy.boxes import hint as hints
from games.strategy.boxes.values import UPPER_SUMS, Special, Values, load_values, pack, unpack
from games.values import Choose, Keep, Rolled
from scripts.solving.solver import follow, solve
from scripts.solving.table import Table, tabulate
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

BEST = 254.5877287345
"""The worth of a whole game, as computed by the solver."""
OPEN_MASKS = 1 << len(Box)
SPECIAL = Special(len(Box), ((Box.FIVE_ALIKE, 50, 1),))
MOST_UPPER = (5, 10, 15, 20, 25, 30)
FEW = 1 << Box.SIXES | 1 << Box.FULL_HOUSE | 1 << Box.FIVE_ALIKE

classic_hint = BoxSolver(classic.GAME)


@pytest.fixture(scope="module")
def shipped() -> Values:
    values = load_values(classic.GAME)
    assert values is not None
    return values


def half_step(values: Values) -> float:
    return 0.5 / values.steps_per_point + 1e-9


@pytest.fixture(scope="module")
def table() -> Table:
    return tabulate(classic.GAME, FEW)


@pytest.fixture(scope="module")
def few(table: Table) -> NDArray[np.float64]:
    return solve(table, FEW).values


def test_the_shipped_table_has_the_worth_of_a_game(shipped: Values) -> None:
    assert shipped.special == SPECIAL
    assert shipped.to_come(Sheet()) == pytest.approx(BEST, abs=half_step(shipped))


def test_the_shipped_table_is_that_of_the_solver(few: NDArray[np.float64], shipped: Values) -> None:
    found = 0
    for mask in (m for m in range(1, OPEN_MASKS) if m & FEW == m):
        high = sum(5 * (box + 1) for box in range(6) if not mask >> box & 1)
        for flag in range(1 if mask >> Box.FIVE_ALIKE & 1 else 2):
            stored = shipped.steps[flag, mask, : high + 1] / shipped.steps_per_point
            assert np.abs(stored - few[flag, mask, : high + 1]).max() <= half_step(shipped)
            found += 1
    assert found == 10


def test_play_by_other_values_gets_no_more_than_the_best(
    table: Table, few: NDArray[np.float64], shipped: Values
) -> None:
    steps_per_point = shipped.steps_per_point
    best = few[0, FEW, 0]
    right, rounded, wrong = (
        follow(table, believed, FEW).values[0, FEW, 0]
        for believed in (few, np.round(few * steps_per_point) / steps_per_point, -few)
    )
    assert right == pytest.approx(best)
    assert best - 3 / steps_per_point <= rounded <= best + 1e-9
    assert wrong < best - 1


def test_packing_loses_no_more_than_half_a_step() -> None:
    values = np.random.default_rng(1).uniform(0, 288, (2, OPEN_MASKS, UPPER_SUMS))
    packed = unpack(len(Box), **pack(values.copy(), SPECIAL, MOST_UPPER))
    again, loss = packed.steps / packed.steps_per_point, half_step(packed)
    assert packed.special == SPECIAL
    # With no upper box filled, the only upper sum is 0.
    assert np.abs(again[0, :, 0] - values[0, :, 0]).max() <= loss
    assert np.abs(again[:, 0] - values[:, 0]).max() <= loss
    assert (again[1, 1 << Box.FIVE_ALIKE :] >= 0).all()


def test_positions_of_several_special_boxes_have_numbers_of_their_own() -> None:
    special = Special(9, ((6, 20, 1), (6, 30, 2), (8, 5, 3)))
    assert special.size == 6
    for number, held in enumerate([(0, 0), (20, 0), (30, 0), (0, 5), (20, 5), (30, 5)]):
        boxes = [*[None] * 6, held[0], None, held[1]]
        assert special.number(boxes) == number
        assert dict(special.filled(number)) == {
            box: points for box, points in zip((6, 8), held, strict=True) if points
        }
        assert all(boxes[box] is not None for box, _ in special.filled(number))


def test_values_that_do_not_fit_are_refused() -> None:
    for wrong in (-1.0, 9000.0):
        with pytest.raises(ValueError, match=f"expected values from 0 to 8191, got {wrong}"):
            pack(np.full((2, OPEN_MASKS, UPPER_SUMS), wrong), SPECIAL, MOST_UPPER)


def totals(values: Values, sheet: Sheet, dice: tuple[int, ...]) -> dict[Score | Zero, float]:
    """The expected total after each legal score or zero, by the rules alone."""
    state = classic.GAME.position(players=["A"], sheets=[sheet], roll=3, dice=dice, held=None)
    found: dict[Score | Zero, float] = {}
    for choice in classic.GAME.choices(state):
        assert isinstance(choice, Score | Zero)
        after = classic.GAME.apply(state, choice).sheets[0]
        found[choice] = after.total + values.to_come(after)
    return found


@settings(max_examples=examples(10, 40))
@given(st.integers(0, 10**6), st.tuples(*[st.integers(1, 6)] * 5), st.booleans())
def test_the_best_box_is_that_of_the_rules(
    shipped: Values, seed: int, dice: tuple[int, ...], five_alike: bool
) -> None:
    states = list(decisions("classic", 1, seed))
    sheet = Random(seed).choice(states).sheets[0]
    dice = (dice[0],) * 5 if five_alike else dice
    state = classic.GAME.position(players=["A"], sheets=[sheet], roll=3, dice=dice, held=None)
    hint = classic_hint.hint(state)
    expected = totals(shipped, sheet, dice)
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
    assert classic_hint.values is classic_hint.values


def test_a_game_that_nobody_has_solved_is_played_by_an_estimate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver = BoxSolver(yatzy.GAME)
    monkeypatch.setattr(hints, "load_values", lambda game: None)
    random, scores = Random(3), []
    for _ in range(examples(12, 100)):
        state = yatzy.GAME.start(["A"], {})
        while (asked := yatzy.GAME.ask(state)) is not None:
            if isinstance(asked, Choose):
                hint = solver.hint(state)
                assert hint is not None
                assert hint.choice is not None
                state = yatzy.GAME.apply(state, hint.choice)
            else:
                state = yatzy.GAME.apply(state, throw(asked.dice, random))
        scores.append(yatzy.GAME.scores(state)[0])
    # Best play gets 248 with a spread of 40, and this 240.
    assert float(np.mean(scores)) > 205
    assert solver.expected_total(yatzy.GAME.start(["A"], {}), 0) is None

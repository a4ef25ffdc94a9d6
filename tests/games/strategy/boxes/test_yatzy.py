"""Best play of Yatzy: the shipped values against the rules, and what they are worth."""

from random import Random

import numpy as np
import pytest

from games import yatzy
from games.boxes import Score
from games.chance import random_event, throw
from games.strategy.boxes import BoxSolver
from games.strategy.boxes.values import Values
from games.strategy.turn import HANDS
from games.values import Choose, Keep, Rolled, Throw
from games.yatzy import Box, Sheet, State, box_scores
from scripts.solving.solver import solve
from scripts.solving.table import tabulate

SOLVED = (
    *(Box.TWOS, Box.SIXES, Box.THREE_ALIKE, Box.SMALL_STRAIGHT),
    *(Box.LARGE_STRAIGHT, Box.FULL_HOUSE, Box.YATZY),
)
"""The boxes whose values are solved anew; with all of them it takes minutes."""
solver = BoxSolver(yatzy.GAME)


@pytest.fixture(scope="module")
def shipped() -> Values:
    values = solver.values
    assert values is not None
    return values


def test_a_whole_game_is_worth_what_was_solved(shipped: Values) -> None:
    start = yatzy.GAME.start(["ANNA"], {})
    assert solver.expected_total(start, 0) == pytest.approx(
        248.4399893779, abs=0.5 / shipped.steps_per_point
    )


def test_the_shipped_values_are_those_of_the_rules(shipped: Values) -> None:
    masks = sum(1 << box for box in SOLVED)
    solved = solve(tabulate(yatzy.GAME, masks), masks).values
    packed = shipped.steps / shipped.steps_per_point
    known = ~np.isnan(solved)
    # Rows repeat the highest upper sum that they can have.
    most = [sum(5 * (box + 1) for box in range(6) if not m >> box & 1) for m in range(1 << 15)]
    known &= np.arange(64) <= np.array(most)[:, None]
    assert known.any(axis=2).sum() >= 2 ** masks.bit_count()
    assert np.abs(solved[known] - packed[known]).max() <= 0.5 / shipped.steps_per_point + 1e-9


def test_one_open_box_is_worth_the_mean_of_its_best_turn(shipped: Values) -> None:
    # A Yatzy in three rolls comes with 4.6029 %: a figure found in every book on the game.
    left = Sheet.of([None if box is Box.YATZY else 0 for box in Box])
    assert shipped.to_come(left) == pytest.approx(50 * 0.046029, abs=1 / shipped.steps_per_point)


def test_a_yatzy_is_scored_as_one() -> None:
    state = yatzy.GAME.apply(yatzy.GAME.start(["ANNA"], {}), Rolled((6, 6, 6, 6, 6)))
    hint = solver.hint(state)
    assert hint is not None
    assert hint.choice == Score(Box.YATZY)


def test_every_choice_is_weighed_and_the_best_is_the_hint() -> None:
    random = Random(5)
    state: State = yatzy.GAME.start(["ANNA", "BEN"], {"first": 0})
    while (event := random_event(yatzy.GAME, state, random)) is not None:
        if isinstance(yatzy.GAME.ask(state), Choose):
            worth = solver.weigh(state)
            assert set(worth) == set(yatzy.GAME.choices(state))
            hint = solver.hint(state)
            assert hint is not None
            assert hint.expects == max(worth.values())
        else:
            assert solver.weigh(state) == {}
        state = yatzy.GAME.apply(state, event)


def test_play_by_the_hints_is_worth_far_more_than_par_of_beginners() -> None:
    totals: list[int] = []
    for seed in range(12):
        random = Random(seed)
        state = yatzy.GAME.start(["ANNA"], {})
        while (ask := yatzy.GAME.ask(state)) is not None:
            if isinstance(ask, Throw):
                state = yatzy.GAME.apply(state, throw(ask.dice, random))
                continue
            hint = solver.hint(state)
            assert hint is not None
            assert hint.choice is not None
            state = yatzy.GAME.apply(state, hint.choice)
        totals += yatzy.GAME.scores(state)
    # 248 on average, with a spread of some 40 a game.
    assert 215 < sum(totals) / len(totals) < 285


def test_hands_that_score_the_same_lead_to_the_same() -> None:
    for box in Box:
        assert {box_scores(hand)[box] for hand in HANDS} >= {0} or box is Box.CHANCE
    assert Keep(()) not in solver.weigh(yatzy.GAME.start(["ANNA"], {}))

"""Best play of Yatzy: the shipped values against the rules, and what they are worth."""

from random import Random

import numpy as np
import pytest

from games import yatzy
from games.boxes import Score
from games.chance import random_event, throw
from games.strategy.turn import HANDS
from games.strategy.yatzy import solver
from games.strategy.yatzy.values import STEPS_PER_POINT, load_values
from games.values import Choose, Keep, Rolled, Throw
from games.yatzy import Box, State, box_scores
from scripts.solve_yatzy import solve


def test_a_whole_game_is_worth_what_was_solved() -> None:
    start = yatzy.GAME.start(["ANNA"], {})
    assert solver.expected_total(start, 0) == pytest.approx(248.44, abs=1 / STEPS_PER_POINT)


@pytest.mark.parametrize("masks", [0b100000000100001, 0b001010000010010])
def test_the_shipped_values_are_those_of_the_rules(masks: int) -> None:
    solved = solve(masks)
    shipped = load_values() / STEPS_PER_POINT
    known = ~np.isnan(solved)
    assert known.sum() >= 2 ** masks.bit_count() * 64
    assert np.abs(solved[known] - shipped[known]).max() <= 0.5 / STEPS_PER_POINT + 1e-9


def test_one_open_box_is_worth_the_mean_of_its_best_turn() -> None:
    # A Yatzy in three rolls comes with 4.6029 %: a figure found in every book on the game.
    assert load_values()[1 << Box.YATZY, 0] / STEPS_PER_POINT == pytest.approx(
        50 * 0.046029, abs=1 / STEPS_PER_POINT
    )


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

"""The last rounds of Classic, played to win, checked against brute force by the rules."""

from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import classic
from games.boxes import Score, Zero
from games.classic import Box, Sheet, State
from games.dice import rolls
from games.registry import find_game
from games.strategy import advice
from games.strategy.boxes import BoxSolver
from games.strategy.winning import win_shares
from games.values import Keep, Left, Rolled
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

points = BoxSolver(classic.GAME)
win_chances = points.win_chances


def filled(*, but: tuple[Box, ...], upper: int = 3, five: int = 0) -> Sheet:
    """A sheet with every box filled except those in `but`."""
    boxes = [None if box in but else upper if box < 6 else five * (box == 11) for box in Box]
    return Sheet.of(boxes)


def last_turn(mine: Sheet, theirs: int, dice: tuple[int, ...], roll: int) -> State:
    """The last turn of the game, against a full sheet with `theirs` points in one box."""
    full = Sheet.of([0] * 12 + [theirs])
    return State(("A", "B"), (full, mine), 0, 1, roll, dice, None)


@cache
def brute(state: State) -> float:
    """The chance of winning with best play, by the rules alone."""
    outcome = classic.GAME.outcome(state)
    if outcome is not None:
        return (1 in outcome.winners) / len(outcome.winners)
    found = []
    for choice in classic.GAME.choices(state):
        after = classic.GAME.apply(state, choice)
        if isinstance(choice, Keep):
            each = rolls(5 - len(choice.slots))
            total = sum(n * brute(classic.GAME.apply(after, Rolled(faces))) for faces, n in each)
            found.append(total / sum(n for _, n in each))
        else:
            found.append(brute(after))
    return max(found)


@settings(max_examples=examples(5, 10))
@given(
    box=st.sampled_from(Box),
    theirs=st.integers(5, 30),
    dice=st.tuples(*[st.integers(1, 6)] * 5),
    five=st.sampled_from((0, 50)),
)
def test_the_last_turn_is_as_brute_force_has_it(
    box: Box, theirs: int, dice: tuple[int, ...], five: int
) -> None:
    mine = filled(but=(box,), upper=1, five=five)
    state = last_turn(mine, theirs, dice, roll=2)
    assert max(win_chances(state).values()) == pytest.approx(brute(state))


def test_points_are_risked_where_only_they_win() -> None:
    # 30 points behind with three sixes and the last box open: only five alike helps.
    mine = filled(but=(Box.FIVE_ALIKE,), upper=0)
    state = last_turn(mine, 30, (6, 6, 6, 1, 2), 2)
    hint = advice.hint(find_game("classic"), state)
    assert hint is not None
    assert (hint.choice, hint.measure) == (Keep((0, 1, 2)), "game")
    assert hint.expects == pytest.approx(1 / 36)


def test_what_is_sure_is_not_risked() -> None:
    # 23 points win by one; throwing the three again gains half a point on average, and may lose.
    mine = filled(but=(Box.CHANCE,), upper=0)
    state = last_turn(mine, 22, (5, 5, 5, 5, 3), 2)
    hint = advice.hint(find_game("classic"), state)
    assert hint is not None
    assert hint.choice == Score(Box.CHANCE)
    assert hint.expects == pytest.approx(1)
    held = points.hint(state)
    assert held is not None
    assert held.choice == Keep((0, 1, 2, 3))


def test_a_tie_is_half_a_win_and_one_who_left_scores_no_more() -> None:
    mine = filled(but=(Box.CHANCE,), upper=0)
    state = last_turn(mine, 20, (5, 5, 5, 4, 1), 3)
    assert win_chances(state) == {Score(Box.CHANCE): pytest.approx(0.5)}
    sheets = (filled(but=(Box.ACES, Box.CHANCE)), mine, filled(but=(Box.CHANCE,), upper=0))
    state = State(("A", "B", "C"), sheets, 1, 1, 3, (5, 5, 5, 4, 1), None)
    assert 0 < win_chances(state)[Score(Box.CHANCE)] < 0.5
    gone = classic.GAME.apply(classic.GAME.apply(state, Left(0)), Left(2))
    assert win_chances(gone) == {}
    gone = classic.GAME.apply(state, Left(2))
    assert win_chances(gone)[Score(Box.CHANCE)] > win_chances(state)[Score(Box.CHANCE)]


def test_alone_and_early_points_count() -> None:
    for players in (1, 2):
        states = list(decisions("classic", players, 3))
        late = [state for state in states if state.sheets[state.seat].filled > 10]
        for state in states:
            assert bool(win_chances(state)) == (players > 1 and state in late)


@settings(max_examples=examples(3, 8))
@given(seed=st.integers(0, 10**6), players=st.integers(2, 4))
def test_chances_are_chances_and_the_best_beats_what_points_say(seed: int, players: int) -> None:
    states = [state for state in decisions("classic", players, seed) if win_chances(state)]
    for state in Random(seed).sample(states, 4):
        chances, advised = win_chances(state), points.hint(state)
        assert all(-1e-9 <= chance <= 1 + 1e-9 for chance in chances.values())
        assert advised is not None
        assert advised.choice is not None
        best = advice.hint(find_game("classic"), state)
        assert best is not None
        assert best.expects >= chances[advised.choice] - 1e-9
        assert set(chances) == {c for c in classic.GAME.choices(state) if not isinstance(c, Zero)}


@settings(max_examples=examples(5, 20))
@given(chances=st.lists(st.floats(0.01, 1), min_size=1, max_size=9), others=st.integers(1, 5))
def test_in_a_symmetric_game_all_win_alike(chances: list[float], others: int) -> None:
    spread = np.array(chances) / sum(chances)
    assert spread @ win_shares([spread] * others) == pytest.approx(1 / (others + 1))

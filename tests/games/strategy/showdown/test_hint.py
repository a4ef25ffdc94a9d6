"""Hints for Showdown against plain enumeration by the rules."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import showdown
from games.showdown import Card, MoveOn, Place, Raise, Stack, State, Stay, Step, Take
from games.strategy.showdown import ShowdownSolver
from games.strategy.showdown.hint import (
    TurnView,
    _worth_by_hand,
    _worth_of_further_moves,
    _worth_of_moves,
)
from games.strategy.showdown.worth import Outlook, chances_to_make
from games.strategy.turn import HANDS
from games.values import Pass
from tests.games.strategy.positions import check_hold, decisions
from tests.rigs.examples import examples

hint = ShowdownSolver(showdown.GAME).hint


def cards_worth(state: State, outlook: Outlook) -> float:
    return sum(outlook.worth(card, state.cards[card]) for card in Card)


def used(state: State, choice: Place | Take | Raise | Pass) -> float:
    """The gain of a use, from the boards before and after it; further moves by the solver."""
    outlook = Outlook.of(state)
    after = showdown.GAME.apply(state, choice)
    gain = cards_worth(after, outlook) - cards_worth(state, outlook)
    if after.step is Step.MOVE and after.turns == state.turns:
        gain += _worth_of_moves(TurnView.of(state))[after.pawns[state.seat]]
    return gain


def pick(seed: int, step: Step, raise_continues: bool = False) -> State | None:
    options = {"showdown_raise_continues": raise_continues}
    seats = 2 + seed % 3
    found = [s for s in decisions("showdown", seats, seed, options) if s.step is step]
    late = [s for s in found if s.in_showdown]
    some = late if late and seed % 2 else found
    return Random(seed).choice(some) if some else None


@settings(max_examples=examples(5, 12))
@given(st.integers(0, 10**6), st.booleans())
def test_hands_are_used_as_the_rules_allow(seed: int, raise_continues: bool) -> None:
    state = pick(seed, Step.USE, raise_continues)
    if state is None:
        return
    view = TurnView.of(state)
    worths = _worth_by_hand(view, state.pawns[state.seat], _worth_of_further_moves(view))
    for index in range(0, len(HANDS), 5):
        rolled = replace(state, dice=HANDS[index], roll=3)
        uses = [
            c for c in showdown.GAME.choices(rolled) if isinstance(c, Place | Take | Raise | Pass)
        ]
        assert worths[index] == pytest.approx(max(used(rolled, use) for use in uses))


@settings(max_examples=examples(5, 12))
@given(st.integers(0, 10**6))
def test_a_hold_is_worth_the_mean_of_what_can_follow(seed: int) -> None:
    state = pick(seed, Step.USE)
    if state is None or state.roll == 3:
        return
    check_hold(showdown.GAME, state, hint)


def test_a_move_is_worth_the_mean_of_the_landings() -> None:
    state = next(
        s for seed in range(20) for s in decisions("showdown", 2, seed) if s.step is Step.LANDED
    )
    advised = hint(state)
    assert advised is not None
    assert isinstance(advised.choice, MoveOn | Stay)
    view = TurnView.of(state)
    values = np.array(_worth_of_moves(view))
    # The solver's values for the spaces are consistent: no landing is worth less than nothing.
    assert (values >= 0).all()
    assert advised.expects >= values[state.pawns[state.seat]] - 1e-9


def test_a_card_of_another_is_taken_rather_than_an_easy_one_placed() -> None:
    cards: dict[Card, Stack] = {Card.LARGE_STRAIGHT: Stack(1, 1, 7)}
    state = showdown.GAME.position(
        players=["A", "B"],
        pawns=[4, 8],
        cards=cards,
        turns=2,
        step=Step.USE,
        red=4,
        origin=0,
        roll=3,
        dice=(2, 3, 4, 5, 6),
    )
    advised = hint(state)
    assert advised is not None
    assert advised.choice == Take(Card.LARGE_STRAIGHT)
    # Its seven chips now count for the seat and no longer for the opponent.
    mine = Outlook.of(state).worth(Card.LARGE_STRAIGHT, Stack(1, 0, 7))
    assert 0 < mine < 70
    assert advised.expects == pytest.approx(2 * mine)


def test_chances_are_exact() -> None:
    # Five alike of another number makes any card too, but seldom comes when aiming for one.
    one = 1 - (5 / 6) ** 15
    assert one < chances_to_make()[Card.ACES, 1] < one + 0.001
    p = 1 - (5 / 6) ** 3
    exact = 5 * p**4 * (1 - p) + p**5
    assert exact < chances_to_make()[Card.SIXES, 4] < exact + 0.02


def test_there_is_no_hint_without_a_decision() -> None:
    assert hint(showdown.GAME.start(["A", "B"], {})) is None

"""Hints for Free for All against plain enumeration by the rules."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import free_for_all
from games.free_for_all import Bank, Card, Kind, Lying, State, Steal, Step, Take
from games.strategy.free_for_all import FreeForAllSolver
from games.strategy.free_for_all.worth import chance_still_on, chance_to_beat, worth_of_home
from games.values import Pass
from tests.games.strategy.positions import check_hold, decisions
from tests.rigs.examples import examples

hint = FreeForAllSolver(free_for_all.GAME).hint


def pick(seed: int, step: Step) -> State | None:
    found = [s for s in decisions("free-for-all", 2 + seed % 5, seed) if s.step is step]
    return Random(seed).choice(found) if found else None


@settings(max_examples=examples(5, 15))
@given(st.integers(0, 10**6))
def test_a_hold_is_worth_the_mean_of_what_can_follow(seed: int) -> None:
    state = pick(seed, Step.USE)
    if state is None or state.roll == 3:
        return
    check_hold(free_for_all.GAME, state, hint)


@settings(max_examples=examples(5, 15))
@given(st.integers(0, 10**6))
def test_a_steal_is_worth_more_than_a_pass(seed: int) -> None:
    state = pick(seed, Step.USE)
    if state is None:
        return
    last = replace(state, roll=3)
    advised = hint(last)
    assert advised is not None
    if any(isinstance(choice, Steal) for choice in free_for_all.GAME.choices(last)):
        assert advised.choice != Pass()
        assert advised.expects > 0


def test_the_chance_to_beat_dice_is_exact() -> None:
    # Three ones against two: at least three ones in three throws.
    p = 1 - (5 / 6) ** 3
    exact = 10 * p**3 * (1 - p) ** 2 + 5 * p**4 * (1 - p) + p**5
    assert chance_to_beat(Lying(Card(Kind.ONES, 1), (1, 1, 2, 3, 4))) == pytest.approx(exact)
    assert chance_to_beat(Lying(Card(Kind.ONES, 1), (1, 1, 1, 1, 1))) == 0
    # A large straight to six has the highest possible total.
    assert chance_to_beat(Lying(Card(Kind.LARGE_STRAIGHT, 8), (6, 5, 4, 3, 2))) == 0
    assert chance_to_beat(Lying(Card(Kind.LARGE_STRAIGHT, 8), (1, 5, 4, 3, 2))) > 0.1


def test_a_card_that_nobody_can_beat_is_worth_its_points() -> None:
    state = next(iter(decisions("free-for-all", 2, 1)))
    safe = Lying(Card(Kind.SIXES, 6), (6,) * 5)
    weak = Lying(Card(Kind.SIXES, 6), (6, 1, 2, 3, 4))
    assert worth_of_home([safe], 1, state) == pytest.approx(6.0)
    assert worth_of_home([weak], 1, state) < 6
    # The order of banking saves the weak one first.
    both = worth_of_home([weak, safe], 1, state)
    assert both == pytest.approx(worth_of_home([weak], 1, state) + 6, abs=0.2)


def test_the_game_is_over_when_nothing_is_left() -> None:
    assert chance_still_on(30, 36, 3) == pytest.approx(1.0)
    assert chance_still_on(0, 0, 1) == 0
    assert 0 < chance_still_on(1, 0, 1) < 1


def test_the_weaker_card_is_banked_first() -> None:
    state = next(s for seed in range(50) for s in decisions("free-for-all", 2, seed))
    weak = Lying(Card(Kind.SIXES, 6), (6, 1, 2, 3, 4))
    safe = Lying(Card(Kind.SIXES, 6), (6,) * 5)
    homes = list(state.homes)
    homes[state.seat] = (safe, weak, None)
    advised = hint(replace(state, homes=tuple(homes), step=Step.BANK, roll=0, dice=(), held=()))
    assert advised is not None
    assert advised.choice == Bank(1, weak.card)


def test_chips_make_a_card_worth_taking() -> None:
    cards = (Card(Kind.ONES, 1), Card(Kind.TWOS, 2), Card(Kind.CHANCE, 4))
    state = next(iter(decisions("free-for-all", 3, 1)))
    state = replace(state, centre=cards, roll=3, dice=(1, 1, 2, 3, 5), step=Step.USE, held=())
    even = hint(replace(state, chips=(0, 0, 0)))
    rich = hint(replace(state, chips=(9, 0, 0)))
    assert even is not None
    assert even.choice == Take(2, cards[2])
    assert rich is not None
    assert rich.choice == Take(0, cards[0])
    assert rich.expects > 9


def test_a_card_that_the_players_turn_up_is_no_decision() -> None:
    state = free_for_all.GAME.start(["A", "B"], {"deck": "table"})
    assert state.step is Step.TURN_UP
    assert hint(state) is None

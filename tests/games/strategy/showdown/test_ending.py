"""The Showdown round, played to win: small endings by hand, and what holds for all chances."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import showdown
from games.registry import find_game
from games.showdown import Card, Stack, State, Step, Take
from games.strategy import advice
from games.strategy.showdown import ShowdownSolver
from games.strategy.showdown.ending import win_chances
from games.strategy.showdown.worth import Outlook
from games.values import Left, Pass
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

CHIPS = (2, 2, 2, 2, 2, 2, 3, 4, 5, 5, 7, 6)
DIAMONDS = [space for space in range(16) if space % 4]


def last_turn(mine: tuple[Card, ...], card: Card, dice: tuple[int, ...], roll: int) -> State:
    """The last turn of a two-player game: the second seat's pawn is on a card of the first."""
    cards = {each: Stack(DIAMONDS[each], int(each in mine), CHIPS[each]) for each in Card}
    at = cards[card].space
    return showdown.GAME.position(
        players=("A", "B"),
        pawns=(0, at),
        cards=cards,
        turns=13,
        end=14,
        step=Step.USE,
        red=1,
        origin=at - 1,
        roll=roll,
        dice=dice,
    )


def test_who_wins_at_once_by_the_last_roll_or_never() -> None:
    # The seat has 21 of the 42 chips, and the large straight can only add to them.
    mine = (Card.FOUR_ALIKE, Card.FULL_HOUSE, Card.CHANCE, Card.ACES, Card.TWOS, Card.THREES)
    state = last_turn(mine, Card.LARGE_STRAIGHT, (2, 3, 4, 5, 6), 3)
    chances = win_chances(state)
    assert chances[Take(Card.LARGE_STRAIGHT)] == 1
    assert chances[Pass()] == 0.5
    hint = advice.hint(find_game("showdown"), state)
    assert hint is not None
    assert (hint.choice, hint.measure) == (Take(Card.LARGE_STRAIGHT), "game")


def test_a_throw_again_is_worth_the_chance_of_what_it_needs() -> None:
    mine = (Card.FOUR_ALIKE, Card.FULL_HOUSE, Card.CHANCE, Card.ACES, Card.TWOS)
    state = last_turn(mine, Card.LARGE_STRAIGHT, (2, 3, 4, 5, 5), 2)
    best = advice.hint(find_game("showdown"), state)
    assert best is not None
    # A one or a six is needed to have more than half of the chips.
    assert best.expects == pytest.approx(1 / 3, abs=1e-9)


def test_no_chance_before_the_last_card_is_placed() -> None:
    for state in decisions("showdown", 3, 4):
        assert bool(win_chances(state)) == state.in_showdown


@settings(max_examples=examples(3, 4))
@given(seed=st.integers(0, 10**6), players=st.integers(2, 4))
def test_chances_are_chances_and_the_best_beats_what_points_say(seed: int, players: int) -> None:
    states = [state for state in decisions("showdown", players, seed) if state.in_showdown]
    for state in Random(seed).sample(states, min(2, len(states))):
        chances, advised = win_chances(state), ShowdownSolver(showdown.GAME).hint(state)
        assert set(chances) == set(showdown.GAME.choices(state))
        assert all(-1e-9 <= chance <= 1 + 1e-9 for chance in chances.values())
        best = advice.hint(find_game("showdown"), state)
        assert best is not None
        assert advised is not None
        assert advised.choice is not None
        assert best.expects >= chances[advised.choice] - 1e-9
        assert win_chances(state) == chances


def test_who_has_left_is_no_opponent() -> None:
    states = [s for s in decisions("showdown", 3, 5) if s.seat == 0 and s.cards.count(None) < 8]
    state = next(s for s in states if any(c is not None and c.seat == 1 for c in s.cards))
    gone = showdown.GAME.apply(state, Left(1))
    before, after = Outlook.of(state), Outlook.of(gone)
    assert after.turns == pytest.approx(before.turns * 3 / 4)
    assert after.last_turns == before.last_turns - 1
    card = next(c for c in Card if (s := state.cards[c]) is not None and s.seat == 1)
    assert before.worth(card, state.cards[card]) < 0
    assert after.worth(card, state.cards[card]) == 0
    # Against the one opponent who remains, a card counts in full, as in a two-player game.
    two = Outlook(0, 2, after.turns, after.last_turns)
    mine = after.worth(Card.THREE_ALIKE, Stack(1, 2, 3))
    assert mine == two.worth(Card.THREE_ALIKE, Stack(1, 1, 3)) < 0

"""Turns of Free for All that can end the game, played to win; and players who have left."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games import free_for_all
from games.free_for_all import Card, Kind, Lying, State, Steal, Step, Take
from games.registry import find_game
from games.strategy import advice
from games.strategy.free_for_all import FreeForAllSolver
from games.strategy.free_for_all import hint as points
from games.strategy.free_for_all.ending import win_chances
from games.strategy.free_for_all.worth import worth_of_home
from games.values import Left, Pass
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

CENTRE = (Card(Kind.ONES, 1), Card(Kind.SIXES, 6), Card(Kind.CHANCE, 4))
DICE = (1, 1, 3, 4, 6)


def last_card(scores: tuple[int, int], chips: tuple[int, int, int]) -> State:
    """An empty deck: whatever is taken from the centre ends the game."""
    return free_for_all.GAME.position(
        players=("A", "B"),
        apart=(),
        deck=(),
        centre=CENTRE,
        chips=chips,
        banked_chips=scores,
        step=Step.USE,
        roll=3,
        dice=DICE,
    )


def test_who_leads_by_a_chip_ends_the_game_with_it() -> None:
    state = last_card((10, 11), (1, 2, 0))
    assert win_chances(state)[Take(1, CENTRE[1])] == 1
    assert win_chances(state)[Take(0, CENTRE[0])] == 0.5
    assert win_chances(state)[Take(2, CENTRE[2])] == 0
    hint = advice.hint(find_game("free-for-all"), state)
    assert hint is not None
    assert (hint.choice, hint.expects, hint.measure) == (Take(1, CENTRE[1]), 1, "game")


def test_who_is_far_behind_does_not_end_the_game() -> None:
    state = last_card((5, 11), (1, 2, 0))
    advised = FreeForAllSolver(free_for_all.GAME).hint(state)
    assert advised is not None
    assert isinstance(advised.choice, Take)
    hint = advice.hint(find_game("free-for-all"), state)
    assert hint is not None
    assert hint.choice == Pass()


@settings(max_examples=examples(3, 4))
@given(seed=st.integers(0, 10**6), players=st.integers(2, 4))
def test_chances_are_chances_where_the_game_can_end(seed: int, players: int) -> None:
    states = list(decisions("free-for-all", players, seed))
    for state in Random(seed).sample(states, 4):
        chances, advised = win_chances(state), FreeForAllSolver(free_for_all.GAME).hint(state)
        assert bool(chances) == (not state.deck or state.pile < 3)
        assert all(0 <= chance <= 1 for chance in chances.values())
        if chances and advised is not None and advised.choice is not None:
            best = advice.hint(find_game("free-for-all"), state)
            assert best is not None
            assert best.expects >= chances[advised.choice] - 1e-9


def test_who_has_left_is_no_opponent() -> None:
    lying = Lying(Card(Kind.FOURS, 4), (4, 1, 2, 3, 3))
    state = free_for_all.GAME.position(
        players=("A", "B", "C"),
        apart=(),
        deck=CENTRE,
        centre=CENTRE,
        homes=((None, None), (lying, None), (lying, None)),
        step=Step.USE,
        roll=3,
        dice=(4, 4, 1, 1, 2),
    )
    weighed = points.weigh(state)
    one, other = Steal(1, 0, lying.card), Steal(2, 0, lying.card)
    gone = replace(state, out=(1,))
    assert gone.players == free_for_all.GAME.apply(state, Left(1)).players
    without = points.weigh(gone)
    # Stealing from one who has left denies nobody the card; the other is the only opponent now.
    assert without[one] < without[other]
    assert without[other] - without[one] > weighed[other] - weighed[one]
    # One opponent fewer, and one turn fewer in which the card can be stolen.
    assert points.worth_at_home(state, 0, (lying,)) == worth_of_home((lying,), 2, state)
    assert points.worth_at_home(gone, 0, (lying,)) == worth_of_home((lying,), 1, gone)
    assert points.worth_at_home(gone, 1) == 0

"""Whatever a game asks a player, there is a hint, and the rules allow it."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import free_for_all
from games.game import Game
from games.registry import GAMES, find_game
from games.strategy import advice
from games.strategy.advice import NoSolver
from games.strategy.boxes import BoxSolver
from games.strategy.computer import decision
from games.strategy.expectimax import Expectimax
from games.strategy.free_for_all import FreeForAllSolver
from games.strategy.holdem import HoldemSolver
from games.strategy.power import PowerSolver
from games.strategy.showdown import ShowdownSolver
from games.strategy.solver import Solver
from games.values import Keep, OptionValue, Rolled
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

OPTIONS: dict[str, dict[str, tuple[OptionValue, ...]]] = {
    "free-for-all": {"deck": ("virtual", "table")},
    "showdown": {"showdown_raise_continues": (False, True)},
    "holdem": {"flop_again": ("always", "never"), "stack": (50, 300)},
}

SOLVERS: dict[str, type[Solver[Any]]] = {
    "classic": BoxSolver,
    "free-for-all": FreeForAllSolver,
    "holdem": HoldemSolver,
    "power": PowerSolver,
    "showdown": ShowdownSolver,
    "yatzy": BoxSolver,
}


def test_every_game_has_its_solver() -> None:
    assert {name: type(advice.find_solver(game)) for name, game in GAMES.items()} == SOLVERS
    assert advice.find_solver(GAMES["classic"]) is advice.find_solver(GAMES["classic"])


def test_a_game_may_still_be_given_by_its_name() -> None:
    game = GAMES["classic"]
    state = game.apply(game.start(["ANNA"], {}), Rolled((6, 6, 6, 5, 5)))
    asked: tuple[Callable[[Any], Any], ...] = (
        lambda which: advice.hint(which, state),
        lambda which: advice.weigh(which, state),
        lambda which: advice.best_of(which, state, [Keep(())]),
        lambda which: decision(which, state, "1"),
    )
    for ask in asked:
        with pytest.warns(DeprecationWarning, match=r"such as find_game\('classic'\)"):
            assert ask("classic") == ask(game)


@pytest.fixture
def solved_by() -> Callable[[str], Game[Any]]:
    """Makes a game that names this solver."""
    return lambda solver: replace(find_game("yatzy"), name="another", solver=solver)


def test_a_game_that_names_no_solver_has_that_of_all_games(
    solved_by: Callable[[str], Game[Any]],
) -> None:
    assert type(advice.find_solver(solved_by(""))) is Expectimax


@pytest.mark.parametrize(
    ("solver", "found"),
    [
        ("no_such.module:SOLVER", "found No module named 'no_such'"),
        ("games.yatzy:SOLVER", "found module 'games.yatzy' has no attribute 'SOLVER'"),
        ("games.yatzy:GAME", "expected a subclass of Solver as 'games.yatzy:GAME', found"),
    ],
)
def test_what_is_no_solver_is_named(
    solved_by: Callable[[str], Game[Any]], solver: str, found: str
) -> None:
    with pytest.raises(NoSolver, match=found):
        advice.find_solver(solved_by(solver))


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=examples(3, 8))
@given(data=st.data())
def test_a_hint_exists_and_is_legal(game: str, data: st.DataObject) -> None:
    rules = find_game(game)
    seed = data.draw(st.integers(0, 10**6))
    players = data.draw(st.integers(rules.min_players, rules.max_players))
    options = {k: data.draw(st.sampled_from(v)) for k, v in OPTIONS.get(game, {}).items()}
    # The first part of a long game has everything that the rest has.
    states = list(decisions(game, players, seed, options, events=1000))
    for state in Random(seed).sample(states, min(5, len(states))):
        advised = advice.hint(rules, state)
        if isinstance(state, free_for_all.State) and state.step is free_for_all.Step.TURN_UP:
            # The players say what lies on the table: nobody can advise that.
            assert advised is None
            continue
        assert advised is not None
        choices = rules.choices(state)
        assert advised.choice in choices if advised.choice is not None else advised.odds
        assert advised.expects == advised.expects


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_hint_where_nobody_chooses(game: str) -> None:
    rules = find_game(game)
    state = rules.start(("A", "B"), {"dealer": "roll-off"} if game == "holdem" else {})
    assert advice.hint(rules, state) is None

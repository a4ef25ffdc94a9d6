"""Whatever a game asks a player, there is a hint, and the rules allow it."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import free_for_all
from games.registry import GAMES, find_game
from games.strategy import advice
from games.strategy.classic import solver as classic_solver
from games.strategy.free_for_all import solver as free_for_all_solver
from games.strategy.holdem import solver as holdem_solver
from games.strategy.power import solver as power_solver
from games.strategy.showdown import solver as showdown_solver
from games.strategy.solver import Solver
from games.strategy.yatzy import solver as yatzy_solver
from games.values import OptionValue
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

OPTIONS: dict[str, dict[str, tuple[OptionValue, ...]]] = {
    "free-for-all": {"deck": ("virtual", "table")},
    "showdown": {"showdown_raise_continues": (False, True)},
    "holdem": {"flop_again": ("always", "never"), "stack": (50, 300)},
}

SOLVERS: dict[str, Solver[Any]] = {
    "classic": classic_solver,
    "free-for-all": free_for_all_solver,
    "holdem": holdem_solver,
    "power": power_solver,
    "showdown": showdown_solver,
    "yatzy": yatzy_solver,
}
"""Each module has all that the protocol asks for: mypy would say so here."""


def test_every_game_has_its_solver() -> None:
    assert {game: advice.find_solver(game) for game in GAMES} == SOLVERS
    assert advice.find_solver("nobody-plays-this") is None


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
        advised = advice.hint(game, state)
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
    assert advice.hint(game, state) is None

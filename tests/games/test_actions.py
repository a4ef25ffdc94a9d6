"""Actions: named and numbered alike in every state of a game."""

from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.actions import action_number, actions, distinct_choices, legal_actions
from games.chance import random_event
from games.game import Game
from games.notation.events import event_from_text
from games.registry import GAMES, find_game
from games.values import Choose, Keep, Rolled, RulesError
from tests.rigs.examples import examples

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@games
@settings(max_examples=examples(5, 10))
@given(seed=st.integers(0, 2**32 - 1))
def test_every_choice_of_a_player_is_one_action_of_its_own(game: Game[Any], seed: int) -> None:
    random = Random(seed)
    players = "ABCDEF"[: random.randint(game.min_players, game.max_players)]
    options = {name: random.choice(values) for name, values in game.options.items()}
    options = {n: v for n, v in options.items() if not (isinstance(v, int) and v >= len(players))}
    state = game.start(list(players), options)
    for _ in range(100):
        ask = game.ask(state)
        if isinstance(ask, Choose) and not ask.reported and type(ask) is Choose:
            distinct = distinct_choices(game, state)
            assert set(distinct) <= set(game.choices(state))
            legal = legal_actions(game, state)
            assert list(legal.values()) == list(distinct)
            assert all(0 <= number < len(actions(game)) for number in legal)
        event = random_event(game, state, random)
        if event is None:
            break
        state = game.apply(state, event)


@games
def test_no_two_actions_have_the_same_name(game: Game[Any]) -> None:
    assert len(set(actions(game))) == len(actions(game)) > 0


# Programs that have learnt to play by these numbers would play nonsense if they changed.
@pytest.mark.parametrize(
    ("game", "count", "digest"),
    [
        ("classic", 57, "d72607c2a5c8"),
        ("power", 98, "5da4ab06356e"),
        ("showdown", 70, "b99853b1a003"),
        ("free-for-all", 156, "bad8bc950307"),
        ("holdem", 20, "208c1264f5b0"),
        ("yatzy", 46, "12ca200f6c33"),
    ],
)
def test_numbers_never_change(game: str, count: int, digest: str) -> None:
    named = actions(find_game(game))
    assert len(named) == count
    assert sha256("\n".join(named).encode()).hexdigest().startswith(digest)


def test_dice_that_show_the_same_are_kept_in_one_way() -> None:
    game = find_game("classic")
    state = game.apply(game.start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))
    holds = [choice for choice in distinct_choices(game, state) if isinstance(choice, Keep)]
    assert len(holds) == 4 * 3 - 1
    assert Keep((0, 1)) in holds
    assert Keep((1, 2)) not in holds


def test_a_power_die_is_no_numbered_die() -> None:
    game = find_game("power")
    state = game.apply(game.start(["ANNA"], {}), event_from_text(game, "roll 1 1 1 1 1 x1"))
    holds = {choice for choice in distinct_choices(game, state) if isinstance(choice, Keep)}
    assert {Keep((0,)), Keep((5,))} <= holds
    assert len(holds) == 6 * 2 - 1


def test_a_throw_is_no_action() -> None:
    with pytest.raises(RulesError, match="expected an action of classic, got 'roll 3 3 3 5 5'"):
        action_number(find_game("classic"), Rolled((3, 3, 3, 5, 5)))

"""The decisions of a computer player: it follows the hints of the game, more or less strictly.

The strongest does what the hint says. The others take a choice worth `loss` less than the best one
with a chance proportional to exp(-loss / softness), drawn from the position: the same position
brings the same decision, even after an undo or a power cut. Of the hidden dice it knows only its
own.
"""

from collections.abc import Mapping
from math import exp
from random import Random
from typing import Any

from games.computers import Strength, strength_of
from games.game import Game
from games.holdem.course import computer_pocket
from games.holdem.state import Check, Fold
from games.holdem.state import State as HoldemState
from games.strategy import advice
from games.values import Choice, Event, Reveal, Shown

FUN_SOFTNESS_FACTOR = 4.0
"""How much softer it is when it plays for fun."""


def weigh(game: Game[Any], state: Any, seed: str) -> Mapping[Choice, float]:
    """The worth of each choice to the seat that is asked, given the hidden dice that it knows."""
    if isinstance(state, HoldemState):
        queue = state.betting.queue
        bets = advice.bets(state, computer_pocket(seed, state, queue[0])) if queue else {}
        # Nobody folds who can check for free.
        return {bet: worth for bet, worth in bets.items() if bet != Fold() or Check() not in bets}
    return advice.weigh(game, state)[0]


def decision(game: Game[Any] | str, state: Any, seed: str) -> Event:
    """A computer's answer when asked to choose, or to show its dice (by the game's seed).

    Args:
        game: the game; its name works for one release more, with a warning.
        state: a state of it.
        seed: what chance follows from.
    """
    rules = advice.game_of(game)
    asked = rules.ask(state)
    assert asked is not None
    if isinstance(asked, Reveal):
        return Shown(computer_pocket(seed, state, asked.seat))
    strength = strength_of(state.players[asked.seat]) or Strength.BEST
    choices = rules.choices(state)
    follows = strength is Strength.BEST or len(choices) == 1
    hint = advice.best_move(rules, state) if follows else None
    if hint is not None and hint.choice is not None:
        return hint.choice
    weighed = weigh(rules, state, seed) or dict.fromkeys(choices, 0.0)
    most = max(weighed.values())
    if strength is Strength.BEST:
        return max(weighed, key=lambda choice: weighed[choice])
    softness = advice.find_solver(rules).softness(weighed)
    if strength is Strength.FUN:
        softness *= FUN_SOFTNESS_FACTOR
    likely = [exp((worth - most) / softness) for worth in weighed.values()]
    chance = Random(f"{seed} {strength} {rules.position_to_text(state)}")
    return chance.choices(list(weighed), likely)[0]

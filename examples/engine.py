"""An engine plays ours: a stranger's player, who sees numbered actions only, against a computer."""

from random import Random
from typing import Any

import dicetray

game, chance = dicetray.find_game("yatzy"), Random(7)


def greedy(state: Any) -> dicetray.Choice:
    """Takes whatever scores most at once."""
    legal = dicetray.legal_actions(game, state)
    points = {number: game.preview(state, choice) for number, choice in legal.items()}
    return legal[max(legal, key=lambda number: gain.points if (gain := points[number]) else -1)]


state = game.start(["GREEDY", dicetray.computer_name(dicetray.Strength.WELL, ())], {"first": 0})
while not (outcome := game.outcome(state)):
    ask = game.ask(state)
    if isinstance(ask, dicetray.Throw):
        state = game.apply(state, dicetray.throw(ask.dice, chance))
    elif ask and ask.seat == 0:
        state = game.apply(state, greedy(state))
    else:
        state = game.apply(state, dicetray.decision(game, state, seed="7"))
print(*game.describe(state), sep="\n")

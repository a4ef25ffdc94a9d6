"""A tournament: computers of three strengths play Classic, everybody against everybody, twice."""

from itertools import permutations
from random import Random

import dicetray

game = dicetray.find_game("classic")
wins = dict.fromkeys(dicetray.Strength, 0.0)
for number, pair in enumerate(permutations(dicetray.Strength, 2)):
    players = [dicetray.computer_name(strength, ()) for strength in pair]
    state, chance = game.start(players, {"first": 0}), Random(number)
    while not (outcome := game.outcome(state)):
        ask = game.ask(state)
        if isinstance(ask, dicetray.Throw):
            state = game.apply(state, dicetray.throw(ask.dice, chance))
        else:
            state = game.apply(state, dicetray.decision(game, state, str(number)))
    print(*players, *outcome.scores)
    for seat in outcome.winners:
        wins[pair[seat]] += 1 / len(outcome.winners)
print(*(f"{strength}: {won:g}" for strength, won in wins.items()), sep=", ")

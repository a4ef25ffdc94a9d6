"""Counts of choices in random play, for tests and benchmarks."""

from collections.abc import Sequence
from random import Random
from typing import Any

from games.chance import random_event
from games.game import Game
from games.values import Options


def choice_counts(
    game: Game[Any], players: Sequence[str], options: Options, random: Random
) -> list[int]:
    """The number of legal choices at every choice of a random game.

    As with the perft counts of chess programs, a fixed seed gives a fixed list as long as choices,
    their order and the course of the game stay the same.
    """
    state = game.start(players, options)
    counts = []
    while (event := random_event(game, state, random)) is not None:
        if choices := game.choices(state):
            counts.append(len(choices))
        state = game.apply(state, event)
    return counts

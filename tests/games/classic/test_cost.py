"""The cost of asking for the legal choices, counted in calls, which no other work slows down."""

import sys
from pathlib import Path
from random import Random
from types import FrameType

from games import classic
from games.chance import random_event
from games.classic import State

RULES = str(Path(classic.__file__).parents[1])
GAMES = 60
MOST_CALLS = 12
"""Functions of the rules that `choices` may enter for a roll that it has met before."""


def asked_to_choose(seed: int) -> list[State]:
    """The states of a random game in which a player must choose."""
    random, found = Random(seed), []
    state = classic.GAME.start(["A"], {})
    while (event := random_event(classic.GAME, state, random)) is not None:
        if classic.GAME.choices(state):
            found.append(state)
        state = classic.GAME.apply(state, event)
    return found


def calls(state: State) -> int:
    """How often functions and generators of the rules are entered for the choices of a state."""
    entered = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal entered
        entered += event == "call" and frame.f_code.co_filename.startswith(RULES)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        classic.GAME.choices(state)
    finally:
        sys.setprofile(before)
    return entered


def test_choices_met_before_are_looked_up_not_made_again() -> None:
    states = [state for seed in range(GAMES) for state in asked_to_choose(seed)]
    assert len(states) > 1500
    assert 0 < max(map(calls, states)) <= MOST_CALLS

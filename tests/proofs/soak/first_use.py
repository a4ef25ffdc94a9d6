"""Uses in advance what play loads and keeps on first use, before anything is judged.

The first hint for a game imports its solver and reads its table, and what it works out fills caches
of bounded size. Players ask so rarely that within an hour this would look like growth.
"""

from random import Random

from games.chance import random_event
from games.registry import find_game
from games.strategy.advice import hint
from tests.rigs.proof.games import SETUPS

HINTS = 400
"""This many for each game fill what an hour of play can fill."""


def ask_for_hints(random: Random, each: int = HINTS) -> None:
    """Asks for at least this many hints for each game, in games played at random."""
    for name, setups in SETUPS.items():
        rules, asked = find_game(name), 0
        while asked < each:
            setup = random.choice(setups)
            state = rules.start(setup.players, dict(setup.options))
            while (event := random_event(rules, state, random)) is not None:
                asked += hint(rules, state) is not None
                state = rules.apply(state, event)

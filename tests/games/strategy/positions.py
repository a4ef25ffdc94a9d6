"""States of any game with a decision to make, from random play; what holds for a hint there."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

from games.chance import random_event
from games.dice import rolls
from games.game import Game
from games.registry import find_game
from games.values import Choose, Draw, Hint, Keep, OptionValue, Rolled


def decisions(
    game: str,
    players: int,
    seed: int,
    options: Mapping[str, OptionValue] | None = None,
    events: int = 3000,
) -> Iterator[Any]:
    """The states in which a player must choose, from a random game of at most `events` events."""
    rules, random = find_game(game), Random(seed)
    state = rules.start(tuple("ABCDEF"[:players]), dict(options or {}))
    for _ in range(events):
        asked = rules.ask(state)
        if asked is None:
            return
        if isinstance(asked, Choose) and not isinstance(asked, Draw):
            yield state
        event = random_event(rules, state, random)
        assert event is not None
        state = rules.apply(state, event)


def check_hold(game: Game[Any], state: Any, hint: Callable[[Any], Hint | None]) -> None:
    """A hold is worth the mean of what can follow; what is advised instead is worth no less."""
    advised = hint(state)
    assert advised is not None
    keep = advised.choice if isinstance(advised.choice, Keep) else Keep((0, 1, 2))
    held = game.apply(state, keep)
    total = ways = 0.0
    for faces, count in rolls(5 - len(keep.slots)):
        after = hint(game.apply(held, Rolled(faces)))
        assert after is not None
        total += count * after.expects
        ways += count
    if keep == advised.choice:
        assert advised.expects == pytest.approx(total / ways)
    else:
        assert advised.expects >= total / ways - 1e-9

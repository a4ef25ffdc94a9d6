"""States of any game with a decision to make, from random play."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from appliance.rules.game import Choose, Draw, OptionValue
from appliance.rules.registry import find
from appliance.strategy.random_play import random_event


def decisions(
    game: str,
    players: int,
    seed: int,
    options: Mapping[str, OptionValue] | None = None,
    events: int = 3000,
) -> Iterator[Any]:
    """The states of a random game in which a player must choose, at most so many events long."""
    rules, random = find(game), Random(seed)
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

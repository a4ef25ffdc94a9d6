"""The best thing to do in any state of any game: the one door to the solvers of this room."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from appliance.strategy.hint import Hint

_SOLVERS: Mapping[str, str] = {
    "classic": "classic.hint",
    "power": "power.hint",
    "showdown": "showdown.hint",
    "free-for-all": "free_for_all.hint",
    "holdem": "holdem.hint",
}
"""The module of this package that knows each game; its function `hint` takes a state."""


def hint(game: str, state: Any) -> Hint | None:
    """The best choice for the seat that is asked, with what may be expected of it.

    Solvers are imported with the first hint of their game, so that a start does not wait for them.

    Args:
        game: the game's name in the registry of the rules.
        state: its state.

    Returns:
        None where the rules ask for no choice, and for a game that nobody has a solver for.
    """
    if game not in _SOLVERS:
        return None
    module = import_module(f"appliance.strategy.{_SOLVERS[game]}")
    solver: Callable[[Any], Hint | None] = module.hint
    return solver(state)

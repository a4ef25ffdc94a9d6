"""The best thing to do in any state of any game: the one door to the solvers of this room."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from appliance.rules.game import Choice, Hint, Measure
from appliance.rules.registry import find


def hint(game: str, state: Any) -> Hint | None:
    """The best choice for the seat that is asked, with what may be expected of it.

    A game is asked itself; else a solver of this room, which is imported with the first hint, so
    that a start does not wait for it.

    Args:
        game: the game's name in the registry of the rules.
        state: its state.

    Returns:
        None where the rules ask for no choice, and for a game that nobody has a solver for.
    """
    own = find(game).hint(state)
    solver = _solver(game) if own is None else None
    found: Hint | None = own if solver is None else solver.hint(state)
    return found


def weigh(game: str, state: Any) -> tuple[Mapping[Choice, float], Measure]:
    """What may be expected of each choice, in units of the measure; empty where nobody can say."""
    solver = _solver(game)
    if solver is None or not hasattr(solver, "weigh"):
        return {}, Measure.TOTAL
    return solver.weigh(state), solver.MEASURE


@cache
def _solver(game: str) -> Any:
    """The module with `hint` in the game's folder in this room, if there is one."""
    folder = f"{__package__}.{game.replace('-', '_')}"
    return None if find_spec(folder) is None else import_module(f"{folder}.hint")

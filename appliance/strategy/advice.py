"""The best thing to do in any state of any game: the one way into the solvers of this room."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from appliance.rules.game import Choice, Hint, Measure
from appliance.rules.registry import find


def hint(game: str, state: Any) -> Hint | None:
    """The best choice for the seat that is asked, with what may be expected of it.

    The game itself is asked first, then a solver of this room, which is imported with the first
    hint so that a start does not wait for it. Near the end of a game of several players the best
    choice is the one with the best chance to win, else the one worth most points. None where the
    rules ask for no choice, and for a game (a name in their registry) that nobody has a solver for.
    """
    own = find(game).hint(state)
    solver = _part(game, "hint") if own is None else None
    if solver is None:
        return own
    if chances := win_chances(game, state):
        worth = solver.weigh(state)
        # Among choices equally likely to win, as far as that is known, points decide.
        least = max(chances.values()) - getattr(_part(game, "ending"), "CHANCE_ERROR", 1e-6)
        best = max((c for c in chances if chances[c] >= least), key=lambda c: worth.get(c, 0))
        return Hint(best, chances[best], Measure.GAME)
    found: Hint | None = solver.hint(state)
    return found


def weigh(game: str, state: Any) -> tuple[Mapping[Choice, float], Measure]:
    """What may be expected of each choice, in units of the measure; empty where that is unknown."""
    solver = _part(game, "hint")
    if solver is None or not hasattr(solver, "weigh"):
        return {}, Measure.TOTAL
    return solver.weigh(state), solver.MEASURE


def win_chances(game: str, state: Any) -> Mapping[Choice, float]:
    """The chance to win after each choice; empty except near the end of a game of several."""
    ending = _part(game, "ending")
    found: Mapping[Choice, float] = {} if ending is None else ending.win_chances(state)
    return found


def bets(state: Any, pocket: Any) -> Mapping[Choice, float]:
    """What each bet of Hold'em brings in chips to the seat that speaks, if it holds this pocket."""
    advising = _part("holdem", "advising")
    at = advising.place(pocket)
    return {act: float(worth[at]) for act, worth in advising.weigh(state).items()}


def expected_total(game: str, state: Any, seat: int) -> float | None:
    """The final total expected of a seat's sheet between turns; None if nobody knows."""
    solver = _part(game, "hint")
    known = hasattr(solver, "expected_total")
    return solver.expected_total(state.sheets[seat]) if known else None


@cache
def _part(game: str, name: str) -> Any:
    """The module of this name in the game's folder in this room, if there is one."""
    folder = f"{__package__}.{game.replace('-', '_')}"
    found = find_spec(folder) is not None and find_spec(f"{folder}.{name}") is not None
    return import_module(f"{folder}.{name}") if found else None

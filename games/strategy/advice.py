"""The best thing to do in any state of any game: the one way into the solvers of this room.

States are of the game that is named, as its rules in the registry have them.
"""

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from games.game import Game
from games.holdem.state import Pocket
from games.holdem.state import State as HoldemState
from games.registry import find_game
from games.strategy.solver import Solver
from games.values import Choice, Hint, Measure


def hint(game: str, state: Any) -> Hint | None:
    """The best choice for the seat that is asked, with what may be expected of it.

    The game itself is asked first, then its solver. Near the end of a game of several players the
    best choice is the one with the best chance to win, else the one worth most points. None where
    the rules ask for no choice, and for a game that nobody has a solver for.
    """
    own = find_game(game).hint(state)
    if own is not None:
        return own
    solver = find_solver(game)
    if solver is None:
        return None
    if chances := solver.win_chances(state):
        worth = solver.weigh(state)
        # Among choices equally likely to win, as far as that is known, points decide.
        least = max(chances.values()) - solver.CHANCE_ERROR
        best = max((c for c in chances if chances[c] >= least), key=lambda c: worth.get(c, 0))
        return Hint(best, chances[best], Measure.GAME)
    return solver.hint(state)


def best_of(game: str, state: Any, choices: Collection[Choice]) -> Choice | None:
    """The best of some choices, such as all but to throw again; None where nobody knows."""
    best = hint(game, state)
    if best is not None and best.choice in choices:
        return best.choice
    worth, _ = weigh(game, state)
    known = [choice for choice in choices if choice in worth]
    return max(known, key=lambda choice: worth[choice], default=None)


def weigh(game: str, state: Any) -> tuple[Mapping[Choice, float], Measure]:
    """The expected value of each choice, in units of the measure; empty where that is unknown.

    For a game without a solver only what scores at once is weighed, by its points, and what the
    game's own hint advises, which is worth at least as much as the best of these.
    """
    solver = find_solver(game)
    if solver is None:
        return _weigh_by_points(find_game(game), state), Measure.GAIN
    return solver.weigh(state), solver.MEASURE


def _weigh_by_points(game: Game[Any], state: Any) -> Mapping[Choice, float]:
    worth = {
        choice: float(points.points)
        for choice in game.choices(state)
        if (points := game.preview(state, choice)) is not None
    }
    own = game.hint(state)
    if own is not None and own.choice is not None:
        expects = own.expects if own.measure is Measure.GAIN else 0.0
        worth[own.choice] = max(expects, *worth.values(), 0.0)
    return worth


def bets(state: HoldemState, pocket: Pocket) -> Mapping[Choice, float]:
    """The chips that each bet of Hold'em brings the seat that speaks, if it holds this pocket."""
    # A start does not wait for it, as for the solvers.
    from games.strategy.holdem import advising

    at = advising.pocket_index(pocket)
    return {act: float(worth[at]) for act, worth in advising.weigh(state).items()}


def expected_total(game: str, state: Any, seat: int) -> float | None:
    """The final total expected of a seat's sheet between turns; None if nobody knows."""
    solver = find_solver(game)
    return None if solver is None else solver.expected_total(state, seat)


@cache
def find_solver(game: str) -> Solver[Any] | None:
    """The solver in the game's folder in this room, if there is one.

    It is imported with the first hint, so that a start does not wait for it.
    """
    folder = f"{__package__}.{game.replace('-', '_')}"
    if find_spec(folder) is None:
        return None
    return cast("Solver[Any]", import_module(f"{folder}.solver"))

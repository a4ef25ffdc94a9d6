"""The best thing to do in any state of any game: the one way into the solvers of this room.

States are of the game that is given with them.
"""

import warnings
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from games.game import Game
from games.registry import find_game
from games.strategy.solver import Solver, reason_by_chance
from games.values import Choice, Hint, Measure, RulesError

if TYPE_CHECKING:
    from games.holdem.state import Pocket
    from games.holdem.state import State as HoldemState


class NoSolver(RulesError):
    """What a game names as its solver is none."""


def hint(game: Game[Any] | str, state: Any) -> Hint | None:
    """The best choice for the seat that is asked, with what may be expected of it, and why.

    The game itself is asked first, then its solver. Near the end of a game of several players the
    best choice is the one with the best chance to win, else the one worth most points. None where
    the rules ask for no choice, and where nobody knows.

    Args:
        game: the game; its name works for one release more, with a warning, here and below.
        state: a state of it.
    """
    rules = game_of(game)
    found = best_move(rules, state)
    if found is None or found.reason:
        return found
    if found.choice is None:
        return replace(found, reason="see-your-row")
    solver = find_solver(rules)
    reason = solver.reason(state, found.choice, solver.weigh(state))
    if found.measure is Measure.GAME:
        by_chance = reason_by_chance(found.choice, solver.win_chances(state))
        # Points beside a chance to win would be taken for a part of it.
        in_points = any(word[:1] in "+-" for word in reason.split())
        reason = by_chance or ("points-decide" if in_points else reason)
    return replace(found, reason=reason)


def best_move(game: Game[Any], state: Any) -> Hint | None:
    """The hint without its reason, for players who do not ask."""
    own = game.hint(state)
    if own is not None:
        return own
    solver = find_solver(game)
    if chances := solver.win_chances(state):
        worth = solver.weigh(state)
        # Among choices equally likely to win, as far as that is known, points decide.
        least = max(chances.values()) - solver.chance_error
        best = max((c for c in chances if chances[c] >= least), key=lambda c: worth.get(c, 0))
        return Hint(best, chances[best], Measure.GAME)
    return solver.hint(state)


def best_of(game: Game[Any] | str, state: Any, choices: Collection[Choice]) -> Choice | None:
    """The best of some choices, such as all but to throw again; None where nobody knows."""
    rules = game_of(game)
    best = best_move(rules, state)
    if best is not None and best.choice in choices:
        return best.choice
    worth, _ = weigh(rules, state)
    known = [choice for choice in choices if choice in worth]
    return max(known, key=lambda choice: worth[choice], default=None)


def weigh(game: Game[Any] | str, state: Any) -> tuple[Mapping[Choice, float], Measure]:
    """The expected value of each choice, in units of the measure; empty where that is unknown.

    What a game's own hint advises is worth at least as much as the best of the others.
    """
    rules = game_of(game)
    solver = find_solver(rules)
    worth = solver.weigh(state)
    own = rules.hint(state)
    if own is None or own.choice is None or not worth:
        return worth, solver.measure
    expects = own.expects if own.measure is solver.measure else 0.0
    return {**worth, own.choice: max(expects, *worth.values())}, solver.measure


def bets(state: "HoldemState", pocket: "Pocket") -> Mapping[Choice, float]:
    """The chips that each bet of Hold'em brings the seat that speaks, if it holds this pocket."""
    # A start does not wait for it, as for the solvers.
    from games.strategy.holdem import advising

    at = advising.pocket_index(pocket)
    return {act: float(worth[at]) for act, worth in advising.weigh(state).items()}


def expected_total(game: Game[Any] | str, state: Any, seat: int) -> float | None:
    """The final total expected of a seat's sheet between turns; None if nobody knows."""
    return find_solver(game).expected_total(state, seat)


def game_of(game: Game[Any] | str) -> Game[Any]:
    """The game itself; by its name, it is found with a warning.

    Raises:
        UnknownGame: no game has this name.
    """
    if isinstance(game, Game):
        return game
    text = f"expected a game, such as find_game({game!r}); its name alone will not do in 2.0"
    warnings.warn(text, DeprecationWarning, stacklevel=3)
    return find_game(game)


def find_solver(game: Game[Any] | str) -> Solver[Any]:
    """The solver of a game: the one it names, else the one that plays any game.

    It is imported with the first hint, so that a start does not wait for it.

    Raises:
        NoSolver: what the game names is no solver, or not there.
    """
    return _solver_of(game_of(game))


@cache
def _solver_of(game: Game[Any]) -> Solver[Any]:
    module, _, name = (game.solver or "games.strategy.expectimax:Expectimax").partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise NoSolver(
            f"expected the solver {game.solver!r} of {game.name}, found {error}"
        ) from error
    if not isinstance(found, type) or not issubclass(found, Solver):
        raise NoSolver(f"expected a subclass of Solver as {game.solver!r}, found {found!r}")
    return found(game)

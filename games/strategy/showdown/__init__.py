"""Hints for Showdown.

For example:

    from games.values import Rolled
    from games.showdown import GAME
    from games.strategy.showdown import ShowdownSolver

    moved = GAME.apply(GAME.start(["ANNA", "BOB"], {"first": 0}), Rolled((1,)))
    print(ShowdownSolver(GAME).hint(GAME.apply(moved, Rolled((5, 5, 5, 2, 2)))))
"""

from collections.abc import Mapping

from games.showdown import State
from games.strategy.showdown import ending, hint
from games.strategy.solver import Solver
from games.values import Choice, Keep, Measure


class ShowdownSolver(Solver[State]):
    """The solver of Showdown."""

    measure = Measure.GAIN
    chance_error = ending.CHANCE_ERROR

    def weigh(self, state: State) -> Mapping[Choice, float]:
        """The gain of each choice by the end of the turn, by what cards will be worth."""
        return hint.weigh(state)

    def reason(self, state: State, choice: Choice, weighed: Mapping[Choice, float]) -> str:
        """What the dice are held for; or how much better a choice is."""
        aim = hint.aim(state, choice) if isinstance(choice, Keep) else ""
        return f"for {aim}" if aim else super().reason(state, choice, weighed)

    def win_chances(self, state: State) -> Mapping[Choice, float]:
        """The chance to win after each choice in the Showdown round."""
        return ending.win_chances(state)

    def softness(self, weighed: Mapping[Choice, float]) -> float:
        """Two chips."""
        return 2.0

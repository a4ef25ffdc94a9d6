"""Hints for Free for All.

For example:

    from games.record import position_from_text
    from games.strategy.free_for_all import FreeForAllSolver

    game, state = position_from_text(line)  # the last line of `dicetray replay`
    print(FreeForAllSolver(game).hint(state))
"""

from collections.abc import Mapping

from games.free_for_all import State
from games.strategy.free_for_all import ending, hint
from games.strategy.solver import Solver
from games.values import Choice, Keep, Measure


class FreeForAllSolver(Solver[State]):
    """The solver of Free for All; nobody chooses while a card must be turned up."""

    measure = Measure.GAIN

    def weigh(self, state: State) -> Mapping[Choice, float]:
        """The gain of each choice."""
        return hint.weigh(state)

    def reason(self, state: State, choice: Choice, weighed: Mapping[Choice, float]) -> str:
        """What the dice are held for; or how much better a choice is."""
        aim = hint.aim(state, choice) if isinstance(choice, Keep) else ""
        return f"for {aim}" if aim else super().reason(state, choice, weighed)

    def win_chances(self, state: State) -> Mapping[Choice, float]:
        """The chance to win after each choice in a turn that can end the game."""
        return ending.win_chances(state)

    def softness(self, weighed: Mapping[Choice, float]) -> float:
        """Cards have 1 to 6 points."""
        return 0.3

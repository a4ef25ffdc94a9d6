"""Hints for Power.

For example:

    from games.values import Rolled
    from games.power import GAME
    from games.strategy.power import PowerSolver

    state = GAME.apply(GAME.start(["ANNA"], {}), Rolled((4, 4, 4, 4, 6, "double")))
    print(PowerSolver(GAME).hint(state))
"""

from collections.abc import Mapping

from games.power import State
from games.strategy.power import ending, hint
from games.strategy.solver import Solver
from games.values import Choice, Keep


class PowerSolver(Solver[State]):
    """The solver of Power."""

    def weigh(self, state: State) -> Mapping[Choice, float]:
        """The expected grand total after each choice."""
        return hint.weigh(state)

    def reason(self, state: State, choice: Choice, weighed: Mapping[Choice, float]) -> str:
        """What the dice are held for; or how much better a choice is."""
        aim = hint.aim(state, choice) if isinstance(choice, Keep) else ""
        return f"for {aim}" if aim else super().reason(state, choice, weighed)

    def win_chances(self, state: State) -> Mapping[Choice, float]:
        """The chance to win after each choice in a last turn."""
        return ending.win_chances(state)

    def expected_total(self, state: State, seat: int) -> float:
        """The expected grand total of a seat before its next turn."""
        return hint.expected_total(state.sheets[seat])

    def softness(self, weighed: Mapping[Choice, float]) -> float:
        """Three points of some 600."""
        return 3.0

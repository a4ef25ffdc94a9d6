"""Hints for Hold'em: odds.

For example:

    from games.holdem import GAME
    from games.strategy.holdem import HoldemSolver

    for row in HoldemSolver(GAME).hint(GAME.start(["ANNA", "BOB"], {})).odds:
        print(row.key, row.win)
"""

from collections.abc import Mapping

from games.holdem import State
from games.strategy.holdem import hint
from games.strategy.solver import Solver
from games.values import Choice, Hint


class HoldemSolver(Solver[State]):
    """The solver of Hold'em.

    What single bets bring depends on the hidden dice, which no state has: `advising` weighs them.
    """

    def hint(self, state: State) -> Hint | None:
        """The odds while bets are made, the chance of the shown dice at the showdown."""
        return hint.hint(state)

    def softness(self, weighed: Mapping[Choice, float]) -> float:
        """Six chips of 300."""
        return 6.0

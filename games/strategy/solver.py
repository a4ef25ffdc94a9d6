"""A solver: what it answers, and what it answers by default.

A game names the class of its solver in `Game.solver`; `advice` makes one value of it with the first
hint. A solver is a subclass with what it knows better, of the game's own state:

    class HighDiceSolver(Solver[State]):
        measure = Measure.GAIN

        def weigh(self, state: State) -> Mapping[Choice, float]:
            ...
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from games.game import Game, Played
from games.values import Choice, Hint, Measure

State = TypeVar("State", bound=Played)


def best_hint(weighed: Mapping[Choice, float], measure: Measure) -> Hint | None:
    """The hint for the choice worth most, the first of equals; None where there is no choice."""
    if not weighed:
        return None
    choice = max(weighed, key=lambda choice: weighed[choice])
    return Hint(choice, weighed[choice], measure)


class Solver(Generic[State]):
    """The best choices of one game, by its rules.

    Attributes:
        game: the game.
        measure: what `weigh` counts.
        chance_error: how far a chance of `win_chances` may be off; by default only by rounding.
    """

    measure: ClassVar[Measure] = Measure.TOTAL
    chance_error: ClassVar[float] = 1e-6

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def hint(self, state: State) -> Hint | None:
        """The best choice by `weigh`, the first of equals; odds where only the player can decide.

        None where nobody chooses.
        """
        return best_hint(self.weigh(state), self.measure)

    def weigh(self, state: State) -> Mapping[Choice, float]:
        """The expected value of each choice; empty where nobody chooses, or nobody knows."""
        return {}

    def win_chances(self, state: State) -> Mapping[Choice, float]:
        """The chance to win after each choice near the end of a game of several; else empty."""
        return {}

    def expected_total(self, state: State, seat: int) -> float | None:
        """The final total of a seat's sheet that may be expected between turns, if known."""
        return None

    def softness(self, weighed: Mapping[Choice, float]) -> float:
        """How much a computer that plays well hardly minds losing, in units of `measure`.

        Args:
            weighed: the choices it has, by `weigh`.
        """
        return 1.0

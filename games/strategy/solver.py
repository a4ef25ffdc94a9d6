"""The interface of a solver for `advice`: the module `solver` in the folder of a game satisfies it.

It gathers what the other modules there compute, as `classic/solver.py` does; what a game does not
have comes from `defaults`.
"""

from collections.abc import Mapping
from typing import Protocol, TypeVar

from games.values import Choice, Hint, Measure

State = TypeVar("State", contravariant=True)
"""The type that the game's rules call `State`."""


class Solver(Protocol[State]):
    """The best choices of one game, by its rules.

    Attributes:
        MEASURE: what `weigh` counts.
        CHANCE_ERROR: how far a chance of `win_chances` may be off.
    """

    MEASURE: Measure
    CHANCE_ERROR: float

    def hint(self, state: State) -> Hint | None:
        """The best choice by `weigh`, or odds where only the player can decide.

        None where nobody chooses.
        """

    def weigh(self, state: State) -> Mapping[Choice, float]:
        """The expected value of each choice; empty where nobody chooses, or nobody knows."""

    def win_chances(self, state: State) -> Mapping[Choice, float]:
        """The chance to win after each choice near the end of a game of several; else empty."""

    def expected_total(self, state: State, seat: int) -> float | None:
        """The final total of a seat's sheet that may be expected between turns, if known."""

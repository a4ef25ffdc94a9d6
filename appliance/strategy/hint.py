"""What a hint tells: plain values, so that the table and the screens need no solver to hold one."""

from dataclasses import dataclass
from enum import StrEnum

from appliance.rules.game import Choice


class Measure(StrEnum):
    """What the expectation of a hint counts; the word that the board shows beside it."""

    TOTAL = "TOTAL"
    """The player's final grand total."""
    GAIN = "POINTS"
    """Points that the turn brings, less the mean of what it brings the others."""
    WIN = "WIN"
    """The chance to win, from 0 to 1; a shared win counts by its share."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The chance to win for one who holds something that the board can name.

    Attributes:
        label: what the player would hold, at most ten capitals.
        win: the chance from 0 to 1.
    """

    label: str
    win: float


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do, and what may be expected of it.

    Attributes:
        choice: the best of the legal choices; None where only the player can judge, because the
            appliance knows less than the player does: then there are odds.
        expects: what may be expected if it is followed, in units of `measure`.
        measure: what `expects` counts.
        odds: chances by what the player may hold, best first.
    """

    choice: Choice | None
    expects: float
    measure: Measure
    odds: tuple[Odds, ...] = ()

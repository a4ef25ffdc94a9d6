"""Defaults for a game's solver: import them into its module `solver` under their own names.

from games.strategy.defaults import win_chances as win_chances
"""

from collections.abc import Mapping

from games.values import Choice, Measure

MEASURE = Measure.TOTAL
CHANCE_ERROR = 1e-6
"""Chances are exact but for rounding."""


def weigh(state: object) -> Mapping[Choice, float]:
    """Empty: what single choices bring is unknown."""
    return {}


def win_chances(state: object) -> Mapping[Choice, float]:
    """Empty: nobody plays for the win instead of points."""
    return {}


def expected_total(state: object, seat: int) -> float | None:
    """None: hints do not look beyond the turn."""
    return None

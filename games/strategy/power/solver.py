"""The solver of Power, as `advice` asks it."""

from games.power import State
from games.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from games.strategy.power import hint as power_hint
from games.strategy.power.ending import win_chances as win_chances
from games.strategy.power.hint import MEASURE as MEASURE
from games.strategy.power.hint import hint as hint
from games.strategy.power.hint import weigh as weigh


def expected_total(state: State, seat: int) -> float:
    """The expected grand total of a seat before its next turn."""
    return power_hint.expected_total(state.sheets[seat])

"""The solver of Power, as `advice` asks it."""

from appliance.rules.power.game import State
from appliance.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from appliance.strategy.power import hint as power_hint
from appliance.strategy.power.ending import win_chances as win_chances
from appliance.strategy.power.hint import MEASURE as MEASURE
from appliance.strategy.power.hint import hint as hint
from appliance.strategy.power.hint import weigh as weigh


def expected_total(state: State, seat: int) -> float:
    """The expected grand total of a seat before its next turn."""
    return power_hint.expected_total(state.sheets[seat])

"""The solver of Classic, as `advice` asks it."""

from appliance.rules.classic.game import State
from appliance.strategy.classic import hint as classic_hint
from appliance.strategy.classic.ending import win_chances as win_chances
from appliance.strategy.classic.hint import MEASURE as MEASURE
from appliance.strategy.classic.hint import hint as hint
from appliance.strategy.classic.hint import weigh as weigh
from appliance.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR


def expected_total(state: State, seat: int) -> float:
    """The expected grand total of a seat before its next turn."""
    return classic_hint.expected_total(state.sheets[seat])

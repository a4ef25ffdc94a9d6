"""The solver of Yatzy, as `advice` asks it."""

from appliance.rules.yatzy.game import State
from appliance.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from appliance.strategy.defaults import win_chances as win_chances
from appliance.strategy.yatzy.hint import MEASURE as MEASURE
from appliance.strategy.yatzy.hint import expected_sheet_total
from appliance.strategy.yatzy.hint import hint as hint
from appliance.strategy.yatzy.hint import weigh as weigh


def expected_total(state: State, seat: int) -> float:
    """The expected grand total of a seat before its next turn."""
    return expected_sheet_total(state.sheets[seat])

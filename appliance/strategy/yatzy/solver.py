"""The solver of Yatzy, as `advice` asks it."""

from appliance.strategy.box_hints import MEASURE as MEASURE
from appliance.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from appliance.strategy.defaults import win_chances as win_chances
from appliance.strategy.yatzy.hint import HINTS
from appliance.strategy.yatzy.hint import hint as hint
from appliance.strategy.yatzy.hint import weigh as weigh

expected_total = HINTS.expected_total

"""The solver of Classic, as `advice` asks it."""

from appliance.strategy.box_hints import MEASURE as MEASURE
from appliance.strategy.classic.ending import win_chances as win_chances
from appliance.strategy.classic.hint import HINTS
from appliance.strategy.classic.hint import hint as hint
from appliance.strategy.classic.hint import weigh as weigh
from appliance.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR

expected_total = HINTS.expected_total

"""The solver of Showdown, as `advice` asks it."""

from appliance.strategy.defaults import expected_total as expected_total
from appliance.strategy.showdown.ending import CHANCE_ERROR as CHANCE_ERROR
from appliance.strategy.showdown.ending import win_chances as win_chances
from appliance.strategy.showdown.hint import MEASURE as MEASURE
from appliance.strategy.showdown.hint import hint as hint
from appliance.strategy.showdown.hint import weigh as weigh

"""The solver of Free for All, as `advice` asks it."""

from appliance.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from appliance.strategy.defaults import expected_total as expected_total
from appliance.strategy.free_for_all.ending import win_chances as win_chances
from appliance.strategy.free_for_all.hint import MEASURE as MEASURE
from appliance.strategy.free_for_all.hint import hint as hint
from appliance.strategy.free_for_all.hint import weigh as weigh

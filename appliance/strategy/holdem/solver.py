"""The solver of Hold'em, as `advice` asks it.

What single bets bring depends on the hidden dice, which no state has: `advising` weighs them.
"""

from appliance.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from appliance.strategy.defaults import MEASURE as MEASURE
from appliance.strategy.defaults import expected_total as expected_total
from appliance.strategy.defaults import weigh as weigh
from appliance.strategy.defaults import win_chances as win_chances
from appliance.strategy.holdem.hint import hint as hint

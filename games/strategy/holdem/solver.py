"""The solver of Hold'em, as `advice` asks it.

What single bets bring depends on the hidden dice, which no state has: `advising` weighs them.
"""

from games.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from games.strategy.defaults import MEASURE as MEASURE
from games.strategy.defaults import expected_total as expected_total
from games.strategy.defaults import weigh as weigh
from games.strategy.defaults import win_chances as win_chances
from games.strategy.holdem.hint import hint as hint

"""The solver of Showdown, as `advice` asks it."""

from games.strategy.defaults import expected_total as expected_total
from games.strategy.showdown.ending import CHANCE_ERROR as CHANCE_ERROR
from games.strategy.showdown.ending import win_chances as win_chances
from games.strategy.showdown.hint import MEASURE as MEASURE
from games.strategy.showdown.hint import hint as hint
from games.strategy.showdown.hint import weigh as weigh

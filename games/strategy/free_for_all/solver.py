"""The solver of Free for All, as `advice` asks it."""

from games.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from games.strategy.defaults import expected_total as expected_total
from games.strategy.free_for_all.ending import win_chances as win_chances
from games.strategy.free_for_all.hint import MEASURE as MEASURE
from games.strategy.free_for_all.hint import hint as hint
from games.strategy.free_for_all.hint import weigh as weigh

"""The solver of Classic, as `advice` asks it."""

from games.strategy.box_hints import MEASURE as MEASURE
from games.strategy.classic.ending import win_chances as win_chances
from games.strategy.classic.hint import HINTS
from games.strategy.classic.hint import hint as hint
from games.strategy.classic.hint import weigh as weigh
from games.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR

expected_total = HINTS.expected_total

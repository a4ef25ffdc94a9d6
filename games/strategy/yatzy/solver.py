"""The solver of Yatzy, as `advice` asks it."""

from games.strategy.box_hints import MEASURE as MEASURE
from games.strategy.defaults import CHANCE_ERROR as CHANCE_ERROR
from games.strategy.defaults import win_chances as win_chances
from games.strategy.yatzy.hint import HINTS
from games.strategy.yatzy.hint import hint as hint
from games.strategy.yatzy.hint import weigh as weigh

expected_total = HINTS.expected_total

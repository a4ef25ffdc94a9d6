"""Power: twenty-one slots, five dice and the Power die; rules in `docs/rules/power.md`.

For example:

    from games.power import GAME, Score
    from games.values import Rolled

    state = GAME.apply(GAME.start(["ANNA"], {}), Rolled((4, 4, 4, 6, 6, "double")))
    print([choice.key for choice in GAME.choices(state) if isinstance(choice, Score)])
"""

from games.power.game import GAME as GAME
from games.power.sheet import CROSSED_SLOT as CROSSED_SLOT
from games.power.sheet import FilledSlot as FilledSlot
from games.power.sheet import Kind as Kind
from games.power.sheet import Sheet as Sheet
from games.power.sheet import Slot as Slot
from games.power.state import Cross as Cross
from games.power.state import Score as Score
from games.power.state import State as State

"""The last turn of Power, played to win: exact where the turn itself ends the game.

Where somebody else ends it after this turn, those who still have a turn are assumed to end up
spread by `LAST_TURN_DEVIATION` points around what their last turn is expected to bring. A Double
that fills the last two slots ends the game before that.
"""

import numpy as np

from games import power
from games.power import Sheet, State
from games.strategy.power.hint import (
    LAST_TURN,
    ToWin,
    choice_worths,
    is_last_turn,
    worth_of_throwing,
)
from games.strategy.turn import KEEP_INDEX, Floats
from games.strategy.winning import win_shares
from games.values import Choice, Choose

LAST_TURN_DEVIATION = 40
"""The standard deviation of what a last turn brings, in points, counted with 1 to 3 open slots."""
_SETTLED_DEVIATION = 0.1
"""That of a total that is final, as good as none."""
_FINAL_TOTALS = np.arange(4096)


def win_chances(state: State) -> dict[Choice, float]:
    """The chance to win after each choice in a last turn against others; else empty."""
    seat, seats = state.seat, len(state.players)
    ends = state.sheets[seat].open.bit_count() == 1 or is_last_turn(state)
    if len(state.stay) < 2 or not ends or not isinstance(power.GAME.ask(state), Choose):
        return {}
    order = [(seat + step) % seats for step in range(1, seats)]
    last = [n for n, s in enumerate(order) if s in state.stay and state.sheets[s].filled == 20]
    plays = [s for s in order[: last[0] + 1] if s in state.stay] if last else []
    late = win_shares([_spread_of_totals(state.sheets[s], s in plays) for s in order])
    now = win_shares([_spread_of_totals(state.sheets[s], False) for s in order])
    return choice_worths(state, ToWin(now, late))


def _spread_of_totals(sheet: Sheet, plays: bool) -> Floats:
    """(4096,) the chance of each final total of another player, who may have a turn left."""
    mean = worth_of_throwing(sheet, 0, LAST_TURN)[1][KEEP_INDEX[()]] if plays else sheet.total
    deviation = LAST_TURN_DEVIATION if plays else _SETTLED_DEVIATION
    chance = np.exp(-(((_FINAL_TOTALS - mean) / deviation) ** 2) / 2)
    return np.asarray(chance / chance.sum())

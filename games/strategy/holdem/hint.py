"""Hints for Hold'em: chances to win with dice that are shown or that a player may hold.

Pocket dice lie under cups and are in no state before the showdown, so a hint can say nothing about
them. While bets are made it says what each hand that a player may hold is worth: players look under
their cups and find their own rows. At the showdown it gives the chance of the shown dice against
those that others have shown and those still hidden (`odds`).
"""

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files

from games import holdem
from games.holdem import State
from games.holdem.betting import cost_of_act, legal_acts
from games.holdem.course import awards
from games.holdem.state import Call, Stage
from games.strategy.holdem.advising import odds_by_hand
from games.strategy.holdem.odds import chance_of_shown
from games.values import Choose, Hint, Measure

HOLDEM_OPEN_FILE = "holdem_open.json"
"""Chances before any community die is out, by type of pocket and number of opponents; made by
`scripts/count_holdem_open.py`."""


def hint(state: State) -> Hint | None:
    """The odds while bets are made, the chance of the shown dice at the showdown."""
    asked = holdem.GAME.ask(state)
    if not isinstance(asked, Choose):
        return None
    if state.stage is Stage.SHOWDOWN:
        (declared,) = holdem.GAME.choices(state)
        return Hint(declared, _chance_at_showdown(state, asked.seat), Measure.WIN)
    if state.stage is Stage.PAY:
        (take,) = holdem.GAME.choices(state)
        return Hint(take, 1 / len(awards(state)[0].winners), Measure.WIN)
    opponents = sum(seat.live for seat in state.seats) - 1
    odds = odds_by_hand(state)
    if state.stage is Stage.OPEN:
        exact = _chances_before_flop()
        odds = [replace(row, win=exact[row.key][opponents - 1]) for row in odds]
    odds.sort(key=lambda row: -row.win)
    return Hint(None, 1 / (opponents + 1), Measure.WIN, tuple(odds), _price(state))


def _price(state: State) -> str:
    """What a chance must be for a call to pay: `pot-needs 40%`; or that checking costs nothing."""
    call = next((act for act in legal_acts(state) if isinstance(act, Call)), None)
    if call is None:
        return "check-is-free"
    speaker = state.betting.queue[0]
    price = cost_of_act(state, call)
    mine = state.seats[speaker].paid + price
    others = [seat for number, seat in enumerate(state.seats) if number != speaker]
    return f"pot-needs {100 * price / (mine + sum(min(mine, seat.paid) for seat in others)):.0f}%"


def _chance_at_showdown(state: State, seat: int) -> float:
    pocket = state.pockets[seat]
    assert pocket is not None
    others = [other for other, chips in enumerate(state.seats) if chips.live and other != seat]
    shown = [dice for other in others if (dice := state.pockets[other]) is not None]
    return chance_of_shown(state.community, pocket, shown, len(others) - len(shown))


@cache
def _chances_before_flop() -> dict[str, list[float]]:
    text = (files("games.strategy.holdem") / HOLDEM_OPEN_FILE).read_text()
    table: dict[str, list[float]] = json.loads(text)
    return table

"""Hints for Classic: the best solo play, exactly.

With several players each hint still makes the player's own expected total the greatest; what it
would take to beat a certain opponent from behind is not asked. Classic has no option that changes
what a roll is worth, so that the one table covers every game.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from appliance.rules.classic import game as classic
from appliance.rules.classic.game import Box, Score, Sheet, State
from appliance.rules.classic.sheet import (
    ROLLS,
    UPPER,
    UPPER_BONUS,
    UPPER_BONUS_FROM,
    fill,
    legal,
    ordinary,
)
from appliance.rules.dice import five_alike
from appliance.rules.game import Choice, Choose, Hint, Measure
from appliance.strategy.classic.values import BOXES, FIFTY, STEPS, SUMS, holds, load
from appliance.strategy.turn import HANDS, best_of, keep_worth, weighed_keeps

MEASURE = Measure.TOTAL

_BONUS = np.where(np.arange(SUMS) >= UPPER_BONUS_FROM, UPPER_BONUS, 0)
_ALIKE = [i for i, hand in enumerate(HANDS) if five_alike(hand)]
"""The hands that the joker rule is about; all others score by the ordinary rules."""


def hint(state: State) -> Hint | None:
    """The choice with the highest expected grand total."""
    return best_of(weigh(state), MEASURE)


def weigh(state: State) -> dict[Choice, float]:
    """The grand total that may be expected after each choice; empty where there is none."""
    if not isinstance(classic.ask(state), Choose):
        return {}
    sheet = state.sheets[state.seat]
    found: dict[Choice, float] = {
        choice: total(fill(sheet, state.dice, choice.box))
        for choice in classic.choices(state)
        if isinstance(choice, Score)
    }
    if state.roll < ROLLS:
        found |= weighed_keeps(_keeps(sheet, ROLLS - state.roll), state.dice)
    return found


def total(sheet: Sheet) -> float:
    """The expected grand total of a sheet before its next turn."""
    flag = int(holds(sheet) == FIFTY)
    return sheet.total + int(load()[flag, sheet.open, min(sheet.upper, SUMS - 1)]) / STEPS


@lru_cache(maxsize=32)
def _keeps(sheet: Sheet, throws: int) -> NDArray[np.float64]:
    """(462,) the expected grand total for what is kept with so many throws left."""
    return keep_worth(_hands(sheet), throws)


@lru_cache(maxsize=32)
def _hands(sheet: Sheet) -> NDArray[np.float64]:
    """(252,) the expected grand total when a hand is scored in its best box."""
    values = load()[int(holds(sheet) == FIFTY)]
    upper = min(sheet.upper, SUMS - 1)
    rest = sheet.total - sheet.upper_bonus
    most = np.full(len(HANDS), -np.inf)
    for box in range(BOXES):
        if not sheet.open >> box & 1:
            continue
        points = ordinary_points()[box]
        sums = np.minimum(upper + (points if box < UPPER else 0), SUMS - 1)
        worth = rest + points + _BONUS[sums] + values[sheet.open ^ 1 << box, sums] / STEPS
        np.maximum(most, worth, out=most)
    for index in _ALIKE:
        boxes = legal(sheet, HANDS[index])
        most[index] = max(total(fill(sheet, HANDS[index], box)) for box in Box if boxes >> box & 1)
    return most


@cache
def ordinary_points() -> NDArray[np.int64]:
    """(13, 252) what the hands score in each box by the ordinary rules."""
    return np.array([ordinary(hand) for hand in HANDS]).T

"""Hints for Yatzy: the best solo play, exactly.

Each hint maximises the player's own expected total; what it would take to beat a particular
opponent from behind is not considered.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from appliance.rules.boxes import ROLLS_PER_TURN
from appliance.rules.game import Choice, Choose, Hint, Measure
from appliance.rules.yatzy import game as yatzy
from appliance.rules.yatzy.game import Box, Score, Sheet, State
from appliance.rules.yatzy.sheet import box_scores, fill_box
from appliance.strategy.turn import (
    HANDS,
    Floats,
    best_hint,
    best_use_worth,
    keep_worth,
    weighed_keeps,
)
from appliance.strategy.yatzy.values import STEPS_PER_POINT, UPPER_SUMS, load_values

MEASURE = Measure.TOTAL


def hint(state: State) -> Hint | None:
    """The choice with the highest expected grand total."""
    return best_hint(weigh(state), MEASURE)


def weigh(state: State) -> dict[Choice, float]:
    """The expected grand total after each choice; empty where there is no choice."""
    if not isinstance(yatzy.ask(state), Choose):
        return {}
    sheet = state.sheets[state.seat]
    found: dict[Choice, float] = {
        choice: expected_sheet_total(fill_box(sheet, state.dice, choice.box))
        for choice in yatzy.choices(state)
        if isinstance(choice, Score)
    }
    if state.roll < ROLLS_PER_TURN:
        found |= weighed_keeps(_total_by_keep(sheet, ROLLS_PER_TURN - state.roll), state.dice)
    return found


def expected_sheet_total(sheet: Sheet) -> float:
    """The expected grand total of a sheet before its next turn."""
    steps = int(load_values()[sheet.open, min(sheet.upper, UPPER_SUMS - 1)])
    return sheet.total + steps / STEPS_PER_POINT


@lru_cache(maxsize=32)
def _total_by_keep(sheet: Sheet, throws: int) -> Floats:
    """(462,) the expected grand total for each keep with `throws` throws left."""
    return keep_worth(_total_by_hand(sheet), throws)


@lru_cache(maxsize=32)
def _total_by_hand(sheet: Sheet) -> Floats:
    """(252,) the expected grand total when a hand is scored in its best box."""
    uses = (
        (hands, expected_sheet_total(fill_box(sheet, HANDS[hands[0]], box)))
        for box in Box
        if sheet.open >> box & 1
        for hands in _hands_by_score(box)
    )
    return best_use_worth(uses, -np.inf)


@cache
def _hands_by_score(box: Box) -> tuple[NDArray[np.intp], ...]:
    """The hands in groups that score the same in a box."""
    points = np.array([box_scores(hand)[box] for hand in HANDS])
    return tuple(np.flatnonzero(points == score) for score in np.unique(points))

"""Hints for Classic: the best solo play, exactly.

Even with several players each hint maximises the player's own expected total; what it would take to
beat a particular opponent from behind is not considered. Classic has no option that changes what a
roll is worth, so one table covers every game.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from appliance.rules.classic import game as classic
from appliance.rules.classic.game import Box, Score, Sheet, State
from appliance.rules.classic.sheet import fill_box, legal_boxes, ordinary_scores
from appliance.rules.classic.state import ROLLS_PER_TURN
from appliance.rules.dice import five_alike
from appliance.rules.game import Choice, Choose, Hint, Measure
from appliance.strategy.classic.values import (
    FIFTY,
    STEPS_PER_POINT,
    UPPER_SUMS,
    five_alike_state,
    load_values,
)
from appliance.strategy.turn import (
    HANDS,
    Floats,
    best_hint,
    best_use_worth,
    keep_worth,
    weighed_keeps,
)

MEASURE = Measure.TOTAL

_ORDINARY_HANDS = np.array([i for i, hand in enumerate(HANDS) if not five_alike(hand)])
_FIVE_ALIKE_HANDS = [i for i, hand in enumerate(HANDS) if five_alike(hand)]
"""The hands that the joker rule applies to."""


def hint(state: State) -> Hint | None:
    """The choice with the highest expected grand total."""
    return best_hint(weigh(state), MEASURE)


def weigh(state: State) -> dict[Choice, float]:
    """The expected grand total after each choice; empty where there is no choice."""
    if not isinstance(classic.ask(state), Choose):
        return {}
    sheet = state.sheets[state.seat]
    scores = [choice for choice in classic.choices(state) if isinstance(choice, Score)]
    found: dict[Choice, float] = {
        c: expected_total(fill_box(sheet, state.dice, c.box)) for c in scores
    }
    if state.roll < ROLLS_PER_TURN:
        found |= weighed_keeps(_total_by_keep(sheet, ROLLS_PER_TURN - state.roll), state.dice)
    return found


def expected_total(sheet: Sheet) -> float:
    """The expected grand total of a sheet before its next turn."""
    flag = int(five_alike_state(sheet) == FIFTY)
    steps = int(load_values()[flag, sheet.open, min(sheet.upper, UPPER_SUMS - 1)])
    return sheet.total + steps / STEPS_PER_POINT


@lru_cache(maxsize=32)
def _total_by_keep(sheet: Sheet, throws: int) -> Floats:
    """(462,) the expected grand total for each keep with `throws` throws left."""
    return keep_worth(_total_by_hand(sheet), throws)


@lru_cache(maxsize=32)
def _total_by_hand(sheet: Sheet) -> Floats:
    """(252,) the expected grand total when a hand is scored in its best box."""
    return best_use_worth(
        ((hands, expected_total(after)) for hands, after in hand_uses(sheet)), -np.inf
    )


@lru_cache(maxsize=512)
def hand_uses(sheet: Sheet) -> tuple[tuple[NDArray[np.intp], Sheet], ...]:
    """Each way to use hands: which hands, and the sheet after it."""
    found = []
    for box in Box:
        if sheet.open >> box & 1:
            points = np.array([ordinary_scores(HANDS[hand])[box] for hand in _ORDINARY_HANDS])
            for index in (_ORDINARY_HANDS[points == value] for value in set(points.tolist())):
                found.append((index, fill_box(sheet, HANDS[index[0]], box)))
    for alike in _FIVE_ALIKE_HANDS:
        boxes = [box for box in Box if legal_boxes(sheet, HANDS[alike]) >> box & 1]
        found += [(np.array([alike]), fill_box(sheet, HANDS[alike], box)) for box in boxes]
    return tuple(found)

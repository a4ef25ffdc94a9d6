"""Hints for Classic: the best solo play, exactly.

Classic has no option that changes what a roll is worth, so one table covers every game.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.classic import GAME, Box, Sheet, ordinary_scores
from games.dice import five_alike
from games.strategy.box_hints import BoxHints
from games.strategy.classic.values import (
    FIFTY,
    STEPS_PER_POINT,
    UPPER_SUMS,
    five_alike_state,
    load_values,
)
from games.strategy.turn import HANDS

_ORDINARY_HANDS = np.array([i for i, hand in enumerate(HANDS) if not five_alike(hand)])
_FIVE_ALIKE_HANDS = [i for i, hand in enumerate(HANDS) if five_alike(hand)]
"""The hands that the joker rule applies to."""


def expected_total(sheet: Sheet) -> float:
    """The expected grand total of a sheet before its next turn."""
    flag = int(five_alike_state(sheet) == FIFTY)
    steps = int(load_values()[flag, sheet.open, min(sheet.upper, UPPER_SUMS - 1)])
    return sheet.total + steps / STEPS_PER_POINT


@lru_cache(maxsize=512)
def hand_uses(sheet: Sheet) -> tuple[tuple[NDArray[np.intp], Sheet], ...]:
    """Each way to use hands: which hands, and the sheet after it."""
    found = []
    for box in Box:
        if sheet.open >> box & 1:
            points = np.array([ordinary_scores(HANDS[hand])[box] for hand in _ORDINARY_HANDS])
            for index in (_ORDINARY_HANDS[points == value] for value in set(points.tolist())):
                found.append((index, GAME.fill(sheet, HANDS[index[0]], box)))
    for alike in _FIVE_ALIKE_HANDS:
        boxes = [box for box in Box if GAME.legal(sheet, HANDS[alike]) >> box & 1]
        found += [(np.array([alike]), GAME.fill(sheet, HANDS[alike], box)) for box in boxes]
    return tuple(found)


HINTS = BoxHints(GAME, expected=expected_total, uses=hand_uses)
hint = HINTS.hint
weigh = HINTS.weigh

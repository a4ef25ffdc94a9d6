"""Hints for Yatzy: the best solo play, exactly."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.strategy.box_hints import BoxHints
from games.strategy.turn import HANDS
from games.strategy.yatzy.values import STEPS_PER_POINT, UPPER_SUMS, load_values
from games.yatzy import GAME, Box, Sheet, box_scores


def expected_total(sheet: Sheet) -> float:
    """The expected grand total of a sheet before its next turn."""
    steps = int(load_values()[sheet.open, min(sheet.upper, UPPER_SUMS - 1)])
    return sheet.total + steps / STEPS_PER_POINT


def _hand_uses(sheet: Sheet) -> Iterator[tuple[NDArray[np.intp], Sheet]]:
    """Each way to use hands: which hands, and the sheet after it."""
    for box in Box:
        if sheet.open >> box & 1:
            for hands in _hands_by_score(box):
                yield hands, GAME.fill(sheet, HANDS[hands[0]], box)


@cache
def _hands_by_score(box: Box) -> tuple[NDArray[np.intp], ...]:
    """The hands in groups that score the same in a box."""
    points = np.array([box_scores(hand)[box] for hand in HANDS])
    return tuple(np.flatnonzero(points == score) for score in np.unique(points))


HINTS = BoxHints(GAME, expected=expected_total, uses=_hand_uses)
hint = HINTS.hint
weigh = HINTS.weigh

"""What held dice aim at: what brings more by it than if all dice were thrown.

It follows from the worth of hands that a solver has, by best play through the throws that are left.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from games.strategy.turn import HANDS
from games.strategy.winning import final_hand_chances

_NUMBERS = {"aces": 1, "ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
"""The keys of uses to which only one number adds."""

Aim = tuple[str, Any, Any, Any]
"""A use of hands: its key, empty where nobody aims at it, which of `HANDS`, what they are worth,
and how much of that the use brings."""


def aim_of(kept: Sequence[int], throws: int, uses: Iterable[Aim]) -> str:
    """The key of the use that brings more by most, as it becomes likelier; empty if none does.

    Args:
        kept: the faces that are kept, in any order.
        throws: how many throws are left, one or more.
        uses: all that can be done with a hand, such as to score it in a box.
    """
    worth = np.full(len(HANDS), -np.inf)
    brought, best = np.zeros(len(HANDS)), np.zeros(len(HANDS), np.intp)
    keys = list[str]()
    for key, hands, points, brings in uses:
        found, more = np.full(len(HANDS), -np.inf), np.zeros(len(HANDS))
        found[hands], more[hands] = points, brings
        better = found > worth
        worth[better], brought[better], best[better] = found[better], more[better], len(keys)
        keys.append(key)
    usual = final_hand_chances(worth, throws)
    gained = brought * (final_hand_chances(worth, throws, sorted(kept)) - usual)
    by_key = dict[str, float]()
    for key, gain in zip(keys, np.bincount(best, gained, len(keys)).tolist(), strict=True):
        by_key[key] = by_key.get(key, 0.0) + gain
    aims = {key: gain for key, gain in by_key.items() if key and gain > 0}
    # What other numbers are held for as well is no use of one number.
    others = {key for key, number in _NUMBERS.items() if {number} != {*kept}}
    return max((key for key in aims if key not in others), key=aims.__getitem__, default="")

"""The caches of the rules stay small, however long the appliance runs."""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest

from games import classic
from games.power import sheet as power_sheet
from games.power.sheet import Slot
from games.showdown import cards as showdown_cards

ROLLS = tuple(product(range(1, 7), repeat=5))
SORTED = 252
"""How many rolls of five dice there are, disregarding order."""


@pytest.mark.parametrize(
    ("of", "remembers", "most"),
    [
        (classic.ordinary_scores, classic._ordinary_scores, SORTED),
        (partial(classic.GAME.zeros, classic.Sheet()), classic._fitting_boxes, SORTED),
        (showdown_cards.combination_chips, showdown_cards._combination_chips, SORTED),
        (showdown_cards.chips_by_card, showdown_cards._combination_chips, SORTED),
        (lambda dice: power_sheet.base_score(dice, Slot.ACES), power_sheet._base, 26 * SORTED),
    ],
)
def test_a_roll_is_remembered_once_in_whatever_order_it_lies(
    of: Callable[[tuple[int, ...]], object], remembers: Any, most: int
) -> None:
    for dice in ROLLS:
        of(dice)
    assert 240 < remembers.cache_info().currsize <= most

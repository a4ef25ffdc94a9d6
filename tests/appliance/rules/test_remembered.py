"""The caches of the rules stay small, however long the appliance runs."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from appliance.rules.classic import sheet as classic_sheet
from appliance.rules.power import sheet as power_sheet
from appliance.rules.power.sheet import Slot
from appliance.rules.showdown import cards as showdown_cards

ROLLS = tuple(product(range(1, 7), repeat=5))
SORTED = 252
"""How many rolls of five dice there are, disregarding order."""


@pytest.mark.parametrize(
    ("of", "remembers", "most"),
    [
        (classic_sheet.ordinary, classic_sheet._ordinary, SORTED),
        (classic_sheet.fitted, classic_sheet._fitted, SORTED),
        (showdown_cards.made, showdown_cards._made, SORTED),
        (showdown_cards.stacks, showdown_cards._made, SORTED),
        (lambda dice: power_sheet.base(dice, Slot.ACES), power_sheet._base, 26 * SORTED),
    ],
)
def test_a_roll_is_remembered_once_in_whatever_order_it_lies(
    of: Callable[[tuple[int, ...]], object], remembers: Any, most: int
) -> None:
    for dice in ROLLS:
        of(dice)
    assert 240 < remembers.cache_info().currsize <= most

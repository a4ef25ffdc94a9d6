"""A game of a stick is taken for one that is here only if it is the same, line by line."""

from dataclasses import replace
from itertools import product

from appliance.journal.files import MemoryFiles
from appliance.journal.held import Held
from appliance.journal.packs import PackedGame
from tests.appliance.journal.test_bringing import ROLL, game


def test_a_game_that_went_on_otherwise_on_another_card_is_not_here() -> None:
    ways = [
        PackedGame.of(replace(game(1), lines=(ROLL, f"holding {slot}")), 1) for slot in range(1, 6)
    ]
    for here, there in product(ways, repeat=2):
        held = Held(MemoryFiles())
        held.add(here)
        assert held.has(there) is (here is there)

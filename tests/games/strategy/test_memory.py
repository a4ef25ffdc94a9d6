"""What hints keep, so as not to work it out again, stays little however many games they are for."""

import gc
import sys
from random import Random
from typing import Any

import pytest

from games import yatzy
from games.chance import random_event
from games.game import Game
from games.registry import find_game
from games.strategy.advice import hint
from games.strategy.boxes import BoxSolver

BEFORE, MORE = 5, 4
"""Games with a hint at each choice, until all is there that they keep, and after that."""

MOST_BLOCKS = 10_000
"""That Python may have allocated for the latter, and not freed."""


# Hints for Hold'em and Showdown keep little, and take too long.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "power", "free-for-all", "yatzy"])
def test_hints_for_more_games_keep_hardly_more(name: str) -> None:
    game, random = find_game(name), Random(1)
    before = _blocks_after_hints(game, random, BEFORE)
    assert _blocks_after_hints(game, random, MORE) - before < MOST_BLOCKS


def _blocks_after_hints(game: Game[Any], random: Random, games: int) -> int:
    """How many blocks Python has allocated after hints for so many more games."""
    for _ in range(games):
        state = game.start(("ANNA", "BOB", "CLEO", "DAN"), {})
        while (event := random_event(game, state, random)) is not None:
            hint(game, state)
            state = game.apply(state, event)
    gc.collect()
    return sys.getallocatedblocks()


def test_the_spread_of_points_to_come_keeps_no_more_than_it_has() -> None:
    sheet = yatzy.GAME.start(("ANNA", "BOB"), {}).sheets[0]
    for box in range(len(sheet.boxes) - 1):
        sheet = sheet.with_points(box, 0)
    spread = BoxSolver(yatzy.GAME)._points_to_come(sheet)
    assert spread.base is None and spread.sum() == pytest.approx(1.0)

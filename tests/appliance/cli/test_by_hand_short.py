"""The real `dicetray play --human` in a terminal: whole games by keys, sensible and random ones."""

from pathlib import Path

import pytest

from tests.rigs.by_hand.games import judge_by_hand


# One of the four failed once since the rooms were merged; which and why is not yet known.
@pytest.mark.xfail(reason="fails now and then, cause not known yet", strict=False)
@pytest.mark.slow
@pytest.mark.parametrize("game", ["classic", "power", "free-for-all", "holdem"])
def test_a_whole_game_with_random_keys_on_the_way(game: str, tmp_path: Path) -> None:
    judge_by_hand(game, tmp_path)

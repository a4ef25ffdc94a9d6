"""The real `dicetray play --human` in a terminal: whole games by sensible and random keys."""

from pathlib import Path

import pytest

from tests.rigs.by_hand.games import check_by_hand


@pytest.mark.slow
@pytest.mark.parametrize("game", ["showdown"])
def test_a_whole_game_with_random_keys_on_the_way(game: str, tmp_path: Path) -> None:
    check_by_hand(game, tmp_path)

"""The real `dicetray play --human` in a terminal: whole games by keys, sensible and random ones."""

from pathlib import Path

import pytest

from tests.rigs.by_hand import FEWEST, play

KEYS = 150

# Each game is a group of its own, so that processes share the games out among themselves.


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.xdist_group(f"by hand {g}")) for g in FEWEST]
)
def test_a_whole_game_with_random_keys_on_the_way(game: str, tmp_path: Path) -> None:
    told = play(game, tmp_path, seed=1, keys=KEYS)
    assert told.fault == ""
    assert told.keys > KEYS
    assert told.starts >= 2, "Ctrl-C has ended it once, and it went on"
    assert told.throws >= 5

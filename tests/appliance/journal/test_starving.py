"""Where memory runs out in the middle of a game, nothing that the board has shown is lost."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.appliance.journal.starving import MOST_ALLOCATIONS, starve
from tests.rigs.examples import examples


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc"
)
@pytest.mark.parametrize("allocator", MOST_ALLOCATIONS)
def test_what_was_shown_survives_the_end_of_memory(tmp_path: Path, allocator: str) -> None:
    games = examples(5, 10)
    outcomes = list(starve(tmp_path, games, 4, allocator))
    assert len(outcomes) == games
    assert any(one.failed for one in outcomes)
    assert sum(one.lines for one in outcomes) > games
    for one in outcomes:
        assert one.clean, one

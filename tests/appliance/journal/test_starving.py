"""Where memory runs out in the middle of a game, nothing that the board has shown is lost."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.appliance.journal.starving import MOST_ALLOCATIONS, starve


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc"
)
@pytest.mark.parametrize("allocator", MOST_ALLOCATIONS)
def test_what_was_shown_survives_the_end_of_memory(tmp_path: Path, allocator: str) -> None:
    outcomes = list(starve(tmp_path, 10, 4, allocator))
    assert len(outcomes) == 10
    assert any(one.failed for one in outcomes)
    assert sum(one.lines for one in outcomes) > 10
    for one in outcomes:
        assert one.clean, one

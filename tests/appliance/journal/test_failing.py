"""The disk fails while a game is played or mended, and then the power: nothing is lost."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.appliance.journal.failing import mend, play
from tests.appliance.journal.rotting import TARGETS
from tests.rigs.examples import examples

needs_gcc = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc"
)


@needs_gcc
def test_what_was_shown_survives_a_power_cut_while_recovering_from_a_failing_disk(
    tmp_path: Path,
) -> None:
    outcomes = list(play(tmp_path, examples(4, 6), 3))
    assert any(one.refused for one in outcomes)
    assert sum(one.lines for one in outcomes) > 10


@needs_gcc
def test_what_is_mended_is_whole_whenever_the_disk_or_the_power_fails(tmp_path: Path) -> None:
    outcomes = list(mend(tmp_path, examples(1, 2) * len(TARGETS), 1))
    assert any(one.refused for one in outcomes)
    assert any(one.calls < 0 for one in outcomes)
    for one in outcomes:
        assert one.lossless, one

"""A stick is restored while people begin games: no number comes twice, and no line is lost."""

from pathlib import Path

import pytest

from tests.appliance.journal.restoring import restore_while_playing
from tests.rigs.examples import examples


@pytest.mark.slow
def test_restoring_while_games_begin(tmp_path: Path) -> None:
    for seed in range(examples(2, 8)):
        (tmp_path / str(seed)).mkdir()
        assert restore_while_playing(tmp_path / str(seed), seed).lines

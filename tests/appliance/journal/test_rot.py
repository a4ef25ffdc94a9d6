"""Rot under a running game: what is lost is said."""

from pathlib import Path

import pytest

from tests.appliance.journal.rotting import ENDS, FILES, KINDS, try_damage


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_without_a_word(tmp_path: Path, kind: str, file: str, end: str) -> None:
    outcome = try_damage(tmp_path, kind, file, end, seed=5)
    assert not outcome.silent

"""Rot under a running game: what is lost is said."""

import random
from pathlib import Path

import pytest

from tests.appliance.journal.rot_ways import killed_game, lost_by
from tests.appliance.journal.rotting import BLOCK_BYTES, ENDS, FILES, KINDS, try_damage


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_without_a_word(tmp_path: Path, kind: str, file: str, end: str) -> None:
    outcome = try_damage(tmp_path, kind, file, end, seed=5)
    assert not outcome.silent


def _without_its_first_page(data: bytearray, _: random.Random) -> None:
    data[:BLOCK_BYTES] = bytes(BLOCK_BYTES)


def test_read_page_by_page_the_present_game_comes_back_that_a_copy_lacks(tmp_path: Path) -> None:
    killed = killed_game(tmp_path, games=1, seed=5)
    by_pages = lost_by("pages", killed, tmp_path, _without_its_first_page, "", seed=0)
    by_copy = lost_by("copy", killed, tmp_path, _without_its_first_page, "", seed=0)
    assert by_pages == [0, 0]
    assert by_copy[0] == 0
    assert by_copy[1] > 10

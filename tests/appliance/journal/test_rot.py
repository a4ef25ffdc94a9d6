"""Rot under a running game: one damage costs nothing, and what is lost is said."""

import random
from pathlib import Path

import pytest

from tests.appliance.journal.rotting import (
    ALL_KINDS,
    ENDS,
    TARGETS,
    Hit,
    over_neighbours,
    try_damages,
)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_one_damage_costs_nothing(tmp_path: Path, target: str) -> None:
    rng = random.Random(target)
    hit = Hit(rng.choice(ALL_KINDS), target)
    outcome = try_damages(tmp_path, [hit], rng.choice(ENDS), seed=5)
    assert outcome.lines > 2
    assert (outcome.ended, outcome.going) == (0, 0)


@pytest.mark.slow
def test_two_damages_of_the_same_game_are_told_if_they_cost_anything(tmp_path: Path) -> None:
    hits = [Hit("nothing but zeros", "going"), Hit("nothing but zeros", "going, second")]
    outcome = try_damages(tmp_path, hits, "killed", seed=3)
    assert not outcome.silent
    assert outcome.ended == 0


def test_what_lies_beside_a_file_is_damaged_with_it(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(bytes(40_000))
    over_neighbours(tmp_path / "b", random.Random(1))
    assert not any((tmp_path / "a").read_bytes())
    assert any((tmp_path / "b").read_bytes())
    assert any((tmp_path / "c").read_bytes()[:100])

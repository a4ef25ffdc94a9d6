"""Every numbered clause of the games has a test that carries its number in its name."""

import re
from pathlib import Path

import pytest

CLAUSES = {"classic": 7, "power": 10, "showdown": 7, "free_for_all": 6, "holdem": 10}
"""How many clauses the rules of each game have, numbered from 1."""
_TEST = re.compile(r"^def test_([a-z_]+?)_(\d+)_", re.MULTILINE)


def _tests() -> set[tuple[str, int]]:
    files = Path(__file__).parent.rglob("test_*.py")
    return {
        (game, int(number))
        for file in files
        for game, number in _TEST.findall(file.read_text(encoding="utf-8"))
        if game in CLAUSES
    }


@pytest.mark.parametrize("game", CLAUSES)
def test_every_clause_has_a_test(game: str) -> None:
    found = {number for name, number in _tests() if name == game}
    assert found == set(range(1, CLAUSES[game] + 1))

"""Golden counts of Showdown's legal choices along seeded random games, chosen to be short."""

import re
from pathlib import Path
from random import Random

import pytest

from games import showdown
from tests.rigs.random_play import choice_counts

FILE = Path(__file__).with_name("choice_counts.txt")
LINES = FILE.read_text(encoding="ascii").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[line.partition(":")[0] for line in LINES])
def test_counts_along_a_seeded_game(line: str) -> None:
    head = re.fullmatch(r"showdown players (\d+) seed (\d+): ([\d ]+)", line)
    assert head is not None
    players = [f"P{seat + 1}" for seat in range(int(head[1]))]
    counts = choice_counts(showdown.GAME, players, {}, Random(int(head[2])))
    assert counts == [int(count) for count in head[3].split()]


def test_counts_are_of_what_can_be_chosen() -> None:
    # Two on landing; otherwise a pass, at most twelve cards and, before roll 3, the 31 holds.
    counts = choice_counts(showdown.GAME, ["A", "B"], {}, Random(1))
    assert set(counts) <= {*range(1, 14), *range(32, 45)}

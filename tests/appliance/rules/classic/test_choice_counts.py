"""Golden counts of legal choices; `scripts/count_choices.py` writes the file."""

import re
from pathlib import Path
from random import Random

import pytest

from appliance.rules.registry import find
from tests.rigs.random_play import choice_counts

LINES = Path(__file__).with_name("choice_counts.txt").read_text(encoding="ascii").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[line.partition(":")[0] for line in LINES])
def test_counts_along_a_seeded_game(line: str) -> None:
    head = re.fullmatch(r"(\S+) players (\d+) seed (\d+): ([\d ]+)", line)
    assert head is not None
    players = [f"P{seat + 1}" for seat in range(int(head[2]))]
    counts = choice_counts(find(head[1]), players, {}, Random(int(head[3])))
    assert counts == [int(count) for count in head[4].split()]


def test_classic_counts_follow_from_its_open_boxes() -> None:
    # With n boxes open there are n scores, before roll 3 with 31 holds; jokers leave fewer scores.
    counts = choice_counts(find("classic"), ["A"], {}, Random(0))
    assert counts[0] == 13 + 31
    assert counts[-1] in (1, 32)
    scores = [count - 31 if count > 13 else count for count in counts]
    assert scores == sorted(scores, reverse=True)
    assert set(scores) == set(range(1, 14))

"""Golden counts of legal choices; `scripts/count_choices.py` writes the file."""

import re
from pathlib import Path
from random import Random

import pytest

from games.boxes import Score, Zero
from games.chance import random_event
from games.registry import find_game
from games.values import Keep
from tests.rigs.random_play import choice_counts

LINES = Path(__file__).with_name("choice_counts.txt").read_text(encoding="ascii").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[line.partition(":")[0] for line in LINES])
def test_counts_along_a_seeded_game(line: str) -> None:
    head = re.fullmatch(r"(\S+) players (\d+) seed (\d+): ([\d ]+)", line)
    assert head is not None
    players = [f"P{seat + 1}" for seat in range(int(head[2]))]
    counts = choice_counts(find_game(head[1]), players, {}, Random(int(head[3])))
    assert counts == [int(count) for count in head[4].split()]


def test_classic_counts_follow_from_its_open_boxes() -> None:
    # With n open boxes there are n scores, fewer for a joker, and 31 holds before roll 3.
    # There is also a zero for each box that the roll fits.
    game, state, random = find_game("classic"), find_game("classic").start(["A"], {}), Random(0)
    scores = []
    while (event := random_event(game, state, random)) is not None:
        found = game.choices(state)
        if found:
            kinds = [sum(isinstance(c, kind) for c in found) for kind in (Score, Zero, Keep)]
            assert sum(kinds) == len(found)
            assert kinds[2] == (31 if state.roll < 3 else 0)
            worth = [game.preview(state, c) for c in found if isinstance(c, Score)]
            assert kinds[1] == sum(points is not None and points.points > 0 for points in worth)
            scores.append(kinds[0])
        state = game.apply(state, event)
    assert scores == sorted(scores, reverse=True)
    assert set(scores) == set(range(1, 14))

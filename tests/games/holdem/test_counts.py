"""Golden counts of Hold'em's legal choices, and every way a round of betting can go.

The lines of the file are as `scripts/count_choices.py` writes them, for games with 50 chips each.
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from games import holdem
from games.holdem import State
from games.holdem.course import begin_hand
from games.holdem.state import Seat, Stage
from tests.rigs.random_play import choice_counts

FILE = Path(__file__).with_name("choice_counts.txt")
LINES = FILE.read_text(encoding="ascii").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[line.partition(":")[0] for line in LINES])
def test_counts_along_a_seeded_game(line: str) -> None:
    head = re.fullmatch(r"holdem players (\d+) seed (\d+): ([\d ]+)", line)
    assert head is not None
    players = [f"P{seat + 1}" for seat in range(int(head[1]))]
    counts = choice_counts(holdem.GAME, players, {"stack": 50}, Random(int(head[2])))
    assert counts == [int(count) for count in head[3].split()]
    # A pot to take or a hand to declare; at most call or check, two raises or bets, and fold.
    assert set(counts) <= {1, 2, 3, 4}


def ways(state: State) -> Counter[tuple[int, int]]:
    """How many ways a round can go, by the number of live seats and of chips put in at its end."""
    found: Counter[tuple[int, int]] = Counter()
    if state.stage is not Stage.OPEN:
        live = sum(seat.live for seat in state.seats)
        return Counter({(live, sum(seat.paid for seat in state.seats)): 1})
    for choice in holdem.GAME.choices(state):
        found += ways(holdem.GAME.apply(state, choice))
    return found


@cache
def counted(
    bets: tuple[int, ...], speaker: int, left: int, high: int, raises: int
) -> Counter[tuple[int, int]]:
    """Counts by the wording of the rules, from what each has bet and who speaks.

    Args:
        bets: what each seat has bet in tens; `~bet` for a seat that folded.
        speaker: whose turn it is.
        left: how many still have to speak before the round is over.
        high: the bet in tens.
        raises: how many raises there have been.
    """
    players = len(bets)
    live = [b for b in bets if b >= 0]
    if len(live) == 1 or not left:
        put_in = sum(b if b >= 0 else ~b for b in bets)
        return Counter({(len(live), 10 * (put_in + players)): 1})
    now = bets[speaker]
    following = (speaker + 1) % players
    if now < 0:
        return counted(bets, following, left, high, raises)

    def after(bet: int, left: int, high: int, raises: int) -> Counter[tuple[int, int]]:
        return counted((*bets[:speaker], bet, *bets[speaker + 1 :]), following, left, high, raises)

    found = after(~now, left - 1, high, raises)
    # Check or call.
    found = found + after(high, left - 1, high, raises)
    if not high:
        return found + after(1, len(live) - 1, 1, 0)
    if raises < 3:
        return found + after(high + 1, len(live) - 1, high + 1, raises + 1)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_ways_of_the_open(players: int) -> None:
    names = tuple("ABCD"[:players])
    fresh = State(names, (Seat(300),) * players, pockets=(None,) * players)
    found = ways(begin_hand(fresh, players - 1))
    assert found == counted((0,) * players, 0, players, 0, 0)


def test_the_number_of_ways_of_the_open() -> None:
    def count(players: int) -> int:
        return sum(counted((0,) * players, 0, players, 0, 0).values())

    # Two players: a fold; a check, then a fold or a check; a bet at once or after a check, then a
    # fold or a call at one of four heights: 1 + 2 + 8 + 8.
    assert count(2) == 19
    assert [count(3), count(4)] == [277, 3331]

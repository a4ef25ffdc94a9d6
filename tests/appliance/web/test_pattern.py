"""The board's lights for pages: what blinks is told once, and what departs from it at once."""

import json
import random
from collections.abc import Sequence

import pytest

from appliance.web.pattern import TOLERANCE_S, BoardPattern
from appliance.web.serving import Channel

A, B, C = "aa", "bb", "cc"


class Watched:
    """A board, a page's view of it, and how much the page was told."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.channel = Channel()
        self.board = BoardPattern(self.channel, lambda: self.now_s)
        self.told = 0
        self._last: object = None

    def page(self) -> str | None:
        """What a page shows that follows the pattern."""
        told = self.channel.newest("board")
        loop = told["loop"]
        passed_s = (told["at"] + self.now_s - told["sent"]) % sum(seconds for _, seconds in loop)
        for picture, seconds in loop:
            if passed_s < seconds:
                return str(picture)
            passed_s -= seconds
        return str(loop[-1][0])

    def play(
        self, film: Sequence[tuple[str, float]], late_s: float = 0.0, step_s: float = 0.05
    ) -> float:
        """Shows pictures as an appliance does; the longest time for which the page was wrong."""
        wrong_s = longest_s = 0.0
        for picture, seconds in film:
            end_s = self.now_s + seconds + random.uniform(0, late_s)
            while self.now_s < end_s:
                self.board.show(picture)
                if (news := self.channel.newest("board")) != self._last:
                    self._last, self.told = news, self.told + len(json.dumps(news))
                wrong_s = 0.0 if self.page() == picture else wrong_s + step_s
                longest_s = max(longest_s, wrong_s)
                self.now_s += step_s
        return longest_s


@pytest.mark.parametrize("late_s", [0.0, 0.04])
def test_what_comes_round_again_is_told_twice_and_then_no_more(late_s: float) -> None:
    watched = Watched()
    cycle = [(A, 1.5), (B, 0.5), (A, 0.5), (B, 0.5), (C, 2.0)]
    watched.play(cycle * 4)
    learnt = watched.told
    assert watched.play(cycle * 40, late_s) <= TOLERANCE_S + 0.05
    # 200 pictures, of which a page would have got each.
    assert watched.told - learnt <= learnt


def test_what_departs_from_a_pattern_is_told_at_once() -> None:
    watched = Watched()
    watched.play([(A, 1.0), (B, 1.0)] * 10)
    watched.board.show(C)
    assert watched.page() == C
    watched.play([(A, 1.0), (B, 1.0)] * 10)
    # It stays longer than it would: the page blinks no more.
    assert watched.play([(A, 10.0)]) <= TOLERANCE_S + 1.0
    assert watched.page() == A
    watched.now_s += 33.3
    assert watched.page() == A


def test_a_board_that_nobody_hears_of_any_more_stays_as_it_is() -> None:
    watched = Watched()
    watched.play([(A, 1.0), (B, 1.0)] * 10)
    watched.board.stop()
    for _ in range(5):
        assert watched.page() == B
        watched.now_s += 0.9


def test_a_dark_board_has_no_picture() -> None:
    watched = Watched()
    watched.board.show(None)
    assert watched.channel.newest("board")["loop"] == [[None, 1.0]]


def test_a_pattern_that_has_ended_is_noticed_where_nothing_is_told_any_more() -> None:
    watched = Watched()
    watched.play([(A, 1.0), (B, 1.0)] * 10)
    watched.now_s += 0.5
    watched.channel.at_rest()
    assert watched.page() == B
    watched.now_s += 1.0
    assert watched.page() == B

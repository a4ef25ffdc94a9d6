"""The player of games without a solver: exact where it can enumerate, the same every time."""

from random import Random
from statistics import mean
from typing import Any

import pytest

from games import yatzy
from games.boxes import Score
from games.dice import rolls
from games.registry import GAMES, find_game
from games.strategy import expectimax
from games.strategy.expectimax import MOST_STATES, Expectimax
from games.values import Choose, Keep, Measure, Rolled
from games.yatzy import Box, Sheet, State
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

EXPECTIMAX = Expectimax(yatzy.GAME)


def last_roll_but_one(dice: tuple[int, ...]) -> State:
    """One throw left, and the boxes for sixes and the chance open."""
    boxes = [None if box in (Box.SIXES, Box.CHANCE) else 0 for box in Box]
    sheet = Sheet.of(boxes)
    return State(("A", "B"), (sheet, Sheet()), 0, 0, 2, dice, None)


def test_choices_are_worth_the_mean_of_what_can_follow() -> None:
    state = last_roll_but_one((6, 6, 6, 2, 5))
    worth = EXPECTIMAX.weigh(state)
    assert set(worth) == set(yatzy.GAME.choices(state))
    assert worth[Score(Box.SIXES)] == 18
    assert worth[Score(Box.CHANCE)] == 25
    keep = Keep((0, 1, 2, 4))
    assert worth[keep] == mean(23 + face for face in range(1, 7))
    # 18 and two dice, in the chance.
    both = sum((18 + sum(more)) * ways for more, ways in rolls(2)) / 36
    assert worth[Keep((0, 1, 2))] == pytest.approx(both)
    assert EXPECTIMAX.measure is Measure.GAIN


def test_dice_that_show_the_same_are_worth_the_same() -> None:
    worth = EXPECTIMAX.weigh(last_roll_but_one((6, 6, 1, 2, 5)))
    assert worth[Keep((0, 4))] == worth[Keep((1, 4))]


def test_nobody_is_advised_who_does_not_choose() -> None:
    start = yatzy.GAME.start(["A", "B"], {"first": 0})
    assert EXPECTIMAX.hint(start) is None
    assert EXPECTIMAX.weigh(yatzy.GAME.apply(start, Rolled((1, 2, 3, 4, 4))))


class Counting:
    """A game that counts how often its rules are asked for the next state."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.applied = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def apply(self, state: Any, event: Any) -> Any:
        """The next state."""
        self.applied += 1
        return self._game.apply(state, event)


def test_plans_that_are_too_much_work_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A use of a throw in Power opens further ones, which nobody plans for."""
    game = find_game("power")
    state = game.start(["A", "B"], {"first": 0})
    state = game.apply(state, Rolled((5, 3, 5, 2, 2, "double")))
    for most in (1000, 80):
        monkeypatch.setattr(expectimax, "MOST_STATES", most)
        counting: Any = Counting(game)
        worth = Expectimax(counting).weigh(state)
        assert most // 4 < counting.applied <= most + len(worth)
        assert set(worth) == set(game.choices(state))
        assert worth[max(worth, key=lambda choice: worth[choice])] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(GAMES))
def test_any_game_is_looked_through_within_the_budget_and_the_same_again(name: str) -> None:
    game = find_game(name)
    options = {"deck": "table"} if name == "free-for-all" else {}
    states = list(decisions(name, max(2, game.min_players), 4, options, events=300))
    for state in Random(4).sample(states, examples(4, 20)):
        counting: Any = Counting(game)
        worth = Expectimax(counting).weigh(state)
        assert counting.applied <= MOST_STATES + len(game.choices(state))
        assert worth == Expectimax(game).weigh(state)
        asked = game.ask(state)
        assert isinstance(asked, Choose)
        assert set(worth) == (set() if asked.reported else set(game.choices(state)))

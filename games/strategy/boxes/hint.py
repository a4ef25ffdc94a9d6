"""Hints for games with a sheet of boxes: the best solo play, exactly, where there are values.

Each hint maximises the player's own expected total. Without values a sheet is estimated: the boxes
still open bring what each brings if its dice are thrown for it alone, and the bonus is as likely as
if the open boxes of the upper section will have three dice each.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from games.boxes import (
    ROLLS_PER_TURN,
    UPPER_BONUS_FROM,
    UPPER_BOXES,
    BoxGame,
    BoxSheet,
    BoxState,
    House,
    Score,
)
from games.strategy.boxes.values import Values, load_values
from games.strategy.solver import Solver
from games.strategy.turn import (
    HANDS,
    KEEP_INDEX,
    Floats,
    best_use_worth,
    keep_worth,
    weighed_keeps,
)
from games.values import Choice

Uses = tuple[tuple[NDArray[np.intp], Any], ...]
"""Ways to use hands: which of `HANDS`, and the sheet after it."""

_USUAL_DICE = 3
"""The dice of its number that an upper box has if the bonus is just earned."""
_DICE_DEVIATION = 1.1
"""The standard deviation of that, counted in play by the values of Yatzy."""


class BoxPoints(Solver[BoxState[Any]]):
    """The solver of a game with a sheet of boxes, but for play to win."""

    def __init__(self, game: BoxGame[Any]) -> None:
        super().__init__(game)
        self.boxes = game
        self.uses = lru_cache(maxsize=512)(self._uses)
        self._by_house = dict[House, Self]()
        self._total_by_hand = lru_cache(maxsize=32)(self._best_total_by_hand)
        self._total_by_keep = lru_cache(maxsize=32)(self._best_total_by_keep)

    def by_house(self, house: House) -> Self:
        """The solver of the game by these house rules."""
        if house == self.boxes.house:
            return self
        if house not in self._by_house:
            self._by_house[house] = type(self)(self.boxes.by_house(house))
        return self._by_house[house]

    @cached_property
    def values(self) -> Values | None:
        """The values of the game, read once; None if nobody has solved it."""
        return load_values(self.boxes)

    def weigh(self, state: BoxState[Any]) -> Mapping[Choice, float]:
        """The expected grand total after each choice; empty where there is no choice."""
        return self.by_house(state.house).weigh_by_house(state)

    def weigh_by_house(self, state: BoxState[Any]) -> Mapping[Choice, float]:
        """The same for a state that is played by the house rules of the solver's own game."""
        choices = self.boxes.choices(state)
        if not choices:
            return {}
        sheet = state.sheets[state.seat]
        found: dict[Choice, float] = {
            choice: self.expected(self.boxes.fill(sheet, state.dice, choice.box))
            for choice in choices
            if isinstance(choice, Score)
        }
        if state.roll < ROLLS_PER_TURN:
            throws = ROLLS_PER_TURN - state.roll
            found |= weighed_keeps(self._total_by_keep(sheet, throws), state.dice)
        return found

    def expected_total(self, state: BoxState[Any], seat: int) -> float | None:
        """The final total expected of a seat's sheet before its next turn; None without values."""
        solver = self.by_house(state.house)
        return None if solver.values is None else solver.expected(state.sheets[seat])

    def expected(self, sheet: BoxSheet) -> float:
        """The expected grand total of a sheet before its next turn."""
        to_come = self._estimate(sheet) if self.values is None else self.values.to_come(sheet)
        return sheet.total + to_come

    def _estimate(self, sheet: BoxSheet) -> float:
        """About how many points are still to come."""
        open_boxes = [box for box in range(len(self.boxes.boxes)) if sheet.open >> box & 1]
        to_come = sum(self._alone[box] for box in open_boxes)
        if sheet.upper >= UPPER_BONUS_FROM:
            return to_come
        numbers = [box + 1 for box in open_boxes if box < UPPER_BOXES]
        deviation = _DICE_DEVIATION * sum(number * number for number in numbers) ** 0.5
        missing = UPPER_BONUS_FROM - 0.5 - sheet.upper - _USUAL_DICE * sum(numbers)
        return to_come + sheet.UPPER_BONUS * (1 - NormalDist(0, deviation + 0.1).cdf(missing))

    @cached_property
    def _alone(self) -> list[float]:
        """What each box brings in a turn that is played for it alone."""
        points = np.array([self.boxes.box_scores(hand) for hand in HANDS], float)
        return [float(found) for found in keep_worth(points, ROLLS_PER_TURN)[KEEP_INDEX[()]]]

    def _uses(self, sheet: BoxSheet) -> Uses:
        """Each way to use hands on a sheet."""
        found = dict[tuple[int, Any], list[int]]()
        for at, hand in enumerate(HANDS):
            legal = self.boxes.legal(sheet, hand)
            for box in range(len(self.boxes.boxes)):
                if legal >> box & 1:
                    after = self.boxes.fill(sheet, hand, box)
                    found.setdefault((box, after), []).append(at)
        return tuple((np.array(hands), after) for (_, after), hands in found.items())

    def _best_total_by_keep(self, sheet: BoxSheet, throws: int) -> Floats:
        """(462,) the expected grand total for each keep with `throws` throws left."""
        return keep_worth(self._total_by_hand(sheet), throws)

    def _best_total_by_hand(self, sheet: BoxSheet) -> Floats:
        """(252,) the expected grand total when a hand is scored in its best box."""
        uses = ((hands, self.expected(after)) for hands, after in self.uses(sheet))
        return best_use_worth(uses, -np.inf)

"""Hints for games with a sheet of boxes: the best solo play, exactly, where there are values.

Each hint maximises the player's own expected total. Without values a sheet is estimated: the boxes
still open bring what each brings if its dice are thrown for it alone, and the bonus is as likely as
if the open boxes of the upper section will have three dice each.
"""

from collections.abc import Iterator, Mapping
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
from games.strategy.aims import Aim, aim_of
from games.strategy.boxes.values import Values, load_values
from games.strategy.solver import Solver, reason_by_worth
from games.strategy.turn import (
    HANDS,
    KEEP_INDEX,
    Floats,
    best_use_worth,
    keep_worth,
    weighed_keeps,
)
from games.values import Choice, Keep

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
        self.uses = lru_cache(maxsize=64)(self._uses)
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

    def reason(self, state: BoxState[Any], choice: Choice, weighed: Mapping[Choice, float]) -> str:
        """What the dice are held for; or what a box brings now, or leaves for later."""
        return self.by_house(state.house).reason_by_house(state, choice, weighed)

    def reason_by_house(
        self, state: BoxState[Any], choice: Choice, weighed: Mapping[Choice, float]
    ) -> str:
        """The same for a state that is played by the house rules of the solver's own game."""
        sheet = state.sheets[state.seat]
        if isinstance(choice, Keep):
            kept = [state.dice[slot] for slot in choice.slots]
            word = aim_of(kept, ROLLS_PER_TURN - state.roll, self._aims(sheet)) if kept else ""
            if not word:
                return reason_by_worth(choice, weighed)
            box = next(box for box in self.boxes.boxes if box.word == word)
            return f"{word} + bonus" if self._helps_bonus(sheet, box) else f"for {word}"
        rival = max((c for c in weighed if c != choice), key=weighed.__getitem__, default=None)
        if not isinstance(choice, Score) or not isinstance(rival, Score):
            return reason_by_worth(choice, weighed)
        after, other = (self.boxes.fill(sheet, state.dice, c.box) for c in (choice, rival))
        now, instead = (found.total - sheet.total for found in (after, other))
        if now > instead:
            return f"now {now:+d}"
        later = weighed[choice] - now - (weighed[rival] - instead)
        usual = _USUAL_DICE * (choice.box + 1)
        if choice.box < UPPER_BOXES and now > usual:
            ahead = now - usual
            by_bonus = self.expected(after) - self.expected(sheet.with_points(choice.box, usual))
            if by_bonus - ahead >= later / 2:
                return f"bonus {UPPER_BONUS_FROM}"
        return f"saves {rival.box.word}"

    def _aims(self, sheet: BoxSheet) -> Iterator[Aim]:
        """Each way to use hands on a sheet; nobody aims at a box that brings nothing."""
        for hands, after in self.uses(sheet):
            box = self.boxes.boxes((sheet.open ^ after.open).bit_length() - 1)
            worth, zero = self.expected(after), self.expected(sheet.with_points(box, 0))
            yield box.word if after.total > sheet.total else "", hands, worth, worth - zero

    def _helps_bonus(self, sheet: BoxSheet, box: int) -> bool:
        """True if points in an upper box are worth half as much again, by the bonus to come."""
        few, many = (number * (box + 1) for number in (_USUAL_DICE - 1, _USUAL_DICE + 1))
        if box >= UPPER_BOXES:
            return False
        with_many, with_few = (self.expected(sheet.with_points(box, n)) for n in (many, few))
        return with_many - with_few >= 1.5 * (many - few)

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

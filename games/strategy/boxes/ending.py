"""The last two rounds of a sheet, played to win: exact, given that the others play for points.

What the others will still score follows from their own best play. The player's turns are solved for
the chance to beat them all: a choice in the last turn but one looks ahead through the last one,
which is played to win, too.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from games.boxes import ROLLS_PER_TURN, UPPER_BONUS_FROM, UPPER_BOXES, BoxGame, BoxState, Score
from games.strategy.boxes.hint import BoxPoints
from games.strategy.turn import (
    HANDS,
    KEEP_INDEX,
    Floats,
    best_use_worth,
    keep_worth,
    weighed_keeps,
)
from games.strategy.winning import final_hand_chances, win_shares
from games.values import Choice, Choose

LAST_ROUNDS = 2
_DISTINCT_TOTALS = 4096
"""Totals from 0 on; Classic, which has the highest, ends with 1575 at most."""


class BoxSolver(BoxPoints):
    """The solver of a game with a sheet of boxes."""

    def __init__(self, game: BoxGame[Any]) -> None:
        super().__init__(game)
        self._spread_to_come = lru_cache(maxsize=512)(self._points_to_come)
        self._equivalent = lru_cache(maxsize=4096)(self._sheet_without_points)

    def win_chances(self, state: BoxState[Any]) -> dict[Choice, float]:
        """The chance to win after each choice in the last two rounds of several, else empty."""
        return self.by_house(state.house).win_chances_by_house(state)

    def win_chances_by_house(self, state: BoxState[Any]) -> dict[Choice, float]:
        """The same for a state that is played by the house rules of the solver's own game."""
        sheet = state.sheets[state.seat]
        late = sheet.open.bit_count() <= LAST_ROUNDS and len(state.stay) > 1
        if not late or not isinstance(self.boxes.ask(state), Choose):
            return {}
        others = enumerate(state.sheets)
        spreads = [
            self._spread_of_totals(other, seat in state.stay)
            for seat, other in others
            if seat != state.seat
        ]
        share = win_shares(spreads)
        scores = [choice for choice in self.boxes.choices(state) if isinstance(choice, Score)]
        after = [self.boxes.fill(sheet, state.dice, choice.box) for choice in scores]
        chances = self._chances_with_sheets(after, share)
        found: dict[Choice, float] = dict(zip(scores, chances, strict=True))
        if state.roll < ROLLS_PER_TURN:
            throws = ROLLS_PER_TURN - state.roll
            found |= weighed_keeps(
                keep_worth(self._chance_by_hand(sheet, share), throws), state.dice
            )
        return found

    def _chances_with_sheets(self, sheets: Sequence[Any], share: Floats) -> list[float]:
        """The chance to win with each of several sheets that have equally many boxes open."""
        if not sheets[0].open:
            return [float(share[sheet.total]) for sheet in sheets]
        each = {(self._equivalent(sheet), sheet.total): sheet for sheet in sheets}
        hands = np.stack([self._chance_by_hand(sheet, share) for sheet in each.values()], axis=1)
        worth = keep_worth(hands, ROLLS_PER_TURN)[KEEP_INDEX[()]].tolist()
        found = dict(zip(each, worth, strict=True))
        return [found[self._equivalent(sheet), sheet.total] for sheet in sheets]

    def _chance_by_hand(self, sheet: Any, share: Floats) -> Floats:
        """(252,) the chance to win when a hand is scored in the best box."""
        like = self._equivalent(sheet)
        hands, after = zip(*self.uses(like), strict=True)
        chances = self._chances_with_sheets(after, share[sheet.total - like.total :])
        return best_use_worth(zip(hands, chances, strict=True))

    def _spread_of_totals(self, sheet: Any, stays: bool) -> Floats:
        """(4096,) the chance of each final total of another player; who has left scores no more."""
        found = np.zeros(_DISTINCT_TOTALS)
        more = self._spread_to_come(self._equivalent(sheet)) if stays else np.ones(1)
        found[sheet.total : sheet.total + len(more)] = more
        return found

    def _points_to_come(self, sheet: Any) -> Floats:
        """The chance of each number of points that a sheet will still bring in play for points."""
        if not sheet.open:
            return np.ones(1)
        every = self.uses(sheet)
        worth, use = np.full(len(HANDS), -np.inf), np.zeros(len(HANDS), np.intp)
        for number, (index, after) in enumerate(every):
            better = index[self.expected(after) > worth[index]]
            worth[better], use[better] = self.expected(after), number
        found = np.zeros(_DISTINCT_TOTALS)
        chances = np.bincount(use, final_hand_chances(worth, ROLLS_PER_TURN))
        for chance, (_, after) in zip(chances, every, strict=False):
            if chance:
                more, gained = self._spread_to_come(self._equivalent(after)), after.total
                gained -= sheet.total
                found[gained : gained + len(more)] += chance * more
        # A copy: a view would keep all of them.
        return np.trim_zeros(found, "b").copy()

    def _sheet_without_points(self, sheet: Any) -> Any:
        """A sheet with the same points still to come, and nothing scored but what they depend on.

        The sheet itself where nobody knows what they depend on.
        """
        if self.values is None:
            return sheet
        held = [None if points is None else 0 for points in sheet.boxes]
        for box, points in self.values.special.filled(self.values.special.number(sheet.boxes)):
            held[box] = points
        if sheet.open & (1 << UPPER_BOXES) - 1 and 0 in held[:UPPER_BOXES]:
            held[held.index(0)] = min(sheet.upper, UPPER_BONUS_FROM)
        return type(sheet).of(held)

"""Hints for games with a sheet of boxes: the best solo play, exactly, once each sheet has a value.

Each hint maximises the player's own expected total; what it would take to beat a particular
opponent from behind is not considered.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.boxes import ROLLS_PER_TURN, BoxGame, BoxSheet, BoxState, Score
from games.strategy.turn import Floats, best_hint, best_use_worth, keep_worth, weighed_keeps
from games.values import Choice, Hint, Measure

MEASURE = Measure.TOTAL

Uses = Iterable[tuple[NDArray[np.intp], Any]]
"""Ways to use hands: which of `HANDS`, and the sheet after it."""


class BoxHints:
    """The hints of one game.

    Args:
        game: the game.
        expected: the expected grand total of a sheet before its next turn.
        uses: all ways to use hands on a sheet.
    """

    def __init__(
        self,
        game: BoxGame[Any],
        *,
        expected: Callable[[Any], float],
        uses: Callable[[Any], Uses],
    ) -> None:
        self._game = game
        self._expected = expected
        self._uses = uses
        self._total_by_hand = lru_cache(maxsize=32)(self._best_total_by_hand)
        self._total_by_keep = lru_cache(maxsize=32)(self._best_total_by_keep)

    def hint(self, state: BoxState[Any]) -> Hint | None:
        """The choice with the highest expected grand total."""
        return best_hint(self.weigh(state), MEASURE)

    def weigh(self, state: BoxState[Any]) -> dict[Choice, float]:
        """The expected grand total after each choice; empty where there is no choice."""
        choices = self._game.choices(state)
        if not choices:
            return {}
        sheet = state.sheets[state.seat]
        found: dict[Choice, float] = {
            choice: self._expected(self._game.fill(sheet, state.dice, choice.box))
            for choice in choices
            if isinstance(choice, Score)
        }
        if state.roll < ROLLS_PER_TURN:
            throws = ROLLS_PER_TURN - state.roll
            found |= weighed_keeps(self._total_by_keep(sheet, throws), state.dice)
        return found

    def expected_total(self, state: BoxState[Any], seat: int) -> float:
        """The final total expected of a seat's sheet before its next turn."""
        return self._expected(state.sheets[seat])

    def _best_total_by_keep(self, sheet: BoxSheet, throws: int) -> Floats:
        """(462,) the expected grand total for each keep with `throws` throws left."""
        return keep_worth(self._total_by_hand(sheet), throws)

    def _best_total_by_hand(self, sheet: BoxSheet) -> Floats:
        """(252,) the expected grand total when a hand is scored in its best box."""
        uses = ((hands, self._expected(after)) for hands, after in self._uses(sheet))
        return best_use_worth(uses, -np.inf)

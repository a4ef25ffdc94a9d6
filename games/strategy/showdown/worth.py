"""The worth of a card on the board of Showdown to its owner while the game may still be long.

A card scores its chips at the end, if it is still there then. So it is worth its points times the
chance to keep it. In each turn of another expected until the end it is lost with the chance to make
it, with at least its chips, by best play in three throws, computed exactly, times how often a
turn's player stands where the card can be taken and tries for it. That share was counted in games
that follow hints, for the first part and for the Showdown round, whose turns have many moves; so
was the number of turns until one more card is placed (`scripts/bench_hints.py --count showdown`).
An opponent's card counts against the player by its share among the opponents.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from games.showdown.cards import CHIP_POINTS, MAX_CHIPS_BY_CARD, Card, chips_by_card
from games.showdown.state import ROLLS_PER_TURN, Stack, State
from games.strategy.turn import HANDS, KEEP_INDEX, Floats, keep_worth

TRY_SHARE_BY_PLAYERS = {2: 0.21, 3: 0.17, 4: 0.15}
"""How often a turn of the first part tries for a given card of another, by number of players."""
SHOWDOWN_TRY_SHARE_BY_PLAYERS = {2: 0.51, 3: 0.35, 4: 0.32}
"""How often a turn of the Showdown round does."""
TURNS_PER_CARD = 4.3
"""The turns, of all seats together, until one more card is placed."""


@cache
def chances_to_make() -> Floats:
    """(12, 8) the chance to make each card with at least this many chips in three throws."""
    piled = np.array([chips_by_card(hand) for hand in HANDS])[:, :, None]
    made = (piled >= range(max(MAX_CHIPS_BY_CARD) + 1)).astype(np.float64)
    return np.asarray(keep_worth(made, ROLLS_PER_TURN)[KEEP_INDEX[()]], np.float64)


@dataclass(frozen=True, slots=True)
class Outlook:
    """How the game continues after a seat's turn, as far as cards can be lost in it.

    Others are expected to have `turns` in the first part and `last_turns` in the Showdown round.
    The cards of seats that are `out` count for nobody.
    """

    seat: int
    seats: int
    turns: float
    last_turns: int
    out: tuple[int, ...] = ()

    @classmethod
    def of(cls, state: State) -> "Outlook":
        """The outlook of the seat whose turn it is."""
        stay = len(state.stay)
        if state.end is not None:
            later = range(state.turns + 1, state.end)
            seats = [(state.first + turn) % len(state.players) for turn in later]
            left = sum(seat not in state.out for seat in seats)
            return cls(state.seat, len(state.players), 0.0, left, state.out)
        turns = state.cards.count(None) * TURNS_PER_CARD * (stay - 1) / stay
        return cls(state.seat, len(state.players), turns, stay - 1, state.out)

    def worth(self, card: Card, stack: Stack | None) -> float:
        """The worth of a card, in points; less than 0 for one of an opponent."""
        if stack is None or stack.seat in self.out:
            return 0.0
        stay = self.seats - len(self.out)
        made = float(chances_to_make()[card, stack.chips])
        kept = (1 - TRY_SHARE_BY_PLAYERS[stay] * made) ** self.turns
        kept *= (1 - SHOWDOWN_TRY_SHARE_BY_PLAYERS[stay] * made) ** self.last_turns
        points = CHIP_POINTS * stack.chips * float(kept)
        return points if stack.seat == self.seat else -points / (stay - 1)

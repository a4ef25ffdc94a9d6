"""What a card of Showdown on the board is worth to its owner when the game may go on for long.

A card counts its chips at the end, if it is still there then. So it is worth its points times the
chance to keep it: each turn of another that is expected until the end costs it with the chance to
make it, with at least its chips, by best play in three throws, computed exactly, times how often a
turn's player stands where the card can be taken and tries for it. That share was counted in games
that follow hints, for the first part and for the Showdown round, whose turns have many moves; so
was how many turns pass until one more card is placed (`scripts/bench_hints.py --count showdown`). A
card of an opponent counts against the player by its share among the opponents.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from appliance.rules.showdown.cards import CHIP, Card, stacks
from appliance.rules.showdown.state import ROLLS, Stack, State
from appliance.strategy.turn import HANDS, INDEX, keep_worth

TRIES = {2: 0.21, 3: 0.17, 4: 0.15}
"""How often a turn of the first part tries for a certain card of another, by players."""
TRIES_IN_SHOWDOWN = {2: 0.51, 3: 0.35, 4: 0.32}
"""The same in the Showdown round."""
TURNS_PER_CARD = 4.3
"""The turns that pass, of all seats together, until one more card is placed."""


@cache
def chance(card: Card, chips: int) -> float:
    """The chance to make a card with at least so many chips in three throws by best play."""
    hands = np.array([float(stacks(hand)[card] >= chips) for hand in HANDS])
    return float(keep_worth(hands, ROLLS)[INDEX[()]])


@dataclass(frozen=True, slots=True)
class Outlook:
    """How the game goes on after this turn, as far as cards can be lost in it.

    Attributes:
        seat: whose view it is.
        seats: how many players there are.
        turns: the turns of others that are expected in the first part.
        last_turns: the turns of others in the Showdown round.
    """

    seat: int
    seats: int
    turns: float
    last_turns: int

    @classmethod
    def of(cls, state: State) -> "Outlook":
        """The outlook of the seat whose turn it is."""
        seats = len(state.players)
        if state.end is not None:
            return cls(state.seat, seats, 0.0, state.end - state.turns - 1)
        off = sum(stack is None for stack in state.cards)
        turns = off * TURNS_PER_CARD * (seats - 1) / seats
        return cls(state.seat, seats, turns, seats - 1)

    def worth(self, card: Card, stack: Stack | None) -> float:
        """What a card is worth, in points; less than 0 for one of an opponent.

        Args:
            card: the card.
            stack: where it is; None beside the board.
        """
        if stack is None:
            return 0.0
        made = chance(card, stack.chips)
        kept = (1 - TRIES[self.seats] * made) ** self.turns
        kept *= (1 - TRIES_IN_SHOWDOWN[self.seats] * made) ** self.last_turns
        points = CHIP * stack.chips * float(kept)
        return points if stack.seat == self.seat else -points / (self.seats - 1)

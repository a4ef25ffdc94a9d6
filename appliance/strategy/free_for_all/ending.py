"""A turn of Free for All that can end the game, played to win.

The result of a use that ends the game is known exactly. After any other the lead decides, by what
cards are worth, less what may still be lost of it: `SPREAD`, counted in games that follow hints.
"""

from dataclasses import dataclass
from statistics import NormalDist

from appliance.rules.free_for_all import game as free_for_all
from appliance.rules.free_for_all.deck import CENTRE
from appliance.rules.free_for_all.game import Bank, State, Use, apply_use, ends_game
from appliance.rules.game import Choice
from appliance.strategy.free_for_all.hint import at_home, brings, weigh

SPREAD = NormalDist(3, 2)
"""How much of a lead is lost where the game goes on, in points: the others move next."""


def win(state: State) -> dict[Choice, float]:
    """The chance to win after each choice in a turn that can end the game; else empty."""
    return {} if state.deck and state.pile >= CENTRE else weigh(state, _Chance(_lead(state)))


def _lead(state: State) -> float:
    """The points by which the player leads the best other, by what cards at home are worth."""
    scores = enumerate(free_for_all.scores(state))
    total = [points + at_home(state, seat) for seat, points in scores]
    return total.pop(state.seat) - max(total)


@dataclass(frozen=True, slots=True)
class _Chance:
    """The chance to win after a choice; whatever was rolled, the lead before it is the same."""

    lead: float

    def __call__(self, state: State, choice: Use | Bank) -> float:
        if not isinstance(choice, Bank) and ends_game(state, choice):
            outcome = free_for_all.outcome(apply_use(state, choice))
            winners = () if outcome is None else outcome.winners
            return (state.seat in winners) / len(winners)
        return SPREAD.cdf(self.lead + brings(state, choice))

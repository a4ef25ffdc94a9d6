"""A turn of Free for All that can end the game, played to win.

The result of a use that ends the game is known exactly. After any other the lead decides, by what
cards are worth, less what may still be lost of it: `LEAD_LOST`, counted in games that follow hints.
"""

from dataclasses import dataclass
from statistics import NormalDist

from games import free_for_all
from games.free_for_all import Bank, State
from games.free_for_all.course import Use, apply_use, ends_game
from games.free_for_all.deck import CENTRE_SPACES
from games.strategy.free_for_all.hint import gain_of_use, weigh, worth_at_home
from games.values import Choice

LEAD_LOST = NormalDist(3, 2)
"""How much of a lead is lost where the game goes on, in points: the others move next."""


def win_chances(state: State) -> dict[Choice, float]:
    """The chance to win after each choice in a turn that can end the game; else empty."""
    goes_on = state.deck and state.pile >= CENTRE_SPACES
    return {} if goes_on else weigh(state, _WinChance(_points_ahead(state)))


def _points_ahead(state: State) -> float:
    """The points by which the player leads the best other, by what cards at home are worth."""
    scores = enumerate(free_for_all.GAME.scores(state))
    total = [points + worth_at_home(state, seat) for seat, points in scores]
    return total.pop(state.seat) - max(total)


@dataclass(frozen=True, slots=True)
class _WinChance:
    """The chance to win after a choice.

    Attributes:
        lead: the points by which the player leads before it; the same whatever was rolled.
    """

    lead: float

    def __call__(self, state: State, choice: Use | Bank) -> float:
        if not isinstance(choice, Bank) and ends_game(state, choice):
            outcome = free_for_all.GAME.outcome(apply_use(state, choice))
            winners = () if outcome is None else outcome.winners
            return (state.seat in winners) / len(winners)
        return LEAD_LOST.cdf(self.lead + gain_of_use(state, choice))

"""What the choices of Hold'em bring or cost at once, and why."""

from appliance.rules.game import Points
from appliance.rules.holdem.betting import Act, cost
from appliance.rules.holdem.course import awards, best_hand
from appliance.rules.holdem.pots import payments
from appliance.rules.holdem.state import Declare, Fold, State, TakePot


def gain(state: State, choice: Act | Declare | TakePot) -> Points:
    """By how much the chips of the seat that is asked grow by a legal choice, and why."""
    if isinstance(choice, Declare):
        made = best_hand(state, state.order[0])
        return Points(0, "".join(map(str, made[0].faces)) if made else "")
    if isinstance(choice, TakePot):
        return _winnings(state)
    return _stake(state, choice)


def _stake(state: State, act: Act) -> Points:
    """What something in a round of betting costs, with what the pots hold then."""
    speaker = state.seats[state.betting.queue[0]]
    if isinstance(act, Fold):
        return Points(0, f"LEAVES {speaker.paid}")
    chips = cost(state, act)
    pot = sum(seat.paid for seat in state.seats) + chips
    return Points(-chips, "ALL IN" if chips == speaker.chips else f"POT {pot}")


def _winnings(state: State) -> Points:
    """What the seat that takes the main pot gets from all pots."""
    given = awards(state)
    winners = given[0].winners
    chips = payments(given, len(state.seats))[winners[0]]
    made = best_hand(state, winners[0])
    if not made:
        return Points(chips, "ALL FOLDED")
    return Points(chips, "SHARED" if len(winners) > 1 else made[0].rank.label)

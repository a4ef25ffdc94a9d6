"""A round of betting in Hold'em: whose turn it is, what may be bet, and when it is over."""

from dataclasses import replace

from appliance.rules.checks import put
from appliance.rules.holdem.pots import CHIP
from appliance.rules.holdem.state import (
    AllIn,
    Bet,
    Betting,
    Call,
    Check,
    Fold,
    Raise,
    Seat,
    Stage,
    State,
)

RAISES = 3
"""How many raises there may be in a round, the first bet apart."""
_LIMITS = {Stage.OPEN: CHIP, Stage.FLOP: CHIP, Stage.TURN: 2 * CHIP, Stage.RIVER: 2 * CHIP}
"""The most that a bet, or a raise beyond the call, can be."""

Act = Check | Bet | Call | Raise | AllIn | Fold


def clockwise(state: State, after: int) -> tuple[int, ...]:
    """All seats from the left of a seat on; that seat is the last."""
    seats = len(state.seats)
    return tuple((after + step) % seats for step in range(1, seats + 1))


def live(state: State) -> tuple[int, ...]:
    """The seats that have not folded, from the dealer's left on."""
    return tuple(seat for seat in clockwise(state, state.dealer) if state.seats[seat].live)


def open_round(state: State) -> State:
    """The state with a new round of betting, which is over at once if fewer than two can bet."""
    queue = tuple(seat for seat in live(state) if state.seats[seat].active)
    return replace(state, betting=Betting(queue if len(queue) > 1 else ()))


def to_call(state: State, seat: int) -> int:
    """How many chips a seat needs to match the bet of the round."""
    return max(0, state.betting.high - state.seats[seat].bet)


def legal(state: State) -> tuple[Act, ...]:
    """What the seat that is to speak may do; empty when the round is over."""
    betting = state.betting
    if not betting.queue:
        return ()
    speaker = betting.queue[0]
    chips, call = state.seats[speaker].chips, to_call(state, speaker)
    # A raise that nobody is left to answer would only come back.
    answered = any(s.active for i, s in enumerate(state.seats) if i != speaker)
    more = min(_LIMITS[state.stage], chips - call) if answered else 0
    steps = range(CHIP, more + 1, CHIP)
    if not betting.high:
        return (Check(), *map(Bet, steps), Fold())
    if chips < call:
        return (AllIn(), Fold())
    raises = map(Raise, steps) if betting.raises < RAISES else ()
    return (Call(call), *raises, Fold())


def cost(state: State, act: Act) -> int:
    """The chips that the seat that is to speak puts in with something that is legal."""
    speaker = state.betting.queue[0]
    match act:
        case Check() | Fold():
            return 0
        case Bet(chips) | Call(chips):
            return chips
        case Raise(chips):
            return to_call(state, speaker) + chips
        case AllIn():
            return state.seats[speaker].chips


def act(state: State, choice: Act) -> State:
    """The state after something legal; the queue is empty if that ends the round."""
    betting = state.betting
    speaker, *queue = betting.queue
    chips = cost(state, choice)
    seats = list(state.seats)
    seats[speaker] = put_in(seats[speaker], chips)
    match choice:
        case Check():
            betting = replace(betting, checked=True)
        case Fold():
            seats[speaker] = replace(seats[speaker], live=False)
        case Bet() | Raise():
            raises = betting.raises + isinstance(choice, Raise)
            betting = replace(betting, high=seats[speaker].bet, raises=raises)
            queue = [s for s in clockwise(state, speaker) if s != speaker and seats[s].active]
        case Call() | AllIn():
            pass
    return _with_queue(replace(state, seats=tuple(seats), betting=betting), queue)


def without(state: State, seat: int) -> State:
    """The state after a seat folds out of turn, because its player leaves."""
    seats = put(state.seats, seat, replace(state.seats[seat], live=False))
    queue = [other for other in state.betting.queue if other != seat]
    return _with_queue(replace(state, seats=seats), queue)


def _with_queue(state: State, queue: list[int]) -> State:
    seats, betting = state.seats, state.betting
    alone = queue and not any(s.active for i, s in enumerate(seats) if i != queue[0])
    if alone and seats[queue[0]].bet >= betting.high:
        # The last who could bet has nothing to call and nobody to bet against.
        queue = []
    return replace(state, betting=replace(betting, queue=tuple(queue)))


def put_in(seat: Seat, chips: int) -> Seat:
    """The seat after it has put in so many of its chips as a bet."""
    return replace(seat, chips=seat.chips - chips, paid=seat.paid + chips, bet=seat.bet + chips)

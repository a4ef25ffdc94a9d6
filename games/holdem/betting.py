"""Bets and pots of Hold'em: what may be bet, when a round is over, who gets what in the end.

Chips come in whole tens, and none are ever lost: what comes out of the pots is what was put in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.checks import with_item
from games.holdem import state as holdem
from games.holdem.evaluator import Hand

SMALLEST_CHIP = 10
"""The smallest chip."""
MAX_RAISES = 3
"""How many raises there may be in a round, not counting the first bet."""
_MAX_BET_BY_STAGE = {
    holdem.Stage.OPEN: SMALLEST_CHIP,
    holdem.Stage.FLOP: SMALLEST_CHIP,
    holdem.Stage.TURN: 2 * SMALLEST_CHIP,
    holdem.Stage.RIVER: 2 * SMALLEST_CHIP,
}
"""The most that a bet, or a raise beyond the call, can be."""
BETS = tuple(range(SMALLEST_CHIP, max(_MAX_BET_BY_STAGE.values()) + 1, SMALLEST_CHIP))
"""The chips that a bet, or a raise beyond the call, can be."""

Act = holdem.Check | holdem.Bet | holdem.Call | holdem.Raise | holdem.AllIn | holdem.Fold


def seats_clockwise(state: holdem.State, after: int) -> tuple[int, ...]:
    """All seats, starting on the left of this one, which comes last."""
    seats = len(state.seats)
    return tuple((after + step) % seats for step in range(1, seats + 1))


def live_seats(state: holdem.State) -> tuple[int, ...]:
    """The seats that have not folded, starting on the dealer's left."""
    return tuple(seat for seat in seats_clockwise(state, state.dealer) if state.seats[seat].live)


def open_round(state: holdem.State) -> holdem.State:
    """The state with a new round of betting, which is over at once if fewer than two can bet."""
    queue = tuple(seat for seat in live_seats(state) if state.seats[seat].active)
    return replace(state, betting=holdem.Betting(queue if len(queue) > 1 else ()))


def to_call(state: holdem.State, seat: int) -> int:
    """How many chips a seat needs to match the bet of the round."""
    return max(0, state.betting.high - state.seats[seat].bet)


def legal_acts(state: holdem.State) -> tuple[Act, ...]:
    """The legal acts of the seat that is to speak; empty when the round is over."""
    betting = state.betting
    if not betting.queue:
        return ()
    speaker = betting.queue[0]
    chips, call = state.seats[speaker].chips, to_call(state, speaker)
    # A raise that nobody is left to answer would only come back.
    answered = any(s.active for i, s in enumerate(state.seats) if i != speaker)
    more = min(_MAX_BET_BY_STAGE[state.stage], chips - call) if answered else 0
    steps = range(SMALLEST_CHIP, more + 1, SMALLEST_CHIP)
    if not betting.high:
        return (holdem.Check(), *map(holdem.Bet, steps), holdem.Fold())
    if chips < call:
        return (holdem.AllIn(), holdem.Fold())
    raises = map(holdem.Raise, steps) if betting.raises < MAX_RAISES else ()
    return (holdem.Call(call), *raises, holdem.Fold())


def listed_acts(state: holdem.State) -> tuple[Act, ...]:
    """The acts open to a player in this round, now or at other times; empty when the round is over.

    Each kind of action keeps its place, whatever raises and chips are left: `Fold` is the last.
    """
    betting = state.betting
    if not betting.queue:
        return ()
    steps = range(SMALLEST_CHIP, _MAX_BET_BY_STAGE[state.stage] + 1, SMALLEST_CHIP)
    if not betting.high:
        return (holdem.Check(), *map(holdem.Bet, steps), holdem.Fold())
    speaker = betting.queue[0]
    call = to_call(state, speaker)
    first = holdem.Call(call) if state.seats[speaker].chips >= call else holdem.AllIn()
    return (first, *map(holdem.Raise, steps), holdem.Fold())


def cost_of_act(state: holdem.State, act: Act) -> int:
    """The chips that the seat that is to speak puts in with a legal act."""
    speaker = state.betting.queue[0]
    match act:
        case holdem.Check() | holdem.Fold():
            return 0
        case holdem.Bet(chips) | holdem.Call(chips):
            return chips
        case holdem.Raise(chips):
            return to_call(state, speaker) + chips
        case holdem.AllIn():
            return state.seats[speaker].chips


def apply_act(state: holdem.State, choice: Act) -> holdem.State:
    """The state after a legal act; the queue is empty if that ends the round."""
    betting = state.betting
    speaker, *queue = betting.queue
    chips = cost_of_act(state, choice)
    seats = list(state.seats)
    seats[speaker] = put_in_chips(seats[speaker], chips)
    match choice:
        case holdem.Check():
            betting = replace(betting, checked=True)
        case holdem.Fold():
            seats[speaker] = replace(seats[speaker], live=False)
        case holdem.Bet() | holdem.Raise():
            raises = betting.raises + isinstance(choice, holdem.Raise)
            betting = replace(betting, high=seats[speaker].bet, raises=raises)
            queue = [s for s in seats_clockwise(state, speaker) if s != speaker and seats[s].active]
        case holdem.Call() | holdem.AllIn():
            pass
    return _with_queue(replace(state, seats=tuple(seats), betting=betting), queue)


def fold_out_of_turn(state: holdem.State, seat: int) -> holdem.State:
    """The state after a seat folds out of turn, because its player leaves."""
    seats = with_item(state.seats, seat, replace(state.seats[seat], live=False))
    queue = [other for other in state.betting.queue if other != seat]
    return _with_queue(replace(state, seats=seats), queue)


def _with_queue(state: holdem.State, queue: list[int]) -> holdem.State:
    seats, betting = state.seats, state.betting
    alone = queue and not any(s.active for i, s in enumerate(seats) if i != queue[0])
    if alone and seats[queue[0]].bet >= betting.high:
        # The last player who could bet has nothing to call and nobody to bet against.
        queue = []
    return replace(state, betting=replace(betting, queue=tuple(queue)))


def put_in_chips(seat: holdem.Seat, chips: int) -> holdem.Seat:
    """The seat after it has put in this many of its chips as a bet."""
    return replace(seat, chips=seat.chips - chips, paid=seat.paid + chips, bet=seat.bet + chips)


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot and the seats that have a share in it.

    Attributes:
        chips: what lies in it.
        seats: who can win it, ascending.
    """

    chips: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Award:
    """The outcome of a pot.

    Attributes:
        pot: the pot.
        winners: who won it, the nearest to the dealer's left first.
        chips: what each of the winners gets, in the same order.
    """

    pot: Pot
    winners: tuple[int, ...]
    chips: tuple[int, ...]


def split_into_pots(paid: Sequence[int], live: Sequence[bool]) -> tuple[Pot, ...]:
    """The main pot, then the side pots.

    Args:
        paid: what each seat has put in during the hand.
        live: whether the seat has not folded; at least one has not, and each of those has paid.

    Two neighbouring pots always have different seats. Chips of folded seats lie in the pots like
    any others; what nobody could match forms a pot for its owner alone.
    """
    levels = sorted({chips for chips, stays in zip(paid, live, strict=True) if stays})
    found: list[Pot] = []
    below = 0
    for level in levels:
        chips = sum(min(put, level) - min(put, below) for put in paid)
        if level == levels[-1]:
            # Chips beyond what any live seat has put in can only come from folded seats.
            chips += sum(max(put - level, 0) for put in paid)
        seats = tuple(s for s, put in enumerate(paid) if live[s] and put >= level)
        found.append(Pot(chips, seats))
        below = level
    return tuple(found)


def award_pots(
    found: Sequence[Pot], hands: Sequence[Hand | None], dealer: int
) -> tuple[Award, ...]:
    """Who gets what: each pot goes to the best hand among those with a share in it.

    Args:
        found: the pots.
        hands: by seat; None for a seat without one. A pot that includes a seat without a hand
            must have no other seat.
        dealer: the seat that the nearest winner is counted from, clockwise.

    Equal hands split the pot in whole chips; what is left over goes to the winner
    nearest to the dealer's left.
    """
    return tuple(_award_pot(pot, hands, dealer) for pot in found)


def _award_pot(pot: Pot, hands: Sequence[Hand | None], dealer: int) -> Award:
    winners = pot.seats
    if len(winners) > 1:
        top = max(hand for seat in pot.seats if (hand := hands[seat]) is not None)
        winners = tuple(seat for seat in pot.seats if hands[seat] == top)
    winners = tuple(sorted(winners, key=lambda seat: (seat - dealer - 1) % len(hands)))
    share = pot.chips // (SMALLEST_CHIP * len(winners)) * SMALLEST_CHIP
    odd = pot.chips - share * len(winners)
    return Award(pot, winners, (share + odd, *(share for _ in winners[1:])))


def payments(awards: Sequence[Award], seats: int) -> tuple[int, ...]:
    """The chips that each seat gets from all pots together."""
    total = [0] * seats
    for given in awards:
        for seat, chips in zip(given.winners, given.chips, strict=True):
            total[seat] += chips
    return tuple(total)

"""The course of a hand of Hold'em: antes, streets, showdown, payment, the next hand."""

from dataclasses import replace

from appliance.rules.game import ShownDie
from appliance.rules.holdem.betting import clockwise, live, open_round
from appliance.rules.holdem.evaluator import Hand, Rank, best
from appliance.rules.holdem.pots import CHIP, Award, Pot, award, payments, pots
from appliance.rules.holdem.state import BETTING, LYING, Betting, Pocket, Seat, Stage, State


def begin(state: State, dealer: int) -> State:
    """The next hand: everyone who has chips antes, and the betting opens."""
    seats = tuple(
        Seat(seat.chips - CHIP, paid=CHIP, live=True) if seat.chips else Seat(0)
        for seat in state.seats
    )
    fresh = replace(
        state,
        seats=seats,
        stage=Stage.OPEN,
        hand=state.hand + 1,
        dealer=dealer,
        community=(),
        due=0,
        thrown=0,
        pockets=(None,) * len(seats),
        order=(),
    )
    return advance(open_round(fresh))


def advance(state: State) -> State:
    """The state moved on to where somebody must do something."""
    stay = live(state)
    if len(stay) > 1 and (state.betting.queue or state.due):
        return state
    again = _throw_again(state)
    seats = tuple(replace(seat, bet=0) for seat in state.seats)
    state = replace(state, seats=seats, betting=Betting())
    if len(stay) == 1:
        return replace(state, stage=Stage.PAY)
    if again:
        return replace(state, due=LYING[Stage.FLOP])
    if state.stage is Stage.RIVER:
        return replace(state, stage=Stage.SHOWDOWN, order=stay)
    following = BETTING[BETTING.index(state.stage) + 1]
    return replace(state, stage=following, due=LYING[following] - LYING[state.stage])


def _throw_again(state: State) -> bool:
    """Whether a round of betting on the Flop has just ended in which nobody bet."""
    betting = state.betting
    allowed = state.again is None or state.thrown <= state.again
    return state.stage is Stage.FLOP and betting.checked and not betting.high and allowed


def thrown(state: State, dice: tuple[ShownDie, ...]) -> State:
    """The state after the community dice that were due; the betting on them opens."""
    lying = state.community[: LYING[state.stage] - state.due]
    count = state.thrown + (state.stage is Stage.FLOP)
    after = replace(state, community=lying + dice, due=0, thrown=count)
    return advance(open_round(after))


def showed(state: State, seat: int, pocket: Pocket) -> State:
    """The state after a seat has shown its pocket dice."""
    pockets = (*state.pockets[:seat], pocket, *state.pockets[seat + 1 :])
    return replace(state, pockets=pockets)


def declared(state: State) -> State:
    """The state after the seat that showed its dice has named its hand."""
    order = state.order[1:]
    return replace(state, order=order, stage=Stage.SHOWDOWN if order else Stage.PAY)


def best_hand(state: State, seat: int) -> tuple[Hand, tuple[ShownDie, ...]] | None:
    """The best hand of a seat and its five dice; None before the pocket is shown."""
    pocket = state.pockets[seat] if state.pockets else None
    return best((*state.community, *pocket)) if pocket else None


def pots_now(state: State) -> tuple[Pot, ...]:
    """The main pot and the side pots as they are; none between games."""
    paid = [seat.paid for seat in state.seats]
    return pots(paid, [seat.live for seat in state.seats]) if any(paid) else ()


def awards(state: State) -> tuple[Award, ...]:
    """Who gets what, once everyone who must has shown their dice.

    A flush of five alike wins all pots, whoever had a share in them.
    """
    shown = [best_hand(state, seat) for seat in range(len(state.seats))]
    hands = [made[0] if made else None for made in shown]
    found = pots_now(state)
    if takers := game_winners(state):
        found = (Pot(sum(pot.chips for pot in found), takers),)
    return award(found, hands, state.dealer)


def game_winners(state: State) -> tuple[int, ...]:
    """The seats that win the whole game by a flush of five alike that they have shown."""
    made = ((seat, best_hand(state, seat)) for seat in range(len(state.seats)))
    return tuple(seat for seat, hand in made if hand and hand[0].rank is Rank.FIVE_FLUSH)


def taker(state: State) -> int:
    """The seat that takes the main pot, or the first of those who share it."""
    return awards(state)[0].winners[0]


def paid_out(state: State) -> State:
    """The state after the pots are paid: the next hand, or the end of the game."""
    got = payments(awards(state), len(state.seats))
    seats = tuple(Seat(s.chips + chips) for s, chips in zip(state.seats, got, strict=True))
    winners = game_winners(state)
    left = tuple(i for i in clockwise(state, state.dealer) if seats[i].chips)
    state = replace(state, seats=seats)
    if not winners and len(left) > 1:
        return begin(state, left[0])
    return replace(state, stage=Stage.OVER, won=winners or left)

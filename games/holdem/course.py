"""The course of a hand of Hold'em: antes, streets, showdown, payment, the next hand.

Also the dice on the table at each point, those that may still come, their corrections, and the
hidden dice of computers, which come from a bag of their own and are thrown by the game's seed.
"""

from dataclasses import replace
from itertools import chain

from games.checks import with_item
from games.computers import strength_of
from games.dice import FACES
from games.holdem import betting
from games.holdem import state as holdem
from games.holdem.evaluator import BAG, Hand, Rank, best_five, is_bag_die, surplus_colour
from games.lots import draw_lot
from games.seats import without_player
from games.values import Corrected, DieKind, Face, IllegalEvent, Left, Recoloured, ShownDie


def begin_hand(state: holdem.State, dealer: int) -> holdem.State:
    """The next hand: everyone who has chips antes, and the betting opens."""
    seats = tuple(
        holdem.Seat(seat.chips - betting.SMALLEST_CHIP, paid=betting.SMALLEST_CHIP, live=True)
        if seat.chips and number not in state.out
        else holdem.Seat(seat.chips)
        for number, seat in enumerate(state.seats)
    )
    fresh = replace(
        state,
        seats=seats,
        stage=holdem.Stage.OPEN,
        hand=state.hand + 1,
        dealer=dealer,
        community=(),
        due=0,
        thrown=0,
        pockets=(None,) * len(seats),
        order=(),
    )
    return advance_hand(betting.open_round(fresh))


def advance_hand(state: holdem.State) -> holdem.State:
    """The state advanced to the next point where somebody must act."""
    stay = betting.live_seats(state)
    if len(stay) > 1 and (state.betting.queue or state.due):
        return state
    again = _may_throw_flop_again(state)
    seats = tuple(replace(seat, bet=0) for seat in state.seats)
    state = replace(state, seats=seats, betting=holdem.Betting())
    if len(stay) == 1:
        return replace(state, stage=holdem.Stage.PAY)
    if again:
        return replace(state, due=holdem.COMMUNITY_BY_STAGE[holdem.Stage.FLOP])
    if state.stage is holdem.Stage.RIVER:
        return replace(state, stage=holdem.Stage.SHOWDOWN, order=stay)
    following = holdem.BETTING_STAGES[holdem.BETTING_STAGES.index(state.stage) + 1]
    due = holdem.COMMUNITY_BY_STAGE[following] - holdem.COMMUNITY_BY_STAGE[state.stage]
    return replace(state, stage=following, due=due)


def _may_throw_flop_again(state: holdem.State) -> bool:
    """True if betting on the Flop has just ended without a bet and it may be thrown again."""
    round_ = state.betting
    allowed = state.again is None or state.thrown <= state.again
    return state.stage is holdem.Stage.FLOP and round_.checked and not round_.high and allowed


def add_community_dice(state: holdem.State, dice: tuple[ShownDie, ...]) -> holdem.State:
    """The state after the community dice that were due are thrown; the betting on them opens."""
    lying = state.community[: holdem.COMMUNITY_BY_STAGE[state.stage] - state.due]
    count = state.thrown + (state.stage is holdem.Stage.FLOP)
    after = replace(state, community=lying + dice, due=0, thrown=count)
    return advance_hand(betting.open_round(after))


def show_pocket(state: holdem.State, seat: int, pocket: holdem.Pocket) -> holdem.State:
    """The state after a seat has shown its pocket dice."""
    pockets: tuple[holdem.Pocket | None, ...] = with_item(state.pockets, seat, pocket)
    return replace(state, pockets=pockets)


def declare_hand(state: holdem.State) -> holdem.State:
    """The state after the seat that showed its dice has named its hand."""
    order = state.order[1:]
    return replace(state, order=order, stage=holdem.Stage.SHOWDOWN if order else holdem.Stage.PAY)


def best_hand(state: holdem.State, seat: int) -> tuple[Hand, tuple[ShownDie, ...]] | None:
    """The best hand of a seat and its five dice; None before the pocket is shown."""
    pocket = state.pockets[seat] if state.pockets else None
    return best_five((*state.community, *pocket)) if pocket else None


def current_pots(state: holdem.State) -> tuple[betting.Pot, ...]:
    """The main pot and the side pots as they stand; none outside a hand."""
    paid = [seat.paid for seat in state.seats]
    return betting.split_into_pots(paid, [seat.live for seat in state.seats]) if any(paid) else ()


def awards(state: holdem.State) -> tuple[betting.Award, ...]:
    """Who gets what, once everyone who must has shown their dice.

    A five flush wins all pots, whoever had a share in them.
    """
    shown = [best_hand(state, seat) for seat in range(len(state.seats))]
    hands = [made[0] if made else None for made in shown]
    found = current_pots(state)
    if takers := game_winners(state):
        found = (betting.Pot(sum(pot.chips for pot in found), takers),)
    return betting.award_pots(found, hands, state.dealer)


def game_winners(state: holdem.State) -> tuple[int, ...]:
    """The seats that win the whole game with a five flush that they have shown."""
    made = ((seat, best_hand(state, seat)) for seat in range(len(state.seats)))
    return tuple(seat for seat, hand in made if hand and hand[0].rank is Rank.FIVE_FLUSH)


def main_pot_winner(state: holdem.State) -> int:
    """The seat that takes the main pot, or the first of those who share it."""
    return awards(state)[0].winners[0]


def pay_out(state: holdem.State) -> holdem.State:
    """The state after the pots are paid: the next hand, or the end of the game."""
    got = betting.payments(awards(state), len(state.seats))
    seats = tuple(holdem.Seat(s.chips + chips) for s, chips in zip(state.seats, got, strict=True))
    winners = game_winners(state)
    state = replace(state, seats=seats)
    clockwise = betting.seats_clockwise(state, state.dealer)
    left = tuple(seat for seat in clockwise if seats[seat].chips and seat not in state.out)
    if not winners and len(left) > 1:
        return begin_hand(state, left[0])
    most = max(seat.chips for seat in seats)
    # A player who left after showing dice may have won the last chips of those who stayed.
    richest = tuple(i for i, seat in enumerate(seats) if seat.chips == most)
    return replace(state, stage=holdem.Stage.OVER, won=winners or left or richest)


def seat_or_next_present(state: holdem.State, seat: int) -> int:
    """The seat itself or, where its player has left, the next on the left whose player has not."""
    return next(s for s in (seat, *betting.seats_clockwise(state, seat)) if s not in state.out)


def remove_player(state: holdem.State, event: Left) -> holdem.State:
    """The state after a player has left: folded, unless their dice were already shown."""
    seat, stage = event.seat, state.stage
    state = without_player(
        state, event, now=stage not in (holdem.Stage.ROLL_OFF, holdem.Stage.OVER)
    )
    if stage is not holdem.Stage.PAY and not state.pockets[seat]:
        state = betting.fold_out_of_turn(state, seat)
    if stage in holdem.BETTING_STAGES:
        state = advance_hand(state)
        return replace(state, due=0) if state.stage is holdem.Stage.PAY else state
    order = tuple(other for other in state.order if other != seat)
    open_hands = order and len(betting.live_seats(state)) > 1
    if open_hands:
        return replace(state, order=order)
    return replace(state, order=(), stage=holdem.Stage.PAY)


POCKET_SLOTS = tuple(range(holdem.COMMUNITY_DICE, holdem.COMMUNITY_DICE + holdem.POCKET_DICE))
"""The slots of the pocket dice of the seat that shows them."""


def showing_seat(state: holdem.State) -> int | None:
    """The seat whose pocket dice lie open, or must be shown, beside the community dice, if any."""
    if state.stage is holdem.Stage.SHOWDOWN:
        return state.order[0]
    return main_pot_winner(state) if state.stage is holdem.Stage.PAY else None


def dice_on_table(state: holdem.State) -> tuple[ShownDie | None, ...]:
    """The dice on the table by slot; None for those that are to be thrown or shown."""
    so_far = holdem.COMMUNITY_BY_STAGE.get(state.stage, holdem.COMMUNITY_DICE)
    lying = state.community[: so_far - state.due]
    missing = (None,) * (holdem.COMMUNITY_DICE - len(lying))
    seat = showing_seat(state)
    pocket = None if seat is None else state.pockets[seat]
    if state.stage is holdem.Stage.SHOWDOWN:
        return (*lying, *missing, *(pocket or (None,) * holdem.POCKET_DICE))
    return (*lying, *missing, *(pocket or ()))


def dice(state: holdem.State) -> tuple[Face | None, ...]:
    """The faces by slot: the community dice, and at the showdown the pocket that is shown."""
    return tuple(die.face if die else None for die in dice_on_table(state))


def kinds(state: holdem.State) -> tuple[DieKind | None, ...]:
    """The colours by slot, like the faces in `dice`."""
    return tuple(die.kind if die else None for die in dice_on_table(state))


def unseen(state: holdem.State) -> tuple[DieKind, ...]:
    """The colours in the bag and under cups as far as anybody can know.

    For a Flop that is thrown again, those of its dice.
    """
    if state.stage is holdem.Stage.FLOP and state.due and state.thrown:
        return tuple(die.kind for die in state.community)
    left = list(BAG)
    for die in _bag_dice_seen(state):
        left.remove(die.kind)
    return tuple(left)


def _bag_dice_seen(state: holdem.State) -> list[ShownDie]:
    """The dice that lie open or were shown, except those that computers have of their own."""
    pockets = zip(state.players, state.pockets, strict=False)
    shown = (pocket for name, pocket in pockets if pocket and strength_of(name) is None)
    return [*state.community, *chain.from_iterable(shown)]


def held(state: holdem.State) -> tuple[int, ...]:
    """The slots that lie on the table while others are to be thrown or shown."""
    lying = dice_on_table(state)
    if state.due or (state.stage is holdem.Stage.SHOWDOWN and None in lying):
        return tuple(slot for slot, die in enumerate(lying) if die)
    return ()


def checked_by_bag(state: holdem.State) -> holdem.State:
    """The state, if the bag has all the dice that it shows.

    Raises:
        IllegalEvent: naming the colour of which there are too many.
    """
    if kind := surplus_colour(_bag_dice_seen(state)):
        raise IllegalEvent(
            f"expected at most five {kind} dice, as in the bag, but now there are more: "
            "put the colours of the dice on the table right"
        )
    return state


def correct_die(state: holdem.State, event: Corrected | Recoloured) -> holdem.State:
    """The state with a die on the table corrected: a community die, or one of the pocket shown.

    Raises:
        IllegalEvent: for a slot without a die, and for a face or colour that is not in the bag.
    """
    slot = event.slot
    seat = showing_seat(state)
    pocket = None if seat is None else state.pockets[seat]
    if type(slot) is int and 0 <= slot < len(state.community):
        right = _corrected_die(state.community[slot], event)
        return checked_by_bag(replace(state, community=with_item(state.community, slot, right)))
    if type(slot) is int and slot in POCKET_SLOTS and seat is not None and pocket:
        first, second = pocket
        if slot == POCKET_SLOTS[0]:
            first = _corrected_die(first, event)
        else:
            second = _corrected_die(second, event)
        return checked_by_bag(show_pocket(state, seat, (first, second)))
    raise IllegalEvent(f"expected the slot of a die that lies open, got {event!r}")


def _corrected_die(die: ShownDie, event: Corrected | Recoloured) -> ShownDie:
    face = event.face if isinstance(event, Corrected) else die.face
    kind = event.kind if isinstance(event, Recoloured) else die.kind
    if type(face) is int:
        right = ShownDie(kind, face)
        if is_bag_die(right):
            return right
    raise IllegalEvent(f"expected a face from {FACES[0]} to {FACES[-1]} or a colour, got {event!r}")


def computer_pocket(seed: str, state: holdem.State, seat: int) -> holdem.Pocket:
    """The two dice of a computer in this hand: neither an undo nor a restart changes them."""
    lots = f"{seed} {state.hand} {seat}"
    first = draw_lot(lots, 0, BAG)
    left = list(BAG)
    left.remove(first)
    second = draw_lot(lots, 1, left)
    return ShownDie(first, draw_lot(lots, 2, FACES)), ShownDie(second, draw_lot(lots, 3, FACES))

"""A seat's view of Hold'em: the table, and what its choices bring or cost at once.

Never the pocket dice that another seat has not shown.
"""

from dataclasses import dataclass

from games.holdem import state as holdem
from games.holdem.betting import (
    SMALLEST_CHIP,
    Act,
    Pot,
    cost_of_act,
    legal_acts,
    listed_acts,
    payments,
    to_call,
)
from games.holdem.course import awards, best_hand, current_pots, dice_on_table, showing_seat
from games.holdem.evaluator import Hand
from games.values import Points, ShownDie
from games.views import BetsView, Row, Sheet, TableItem, TableView


@dataclass(frozen=True, slots=True)
class Player:
    """The facts about a player that everyone may see.

    Attributes:
        name: as given at the start.
        chips: in front of the player.
        bet: put in during this round of betting.
        paid: put in during this hand.
        folded: whether the player has left the hand.
        all_in: whether all chips are in the pots.
        out: whether the player is out of the game.
        pocket: the pocket dice; None for each that is hidden, empty for a player who holds none.
        hand: the best hand, once the pocket is shown.
    """

    name: str
    chips: int
    bet: int
    paid: int
    folded: bool
    all_in: bool
    out: bool
    pocket: tuple[ShownDie | None, ...]
    hand: Hand | None


@dataclass(frozen=True, slots=True)
class SeatView:
    """The game as a seat may see it.

    Attributes:
        seat: whose view it is.
        stage: where the hand stands.
        number: the number of the hand.
        dealer: the seat that deals, or throws during the roll-off.
        community: the community dice by slot; None for those not on the table.
        players: by seat.
        pots: the main pot, then the side pots.
        to_call: the chips that this seat needs to match the bet; 0 when there is none.
    """

    seat: int
    stage: holdem.Stage
    number: int
    dealer: int
    community: tuple[ShownDie | None, ...]
    players: tuple[Player, ...]
    pots: tuple[Pot, ...]
    to_call: int


def view(state: holdem.State, seat: int) -> SeatView:
    """The seat's view. Its own pocket is hidden too: the cup is the player's to lift."""
    mine = state.seats[seat]
    asked = state.stage in holdem.BETTING_STAGES and mine.live
    return SeatView(
        seat,
        state.stage,
        state.hand,
        state.dealer,
        dice_on_table(state)[: holdem.COMMUNITY_DICE],
        tuple(_player_view(state, other) for other in range(len(state.seats))),
        current_pots(state),
        min(to_call(state, seat), mine.chips) if asked else 0,
    )


def _player_view(state: holdem.State, seat: int) -> Player:
    chips = state.seats[seat]
    made = best_hand(state, seat)
    pocket = state.pockets[seat] or (None,) * (holdem.POCKET_DICE if chips.live else 0)
    return Player(
        state.players[seat],
        chips.chips,
        chips.bet,
        chips.paid,
        folded=chips.paid > 0 and not chips.live,
        all_in=chips.live and not chips.chips,
        out=seat in state.out or (not chips.paid and not chips.chips),
        pocket=pocket,
        hand=made[0] if made else None,
    )


def sheet(state: holdem.State, seat: int) -> Sheet:
    """A seat's chips, what is in the pots, and the dice it may use as far as they are shown."""
    seen = view(state, seat)
    player = seen.players[seat]
    rows = (
        Row("chips", player.chips),
        Row("put-in", player.paid),
        Row("to-call", seen.to_call),
        Row("all-pots", sum(pot.chips for pot in seen.pots)),
        *(_die_row(f"die {slot + 1}", die) for slot, die in enumerate(seen.community)),
        *(_die_row(f"pocket {slot + 1}", die, "p") for slot, die in enumerate(player.pocket)),
    )
    return Sheet(rows, player.chips)


def _die_row(name: str, die: ShownDie | None, prefix: str = "") -> Row:
    """A die named by its colour, or by its name while it is hidden."""
    return Row(f"{prefix}{name[-1]} {die.kind}", die.face) if die else Row(name, None)


def table_view(state: holdem.State) -> TableView:
    """The pots with how many play for each, the dealer, and the chips of all players."""
    seen = view(state, 0)
    places = [
        TableItem(f"side-pot {number}" if number else "pot", pot.chips, f"{len(pot.seats)} play")
        for number, pot in enumerate(seen.pots)
    ]
    places.append(TableItem("dealer", owner=seen.dealer))
    for seat, player in enumerate(seen.players):
        marks = (("out", player.out), ("folded", player.folded), ("all-in", player.all_in))
        note = next((mark for mark, there in marks if there), f"bet {player.bet}")
        places.append(TableItem("chips", player.chips, note if state.hand else "", seat))
    return TableView(
        tuple(places),
        left_on_sheets=("chips", "put-in", "to-call"),
        shared_dice=holdem.COMMUNITY_DICE,
    )


def bets(state: holdem.State) -> BetsView:
    """The bets and the dice that lie open."""
    showing = showing_seat(state)
    made = None if showing is None else best_hand(state, showing)
    betting = state.stage in holdem.BETTING_STAGES
    paying = awards(state) if state.stage is holdem.Stage.PAY else ()
    active = sum(seat.active for seat in state.seats)
    begins = state.stage is holdem.Stage.OPEN and len(state.betting.queue) == active
    legal = legal_acts(state)
    acts = listed_acts(state) if betting else ()
    return BetsView(
        hand=state.hand,
        dealer=state.dealer,
        shared=holdem.COMMUNITY_DICE,
        stage=state.stage if betting else "",
        opens=begins and not state.betting.high,
        acts={act: cost_of_act(state, act) if act in legal else 0 for act in acts},
        pot=sum(seat.paid for seat in state.seats),
        in_hand=tuple(number for number, seat in enumerate(state.seats) if seat.live),
        community=state.community,
        pockets=state.pockets,
        best=made[1] if made else (),
        rank=made[0].rank.word if made else "",
        pots=tuple(tuple(zip(a.winners, a.chips, strict=True)) for a in paying),
        unbet=_is_unbet(state),
    )


def _is_unbet(state: holdem.State) -> bool:
    """True if the Flop is the first thing in a hand, as the antes leave fewer than two who can bet.

    A fold, too, would show that somebody could.
    """
    dealt = [seat for seat in state.seats if seat.paid]
    return (
        state.stage is holdem.Stage.FLOP
        and not state.thrown
        and sum(seat.active for seat in dealt) <= 1
        and all(seat.live and seat.paid <= SMALLEST_CHIP for seat in dealt)
    )


def describe(state: holdem.State) -> list[str]:
    """The dice, the pots and the players in plain text."""
    seen = view(state, 0)
    deals = "throws for the deal" if seen.stage is holdem.Stage.ROLL_OFF else "deals"
    lines = [
        f"hand {seen.number}, {seen.stage}, {state.players[seen.dealer]} {deals}",
        f"dice {' '.join(map(_die_text, seen.community))}",
    ]
    for number, pot in enumerate(seen.pots):
        who = ", ".join(state.players[seat] for seat in pot.seats)
        lines.append(f"{f'side pot {number}' if number else 'pot'} {pot.chips}: {who}")
    width = max(map(len, state.players))
    for player in seen.players:
        parts = [f"{player.name:<{width}} {player.chips:>5}", f"put in {player.paid:>3}"]
        marks = (("folded", player.folded), ("all-in", player.all_in), ("out", player.out))
        parts += [mark for mark, there in marks if there]
        parts += map(_die_text, player.pocket)
        parts += [player.hand.rank.word] if player.hand else []
        lines.append(" ".join(parts))
    return lines


def _die_text(die: ShownDie | None) -> str:
    return f"{die.kind}-{die.face}" if die else "?"


def chips_gained(state: holdem.State, choice: Act | holdem.Declare | holdem.TakePot) -> Points:
    """How much a legal choice adds to the chips of the seat that is asked, and why."""
    if isinstance(choice, holdem.Declare):
        made = best_hand(state, state.order[0])
        return Points(0, "".join(map(str, made[0].faces)) if made else "")
    if isinstance(choice, holdem.TakePot):
        given = awards(state)
        winners = given[0].winners
        chips = payments(given, len(state.seats))[winners[0]]
        made = best_hand(state, winners[0])
        if not made:
            return Points(chips, "all-folded")
        return Points(chips, "shared" if len(winners) > 1 else made[0].rank.word)
    speaker = state.seats[state.betting.queue[0]]
    if isinstance(choice, holdem.Fold):
        return Points(0, f"leaves {speaker.paid}")
    chips = cost_of_act(state, choice)
    pot = sum(seat.paid for seat in state.seats) + chips
    return Points(-chips, "all-in" if chips == speaker.chips else f"pot {pot}")

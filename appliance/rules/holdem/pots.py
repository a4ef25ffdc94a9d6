"""The pots of a hand of Hold'em: the main pot, the side pots, and who gets what from them.

Chips are whole tens, and all of them are always somewhere: what comes out of the pots is what
was put in.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from appliance.rules.holdem.evaluator import Hand

CHIP = 10
"""The smallest chip."""


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
    """What became of a pot.

    Attributes:
        pot: the pot.
        winners: who won it, the nearest to the dealer's left first.
        chips: what each of the winners gets, in the same order.
    """

    pot: Pot
    winners: tuple[int, ...]
    chips: tuple[int, ...]


def pots(paid: Sequence[int], live: Sequence[bool]) -> tuple[Pot, ...]:
    """The main pot, then the side pots.

    Args:
        paid: what each seat has put in during the hand.
        live: whether the seat has not folded; at least one has not, and each of those has paid.

    Two neighbouring pots always have different seats. Chips of folded seats lie in the pots like
    the others'; what nobody could match is a pot of its owner alone.
    """
    levels = sorted({chips for chips, stays in zip(paid, live, strict=True) if stays})
    found: list[Pot] = []
    below = 0
    for level in levels:
        chips = sum(min(put, level) - min(put, below) for put in paid)
        if level == levels[-1]:
            # More than any live seat has put in can only be left by seats that folded.
            chips += sum(max(put - level, 0) for put in paid)
        seats = tuple(s for s, put in enumerate(paid) if live[s] and put >= level)
        found.append(Pot(chips, seats))
        below = level
    return tuple(found)


def award(found: Sequence[Pot], hands: Sequence[Hand | None], dealer: int) -> tuple[Award, ...]:
    """Who gets what: each pot goes to the best hand among those with a share in it.

    Args:
        found: the pots.
        hands: by seat; None for a seat without one. Where a pot has seats without hands, it must
            have only one seat.
        dealer: the seat that the nearest winner is counted from, clockwise.

    Equal hands split the pot in whole chips; what is left over goes to the winner who is the
    nearest on the dealer's left.
    """
    return tuple(_award(pot, hands, dealer) for pot in found)


def _award(pot: Pot, hands: Sequence[Hand | None], dealer: int) -> Award:
    winners = pot.seats
    if len(winners) > 1:
        top = max(hand for seat in pot.seats if (hand := hands[seat]) is not None)
        winners = tuple(seat for seat in pot.seats if hands[seat] == top)
    winners = tuple(sorted(winners, key=lambda seat: (seat - dealer - 1) % len(hands)))
    share = pot.chips // (CHIP * len(winners)) * CHIP
    odd = pot.chips - share * len(winners)
    return Award(pot, winners, (share + odd, *(share for _ in winners[1:])))


def payments(awards: Sequence[Award], seats: int) -> tuple[int, ...]:
    """What each seat gets from all pots together."""
    total = [0] * seats
    for given in awards:
        for seat, chips in zip(given.winners, given.chips, strict=True):
            total[seat] += chips
    return tuple(total)

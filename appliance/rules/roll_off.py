"""Who begins: every seat throws, the highest total begins, those who tie throw again."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """How a roll-off stands.

    Attributes:
        seat: who throws next, or who begins once it is decided.
        decided: whether `seat` begins.
        again: whether `seat` throws because of a tie.
    """

    seat: int
    decided: bool
    again: bool = False


def standing(players: int, totals: Sequence[int]) -> Standing:
    """How a roll-off of `players` seats stands after these totals, in the order thrown.

    Seats throw in order from 0; after a full round only the seats that share its highest total
    throw, in order, until one is alone. Totals after the decision are ignored.
    """
    contenders = tuple(range(players))
    used = 0
    while len(contenders) > 1:
        totals_now = totals[used : used + len(contenders)]
        if len(totals_now) < len(contenders):
            return Standing(contenders[len(totals_now)], decided=False, again=used > 0)
        used += len(contenders)
        best = max(totals_now)
        pairs = zip(contenders, totals_now, strict=True)
        contenders = tuple(seat for seat, total in pairs if total == best)
    return Standing(contenders[0], decided=True)


def throwers(players: int, totals: Sequence[int]) -> tuple[int, ...]:
    """The seat that threw each of the totals."""
    return tuple(standing(players, totals[:n]).seat for n in range(len(totals)))

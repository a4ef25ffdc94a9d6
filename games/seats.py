"""Who begins, and who leaves mid-game.

In a roll-off every seat throws, the highest total begins, and those who tie throw again. When a
player leaves, the game continues without them, and what they have made stays theirs. The booklets
do not cover this, so it is a ruling; each game's page in `docs/rules/` has its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeVar

from games.values import IllegalEvent, Left, Outcome


@dataclass(frozen=True, slots=True)
class RollOffStanding:
    """How a roll-off stands.

    Attributes:
        seat: who throws next, or who begins once it is decided.
        decided: whether `seat` begins.
        again: whether `seat` throws because of a tie.
    """

    seat: int
    decided: bool
    again: bool = False


def roll_off_standing(players: int, totals: Sequence[int]) -> RollOffStanding:
    """How a roll-off of `players` seats stands after these totals, in the order thrown.

    Seats throw in order from 0; after a full round only the seats that share its highest total
    throw, in order, until one is left. Totals after the decision are ignored.
    """
    contenders = tuple(range(players))
    used = 0
    while len(contenders) > 1:
        totals_now = totals[used : used + len(contenders)]
        if len(totals_now) < len(contenders):
            return RollOffStanding(contenders[len(totals_now)], decided=False, again=used > 0)
        used += len(contenders)
        best = max(totals_now)
        pairs = zip(contenders, totals_now, strict=True)
        contenders = tuple(seat for seat, total in pairs if total == best)
    return RollOffStanding(contenders[0], decided=True)


def throwers(players: int, totals: Sequence[int]) -> tuple[int, ...]:
    """The seat that threw each of the totals."""
    return tuple(roll_off_standing(players, totals[:n]).seat for n in range(len(totals)))


@dataclass(frozen=True, slots=True)
class Seated:
    """The state that all games which players can leave have in common.

    Attributes:
        players: the names by seat.
        out: the seats that have left, ascending.
    """

    players: tuple[str, ...]
    out: tuple[int, ...] = field(default=(), kw_only=True)

    @property
    def stay(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return _stay(len(self.players), self.out)

    def to_next(self, seat: int) -> int:
        """How many seats after `seat` the next player who has not left sits."""
        return _to_next(len(self.players), self.out, seat)

    def outcome(self, scores: tuple[int, ...]) -> Outcome:
        """The outcome of a game that needs two: the last one left wins, else the highest total."""
        if len(self.stay) > 1:
            return Outcome.of_totals(scores)
        return Outcome(scores, self.stay, "last-one-in")


@cache
def _stay(seats: int, out: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat in range(seats) if seat not in out)


@cache
def _to_next(seats: int, out: tuple[int, ...], seat: int) -> int:
    return next(n for n in range(1, seats + 1) if (seat + n) % seats not in out)


S = TypeVar("S", bound=Seated)


def without_player(state: S, event: Left, *, now: bool) -> S:
    """The state without a player, apart from what that means for the game.

    Raises:
        IllegalEvent: nobody may leave now, the seat is not in the game, or nobody else is.
    """
    # Not only `in`: True must not pass for the second seat.
    present = type(event.seat) is int and event.seat in state.stay
    if not now or not present or len(state.stay) < 2:
        who = "no" if not now or len(state.stay) < 2 else f"one of the seats {state.stay}"
        raise IllegalEvent(f"expected that {who} player may leave, got {event!r}")
    return replace(state, out=tuple(sorted((*state.out, event.seat))))

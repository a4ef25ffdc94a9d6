"""Players who leave in mid-game: the game goes on without them, what they have made stays theirs.

The booklets are silent, so all of this is a ruling; each game's page in `docs/rules/` has its own.
"""

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeVar

from appliance.rules.game import IllegalEvent, Left, Outcome


@dataclass(frozen=True, slots=True)
class Seated:
    """What the states of all games that can be left have in common.

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
        """How many seats on from `seat` the next player sits who has not left."""
        seats = len(self.players)
        return next(n for n in range(1, seats + 1) if (seat + n) % seats not in self.out)

    def outcome(self, scores: tuple[int, ...]) -> Outcome:
        """The outcome of a game that needs two: the last one in wins, else the highest total."""
        if len(self.stay) > 1:
            return Outcome.of_totals(scores)
        return Outcome(scores, self.stay, "LAST ONE IN")


@cache
def _stay(seats: int, out: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat in range(seats) if seat not in out)


S = TypeVar("S", bound=Seated)


def left(state: S, event: Left, *, now: bool) -> S:
    """The state without a player, but for what that means to the game.

    Raises:
        IllegalEvent: nobody may leave now, the seat is not in the game, or nobody else is.
    """
    if not now or event.seat not in state.stay or len(state.stay) < 2:
        who = "no" if not now or len(state.stay) < 2 else f"one of the seats {state.stay}"
        raise IllegalEvent(f"expected that {who} player may leave, got {event!r}")
    return replace(state, out=tuple(sorted((*state.out, event.seat))))

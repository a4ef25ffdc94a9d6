"""What a game of Classic consists of: the choices and the state."""

from dataclasses import dataclass

from appliance.rules.classic.sheet import Box, Sheet
from appliance.rules.game import Choice
from appliance.rules.seats import Seated

MAX_PLAYERS = 6
ROLLS_PER_TURN = 3


@dataclass(frozen=True, slots=True)
class Score(Choice):
    """Score the roll on the table in this box."""

    box: Box

    @property
    def label(self) -> str:
        """The box as the board names it."""
        return Box(self.box).label


@dataclass(frozen=True, slots=True)
class Zero(Choice):
    """Take a zero in this box although the roll on the table fits it."""

    box: Box

    @property
    def label(self) -> str:
        """A zero and the box as the board names it."""
        return f"0 {Box(self.box).short}"


@dataclass(frozen=True, slots=True)
class State(Seated):
    """A game of Classic between two events.

    Attributes:
        sheets: one for each seat.
        first: the seat that began; None while the roll-off is open.
        seat: whose turn it is, or who throws next in the roll-off.
        roll: how many rolls of the turn are on record, 0 to 3.
        dice: the five faces of the last roll of the turn by slot; empty before the first.
        held: the slots kept for the throw that is due; None when no throw is due: then a choice
            is, or, with `roll` 0, the game is over.
        roll_off: the throws of the roll-off in order.
    """

    sheets: tuple[Sheet, ...]
    first: int | None = 0
    seat: int = 0
    roll: int = 0
    dice: tuple[int, ...] = ()
    held: tuple[int, ...] | None = ()
    roll_off: tuple[tuple[int, ...], ...] = ()

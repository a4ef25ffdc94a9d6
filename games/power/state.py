"""The parts of a game of Power: the dice, the choices and the state."""

from dataclasses import dataclass
from typing import Final

from games.dice import FIVE_DICE
from games.power.sheet import Kind, Sheet
from games.seats import Seated
from games.values import Choice, DieKind

MIN_PLAYERS: Final = 1
MAX_PLAYERS: Final = 6
ROLLS_PER_TURN: Final = 3
"""How many rolls a turn may have; there is one more if Power shows after the last of them."""
POWER_SLOT: Final = FIVE_DICE
"""The slot of the Power die, after the numbered dice."""
DICE: Final[tuple[DieKind, ...]] = (*(DieKind.BLACK,) * FIVE_DICE, DieKind.POWER)

DOUBLE: Final = "double"
FREEZE: Final = "freeze"
POWER: Final = "power"
MULTIPLIER: Final = {"1": 1, "2": 2, "3": 3, DOUBLE: 2, FREEZE: 1, POWER: 3}
"""The number by which each face of the Power die multiplies a score."""


@dataclass(frozen=True, slots=True)
class Score(Choice):
    """Score the roll in the lowest open slot of this kind.

    Attributes:
        kind: the kind.
        number: the number to count, 1 to 6, for `Kind.CHOICE`; else 0.
    """

    kind: Kind
    number: int = 0

    @property
    def key(self) -> str:
        """The kind, with the number that is chosen."""
        word = Kind(self.kind).word
        return f"{word} {self.number}" if self.number else word

    @property
    def entry(self) -> str:
        """The kind."""
        return Kind(self.kind).word


@dataclass(frozen=True, slots=True)
class Cross(Choice):
    """Put an X into the highest open slot of this kind."""

    kind: Kind

    @property
    def key(self) -> str:
        """An X, and the kind."""
        return f"cross {Kind(self.kind).word}"

    @property
    def entry(self) -> str:
        """The kind."""
        return Kind(self.kind).word


@dataclass(frozen=True, slots=True)
class State(Seated):
    """A game of Power between two events.

    Attributes:
        sheets: one for each seat.
        first: the seat that began; None while the roll-off is open.
        seat: whose turn it is, or who throws next in the roll-off; when the game is over, the
            one whose sheet is full.
        turns: how many turns are over, of all seats together, including those that nobody plays.
        roll: how many rolls of the turn are on record, 0 to 4.
        dice: the five numbered faces of the last roll by slot; empty before the first.
        power: the face of the Power die; empty before the first roll.
        held: the slots kept for the throw that is due; None when no throw is due: then a choice
            is, or, with `roll` 0, the game is over.
        undoubled: while the second half of a Double is due, the sheet before its first half.
        roll_off: the faces thrown in the roll-off in order.
    """

    sheets: tuple[Sheet, ...]
    first: int | None = 0
    seat: int = 0
    turns: int = 0
    roll: int = 0
    dice: tuple[int, ...] = ()
    power: str = ""
    held: tuple[int, ...] | None = ()
    undoubled: Sheet | None = None
    roll_off: tuple[int, ...] = ()

"""The state of a game with a sheet of boxes, and what players choose in it."""

from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from games.boxes.sheets import BoxSheet
from games.dice import Pattern
from games.seats import Seated
from games.values import Choice, OptionValue

ROLLS_PER_TURN = 3
House = tuple[tuple[str, OptionValue], ...]
"""House rules: each option that is not the default with its value, by name."""
S = TypeVar("S", bound=BoxSheet)


def house_words(house: House) -> str:
    """House rules as text: `order=top-down two_pairs_of_four=true`."""
    return " ".join(f"{name}={str(value).lower()}" for name, value in house)


@dataclass(frozen=True, slots=True, eq=False)
class _OfBox(Choice):
    """A choice for one box.

    It differs from that for the same number in another game, or for 1.0: those are no box of it.
    """

    box: Pattern

    @property
    def entry(self) -> str:
        """The box."""
        return self.box.word

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is type(self)
            and isinstance(other, _OfBox)
            and type(other.box) is type(self.box)
            and other.box == self.box
        )

    def __hash__(self) -> int:
        return hash((type(self), self.box))


@dataclass(frozen=True, slots=True, eq=False)
class Score(_OfBox):
    """Score the roll on the table in this box, with 0 if it does not fit."""

    @property
    def key(self) -> str:
        """The box."""
        return self.box.word


@dataclass(frozen=True, slots=True, eq=False)
class Zero(_OfBox):
    """Take a zero in this box although the roll on the table fits it."""

    @property
    def key(self) -> str:
        """A zero, and the box."""
        return f"zero {self.box.word}"


@dataclass(frozen=True, slots=True)
class BoxState(Seated, Generic[S]):
    """A game between two events.

    Attributes:
        sheets: one for each seat.
        first: the seat that began; None while the roll-off is open.
        seat: whose turn it is, or who throws next in the roll-off.
        roll: how many rolls of the turn are on record, 0 to 3.
        dice: the five faces of the last roll of the turn by slot; empty before the first.
        held: the slots kept for the throw that is due; None when no throw is due: then a choice
            is, or, with `roll` 0, the game is over.
        roll_off: the throws of the roll-off in order.
        house: the house rules that it is played by.
    """

    sheets: tuple[S, ...]
    first: int | None = 0
    seat: int = 0
    roll: int = 0
    dice: tuple[int, ...] = ()
    held: tuple[int, ...] | None = ()
    roll_off: tuple[tuple[int, ...], ...] = ()
    house: House = ()

    def with_turn(
        self,
        sheets: tuple[S, ...],
        seat: int,
        roll: int,
        dice: tuple[int, ...],
        held: tuple[int, ...] | None,
    ) -> Self:
        """The state with these; who plays, by which rules, who began and who has left stay."""
        # Every event comes here. A frozen value is filled by `object.__setattr__`, here as in its
        # constructor, which takes a third longer; `replace` takes more than twice as long.
        made, put = object.__new__(type(self)), object.__setattr__
        put(made, "players", self.players)
        put(made, "out", self.out)
        put(made, "first", self.first)
        put(made, "roll_off", self.roll_off)
        put(made, "house", self.house)
        put(made, "sheets", sheets)
        put(made, "seat", seat)
        put(made, "roll", roll)
        put(made, "dice", dice)
        put(made, "held", held)
        return made

"""The parts of a game of Showdown: the ring of spaces, the choices and the state."""

from dataclasses import dataclass
from enum import StrEnum

from games.seats import Seated
from games.showdown.cards import CARD_COUNT, MAX_CHIPS_BY_CARD, Card
from games.values import Choice

MIN_PLAYERS = 2
MAX_PLAYERS = 4
ROLLS_PER_TURN = 3
"""How many rolls of the black dice there may be after a move."""
RING_SPACES = 16
"""The spaces of the ring, numbered clockwise from seat 0's corner."""
SPACES_PER_SIDE = 4
"""Every space whose number is a multiple of this is a Wild corner; seat k's is k times this."""
RED_SLOT = 5
"""The slot of the red die; the black dice are 0 to 4."""


def is_wild(space: int) -> bool:
    """True if a space is one of the four Wild corners."""
    return space % SPACES_PER_SIDE == 0


@dataclass(frozen=True, slots=True)
class _WithCard:
    card: Card

    @property
    def key(self) -> str:
        """The card as the board names it."""
        return Card(self.card).word


@dataclass(frozen=True, slots=True)
class Place(_WithCard, Choice):
    """Put a card that is off the board on the board."""


@dataclass(frozen=True, slots=True)
class Take(_WithCard, Choice):
    """Take a card that another player controls."""


@dataclass(frozen=True, slots=True)
class Raise(_WithCard, Choice):
    """Put more chips on a number card of one's own."""


@dataclass(frozen=True, slots=True)
class MoveOn(Choice):
    """On one's own card: throw the red die again and move."""


@dataclass(frozen=True, slots=True)
class Stay(Choice):
    """On one's own card: roll the black dice to put more chips on it."""


class Step(StrEnum):
    """The step that a turn waits for."""

    MOVE = "move"
    """A throw of the red die."""
    LANDED = "landed"
    """The choice between `MoveOn` and `Stay`."""
    ROLL = "roll"
    """A throw of black dice."""
    USE = "use"
    """The decision what to do with the roll on the table."""
    OVER = "over"
    """Nothing: the game is over."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A card on the board: its space, the seat that controls it and how many chips are on it."""

    space: int
    seat: int
    chips: int


@dataclass(frozen=True, slots=True)
class State(Seated):
    """A game of Showdown between two events.

    Attributes:
        pawns: the space of each seat's pawn.
        cards: where each card is, in the order of `Card`; None while it is off the board.
        first: the seat that began.
        turns: how many turns are over, including those that nobody plays.
        end: the number of turns after which the game is over; None until the last card is placed.
        raise_continues: the house rule that a raise in the Showdown round does not end the turn.
        step: what the turn waits for.
        red: the face that the red die showed last while it can be corrected, else 0.
        origin: the space that the pawn left with that face; 0 when `red` is 0.
        roll: how many rolls of the black dice are on record since the pawn moved, 0 to 3.
        dice: the five faces of the last of them by slot; empty before the first.
        held: the slots kept for the throw that is due in `Step.ROLL`; else empty.
    """

    pawns: tuple[int, ...]
    cards: tuple[Stack | None, ...] = (None,) * CARD_COUNT
    first: int = 0
    turns: int = 0
    end: int | None = None
    raise_continues: bool = False
    step: Step = Step.MOVE
    red: int = 0
    origin: int = 0
    roll: int = 0
    dice: tuple[int, ...] = ()
    held: tuple[int, ...] = ()

    @property
    def seat(self) -> int:
        """Whose turn it is; at the end, the seat that began the Showdown round."""
        return (self.first + self.turns) % len(self.players)

    @property
    def in_showdown(self) -> bool:
        """True once the Showdown round has begun."""
        return self.end is not None

    def card_at(self, space: int) -> Card | None:
        """The card on a space; None for an empty space or a Wild corner."""
        for number, stack in enumerate(self.cards):
            if stack is not None and stack.space == space:
                return Card(number)
        return None


def landing_step(state: State) -> Step:
    """The step that follows when the pawn of the seat to move has landed where it stands.

    On one's own card the player moves on, or may choose to stay if the card can hold more chips.
    Everywhere else the black dice are rolled.
    """
    card = state.card_at(state.pawns[state.seat])
    stack = None if card is None else state.cards[card]
    if card is None or stack is None or stack.seat != state.seat:
        return Step.ROLL
    return Step.LANDED if card.is_number and stack.chips < MAX_CHIPS_BY_CARD[card] else Step.MOVE

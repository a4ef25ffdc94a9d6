"""The parts of a game of Free for All: its choices and its state."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.free_for_all.cards import Card, Kind
from games.free_for_all.deck import CENTRE_SPACES
from games.seats import Seated
from games.values import Choice

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 6
ROLLS_PER_TURN: Final = 3
TOTAL_CHIPS: Final = 36
HOME_NAMES: Final = "abc"
"""How the home spaces of a player are named."""


def home_spaces(players: int) -> int:
    """How many home spaces each player has when this many play."""
    return {2: 3, 3: 2}.get(players, 1)


@dataclass(frozen=True, slots=True)
class TurnUp(Choice):
    """This card comes up from the deck, onto the empty space of the centre."""

    card: Card

    @property
    def key(self) -> str:
        """The card and its points."""
        return self.card.key


@dataclass(frozen=True, slots=True)
class Bank(Choice):
    """Bank the card on this home space of one's own, and no other."""

    home: int
    card: Card

    @property
    def key(self) -> str:
        """The space and the kind of the card."""
        return f"{_home_name(self.home)} {Kind(self.card.kind).word}"


@dataclass(frozen=True, slots=True)
class Take(Choice):
    """Take this card from this space of the centre, with the chips under it."""

    space: int
    card: Card

    @property
    def key(self) -> str:
        """The space, counted from 1, and the kind of the card."""
        return f"c{self.space + 1} {Kind(self.card.kind).word}"

    @property
    def thing(self) -> str:
        """The card and its points."""
        return self.card.key


@dataclass(frozen=True, slots=True)
class Steal(Choice):
    """Steal this card from a home space of another player."""

    seat: int
    home: int
    card: Card

    @property
    def key(self) -> str:
        """The player, counted from 1, the space and the kind of the card."""
        return f"{self.seat + 1}{_home_name(self.home)} {Kind(self.card.kind).word}"


@dataclass(frozen=True, slots=True)
class TakeFive(Choice):
    """Take one of the five-alike cards that lie apart.

    Attributes:
        points: those of the card, where cards worth different points lie apart; else 0.
    """

    points: int = 0

    @property
    def key(self) -> str:
        """The kind, with the points where they matter."""
        return f"five-alike {self.points}" if self.points else "five-alike"


def _home_name(home: int) -> str:
    return HOME_NAMES[home] if 0 <= home < len(HOME_NAMES) else "?"


class Step(StrEnum):
    """The turn's next step: a card from the deck, a decision, a throw, or nothing more."""

    TURN_UP = "turn-up"
    BANK = "bank"
    ROLL = "roll"
    USE = "use"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on a home space with the dice that took it, as they were rolled."""

    card: Card
    dice: tuple[int, ...]


Home = tuple[Lying | None, ...]
"""The home spaces of one player."""


@dataclass(frozen=True, slots=True)
class State(Seated):
    """A game of Free for All between two events.

    Nothing in it is hidden: `deck` says which cards are left, not in which order.

    Attributes:
        first: the seat that began.
        virtual: whether the appliance draws the cards; else players enter what they turn up.
        deck: the cards that are still face down, in the order of their kinds.
        centre: the cards of the centre by space, None for one that is to be turned up.
        chips: the chips under each of them.
        apart: the five-alike cards that are left.
        homes: the home spaces by seat.
        banked: the cards that each seat has banked, in the order of their kinds.
        banked_chips: the chips that each seat has.
        turns: how many turns are over, of all seats together, including those that nobody plays;
            the last turn of a game never is.
        step: what the turn waits for.
        roll: how many rolls of the turn are on record, 0 to 3.
        dice: the faces of the last of them by slot; empty before the first.
        held: the slots kept for the throw that is due.
        late: whether a player banks only once all home spaces are taken, and then one card.
    """

    first: int
    virtual: bool
    deck: tuple[Card, ...]
    apart: tuple[Card, ...]
    homes: tuple[Home, ...]
    banked: tuple[tuple[Card, ...], ...]
    banked_chips: tuple[int, ...]
    centre: tuple[Card | None, ...] = (None,) * CENTRE_SPACES
    chips: tuple[int, ...] = (0,) * CENTRE_SPACES
    turns: int = 0
    step: Step = Step.TURN_UP
    roll: int = 0
    dice: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    late: bool = False

    @property
    def pile(self) -> int:
        """The chips that nobody has and that lie under no card."""
        return TOTAL_CHIPS - sum(self.chips) - sum(self.banked_chips)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return (self.first + self.turns) % len(self.players)


def total_points(cards: Sequence[Card]) -> int:
    """The points printed on cards."""
    return sum(card.points for card in cards)

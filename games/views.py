"""The visible part of a game: a player's sheet, the bonuses ahead, what lies on the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from games.values import Choice, ShownDie


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a player's sheet.

    Attributes:
        key: what it is for.
        points: None while the row is open, or for a row without a number.
    """

    key: str
    points: int | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A player's sheet that has only its rows and their total."""

    rows: tuple[Row, ...]
    total: int


class SheetView(Protocol):
    """The visible part of a player's sheet."""

    @property
    def rows(self) -> Sequence[Row]:
        """The rows in the order of the sheet."""

    @property
    def total(self) -> int:
        """The grand total so far."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A bonus that part of a player's points counts towards.

    Attributes:
        key: the part of the sheet that counts.
        now: what the player has.
        needed: what the bonus requires.
        bonus: its points.
    """

    key: str
    now: int
    needed: int
    bonus: int


@dataclass(frozen=True, slots=True)
class TableItem:
    """Something on the table that all players see: a space of a track, an open card, a pot.

    Attributes:
        key: what it is; for a card that can be chosen, the key of its choice.
        points: what it is worth or holds; None for a place without a number.
        note: a key such as `beat 3`; empty for none.
        owner: the seat that has it; None for nobody.
        pawns: the seats whose pawns stand here.
        aim: whether the seat that is asked may use its roll for it.
        chips: how many chips lie there that come with it.
        needs: what the roll must have at least to take it: so many dice of its number, or so high a
            total; 0 where its combination is enough.
        gain: the points that such a roll brings at least.
    """

    key: str
    points: int | None = None
    note: str = ""
    owner: int | None = None
    pawns: tuple[int, ...] = ()
    aim: bool = False
    chips: int = 0
    needs: int = 0
    gain: int = 0


@dataclass(frozen=True, slots=True)
class TableView:
    """The things on the table for all players.

    Attributes:
        places: in the order in which players look at them; around a ring clockwise.
        ring: whether the places are the spaces of a ring that pawns go round.
        beside: what lies beside a ring.
        left_on_sheets: the keys of those rows of a sheet that are not on the table as well; None
            where sheets are shown whole.
        shared_dice: how many dice, by slot, belong to all, who bet on them; 0 in a game without
            bets.
    """

    places: tuple[TableItem, ...] = ()
    ring: bool = False
    beside: tuple[TableItem, ...] = ()
    left_on_sheets: tuple[str, ...] | None = None
    shared_dice: int = 0


@dataclass(frozen=True, slots=True)
class BetsView:
    """A game of bets as everybody may see it: chips, pots, and the dice that lie open.

    Attributes:
        hand: the number of the hand, from 1; 0 before the first.
        dealer: the seat that deals.
        shared: how many dice are thrown for all; the slots of a player's own come after theirs.
        stage: the key of the round of betting; empty outside of one.
        opens: whether the first to speak in this hand is about to, before any bet.
        acts: every act that the round has, in its place whether or not it is possible now, with the
            chips that it puts in, 0 if it is not possible; empty outside a round of betting.
        pot: the chips in all pots together.
        in_hand: the seats that hold dice and have not folded, ascending.
        community: the dice thrown for all, by slot.
        pockets: the dice of its own that each seat has shown; None for those that are hidden.
        best: the dice of the best hand of the seat that names its hand, or takes the pot.
        rank: the key of that hand; empty when all others have folded, or nothing is shown.
        pots: while pots are paid out, what each winner of each pot gets, as seat and chips.
        unbet: whether a hand begins in which nobody can bet, as all but one at most are all-in with
            the ante, and nothing has been thrown yet.
    """

    hand: int
    dealer: int
    shared: int
    stage: str = ""
    opens: bool = False
    acts: Mapping[Choice, int] = field(default_factory=dict)
    pot: int = 0
    in_hand: tuple[int, ...] = ()
    community: tuple[ShownDie, ...] = ()
    pockets: tuple[tuple[ShownDie, ...] | None, ...] = ()
    best: tuple[ShownDie, ...] = ()
    rank: str = ""
    pots: tuple[tuple[tuple[int, int], ...], ...] = ()
    unbet: bool = False

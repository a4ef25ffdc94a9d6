"""Prompts for looking at scores and table: sheets, the map, single places; and before an undo."""

from collections.abc import Iterator
from dataclasses import dataclass

from appliance.guidance import GO_BACK, YES_NO, Guidance, guidance
from appliance.table.prompts.prompt import TO_TURN_PAGES, Prompt
from appliance.table.prompts.wording import label_in_words, name_in_words
from appliance.words import Verbatim, say
from games.values import Face
from games.views import Goal


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table as one player sees it, with names instead of seats.

    Attributes:
        points: what it is worth or holds; None for a place without a number.
        note: a short text about it; may be empty.
        owner: the name of the player who has it; empty for nobody.
        pawns: the names of the players whose pawns stand here, the viewing player's first.
        here: whether the viewing player's own pawn does.
        aim: whether the roll of the player whose turn it is may be used for it.
        chips: how many chips lie there that come with it.
        pays: what the dice on the table would bring there now; None where they do not make it.
        needs: what a roll must have at least, as in `TableItem`.
    """

    label: str
    points: int | None = None
    note: str = ""
    owner: str = ""
    mine: bool = False
    pawns: tuple[str, ...] = ()
    here: bool = False
    aim: bool = False
    chips: int = 0
    pays: int | None = None
    needs: int = 0

    @property
    def fits(self) -> bool:
        """Whether the dice on the table make it."""
        return self.pays is not None

    @property
    def in_words(self) -> str:
        """Its name, its owner, its points, and what it takes."""
        owner = name_in_words(self.owner) if self.owner and not self.mine else ""
        points = "" if self.points is None else str(self.points)
        note = say(self.note) if self.note else ""
        return ", ".join(filter(None, (label_in_words(self.label), owner, points, note)))


@dataclass(frozen=True, slots=True)
class TableSpots:
    """The table as one player sees it: its places in order, clockwise around a ring.

    `beside` is what lies beside them: what is left of cards and chips.
    """

    spots: tuple[Spot, ...]
    ring: bool
    beside: tuple[Spot, ...] = ()

    @property
    def aims(self) -> tuple[Spot, ...]:
        """The places that the roll may be used for."""
        return tuple(spot for spot in self.spots if spot.aim)

    @property
    def here(self) -> int:
        """Where the viewing player's pawn stands, 0 if there are no pawns."""
        return next((number for number, spot in enumerate(self.spots) if spot.here), 0)

    def told_aims(self) -> Iterator[str]:
        """The voice's words on the places that the roll may be used for."""
        for spot in self.aims:
            yield spot.in_words

    def told_pawn(self) -> Iterator[str]:
        """Where the pawn stands on a ring, which decides what the dice are for."""
        if self.ring and self.spots:
            what = self.spots[self.here].in_words
            yield say("Your pawn: space {number}, {what}.", number=self.here + 1, what=what)


@dataclass(frozen=True, slots=True)
class SheetPrompt(Prompt):
    """A page of a player's sheet: the total with the bonuses still ahead (`goals`), or two rows.

    Rows are labels and what stands beside them; the first page, that of the total, has none.
    """

    only_looked_at = True

    player: str
    total: int
    rows: tuple[tuple[str, str], ...]
    index: int
    count: int = 1
    goals: tuple[Goal, ...] = ()

    def can_do(self, hands: bool = True) -> Guidance:
        """Its pages are turned."""
        return guidance(Verbatim(self.player), *TO_TURN_PAGES)

    def told(self) -> Iterator[str]:
        """The total and what is missing for a bonus, or the rows."""
        if not self.rows:
            yield f"{name_in_words(self.player)}, {say('TOTAL')} {self.total}"
            for goal in self.goals:
                values = {"have": goal.now, "need": goal.needed, "bonus": goal.bonus}
                yield say("{have} of {need} for a bonus of {bonus}.", **values)
        for label, points in self.rows:
            yield f"{label_in_words(label)}: {say('open') if points == '-' else points}"


@dataclass(frozen=True, slots=True)
class MapPrompt(Prompt):
    """A ring with its pawns and cards, as one player sees it; `index` and `count` as above."""

    only_looked_at = True

    player: str
    table: TableSpots
    index: int
    count: int

    def can_do(self, hands: bool = True) -> Guidance:
        """Its pages are turned."""
        return guidance(Verbatim(self.player), *TO_TURN_PAGES)


@dataclass(frozen=True, slots=True)
class PlacePrompt(Prompt):
    """A single place on the table; `index` and `count` as above."""

    only_looked_at = True

    player: str
    spot: Spot
    index: int
    count: int

    def can_do(self, hands: bool = True) -> Guidance:
        """Its pages are turned."""
        return guidance(Verbatim(self.player), *TO_TURN_PAGES)


@dataclass(frozen=True, slots=True)
class StripPrompt(Prompt):
    """All boxes of a player's sheet at once, as the player is about to throw or to decide.

    Attributes:
        total: the player's points.
        boxes: labels and points of all boxes; None for one that is open.
        goals: the bonuses still ahead.
        at: the box that is told in words; None for none.
        pays: what the dice on the table would bring in each box now, None where they can't be
            scored; empty before a throw.
    """

    only_looked_at = True

    player: str
    total: int
    boxes: tuple[tuple[str, int | None], ...]
    goals: tuple[Goal, ...] = ()
    at: int | None = None
    pays: tuple[int | None, ...] = ()

    def can_do(self, hands: bool = True) -> Guidance:
        """Dice are thrown at once, or its places are told in words."""
        return _to_look_on(self.player, bool(self.pays), hands)


@dataclass(frozen=True, slots=True)
class TablePrompt(Prompt):
    """The whole table at once, as a player is about to throw or to decide.

    Attributes:
        at: counts its places, then what lies beside them: which is told in words; None for none.
        rolled: whether there are dice to decide about.
    """

    only_looked_at = True

    player: str
    table: TableSpots
    at: int | None = None
    rolled: bool = False

    def can_do(self, hands: bool = True) -> Guidance:
        """Dice are thrown at once, or its places are told in words."""
        return _to_look_on(self.player, self.rolled, hands)


def _to_look_on(player: str, rolled: bool, hands: bool) -> Guidance:
    throws = hands and not rolled and "SPACE|throws"
    return guidance(Verbatim(player), throws, "← →|one by one", GO_BACK)


@dataclass(frozen=True, slots=True)
class UndoPrompt(Prompt):
    """Shows what would be taken back, or with `again` what would be put back that was taken back.

    Attributes:
        player: whose choice it is.
        label: what was chosen.
        steps: how many choices would be taken back, or put back with `again`.
        dice: the dice of which some were held, if that was the choice; otherwise empty.
        held: the slots of those.
        again: whether an undo would be undone.
    """

    player: str
    label: str
    steps: int
    dice: tuple[Face | None, ...] = ()
    held: tuple[int, ...] = ()
    again: bool = False

    def can_do(self, hands: bool = True) -> Guidance:
        """The undo is confirmed, or another step is."""
        what = f"{self.player}: {say(self.label or 'the last throw')}"
        if self.held:
            held = " ".join(str(slot + 1) for slot in self.held)
            what = f"{self.player}: {say('HOLD {buttons}', buttons=held)}"
        asks = "Put back {what}?" if self.again else "Undo {what}?"
        return guidance(asks, *YES_NO, "← →|earlier or later", what=what)

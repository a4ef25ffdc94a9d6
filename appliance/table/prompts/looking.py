"""Prompts for looking at scores and table: sheets, cards, single places; and before an undo."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from appliance.guidance import GO_BACK, YES_NO, Guidance, guidance
from appliance.table.prompts.prompt import TO_TURN_PAGES, Prompt, told_place
from appliance.table.prompts.wording import (
    card_in_words,
    held_in_words,
    label_in_words,
    name_in_words,
    needs_in_words,
    places_in_words,
    points_in_words,
    told_dice,
    told_goals,
)
from appliance.words import Label, Verbatim, say, say_aloud, write
from games.values import Face
from games.views import Goal

_EMPTY, _WILD = "empty", "wild"
"""The keys of places of a ring without a card, and where any card is met."""


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
        gain: what such a roll brings at least.
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
    gain: int = 0

    @property
    def fits(self) -> bool:
        """Whether the dice on the table make it."""
        return self.pays is not None

    @property
    def name_in_words(self) -> str:
        """Its name with its owner, or where it lies."""
        if not self.owner:
            return label_in_words(self.label)
        owner = name_in_words(self.owner)
        return say("{card} of {player}", card=card_in_words(self.label), player=owner)

    @property
    def card_in_words(self) -> str:
        """Its name with its owner, without where it lies in the centre."""
        return self.name_in_words if self.owner else card_in_words(self.label)

    @property
    def is_bare(self) -> bool:
        """True for a place of a ring where nothing is."""
        bare = isinstance(self.label, Label) and self.label.key in (_EMPTY, _WILD)
        return bare and self.points is None and not (self.owner or self.pawns)

    @property
    def in_words(self) -> str:
        """Its name, its owner, its points, what it takes, and what that brings."""
        points = "" if self.points is None else points_in_words(self.points)
        needs = needs_in_words(self.label, self.note, self.mine, self.needs)
        pays = "" if self.pays is None else say("now {points}", points=points_in_words(self.pays))
        gain = ""
        if self.mine and self.needs and self.gain:
            gain = say("{points} more", points=points_in_words(self.gain))
        return ", ".join(filter(None, (self.name_in_words, points, pays, needs, gain)))

    def told(self) -> Iterator[str]:
        """All of it in the voice's words: what it is, and who stands there."""
        yield self.in_words
        for pawn in self.pawns:
            yield say("{player} is here.", player=name_in_words(pawn))


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

    def told_made(self, *, with_points: bool = True) -> Iterator[str]:
        """The voice's words on what the dice make, or on what a ring has them make.

        Of several cards it is the one with the most points.
        """
        made = [spot for spot in self.spots if spot.fits]
        if made:
            best = max(made, key=lambda spot: spot.points or 0)
            points = points_in_words(best.points or 0) if with_points else ""
            what = ", ".join(filter(None, (best.card_in_words, points)))
            yield say("Enough for {card}.", card=what)
        elif self.ring:
            for spot in self.aims:
                needs = needs_in_words(spot.label, spot.note, spot.mine, spot.needs)
                yield ", ".join(filter(None, (spot.name_in_words, needs)))

    def told_all_made(self) -> Iterator[str]:
        """Everything that the dice make, if there is more than one."""
        made = [spot.name_in_words for spot in self.spots if spot.fits]
        if len(made) > 1:
            yield say("The dice make: {cards}.", cards=", ".join(made))

    def told_map(self) -> Iterator[str]:
        """Every place of a ring where something is, by its number, and the cards beside it."""
        for number, spot in enumerate(self.spots, 1):
            if not spot.is_bare:
                said = " ".join(f"{text.rstrip('.')}." for text in spot.told())
                yield say("Space {number}: {what}", number=number, what=said)
        wild = [at for at, spot in enumerate(self.spots) if spot.label == Label(_WILD)]
        if wild:
            yield say("Wild spaces: {numbers}.", numbers=places_in_words(wild))
        yield from self.told_beside()

    def told_beside(self) -> Iterator[str]:
        """What lies beside the places: the cards that nobody has placed, or what is left."""
        if self.ring and self.beside:
            cards = ", ".join(say_aloud(spot.label) for spot in self.beside)
            yield say("Not placed: {cards}.", cards=cards)
        elif self.beside:
            for spot in self.beside:
                yield _told_pile(spot)

    def told_pawn(self) -> Iterator[str]:
        """Where the pawn stands on a ring, which decides what the dice are for."""
        if self.ring and self.spots:
            what = self.spots[self.here].in_words
            yield say("On space {number}: {what}.", number=self.here + 1, what=what)


def _told_pile(spot: Spot) -> str:
    """A pile beside the table in the voice's words: what it has, and how many of it."""
    return " ".join(filter(None, (say_aloud(spot.label), f"{spot.points}", say_aloud(spot.note))))


class _PageOfMany(Prompt):
    """A page of a player's that is looked at, one of several."""

    __slots__ = ()
    only_looked_at = True
    player: str

    def can_do(self, hands: bool = True) -> Guidance:
        """Its pages are turned."""
        return guidance(Verbatim(self.player), *TO_TURN_PAGES)


class _Overview(Prompt):
    """Everything of a kind at once, for who is about to throw or to decide."""

    __slots__ = ()
    only_looked_at = True
    player: str

    @property
    def is_of_roll(self) -> bool:
        """Whether there are dice to decide about."""
        raise NotImplementedError

    def can_do(self, hands: bool = True) -> Guidance:
        """Dice are thrown at once, or its places are told in words."""
        throws = hands and not self.is_of_roll and "SPACE|throws"
        return guidance(Verbatim(self.player), throws, "← →|one by one", GO_BACK)


@dataclass(frozen=True, slots=True)
class SheetPrompt(_PageOfMany):
    """A page of a player's sheet: the total with the bonuses still ahead (`goals`), or two rows.

    Rows are labels and what stands beside them; the first page, that of the total, has none.
    """

    player: str
    total: int
    rows: tuple[tuple[str, str], ...]
    index: int
    count: int = 1
    goals: tuple[Goal, ...] = ()

    def told(self) -> Iterator[str]:
        """The total and what is missing for a bonus, or the rows."""
        if not self.rows:
            yield f"{name_in_words(self.player)}, {say('TOTAL')} {self.total}"
            yield from told_goals(self.goals)
        for label, points in self.rows:
            yield f"{label_in_words(label)}: {say('open') if points == '-' else points}"

    def told_besides(self) -> Iterator[str]:
        """The place of the page."""
        yield told_place(self.index, self.count)


@dataclass(frozen=True, slots=True)
class PlacePrompt(_PageOfMany):
    """A single place on the table; `index` and `count` as above."""

    player: str
    spot: Spot
    index: int
    count: int

    def told(self) -> Iterator[str]:
        """The place and who stands there."""
        yield from self.spot.told()

    def told_besides(self) -> Iterator[str]:
        """The place of the page."""
        yield told_place(self.index, self.count)


@dataclass(frozen=True, slots=True)
class StripPrompt(_Overview):
    """All boxes of a player's sheet at once, as the player is about to throw or to decide.

    Attributes:
        total: the player's points.
        boxes: labels and points of all boxes; None for one that is open.
        goals: the bonuses still ahead.
        at: the box that is told in words; None for none.
        pays: what the dice on the table would bring in each box now, None where they can't be
            scored; empty before a throw.
    """

    player: str
    total: int
    boxes: tuple[tuple[str, int | None], ...]
    goals: tuple[Goal, ...] = ()
    at: int | None = None
    pays: tuple[int | None, ...] = ()

    @property
    def is_of_roll(self) -> bool:
        """Whether there are dice to decide about."""
        return bool(self.pays)

    def told(self) -> Iterator[str]:
        """A box and its points; or the total, what is missing for a bonus, the open boxes."""
        if self.at is not None:
            label, points = self.boxes[self.at]
            brought = say("open") if points is None else points_in_words(points)
            pays = self.pays[self.at] if self.pays else None
            now = "" if pays is None else say("now {points}", points=points_in_words(pays))
            yield f"{label_in_words(label)}: {', '.join(filter(None, (brought, now)))}"
            return
        if self.pays:
            yield from self._told_pays()
        yield f"{name_in_words(self.player)}, {say('TOTAL')} {self.total}"
        yield from told_goals(self.goals)
        still = [label_in_words(label) for label, points in self.boxes if points is None]
        if still:
            yield say("Open: {boxes}.", boxes=", ".join(still))

    def _told_pays(self) -> Iterator[str]:
        """What the dice on the table bring now, the most first."""
        boxes = zip(self.boxes, self.pays, strict=True)
        worth = [(pays, label_in_words(label)) for (label, _), pays in boxes if pays is not None]
        for pays, label in sorted(worth, key=lambda each: -each[0]):
            yield f"{label}, {points_in_words(pays)}"

    def told_besides(self) -> Iterator[str]:
        """Whose box it is, its place, and which are open."""
        if self.at is None:
            return
        yield name_in_words(self.player)
        yield told_place(self.at, len(self.boxes))
        still = (number for number, (_, points) in enumerate(self.boxes) if points is None)
        yield say("Open boxes: {numbers}.", numbers=places_in_words(still))


@dataclass(frozen=True, slots=True)
class TablePrompt(_Overview):
    """The whole table at once, as a player is about to throw or to decide.

    Attributes:
        at: counts its places, then what lies beside them: which is told in words; None for none.
        rolled: whether there are dice to decide about.
    """

    player: str
    table: TableSpots
    at: int | None = None
    rolled: bool = False

    @property
    def is_of_roll(self) -> bool:
        """Whether there are dice to decide about."""
        return self.rolled

    def told(self) -> Iterator[str]:
        """A place; or the whole table."""
        table, at = self.table, self.at
        if at is not None:
            yield from self._told_place(at)
        elif table.ring:
            yield from table.told_pawn()
            yield from table.told_map()
        else:
            for spot in table.spots:
                yield spot.in_words
            yield from table.told_beside()

    def _told_place(self, at: int) -> Iterator[str]:
        """One of the places, or of what lies beside them."""
        table = self.table
        if at < len(table.spots):
            if table.ring:
                yield say("Space {number}.", number=at + 1)
            yield from table.spots[at].told()
            return
        beside = table.beside[(at - len(table.spots)) % len(table.beside)]
        if table.ring:
            yield say("Not placed: {cards}.", cards=say_aloud(beside.label))
        else:
            yield _told_pile(beside)

    def told_besides(self) -> Iterator[str]:
        """The rest of the table, of which one place was told."""
        if self.at is None:
            return
        if self.table.ring:
            yield from self.table.told_map()
            return
        for spot in self.table.spots:
            yield spot.in_words
        yield from self.table.told_beside()


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
        computers: the computers whose choices go with it, or come back.
    """

    player: str
    label: str
    steps: int
    dice: tuple[Face | None, ...] = ()
    held: tuple[int, ...] = ()
    again: bool = False
    computers: tuple[str, ...] = ()

    def can_do(self, hands: bool = True) -> Guidance:
        """The undo is confirmed, or another step is."""
        what = f"{self.player}: {write(self.label) if self.label else say('the last throw')}"
        if self.held:
            what = f"{self.player}: {held_in_words(self.dice, self.held)}"
        what = ", ".join(filter(None, (what, self.and_computers(self.computers))))
        asks = say("Put back {what}?" if self.again else "Undo {what}?", what=what)
        if not self.again:
            asks = f"{asks} {say('The game goes back to before that.')}"
        return guidance(Verbatim(asks), *YES_NO, "← →|earlier or later")

    def told(self) -> Iterator[str]:
        """What would be undone or put back, and how many choices that is."""
        what = label_in_words(self.label) if self.label else say("the last throw")
        if self.held:
            what = held_in_words(self.dice, self.held)
        what = f"{name_in_words(self.player)}: {what}"
        others = self.and_computers([*map(name_in_words, self.computers)])
        what = ", ".join(filter(None, (what, others)))
        yield say("Put back {what}?" if self.again else "Undo {what}?", what=what)
        if self.steps > 1:
            yield say("{count} choices.", count=self.steps)

    @staticmethod
    def and_computers(names: Sequence[str]) -> str:
        """That choices of computers with these names go with it; nothing if there are none."""
        return say("and {players}", players=", ".join(names)) if names else ""

    def told_besides(self) -> Iterator[str]:
        """The dice that were held, among all."""
        yield from told_dice(self.dice)

"""What the board can show of sheets and the table: pages to browse, independent of any game."""

from dataclasses import dataclass

from appliance.rules.game import Goal, TableItem, TableView
from appliance.table.session.modes import ViewingSheet
from appliance.table.session.session import Session

ROWS_PER_PAGE = 2
"""How many rows of a sheet a page has."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table as one player sees it, with names instead of seats.

    Attributes:
        points: what it is worth or holds; None for a place without a number.
        note: a short text about it; may be empty.
        owner: the name of the player who has it; empty for nobody.
        pawns: the names of the players whose pawns stand here.
        here: whether the viewing player's own pawn does.
        aim: whether the roll of the player whose turn it is may be used for it.
    """

    label: str
    points: int | None = None
    note: str = ""
    owner: str = ""
    mine: bool = False
    pawns: tuple[str, ...] = ()
    here: bool = False
    aim: bool = False


@dataclass(frozen=True, slots=True)
class TableSpots:
    """The table as one player sees it: its places in order, clockwise around a ring."""

    spots: tuple[Spot, ...]
    ring: bool

    @property
    def aims(self) -> tuple[Spot, ...]:
        """The places that the roll may be used for."""
        return tuple(spot for spot in self.spots if spot.aim)

    @property
    def here(self) -> int:
        """Where the viewing player's pawn stands, 0 if there are no pawns."""
        return next((number for number, spot in enumerate(self.spots) if spot.here), 0)


@dataclass(frozen=True, slots=True)
class SheetPrompt:
    """A page of a player's sheet: the total with the bonuses still ahead (`goals`), or two rows.

    Rows are labels and what stands beside them; the first page, that of the total, has none.
    """

    player: str
    total: int
    rows: tuple[tuple[str, str], ...]
    index: int
    count: int = 1
    goals: tuple[Goal, ...] = ()


@dataclass(frozen=True, slots=True)
class MapPrompt:
    """A ring with its pawns and cards, as one player sees it; `index` and `count` as above."""

    player: str
    table: TableSpots
    index: int
    count: int


@dataclass(frozen=True, slots=True)
class PlacePrompt:
    """A single place on the table; `index` and `count` as above."""

    player: str
    spot: Spot
    index: int
    count: int


def seen_by(view: TableView, names: tuple[str, ...], seat: int) -> TableSpots:
    """The table as a seat sees it."""
    return TableSpots(tuple(_spot_seen_by(place, names, seat) for place in view.places), view.ring)


def table_spots(session: Session, seat: int) -> TableSpots | None:
    """The table as a seat sees it; None in a game where nothing lies on it for everyone."""
    view = session.rules.table_view(session.state)
    return seen_by(view, session.setup.players, seat) if view.places else None


def _spot_seen_by(place: TableItem, names: tuple[str, ...], seat: int) -> Spot:
    return Spot(
        place.label,
        place.points,
        place.note,
        "" if place.owner is None else names[place.owner],
        place.owner == seat,
        tuple(names[pawn] for pawn in place.pawns),
        seat in place.pawns,
        place.aim,
    )


def sheet_prompt(session: Session, sheet: ViewingSheet) -> SheetPrompt | MapPrompt | PlacePrompt:
    """The page being viewed: the total, the map, the table's places, then the rows.

    Around a ring the places begin at the player's own pawn and follow its direction.
    """
    rules, state, names = session.rules, session.state, session.setup.players
    player, seat = names[sheet.seat], sheet.seat
    view = rules.table_view(state)
    table = seen_by(view, names, seat)
    beside = tuple(_spot_seen_by(place, names, seat) for place in view.beside)
    spots = (*table.spots[table.here :], *table.spots[: table.here])
    # What is beside a ring is on the sheet too.
    spots += () if view.ring else beside
    read = rules.sheet(state, seat)
    cells = tuple((r.label, "-" if r.points is None else str(r.points)) for r in read.rows)
    pages = (len(cells) + ROWS_PER_PAGE - 1) // ROWS_PER_PAGE
    count = 1 + view.ring + len(spots) + pages
    index = sheet.row % count
    if index == 0:
        goals = tuple(rules.goals(state, seat))
        return SheetPrompt(player, read.total, (), index, count, goals)
    if view.ring and index == 1:
        return MapPrompt(player, table, index, count)
    at = index - 1 - view.ring
    if at < len(spots):
        return PlacePrompt(player, spots[at], index, count)
    row = ROWS_PER_PAGE * (at - len(spots))
    return SheetPrompt(player, read.total, cells[row : row + ROWS_PER_PAGE], index, count)

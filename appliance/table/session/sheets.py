"""What the board can show of sheets and the table: pages to browse, independent of any game."""

from appliance.rules.game import TableItem, TableView
from appliance.table.prompts.looking import MapPrompt, PlacePrompt, SheetPrompt, Spot, TableSpots
from appliance.table.session.modes import ViewingSheet
from appliance.table.session.session import Session

ROWS_PER_PAGE = 2
"""How many rows of a sheet a page has."""


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

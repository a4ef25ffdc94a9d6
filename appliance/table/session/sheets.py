"""Sheets and the table as the board can show them: pages to browse, independent of any game."""

from collections.abc import Container

from appliance.table.prompts.looking import (
    MapPrompt,
    PlacePrompt,
    SheetPrompt,
    Spot,
    StripPrompt,
    TablePrompt,
    TableSpots,
)
from appliance.table.session.modes import LookingOver, ViewingSheet
from appliance.table.session.session import Session
from appliance.words import Label
from games.values import Choice, Keep, Throw
from games.views import TableItem, TableView

ROWS_PER_PAGE = 2
"""How many rows of a sheet a page has."""
LOTS_THROWN = ("who-begins", "who-deals")
"""The purposes of throws before anybody has a sheet or a place."""


def seen_by(
    view: TableView, names: tuple[str, ...], seat: int, made: Container[str] = ()
) -> TableSpots:
    """The table as a seat sees it; `made` are the keys of what the dice make."""
    places, beside = (
        tuple(_spot_seen_by(place, names, seat, made) for place in some)
        for some in (view.places, view.beside)
    )
    return TableSpots(places, view.ring, beside)


def table_spots(session: Session, seat: int) -> TableSpots | None:
    """The table as a seat sees it; None in a game where nothing lies on it for everyone."""
    view = session.record.rules.table_view(session.record.state)
    choices = session.record.choices
    made = {choice.key for choice in choices if not isinstance(choice, Keep)}
    return seen_by(view, session.record.setup.players, seat, made) if view.places else None


def _spot_seen_by(
    place: TableItem, names: tuple[str, ...], seat: int, made: Container[str]
) -> Spot:
    return Spot(
        Label(place.key),
        place.points,
        Label(place.note),
        "" if place.owner is None else names[place.owner],
        place.owner == seat,
        tuple(names[pawn] for pawn in place.pawns),
        seat in place.pawns,
        place.aim,
        place.chips,
        place.aim and place.key in made,
    )


def sheet_prompt(session: Session, sheet: ViewingSheet) -> SheetPrompt | MapPrompt | PlacePrompt:
    """The page being viewed: the total, the map, the table's places, then the rows.

    Around a ring the places begin at the player's own pawn and follow its direction.
    """
    rules, state, names = session.record.rules, session.record.state, session.record.setup.players
    player, seat = names[sheet.seat], sheet.seat
    view = rules.table_view(state)
    table = seen_by(view, names, seat)
    spots = (*table.spots[table.here :], *table.spots[: table.here])
    # What is beside a ring is on the sheet too.
    spots += () if view.ring else table.beside
    read = rules.sheet(state, seat)
    cells = tuple((Label(r.key), "-" if r.points is None else str(r.points)) for r in read.rows)
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


def look_prompt(session: Session, mode: LookingOver) -> StripPrompt | TablePrompt | None:
    """All boxes of who is about to throw, or the table; None where there is neither.

    A walk around a ring begins at the player's own pawn and follows its direction.
    """
    rules, state = session.record.rules, session.record.state
    ask = rules.ask(state)
    if not isinstance(ask, Throw) or ask.coloured or ask.purpose in LOTS_THROWN:
        return None
    player = session.record.setup.players[ask.seat]
    if table := table_spots(session, ask.seat):
        at = mode.at
        if at is not None and table.ring and at < len(table.spots):
            at = (table.here + at) % len(table.spots)
        return TablePrompt(player, table, at)
    read = rules.sheet(state, ask.seat)
    boxes = tuple((Label(row.key), row.points) for row in read.rows)
    if not boxes:
        return None
    return StripPrompt(player, read.total, boxes, tuple(rules.goals(state, ask.seat)), mode.at)


def places_looked_over(session: Session) -> int:
    """How many places `look_prompt` tells in words, one at a time."""
    match look_prompt(session, LookingOver()):
        case StripPrompt(boxes=boxes):
            return len(boxes)
        case TablePrompt(table=table):
            return len(table.spots) + len(table.beside)
        case _:
            return 0


def open_boxes(session: Session, seat: int) -> tuple[bool, ...]:
    """Of each box of a player's sheet, whether it is open; empty in games with a table."""
    rules, state = session.record.rules, session.record.state
    if rules.table_view(state).places:
        return ()
    return tuple(row.points is None for row in rules.sheet(state, seat).rows)


def box_filled(session: Session, seat: int, choice: Choice) -> int | None:
    """Which box of a player's sheet a choice fills; None for none of them."""
    rules, state = session.record.rules, session.record.state
    before, after = (rules.sheet(at, seat).rows for at in (state, rules.apply(state, choice)))
    rows = enumerate(zip(before, after, strict=True))
    return next((n for n, (old, new) in rows if old.points is None is not new.points), None)

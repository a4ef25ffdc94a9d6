"""Sheets and the table as the board can show them: pages to browse, independent of any game."""

from collections.abc import Mapping
from types import MappingProxyType

from appliance.table.prompts.looking import (
    PlacePrompt,
    SheetPrompt,
    Spot,
    StripPrompt,
    TablePrompt,
    TableSpots,
)
from appliance.table.session.listing import (
    count_of_entries,
    lists_at_once,
    offers,
    ranked_choices,
)
from appliance.table.session.modes import LookingOver, ViewingSheet
from appliance.table.session.session import Session
from appliance.words import Label
from games.values import Choice, Choose, Throw
from games.views import TableItem, TableView

NOTHING: Mapping[str, int] = MappingProxyType({})
ROWS_PER_PAGE = 2
"""How many rows of a sheet a page has."""
LOTS_THROWN = ("who-begins", "who-deals")
"""The purposes of throws before anybody has a sheet or a place."""


def seen_by(
    view: TableView, names: tuple[str, ...], seat: int, pays: Mapping[str, int] = NOTHING
) -> TableSpots:
    """The table as a seat sees it; `pays` is what the dice would bring now, by key of the place."""
    places, beside = (
        tuple(_spot_seen_by(place, view.ring, names, seat, pays) for place in some)
        for some in (view.places, view.beside)
    )
    return TableSpots(places, view.ring, beside)


def table_spots(session: Session, seat: int) -> TableSpots | None:
    """The table as a seat sees it; None in a game where nothing lies on it for everyone."""
    view = session.record.rules.table_view(session.record.state)
    if not view.places:
        return None
    pays = {choice.key: points.points for choice, points in offers(session).items() if points}
    return seen_by(view, session.record.setup.players, seat, pays)


def _spot_seen_by(
    place: TableItem, ring: bool, names: tuple[str, ...], seat: int, pays: Mapping[str, int]
) -> Spot:
    usable = ring or place.aim
    return Spot(
        Label(place.key),
        place.points,
        Label(place.note),
        "" if place.owner is None else names[place.owner],
        place.owner == seat,
        tuple(names[pawn] for pawn in sorted(place.pawns, key=lambda pawn: pawn != seat)),
        seat in place.pawns,
        place.aim,
        place.chips,
        pays.get(place.key) if usable else None,
        place.needs,
        place.gain,
    )


def sheet_prompt(session: Session, sheet: ViewingSheet) -> SheetPrompt | PlacePrompt:
    """The page being viewed: the total, the table's places, then the rows.

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
    count = 1 + len(spots) + pages
    index = sheet.row % count
    if index == 0:
        goals = tuple(rules.goals(state, seat))
        return SheetPrompt(player, read.total, (), index, count, goals)
    at = index - 1
    if at < len(spots):
        return PlacePrompt(player, spots[at], index, count)
    row = ROWS_PER_PAGE * (at - len(spots))
    return SheetPrompt(player, read.total, cells[row : row + ROWS_PER_PAGE], index, count)


def look_prompt(session: Session, mode: LookingOver) -> StripPrompt | TablePrompt | None:
    """All boxes of the player asked, or the table; None where neither has anything to do with it.

    Of dice that lie there it says what they would bring now. A walk around a ring begins at the
    player's own pawn and follows its direction.
    """
    rules, state = session.record.rules, session.record.state
    ask = rules.ask(state)
    if isinstance(ask, Choose):
        if lists_at_once(session):
            return None
    elif not isinstance(ask, Throw) or ask.coloured or ask.purpose in LOTS_THROWN:
        return None
    player = session.record.setup.players[ask.seat]
    rolled = isinstance(ask, Choose)
    if table := table_spots(session, ask.seat):
        at = mode.at
        if at is not None and table.ring and at < len(table.spots):
            at = (table.here + at) % len(table.spots)
        return TablePrompt(player, table, at, rolled)
    read = rules.sheet(state, ask.seat)
    boxes = tuple((Label(row.key), row.points) for row in read.rows)
    if not boxes:
        return None
    goals = tuple(rules.goals(state, ask.seat))
    pays = boxes_paying(session, ask.seat) if rolled else ()
    if rolled and all(points is None for points in pays):
        return None
    return StripPrompt(player, read.total, boxes, goals, mode.at, pays)


def boxes_paying(session: Session, seat: int) -> tuple[int | None, ...]:
    """What the dice would bring now in each box of the sheet; None for one that they cannot fill.

    Of the ways to use a box it is the best.
    """
    pays: list[int | None] = [None] * len(
        session.record.rules.sheet(session.record.state, seat).rows
    )
    worth = offers(session)
    for choice in ranked_choices(session)[: count_of_entries(session)]:
        box, points = box_filled(session, seat, choice), worth[choice]
        if box is not None and points is not None:
            pays[box] = points.points
    return tuple(pays)


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
    if len(before) != len(after):
        return None
    # By place: a row may get another name when it is filled, such as the number of Power's choice.
    rows = enumerate(zip(before, after, strict=True))
    filled = [n for n, (old, new) in rows if old.points is None is not new.points]
    return filled[0] if len(filled) == 1 else None

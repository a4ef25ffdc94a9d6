"""The table as everybody sees it: a ring as a map, its cards at a glance, single places in words.

The map is the way around: the first place at the upper left, the row below it leads back. A card is
the letter of whose it is, with a light under it for every ten points; a cross is a Wild corner, and
a dot is empty, or whose pawn stands there. The place of the player's own pawn blinks.
"""

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import DIE_SIZE, Canvas
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.drawing.layout import (
    LOWER_LINE_ROW,
    draw_page_bar,
    shorten_to_fit,
    two_lines,
)
from appliance.screens.standing import ShortName, labels
from appliance.screens.strip import is_number_sign, place_of_sign, sign_of
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.words import say

_PLACES_IN_A_ROW = 8
_COLUMNS_PER_PLACE = WIDTH // _PLACES_IN_A_ROW
_LETTER_COLUMNS = 5
"""Columns of a place's letter with a dark column on both sides of it."""
_MAP_ROWS = (0, 9)
"""The first row of each row of places."""
_CHIPS_BELOW = 6
"""Rows from there to the lights of a card."""
_POINTS_PER_LIGHT = 10
_WILD = ("#.#", ".#.", "#.#")


def ring_cells(count: int) -> tuple[tuple[int, int], ...]:
    """The left column and top row of each place of a ring of `count` places, clockwise.

    ValueError for a ring that is not the two rows of the map.
    """
    if count != 2 * _PLACES_IN_A_ROW:
        raise ValueError(f"expected a ring of {2 * _PLACES_IN_A_ROW} places, found {count}")
    there = [(_COLUMNS_PER_PLACE * n, _MAP_ROWS[0]) for n in range(_PLACES_IN_A_ROW)]
    return (*there, *((x, _MAP_ROWS[1]) for x, _ in reversed(there)))


def table_map(table: TableSpots, blink: bool = False, *, at: int | None = None) -> Picture:
    """A ring as a map; the place `at`, or that of the own pawn, is a block unless it blinks."""
    canvas = Canvas()
    canvas.drawings += 1
    lit = table.here if at is None else at
    letters = {label.name: label.letter for label in _owners(table)}
    for number, (spot, (x, y)) in enumerate(
        zip(table.spots, ring_cells(len(table.spots)), strict=True)
    ):
        if whose := (spot.owner or next(iter(spot.pawns), "")):
            canvas.text(x + 1, y, letters[whose], NARROW)
        if spot.owner:
            lights = min(-(-(spot.points or 0) // _POINTS_PER_LIGHT), _COLUMNS_PER_PLACE - 1)
            canvas.block(x, y + _CHIPS_BELOW, lights, 1)
        elif spot.label == "WILD" and not whose:
            for dy, row in enumerate(_WILD):
                for dx, on in enumerate(row):
                    canvas.light(x + 1 + dx, y + 1 + dy, on == "#")
        elif not whose:
            canvas.light(x + 2, y + 2)
        if number == lit and not blink:
            # What lies there is seen while the block is out.
            canvas.block(x, y, _LETTER_COLUMNS, SMALL.height)
    return canvas.picture


def _owners(table: TableSpots) -> tuple[ShortName, ...]:
    """The labels of those who have a card, or whose pawns are on the ring."""
    owners = (name for spot in table.spots for name in (spot.owner, *spot.pawns) if name)
    return labels(sorted(dict.fromkeys(owners)))


def map_legend(table: TableSpots, player: str, letters: int) -> Picture:
    """Whose cards the letters of the map are, in so many `letters`; just a name if nobody has any.

    Names that there is no room or time for end sooner.
    """
    owners = sorted({spot.owner for spot in table.spots if spot.owner})
    if not owners:
        return two_lines(player, say("MAP"))
    title = say("MAP: CARDS OF")
    named = ""
    for longest in range(max(map(len, owners)), 0, -1):
        named = " ".join(name[:longest].strip() for name in owners)
        if SMALL.width(named) <= WIDTH and len((title + named).replace(" ", "")) <= letters:
            break
    return two_lines(title, named)


def cards_left_page(table: TableSpots) -> Picture:
    """The cards that nobody has: the numbers above, all others below."""
    signs = [sign_of(spot.label) for spot in table.beside]
    numbers = [sign for sign in signs if is_number_sign(sign)]
    canvas = Canvas()
    canvas.line(0, say("{count} LEFT", count=len(signs)), " ".join(numbers))
    canvas.line(LOWER_LINE_ROW, " ".join(sign for sign in signs if sign not in numbers))
    return canvas.picture


_CELLS_IN_A_ROW = 3
_CELL_COLUMNS = 22


def ring_cards_pages(table: TableSpots) -> tuple[Picture, ...]:
    """All cards of a ring, numbers first, then the others: a page of six each.

    Beside the sign of a card stands what the dice on the table would bring there, on a lit ground;
    else whose it is and, of a number, how many dice of it a roll needs. A card alone is left.
    """
    cards = [spot for spot in (*table.spots, *table.beside) if spot.points is not None]
    cards += table.beside
    cards = sorted(dict.fromkeys(cards), key=lambda spot: place_of_sign(spot.label))
    names = {label.name: label for label in _owners(table)}
    groups = [
        [spot for spot in cards if is_number_sign(sign_of(spot.label)) is numbers]
        for numbers in (True, False)
    ]
    shown = []
    for group in filter(None, groups):
        canvas = Canvas()
        for n, spot in enumerate(group):
            x = n % _CELLS_IN_A_ROW * _CELL_COLUMNS
            y = 1 if n < _CELLS_IN_A_ROW else LOWER_LINE_ROW + 2
            _draw_ring_card(canvas, spot, names, (x, y))
        shown.append(canvas.picture)
    return tuple(shown)


def _draw_ring_card(
    canvas: Canvas, spot: Spot, names: dict[str, ShortName], place: tuple[int, int]
) -> None:
    (x, y), texts = place, [sign_of(spot.label)]
    if spot.pays is not None:
        texts.append(f"+{spot.pays}")
    elif spot.owner:
        texts += [names[spot.owner].short, f"{spot.needs}+" if spot.needs else ""]
    room = min(_CELL_COLUMNS - 1, WIDTH - x)
    gap = 2 if sum(map(NARROW.width, texts)) + 2 * len(texts) <= room else 1
    at = x + 1 * (spot.pays is not None)
    for text in filter(None, texts):
        at += canvas.text(at, y, text, NARROW) + gap
    if spot.pays is not None:
        canvas.invert(x, y - 1, min(at - gap + 1, WIDTH) - x, DIE_SIZE)


def needed_dice(spot: Spot) -> str:
    """A card with how many dice of its number a roll needs, such as `2 FOURS`."""
    label = say(spot.label)
    return f"{spot.needs} {label}" if spot.needs else label


def told_need(spot: Spot) -> str:
    """What a card of a number takes, with a verb; of any other card its name."""
    if not spot.needs:
        return say(spot.label)
    return say("{dice} RAISE IT" if spot.mine else "{dice} WIN IT", dice=needed_dice(spot))


def spot_pages(spot: Spot, index: int = 0, count: int = 1) -> tuple[Picture, ...]:
    """A place in words: what it is and its number, what it takes, whose it is, who stands there.

    A bar at the right shows which page of a longer list it is.
    """
    room = WIDTH if count == 1 else WIDTH - 2
    below = [_needed(spot, room)] if spot.owner or spot.note else []
    if not below and not spot.pawns:
        below = [("", "")]
    below += (_named(name, say("IS HERE"), room) for name in spot.pawns)
    shown = []
    for left, right in below:
        canvas = _spot_canvas(spot, room, index, count)
        canvas.line(LOWER_LINE_ROW, left, right, room)
        shown.append(canvas.picture)
    return tuple(shown)


def _needed(spot: Spot, room: int) -> tuple[str, str]:
    """Whose a card is, and what the player who looks needs for it."""
    if spot.needs and spot.owner and is_number_sign(sign_of(spot.label)):
        needs = say("YOU NEED {count}", count=spot.needs)
        return shorten_to_fit(say("YOURS") if spot.mine else spot.owner, needs, room), needs
    if spot.owner and not spot.note:
        return _named(spot.owner, say("HAS IT"), room)
    note = say(spot.note)
    whose = say("YOURS") if spot.mine else spot.owner
    return (shorten_to_fit(whose, note, room) if whose else ""), note


def _named(name: str, what: str, room: int) -> tuple[str, str]:
    """A player and what is said of the player: as one text where that fits."""
    if SMALL.width(f"{name} {what}") <= room:
        return f"{name} {what}", ""
    return shorten_to_fit(name, what, room), what


def _spot_canvas(spot: Spot, room: int, index: int, count: int) -> Canvas:
    canvas = Canvas()
    canvas.line(0, say(spot.label), "" if spot.points is None else str(spot.points), room)
    draw_page_bar(canvas, index, count)
    return canvas

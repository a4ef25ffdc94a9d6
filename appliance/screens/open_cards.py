"""A table of cards in one picture: centre, homes, and what is left of cards and chips.

Above, the cards of the centre, each with what it is worth and a light under it for each chip.
Below, the cards at home, behind the first letter of whose they are. What the dice make lights up.
"""

from collections.abc import Sequence

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import DIE_SIZE, MIN_TEXT_GAP, Canvas
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.drawing.layout import LOWER_LINE_ROW, STAR
from appliance.screens.standing import labels
from appliance.screens.strip import sign_of
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.table.prompts.wording import CARD_PLACE
from appliance.words import say

_CENTRE_COLUMNS = 18
"""Columns from card to card in the centre."""
_CHIP_ROW = 8
_HOME_ROW = 10
_LEFT_COLUMN = 53
"""Cards and chips that are left stand to the right of this column."""
_NUMBERS = "123456"
_BETWEEN_CARDS = 3
_LEAST_LETTERS = 3
"""So many letters of a name, or all of it, say whose a card is."""
_CARD_ICON = ("###", "#.#", "#.#", "#.#", "###")
_CHIP_ICON = (".##.", "#..#", "#..#", ".##.")


def card_name(label: str) -> str:
    """The card that a label names, without its place."""
    return CARD_PLACE.sub("", label)


def choice_name(label: str) -> str:
    """A choice by its label; of a card on the table only its name."""
    return long_name(card_name(label)) if CARD_PLACE.match(label) else say(label)


def cards_page(table: TableSpots, at: int | None = None) -> Picture:
    """The table in one picture; the place `at` is on a lit ground."""
    canvas = Canvas()
    for number, spot in enumerate(table.spots):
        if spot.owner:
            continue
        if (found := CARD_PLACE.match(spot.label)) and found[1]:
            _draw_in_centre(canvas, spot, (int(found[1]) - 1) * _CENTRE_COLUMNS, number == at)
    _draw_homes(canvas, _by_owner(table), at)
    last = len(table.spots) + len(table.beside) - 1
    if table.beside:
        _draw_pile(canvas, 1, _CARD_ICON, table.beside[0], at == len(table.spots))
        _draw_pile(canvas, _HOME_ROW, _CHIP_ICON, table.beside[-1], at == last)
    return canvas.picture


def winnable_page(table: TableSpots, header: tuple[str, str], letters: int) -> Picture:
    """A line of text with a text at its left and right end, and what there is to win below it.

    Each card is a sign on a lit ground, and what it is worth; behind it stands whose it is. First
    come those that the dice win, which are lit as a whole, then those of the centre; so many that
    the page has at most so many `letters`.
    """
    canvas = Canvas()
    canvas.line(0, *header)
    spots = [spot for spot in table.spots if not spot.mine]
    spots.sort(key=lambda spot: (not spot.fits, bool(spot.owner)))
    owners = labels(list(dict.fromkeys(spot.owner for spot in spots if spot.owner)))
    short = {label.name: label.short for label in owners}
    left = letters - sum(len(text.replace(" ", "")) for text in header)
    x = 0
    for spot in spots:
        sign, worth = sign_of(card_name(spot.label)), str(spot.points)
        whose = short.get(spot.owner, "")
        wide = sum(map(SMALL.width, (sign, worth))) + 3 + (NARROW.width(whose) + 1) * bool(whose)
        left -= len(sign + worth + whose)
        if left < 0 or x + wide > WIDTH:
            break
        _draw_card(canvas, (sign, worth, whose), x, spot.fits)
        x += wide + _BETWEEN_CARDS
    return canvas.picture


def _draw_card(canvas: Canvas, texts: tuple[str, str, str], x: int, lit: bool) -> None:
    sign, worth, whose = texts
    row = LOWER_LINE_ROW + 2
    at = x + 1 + canvas.text(x + 1, row, sign, SMALL)
    canvas.invert(x, row - 1, at + 1 - x, DIE_SIZE)
    begin, at = at + 1, at + 2
    at += canvas.text(at, row, worth, SMALL)
    if whose:
        at += 1 + canvas.text(at + 1, row, whose, NARROW)
    if lit:
        canvas.invert(begin, row - 1, min(at + 1, WIDTH) - begin, DIE_SIZE)


def card_pages(table: TableSpots, most: int) -> tuple[Picture, ...]:
    """Pages on what there is to win in words, at most so many: a card with its points on a line.

    First the centre, then the cards to steal with whose they are. Those that do not fit are in a
    row of signs below the last card of the centre; without room for words all is in one picture.
    """
    centre = [spot for spot in table.spots if not spot.owner]
    homes = [spot for spot in table.spots if spot.owner]
    told = [spot for spot in (*centre, *homes) if not spot.mine]
    if not told or most < -(-len(centre) // 2):
        return (cards_page(table),)
    others = len(homes) - sum(spot.mine for spot in homes)
    if len(told) <= 2 * most:
        rest: list[Spot] = []
    else:
        told, rest = centre, homes
        if others and len(centre) % 2 == 0 and len(centre) // 2 == most:
            return (cards_page(table),)
    shown = []
    lines: list[Spot | None] = [*told]
    if rest:
        lines.append(None)
    for at in range(0, len(lines), 2):
        canvas = Canvas()
        for row, spot in zip((0, LOWER_LINE_ROW), lines[at : at + 2], strict=False):
            if spot is None:
                _draw_homes(canvas, _by_owner(table), columns=WIDTH)
            else:
                _draw_line(canvas, row, spot)
        if at + 1 == len(lines) and table.beside:
            deck = table.beside[0]
            canvas.line(LOWER_LINE_ROW, say("CARDS LEFT"), str(deck.points))
        shown.append(canvas.picture)
    return tuple(shown)


def _draw_line(canvas: Canvas, row: int, spot: Spot) -> None:
    """A card on a line: whose it is, what it is, what it brings."""
    points = f"+{spot.points}"
    name = long_name(card_name(spot.label))
    if spot.owner:
        owner = _cut_owner(spot.owner, name, points)
        if not owner:
            name = sign_of(card_name(spot.label))
            owner = _cut_owner(spot.owner, name, points)
        name = f"{owner} {name}"
    canvas.line(row, name, points)


def _cut_owner(owner: str, name: str, points: str) -> str:
    """As much of a player's name as fits before a card; empty if too little is left of it."""
    room = WIDTH - MIN_TEXT_GAP - NARROW.width(points)
    least = min(len(owner), _LEAST_LETTERS)
    begin = owner.rstrip(STAR)
    stars = owner[len(begin) :]
    # The stars of a computer stay.
    fitting = (begin[:n].rstrip() + stars for n in range(len(begin), least - 1, -1))
    return next((cut for cut in fitting if NARROW.width(f"{cut} {name}") <= room), "")


def long_name(name: str) -> str:
    """A card by its name, with as much of it as a line has room for."""
    return say(_LONG_NAMES.get(name, name))


_LONG_NAMES = {"FULL H": "FULL HOUSE", "SM STR": "SMALL STR", "LG STR": "LARGE STR"}


def _by_owner(table: TableSpots) -> dict[str, list[tuple[int, Spot]]]:
    homes: dict[str, list[tuple[int, Spot]]] = {}
    for number, spot in enumerate(table.spots):
        if spot.owner:
            homes.setdefault(spot.owner, []).append((number, spot))
    return homes


def _draw_pile(canvas: Canvas, row: int, icon: Sequence[str], pile: Spot, lit: bool) -> None:
    figures = str(pile.points)
    x = WIDTH - SMALL.width(figures)
    canvas.bitmap(x - len(icon[0]) - 1, row + (len(icon) < SMALL.height), icon)
    canvas.text(x, row, figures, SMALL)
    if lit:
        left = x - len(icon[0]) - 2
        canvas.invert(left, row - 1, WIDTH - left, DIE_SIZE)


def _draw_in_centre(canvas: Canvas, spot: Spot, x: int, lit: bool) -> None:
    sign, worth = sign_of(card_name(spot.label)), str(spot.points)
    if sign in _NUMBERS:
        canvas.die(x, 0, int(sign))
    else:
        canvas.text(x, 1, sign, SMALL)
    # Closer to its points than to the next card.
    wide = DIE_SIZE + 1 if sign in _NUMBERS else SMALL.width(sign) + 1
    canvas.text(x + wide, 1, worth, SMALL)
    if lit:
        canvas.invert(x, 0, wide + SMALL.width(worth), DIE_SIZE)
    for chip in range(min(spot.chips, _CENTRE_COLUMNS // 2)):
        canvas.light(x + 2 * chip, _CHIP_ROW)


def _draw_homes(
    canvas: Canvas,
    homes: dict[str, list[tuple[int, Spot]]],
    at: int | None = None,
    columns: int = _LEFT_COLUMN - 2,
) -> None:
    """The cards at home in a row, closer together the more there are; letters where they fit."""
    signs = [sign_of(card_name(spot.label)) for row in homes.values() for _, spot in row]
    letters = sum(SMALL.width(name[0]) + 1 for name in homes)
    need = sum(map(SMALL.width, signs)) + len(signs) - 1
    named = need + letters + len(homes) <= columns
    spare = columns - need - letters * named
    between = max(min(4, spare // max(len(homes), 1)), 0)
    # Where there is room, a letter stands apart from the card behind it.
    between -= between > 1
    x = 0
    for name, row in homes.items():
        if named:
            canvas.text(x, _HOME_ROW, name[0], SMALL)
            x += SMALL.width(name[0]) + (2 if between > 1 else 1)
        for number, spot in row:
            sign = sign_of(card_name(spot.label))
            wide = SMALL.width(sign)
            if x + wide > columns:
                return
            canvas.text(x, _HOME_ROW, sign, SMALL)
            if number == at:
                canvas.invert(max(x - 1, 0), _HOME_ROW - 1, wide + 2, DIE_SIZE)
            if spot.mine:
                canvas.block(x, HEIGHT - 1, wide, 1)
            x += wide + 1
        x += between


def place_name(spot: Spot) -> str:
    """Where a card lies in the centre, in words."""
    found = CARD_PLACE.match(spot.label)
    return say("CENTRE {space}", space=found[1]) if found and found[1] else ""


def told_spot(table: TableSpots, at: int) -> Spot:
    """The place that is told in words: one of those on the table, or what lies beside them."""
    everything: Sequence[Spot] = (*table.spots, *table.beside)
    return everything[at % len(everything)]

"""Cards that lie open: the centre in a row with its chips, and below it what others have at home.

What the dice make is lit. Of a card at home stands whose it is and what a roll needs to take it.
"""

from collections.abc import Sequence

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import DIE_SIZE, Canvas
from appliance.screens.drawing.film import MOST_CYCLE_S, reading_s
from appliance.screens.drawing.font import NARROW, SMALL
from appliance.screens.drawing.layout import LOWER_LINE_ROW
from appliance.screens.standing import ShortName, labels
from appliance.screens.strip import sign_of
from appliance.table.prompts.looking import Spot, TableSpots
from appliance.table.prompts.wording import CARD_PLACE
from appliance.words import say

_CENTRE_COLUMNS = 21
"""Columns from card to card in the centre."""
_CHIP_ROW = 8
_HOME_ROW = 10
_NUMBERS = "123456"
_BETWEEN_CARDS = 3
_LONGEST_NAME = 5
"""So many letters of a name say whose a card is, where there is room."""


def card_name(label: str) -> str:
    """The card that a label names, without its place."""
    return CARD_PLACE.sub("", label)


def choice_name(label: str) -> str:
    """A choice by its label; of a card on the table only its name."""
    return long_name(card_name(label)) if CARD_PLACE.match(label) else say(label)


def cards_pages(table: TableSpots, at: int | None = None) -> tuple[Picture, ...]:
    """All cards that may be won, on two pages at most; with `at` only the page that has that card.

    The place `at` is on a lit ground. Own cards are not among them.
    """
    for longest in range(_LONGEST_NAME, 0, -1):
        shown = _drawn_pages(table, at, longest)
        if sum(map(reading_s, shown)) <= MOST_CYCLE_S:
            break
    if at is None:
        return shown
    homes = [number for number, spot in enumerate(table.spots) if spot.owner and not spot.mine]
    second = at in homes[_HOMES_IN_A_ROW:]
    return shown[second : second + 1]


_HOMES_IN_A_ROW = 2


def _drawn_pages(table: TableSpots, at: int | None, longest: int) -> tuple[Picture, ...]:
    """The centre with the first cards at home, then the others; so many letters of each name."""
    homes = [(n, spot) for n, spot in enumerate(table.spots) if spot.owner and not spot.mine]
    owners = list(dict.fromkeys(spot.owner for spot in table.spots if spot.owner))
    names = {label.name: label for label in labels(owners)}
    canvas, shown = Canvas(), list[Picture]()
    for number, spot in enumerate(table.spots):
        if not spot.owner and (found := CARD_PLACE.match(spot.label)) and found[1]:
            _draw_in_centre(canvas, spot, (int(found[1]) - 1) * _CENTRE_COLUMNS, number == at)
    rows = [homes[n : n + _HOMES_IN_A_ROW] for n in range(0, len(homes), _HOMES_IN_A_ROW)]
    for n, row in enumerate(rows):
        if n and n % 2:
            shown.append(canvas.picture)
            canvas = Canvas()
        y = _HOME_ROW if n % 2 == 0 else 1
        room = WIDTH // len(row) - (len(row) > 1)
        for k, (number, spot) in enumerate(row):
            x = k * (WIDTH // _HOMES_IN_A_ROW + 1)
            _draw_at_home(canvas, (names[spot.owner], spot, longest), (x, y, room), number == at)
    return (*shown, canvas.picture)


def _draw_at_home(
    canvas: Canvas, card: tuple[ShortName, Spot, int], place: tuple[int, int, int], lit: bool
) -> None:
    """Whose a card is, what it is, and what a roll needs, or gets if it has that."""
    (label, spot, longest), (x, y, room) = card, place
    sign = sign_of(card_name(spot.label))
    drawn = sign in _NUMBERS
    wide = DIE_SIZE if drawn else SMALL.width(sign)
    needs = f"+{spot.pays}" if spot.pays is not None else f"{spot.needs}+" if spot.needs else ""
    left = room - wide - SMALL.width(needs) - 4
    name = label.cut_to(left, NARROW)
    if len(name) > longest:
        name = name[:longest] if longest >= label.least else label.short
    font = SMALL if SMALL.width(name) <= left else NARROW
    at = x + canvas.text(x, y, name, font) + 2
    if drawn:
        canvas.die(at, y - 1, int(sign))
    else:
        canvas.text(at, y, sign, SMALL)
    canvas.text(at + wide + 2, y, needs, SMALL)
    if lit or spot.fits:
        canvas.invert(at - 1, y - 1, min(wide + SMALL.width(needs) + 4, WIDTH - at + 1), DIE_SIZE)


def _draw_in_centre(canvas: Canvas, spot: Spot, x: int, lit: bool) -> None:
    """A card, what it brings with its chips, and a light under it for each chip."""
    sign, worth = sign_of(card_name(spot.label)), str(spot.points)
    drawn = sign in _NUMBERS
    if drawn:
        canvas.die(x + 1, 0, int(sign))
    else:
        canvas.text(x + 1, 1, sign, SMALL)
    # Closer to its points than to the next card.
    wide = 2 + (DIE_SIZE if drawn else SMALL.width(sign) + 1)
    canvas.text(x + wide, 1, worth, SMALL)
    if lit or spot.fits:
        canvas.invert(x, 0, wide + SMALL.width(worth) + 1, DIE_SIZE)
    for chip in range(min(spot.chips, _CENTRE_COLUMNS // 2)):
        canvas.light(x + 1 + 2 * chip, _CHIP_ROW)


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


def long_name(name: str) -> str:
    """A card by its name, with as much of it as a line has room for."""
    return say(_LONG_NAMES.get(name, name))


_LONG_NAMES = {"FULL H": "FULL HOUSE", "SM STR": "SMALL STR", "LG STR": "LARGE STR"}


def place_name(spot: Spot) -> str:
    """Where a card lies in the centre, in words."""
    found = CARD_PLACE.match(spot.label)
    return say("CENTRE {space}", space=found[1]) if found and found[1] else ""


def told_spot(table: TableSpots, at: int) -> Spot:
    """The place that is told in words: one of those on the table, or what lies beside them."""
    everything: Sequence[Spot] = (*table.spots, *table.beside)
    return everything[at % len(everything)]

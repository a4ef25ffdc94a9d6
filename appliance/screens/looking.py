"""Looking at scores and table: sheets, the map, single places; and what an undo takes back."""

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import (
    Film,
    Still,
    film,
    letters_left,
    pages,
    reading_s,
    within_a_cycle,
)
from appliance.screens.drawing.font import SMALL
from appliance.screens.drawing.layout import (
    LOWER_LINE_ROW,
    dice_under,
    draw_page_bar,
    draw_progress,
    shorten_to_fit,
    two_lines,
)
from appliance.screens.open_cards import (
    card_name,
    card_pages,
    cards_page,
    choice_name,
    long_name,
    place_name,
    told_spot,
)
from appliance.screens.table_map import spot_pages, table_map, told_lines
from appliance.table.prompts.looking import (
    MapPrompt,
    PlacePrompt,
    SheetPrompt,
    Spot,
    TablePrompt,
    TableSpots,
    UndoPrompt,
)
from appliance.words import Label, say

_TEXT_COLUMNS = WIDTH - 2
"""Columns left beside the bar that shows the page."""
PAWN_SHOWN_S = 0.6
"""Seconds that the player's own pawn is on the map before it goes out for half as long."""
_PAWN_BLINKS = 4


@pages.register
def _sheet_pages(prompt: SheetPrompt) -> tuple[Picture, ...]:
    canvas = Canvas()
    if not prompt.rows:
        return _total_pages(prompt)
    for y, (label, text) in zip((0, LOWER_LINE_ROW), prompt.rows, strict=False):
        canvas.line(y, say(label), text, _TEXT_COLUMNS)
    draw_page_bar(canvas, prompt.index, prompt.count)
    return (canvas.picture,)


def _total_pages(prompt: SheetPrompt) -> tuple[Picture, ...]:
    canvas = Canvas()
    canvas.line(0, prompt.player, "", _TEXT_COLUMNS)
    canvas.line(LOWER_LINE_ROW, say("TOTAL"), str(prompt.total), _TEXT_COLUMNS)
    draw_page_bar(canvas, prompt.index, prompt.count)
    shown = [canvas.picture]
    for goal in prompt.goals:
        canvas = Canvas()
        canvas.small_line(0, say(Label(goal.key)), f"{goal.now}/{goal.needed}")
        draw_progress(canvas, 6, goal.now, goal.needed)
        player = shorten_to_fit(prompt.player, f"+{goal.bonus}")
        # A mark below a name needs a row of its own on the board.
        up = SMALL.rise(player, "") - SMALL.rise(player)
        canvas.small_line(11 - up, player, f"+{goal.bonus}")
        shown.append(canvas.picture)
    return tuple(shown)


@pages.register
def _map_pages(prompt: MapPrompt) -> tuple[Picture, ...]:
    return (table_map(prompt.table), two_lines(prompt.player, say("MAP")))


@film.register
def _map_film(prompt: MapPrompt) -> Film:
    here, gone = (table_map(prompt.table, blink=blink) for blink in (False, True))
    blinking = (Still(here, PAWN_SHOWN_S), Still(gone, PAWN_SHOWN_S / 2)) * _PAWN_BLINKS
    return Film((*blinking, *map(Still.to_read, pages(prompt)[1:])))


@pages.register
def _place_pages(prompt: PlacePrompt) -> tuple[Picture, ...]:
    return within_a_cycle(spot_pages(prompt.spot, prompt.index, prompt.count))


@pages.register
def _table_pages(prompt: TablePrompt) -> tuple[Picture, ...]:
    """The table, and the place under the cursor in words."""
    table, at = prompt.table, prompt.at
    if table.ring:
        if at is None or at < len(table.spots):
            told = table.here if at is None else at
            words = _ring_words(table.spots[told])
            # What is said in words needs only its name on the map.
            lines = told_lines(table, told)[: 1 if words else None]
            maps = tuple(table_map(table, at=at, text=line) for line in lines)
            return (*words, *maps) if at is not None else (*maps, *words)
        beside = told_spot(table, at)
        return (two_lines(say(beside.label), say("NOT PLACED")),)
    if at is None:
        in_words = (*card_pages(table, _MOST_WORDS), _left_page(table))
        return in_words if letters_left(*in_words) >= 0 else (cards_page(table),)
    return (_words_page(told_spot(table, at)), cards_page(table, at))


def _left_page(table: TableSpots) -> Picture:
    """How many cards and chips are left: when one of them runs out, the game ends."""
    canvas = Canvas()
    for row, pile, what in (
        (0, table.beside[0], "CARDS LEFT"),
        (LOWER_LINE_ROW, table.beside[-1], "CHIPS LEFT"),
    ):
        canvas.line(row, say(what), str(pile.points))
    return canvas.picture


def _ring_words(spot: Spot) -> tuple[Picture, ...]:
    """A card or a place where pawns stand in words; nothing for one that only the map has."""
    if spot.points is None and not spot.pawns:
        return ()
    return spot_pages(spot)


_MOST_WORDS = 3
"""Pages in words beside the map."""


def _words_page(spot: Spot) -> Picture:
    """A card in words: what it is and brings, where it lies, whose it is and what beats it."""
    canvas = Canvas()
    canvas.line(
        0, long_name(card_name(spot.label)), "" if spot.points is None else str(spot.points)
    )
    left, note = spot.owner or place_name(spot), say(spot.note)
    canvas.line(LOWER_LINE_ROW, shorten_to_fit(left, note) if left else "", note)
    return canvas.picture


@film.register
def _table_film(prompt: TablePrompt) -> Film:
    shown, at, table = pages(prompt), prompt.at, prompt.table
    if at is None:
        if not table.ring:
            return Film.of_pages(shown)
        words = _ring_words(table.spots[table.here])
        texts = told_lines(table, table.here)[: 1 if words else None]
        places = [
            (table_map(table, text=text), table_map(table, blink=True, text=text)) for text in texts
        ]
    elif not table.ring:
        words = shown[:1]
        places = [(cards_page(table), shown[1])]
    elif at < len(table.spots):
        words = _ring_words(table.spots[at])
        places = [
            (table_map(table, at=at, text=text), table_map(table, blink=True, at=at, text=text))
            for text in told_lines(table, at)[: 1 if words else None]
        ]
    else:
        return Film.of_pages(shown)
    blinking = tuple(
        Still(picture, reading_s(here) / 4) for here, gone in places for picture in (here, gone) * 2
    )
    words = within_a_cycle((places[0][0], *words))[1:]
    read = tuple(map(Still.to_read, words))
    return Film((*blinking, *read) if at is None else (*read, *blinking))


@pages.register
def _undo_pages(prompt: UndoPrompt) -> tuple[Picture, ...]:
    asks = say("PUT BACK?" if prompt.again else "UNDO?")
    if prompt.steps > 1:
        asks = say("PUT BACK {steps}?" if prompt.again else "UNDO {steps}?", steps=prompt.steps)
    no = two_lines(asks, say("BACK: NO"), "OK")
    what = say("HOLDS") if prompt.held else choice_name(prompt.label)
    if not prompt.dice:
        return (two_lines(asks, shorten_to_fit(prompt.player, what), "OK", what), no)
    # The name is short enough to be read in time, with the dice.
    nameless = dice_under(("", what), prompt.dice, prompt.held, "OK").picture
    left = letters_left(no) - nameless.letters
    header = shorten_to_fit(prompt.player, what, most=max(left, _LEAST_LETTERS)), what
    return (dice_under(header, prompt.dice, prompt.held, "OK").picture, no)


_LEAST_LETTERS = 4
"""So many letters of a name are always shown."""

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
    cards_pages,
    choice_name,
    long_name,
    place_name,
    told_spot,
    winning_pages,
)
from appliance.screens.table_map import (
    cards_left_page,
    map_legend,
    ring_cards_pages,
    spot_pages,
    table_map,
)
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
PAWN_SHOWN_S = 0.5
"""Seconds that the player's own pawn is on the map before it goes out for half as long."""
_PAWN_BLINKS = 2
_LETTERS_BESIDE_MAP = 8
"""So many letters of a name there is time for before and after the map."""


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
    """Whose cards the letters of the map are, the map, and what blinks on it."""
    here, drawn = say("IS HERE"), table_map(prompt.table)
    player = shorten_to_fit(prompt.player, here, most=_LETTERS_BESIDE_MAP)
    blinks = two_lines(say("BLINKS:"), player, "", here)
    return map_legend(prompt.table, player, letters_left(drawn, blinks)), drawn, blinks


@film.register
def _map_film(prompt: MapPrompt) -> Film:
    legend, here, blinks = pages(prompt)
    gone = table_map(prompt.table, blink=True)
    blinking = (Still(here, PAWN_SHOWN_S), Still(gone, PAWN_SHOWN_S / 2)) * _PAWN_BLINKS
    return Film((Still.to_read(legend), *blinking, Still.to_read(blinks)))


@pages.register
def _place_pages(prompt: PlacePrompt) -> tuple[Picture, ...]:
    return within_a_cycle(spot_pages(prompt.spot, prompt.index, prompt.count))


@pages.register
def _table_pages(prompt: TablePrompt) -> tuple[Picture, ...]:
    """All cards at a glance; or the place under the cursor in words, and where it is."""
    table, at = prompt.table, prompt.at
    if prompt.rolled:
        return ring_cards_pages(table) if table.ring else winning_pages(table)
    if at is None and table.ring:
        return within_a_cycle((table_map(table), cards_left_page(table), *_place_words(table)))
    if at is None:
        return cards_pages(table, after=(_left_page(table),))
    if table.ring and at < len(table.spots):
        return (*spot_pages(table.spots[at]), table_map(table, at=at))
    spot = told_spot(table, at)
    if table.ring:
        return (two_lines(say(spot.label), say("NOT PLACED")),)
    is_beside = at >= len(table.spots)
    where = () if is_beside or spot.mine else cards_pages(table, at)
    return (_words_page(spot), *where)


def _place_words(table: TableSpots) -> tuple[Picture, ...]:
    """The place where the own pawn stands in words; nothing for one without a card."""
    spot = table.spots[table.here]
    return spot_pages(spot) if spot.points is not None else ()


def _left_page(table: TableSpots) -> Picture:
    """How many cards and chips are left: when one of them runs out, the game ends."""
    canvas = Canvas()
    for row, pile, what in (
        (0, table.beside[0], "CARDS LEFT"),
        (LOWER_LINE_ROW, table.beside[-1], "CHIPS LEFT"),
    ):
        canvas.line(row, say(what), str(pile.points))
    return canvas.picture


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
    """The pages; on a map the own pawn, or the place that is told, blinks."""
    table, at = prompt.table, prompt.at
    shown = pages(prompt)
    if prompt.rolled or not (table.ring and (at is None or at < len(table.spots))):
        return Film.of_pages(shown)
    here, gone = (table_map(table, blink, at=at) for blink in (False, True))
    stills = list[Still]()
    for page in shown:
        blinks = (here, gone) * 2 if page == here else ()
        stills += [Still(picture, reading_s(here) / 4) for picture in blinks] or [
            Still.to_read(page)
        ]
    return Film(tuple(stills))


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

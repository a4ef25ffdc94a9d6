"""Looking at scores and table: sheets, cards, single places; and what an undo takes back."""

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import letters_left, pages, within_a_cycle
from appliance.screens.drawing.font import SMALL
from appliance.screens.drawing.layout import (
    LOWER_LINE_ROW,
    STAR,
    dice_under,
    draw_page_bar,
    draw_progress,
    fits_small_line,
    shorten_to_fit,
    two_lines,
)
from appliance.screens.open_cards import (
    card_name,
    cards_pages,
    choice_name,
    place_name,
    told_spot,
    winning_pages,
)
from appliance.screens.ring import owners_pages, paying_pages, spot_pages
from appliance.screens.standing import labels
from appliance.screens.strip import long_name
from appliance.screens.tables import Line
from appliance.table.prompts.looking import (
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
def _place_pages(prompt: PlacePrompt) -> tuple[Picture, ...]:
    return within_a_cycle(spot_pages(prompt.spot, prompt.index, prompt.count))


@pages.register
def _table_pages(prompt: TablePrompt) -> tuple[Picture, ...]:
    """All cards at a glance; or the place under the cursor in words."""
    table, at = prompt.table, prompt.at
    if prompt.rolled and table.ring:
        return paying_pages(table)
    if prompt.rolled and not all(spot.mine for spot in table.spots):
        return winning_pages(table)
    if at is None and table.ring:
        return owners_pages(table)
    if at is None:
        return cards_pages(table, _left(table))
    if table.ring and at < len(table.spots):
        return spot_pages(table.spots[at], at, len(table.spots))
    spot = told_spot(table, at)
    if table.ring:
        return (two_lines(say(spot.label), say("NOT PLACED")),)
    return (_words_page(spot),)


def _left(table: TableSpots) -> list[Line]:
    """How many cards and chips are left: when one of them runs out, the game ends."""
    piles = (table.beside[0], "CARDS LEFT"), (table.beside[-1], "CHIPS LEFT")
    return [(say(what), str(pile.points)) for pile, what in piles]


def _words_page(spot: Spot) -> Picture:
    """A card in words: what it is and brings, where it lies, whose it is and what beats it."""
    canvas = Canvas()
    canvas.line(
        0, long_name(card_name(spot.label)), "" if spot.points is None else str(spot.points)
    )
    left, note = spot.owner or place_name(spot), say(spot.note)
    canvas.line(LOWER_LINE_ROW, shorten_to_fit(left, note) if left else "", note)
    return canvas.picture


@pages.register
def _undo_pages(prompt: UndoPrompt) -> tuple[Picture, ...]:
    asks = say("PUT BACK?" if prompt.again else "UNDO?")
    if prompt.steps > 1:
        asks = say("PUT BACK {steps}?" if prompt.again else "UNDO {steps}?", steps=prompt.steps)
    # What a computer did goes with it; how strong it is does not matter here.
    shorts = [label.short for label in labels(prompt.computers)]
    plain = [name.rstrip(STAR).rstrip() for name in prompt.computers]
    goes_too = (prompt.and_computers(names).upper() for names in (plain, shorts))
    told = next((text for text in goes_too if fits_small_line(text, "OK")), "")
    no = two_lines(told or asks, say("BACK: NO"), _yes_beside(told or asks))
    what = say("HOLDS") if prompt.held else choice_name(prompt.label)
    if not prompt.dice:
        answers = no if told else two_lines(say("OK: YES"), say("BACK: NO"))
        player = shorten_to_fit(prompt.player, what)
        return (two_lines(asks, player, _yes_beside(asks), what), answers)
    # The name is short enough to be read in time, with the dice.
    nameless = dice_under(("", what), prompt.dice, prompt.held, "OK").picture
    left = letters_left(no) - nameless.letters
    header = shorten_to_fit(prompt.player, what, most=max(left, _LEAST_LETTERS)), what
    return (dice_under(header, prompt.dice, prompt.held, "OK").picture, no)


def _yes_beside(text: str) -> str:
    """What OK says beside a text, in as many words as there is room for."""
    yes = say("OK: YES")
    return yes if fits_small_line(text, yes) else "OK"


_LEAST_LETTERS = 4
"""So many letters of a name are always shown."""

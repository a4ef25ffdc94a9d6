"""Draws what covers the game: lists, questions, names letter by letter, notices."""

from appliance.inputs import Button
from appliance.picture import BRIGHTNESS_LEVELS, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import Film, film, pages
from appliance.screens.drawing.font import NARROW, SMALL, TALL
from appliance.screens.drawing.layout import (
    LOWER_LINE_ROW,
    dice_under,
    draw_list_bar,
    fits_small_line,
    shorten_to_fit,
    two_lines,
)
from appliance.screens.turn import is_rolling
from appliance.table.menu import prompting
from appliance.table.menu.name_entry import NAME_END, Entry, accents_of, turn_ring
from appliance.table.menu.prompting import DecisionPrompt, ListPrompt
from appliance.table.menu.reviewing import Held, Reviewed
from appliance.table.prompts.turn import DicePrompt, ThrowPrompt
from appliance.words import Verbatim, say
from vision.reading import TrayState

_LIST_ITEM_ROW = 6
"""First row of a list's item: the small title is above it, the bar below."""
_NEIGHBOUR_LETTERS = 3
"""Letters shown on each side of the one that OK takes."""
_LETTER_GAP = 3
_CURSOR_COLUMNS = 6


@pages.register
def _list_pages(prompt: prompting.ListPrompt) -> tuple[Picture, ...]:
    place = f"{prompt.index + 1}/{prompt.count}" if prompt.count > 1 else ""
    shown = []
    for line in prompt.lines:
        canvas = Canvas()
        # A mark above the title takes a row from the bar.
        extra = canvas.small_line(0, say(prompt.title), place)
        canvas.line(_LIST_ITEM_ROW + extra, say(line), prompt.ok)
        draw_list_bar(canvas, prompt.index, prompt.count, 2 - extra)
        shown.append(canvas.picture.offering(Button.OK))
    return tuple(shown)


@pages.register
def _decision_pages(prompt: DecisionPrompt) -> tuple[Picture, ...]:
    """Whose decision it was and what it cost, the throw with what was held, and what was better."""
    said = prompt.said
    lines = tuple(dict.fromkeys((said.lines[0], said.lines[-1])))
    # Nobody takes it for a turn that is being played: each page of words says REVIEW.
    turn = say("TURN {number}", number=said.title.rpartition(" ")[2])
    rights = (turn, say("POINTS"))
    shown: list[Picture] = []
    for line, right in zip(lines, rights, strict=False):
        text = line if isinstance(line, Verbatim) else say(line)
        told = ListPrompt(
            "REVIEW",
            (Verbatim(shorten_to_fit(text, right)),),
            prompt.index,
            prompt.count,
            right,
        )
        shown += _list_pages(told)
    # OK only shows the next one.
    first, *cost = (page.offering() for page in shown)
    held = _decided_page("", said.held, say(said.chosen), said)
    better = _decided_page(say("BETTER"), said.better, say(said.best), said)
    return (first, held, better, *cost)


def _decided_page(better: str, held: Held, label: str, said: Reviewed) -> Picture:
    if held is not None:
        what = say("HELD") if held else say("THREW ALL")
        if better:
            header = (better, "" if held else say("THROW ALL"))
        else:
            header = (shorten_to_fit(said.lines[0], what), what)
        header = header if fits_small_line(*header) else (header[-1] or header[0], "")
        return dice_under(header, said.dice, held).picture
    word = better or say("TOOK")
    header = (word, label) if fits_small_line(word, label) else (label, "")
    return dice_under(header, said.dice).picture


@pages.register
def _question_pages(prompt: prompting.QuestionPrompt) -> tuple[Picture, ...]:
    question, yes, no = map(say, (prompt.question, "OK: YES", "BACK: NO"))
    one_line = fits_small_line(yes, no)
    top = (question, "")
    if prompt.player:
        top = (shorten_to_fit(prompt.player, question), question)
    asks = [two_lines(top[0], yes, top[1], no if one_line else "").offering(Button.OK)]
    if not one_line:
        asks.append(two_lines(top[0], no, top[1]))
    return (*asks, two_lines(*map(say, prompt.more))) if any(prompt.more) else tuple(asks)


@pages.register
def _name_pages(prompt: prompting.NamePrompt) -> tuple[Picture, ...]:
    seat = f"P{prompt.seat + 1}"
    canvas = Canvas()
    text = prompt.entry.text
    if prompt.remark:
        canvas.line(0, say(prompt.remark), seat)
    else:
        room = WIDTH - TALL.width(seat) - _LETTER_GAP
        font = next((f for f in (TALL, SMALL) if f.width(text) + _CURSOR_COLUMNS <= room), NARROW)
        width = canvas.text(0, (7 - font.height) // 2, text, font)
        canvas.text(WIDTH - TALL.width(seat), 0, seat)
        if not prompt.entry.full:
            canvas.block(width + 1 + bool(width), 6, 4, 1)
        if not text and (others := accents_of(prompt.entry.letter)[1:]):
            # Beside the empty name there is room to say what a hold button does.
            canvas.text(12, 1, f"1:{others[0]}", SMALL)
    _draw_letter_ring(canvas, prompt.entry)
    return (canvas.picture.offering(Button.OK),)


def _letter_text(letter: str) -> str:
    """How a place on the ring is drawn: the blank and the end need signs of their own."""
    return {NAME_END: say("END"), " ": "( )"}.get(letter, letter)


def _draw_letter_ring(canvas: Canvas, entry: Entry) -> None:
    """The letter that OK takes, tall and underlined in the middle, with its neighbours small."""
    middle = _letter_text(entry.letter)
    left = (WIDTH - TALL.width(middle)) // 2
    right = left + TALL.width(middle)
    canvas.text(left, LOWER_LINE_ROW, middle)
    canvas.block(left - 1, LOWER_LINE_ROW + 7, right - left + 2, 1)
    if entry.full:
        canvas.text(WIDTH - SMALL.width("OK"), LOWER_LINE_ROW + 1, "OK", SMALL)
        return
    x = left
    for steps in range(-1, -_NEIGHBOUR_LETTERS - 1, -1):
        text = _letter_text(turn_ring(entry, steps).letter)
        x -= _LETTER_GAP + SMALL.width(text)
        if x < 0:
            break
        canvas.text(x, LOWER_LINE_ROW + 1, text, SMALL)
    x = right
    for steps in range(1, _NEIGHBOUR_LETTERS + 1):
        text = _letter_text(turn_ring(entry, steps).letter)
        if x + _LETTER_GAP + SMALL.width(text) > WIDTH:
            break
        x += _LETTER_GAP + canvas.text(x + _LETTER_GAP, LOWER_LINE_ROW + 1, text, SMALL)


@pages.register
def _brightness_pages(prompt: prompting.BrightnessPrompt) -> tuple[Picture, ...]:
    canvas = Canvas()
    canvas.line(0, say("BRIGHTNESS"), "OK")
    # The fourth column of each step stays dark, so that steps can be counted.
    for level in range(len(BRIGHTNESS_LEVELS)):
        tall = 6 if level <= prompt.level else 1
        canvas.block(4 * level, LOWER_LINE_ROW + 7 - tall, 3, tall)
    return (canvas.picture,)


@pages.register
def _roll_off_pages(prompt: prompting.RollOffPrompt) -> tuple[Picture, ...]:
    if prompt.tray is TrayState.ROLLING:
        return (two_lines(prompt.player, say("ROLLING"), "", ".."),)
    waits = two_lines(prompt.player, say("THROW 1 DIE"))
    if prompt.blind:
        return (two_lines(prompt.player, say("ENTER DIE?"), "", "OK"), waits)
    words = ("A TIE:", "THROW AGAIN") if prompt.again else ("THE HIGHEST", "BEGINS")
    why = two_lines(*map(say, words))
    if prompt.last is None:
        return (waits, why)
    name, face = prompt.last
    canvas = Canvas()
    canvas.line(0, name, say("HAS"))
    canvas.die(0, LOWER_LINE_ROW, face)
    canvas.text(WIDTH - TALL.width(str(face)), LOWER_LINE_ROW, str(face))
    return (waits, why, canvas.picture)


@pages.register
def _telling_pages(prompt: prompting.TellingPrompt) -> tuple[Picture, ...]:
    canvas = Canvas()
    top, bottom = map(say, prompt.lines)
    canvas.line(0, top)
    canvas.line(LOWER_LINE_ROW, bottom)
    draw_list_bar(canvas, prompt.index, prompt.count, 1)
    return (canvas.picture,)


@pages.register
def _lesson_pages(prompt: prompting.LessonPrompt) -> tuple[Picture, ...]:
    """The next step, and what the board shows of it: first what the newcomer has just done."""
    canvas = Canvas()
    top, bottom = map(say, prompt.lines)
    canvas.line(0, top)
    canvas.line(LOWER_LINE_ROW, bottom)
    draw_list_bar(canvas, prompt.index, prompt.count, 1)
    if prompt.shown is None:
        return (canvas.picture,)
    # Nothing counts here: no button has to be offered.
    shown = tuple(page.offering() for page in pages(prompt.shown)[:_MOST_PAGES_OF_LESSON])
    return (*shown, canvas.picture) if prompt.acted else (canvas.picture, *shown)


_MOST_PAGES_OF_LESSON = 2


@film.register
def _lesson_film(prompt: prompting.LessonPrompt) -> Film:
    """Dice that roll are shown rolling."""
    shown = prompt.shown
    if isinstance(shown, ThrowPrompt | DicePrompt) and is_rolling(shown):
        return film(shown)
    return Film.of_pages(pages(prompt))


@pages.register
def _notice_pages(prompt: prompting.NoticePrompt) -> tuple[Picture, ...]:
    return tuple(two_lines(say(top), say(bottom)) for top, bottom in prompt.pages)

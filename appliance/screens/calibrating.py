"""Draws the calibration: what to do, what was seen, what is wrong, and how near it is to done."""

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import Film
from appliance.screens.drawing.layout import dice_under, two_lines
from appliance.words import say
from calibration.wizard.prompts import (
    CheckPrompt,
    ItemsPrompt,
    KeptPrompt,
    PagePrompt,
    WizardPrompt,
)

_CAMERA_FRAME_COLUMNS = 28
"""Columns of the camera's picture on the board: 16:9, as high as the board."""

_MESSAGE_ROW = 6
"""First row of the message: the small title is above it, the bar below."""


def wizard_pages(prompt: WizardPrompt) -> tuple[Picture, ...]:
    """The pages of a prompt: first what to do, unless an OK was refused, which says why."""
    match prompt:
        case ItemsPrompt():
            lines = [say(prompt.item), say(prompt.stands)]
            shown = [_list_page(line, prompt.place) for line in lines]
            return (_list_page(say(prompt.problem), prompt.place),) if prompt.problem else (*shown,)
        case PagePrompt():
            return _page_pages(prompt)
        case CheckPrompt():
            return _check_pages(prompt)
        case KeptPrompt():
            return tuple(two_lines(*map(say, lines)) for lines in prompt.pages)


def wizard_film(prompt: WizardPrompt) -> Film:
    """A prompt in time: its pages in turn."""
    return Film.of_pages(wizard_pages(prompt))


def _list_page(line: str, place: str) -> Picture:
    canvas = Canvas()
    canvas.small_line(0, say("CALIBRATE"), place)
    canvas.line(_MESSAGE_ROW, line)
    return canvas.picture


def _page_pages(prompt: PagePrompt) -> tuple[Picture, ...]:
    lines = [*prompt.says, prompt.problem]
    if prompt.refused:
        lines = [prompt.problem, *prompt.says]
    shown = []
    for line in (*lines, prompt.beside):
        if line and (line != prompt.beside or line not in prompt.says):
            canvas = Canvas()
            canvas.small_line(0, say(prompt.title), prompt.place)
            canvas.line(_MESSAGE_ROW, say(line))
            _draw_progress_bar(canvas, prompt.progress)
            shown.append(canvas.picture)
    if prompt.outline:
        shown.insert(1, _tray_outline_page(prompt))
    return tuple(shown)


def _tray_outline_page(prompt: PagePrompt) -> Picture:
    """The camera's picture as a frame, and in it where the tray was found."""
    canvas = Canvas()
    canvas.small_line(0, say(prompt.title), "", WIDTH - _CAMERA_FRAME_COLUMNS - 1)
    canvas.line(_MESSAGE_ROW, say("HERE?"), "", WIDTH - _CAMERA_FRAME_COLUMNS - 1)
    left = WIDTH - _CAMERA_FRAME_COLUMNS
    for x in range(left, WIDTH):
        for y in range(HEIGHT):
            if x in (left, WIDTH - 1) or y in (0, HEIGHT - 1):
                canvas.light(x, y, (x + y) % 2 == 0)
    corners = [
        (left + x * (_CAMERA_FRAME_COLUMNS - 1), y * (HEIGHT - 1)) for x, y in prompt.outline
    ]
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for step in range(_CAMERA_FRAME_COLUMNS + 1):
            part = step / _CAMERA_FRAME_COLUMNS
            canvas.light(round(ax + part * (bx - ax)), round(ay + part * (by - ay)))
    return canvas.picture


def _draw_progress_bar(canvas: Canvas, progress: float | None) -> None:
    """The bar on the lowest two rows: when it is full, the page goes on by itself."""
    if progress:
        canvas.block(0, HEIGHT - 2, max(1, round(WIDTH * progress)), 2)


def _check_pages(prompt: CheckPrompt) -> tuple[Picture, ...]:
    refused = (two_lines(say(prompt.problem), ""),) if prompt.problem else ()
    if prompt.faces is None:
        return (*refused, *(two_lines(*map(say, lines)) for lines in prompt.pages))
    place = f"{len(prompt.faces)}/{prompt.there}"
    held = () if prompt.chosen is None else (prompt.chosen,)
    asks = (
        (say("CHANGE < >"),) if held else (say("OK IF RIGHT"), say("HOLD: FIX"), say("COUNT < >"))
    )
    return (
        *refused,
        *(dice_under((says, place), prompt.faces, held).picture for says in asks),
    )

"""Draws the calibration: what to do, what was seen, what is wrong, and how near it is to done."""

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import Film, Still
from appliance.screens.drawing.layout import dice_under, two_lines
from appliance.words import say
from calibration.wizard.prompts import (
    POINT_COLUMNS,
    POINT_ROWS,
    CheckPrompt,
    ItemsPrompt,
    KeptPrompt,
    PagePrompt,
    PointPrompt,
    WizardPrompt,
)

_TRAY_COLUMNS = 17
_TRAY_ROWS = 9
"""Of the small drawing of a tray with one of its corners."""
_CORNER_COLUMNS = 6
_CORNER_ROWS = 4
"""Of that corner."""

_CAMERA_FRAME_COLUMNS = 28
"""Columns of the camera's picture on the board: 16:9, as high as the board."""

_CROSS_S = (0.6, 0.3)
"""How long the cross is seen, and then what lies under it."""
_CROSS_BLINKS = 5
_CROSS_REACH = 2

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
        case PointPrompt():
            return _point_pages(prompt)
        case CheckPrompt():
            return _check_pages(prompt)
        case KeptPrompt():
            return tuple(two_lines(*map(say, lines)) for lines in prompt.pages)


def wizard_film(prompt: WizardPrompt) -> Film:
    """A prompt in time: its pages in turn; while somebody points, mostly what is pointed at."""
    if isinstance(prompt, PointPrompt):
        *words, crossed, bare = _point_pages(prompt)
        shown = (Still(crossed, _CROSS_S[0]), Still(bare, _CROSS_S[1])) * _CROSS_BLINKS
        said = tuple(map(Still.to_read, words))
        return Film((*shown, *said), opening=said if prompt.untouched else ())
    return Film.of_pages(wizard_pages(prompt))


def _list_page(line: str, place: str) -> Picture:
    canvas = Canvas()
    canvas.small_line(0, say("CALIBRATE"), place)
    canvas.line(_MESSAGE_ROW, line)
    return canvas.picture


def _page_pages(prompt: PagePrompt) -> tuple[Picture, ...]:
    shown = [_message_page(prompt, line) for line in prompt.says]
    if prompt.problem:
        # As in a game, where there is something to do about it.
        wrong = (
            two_lines(say(prompt.problem), say(prompt.cure))
            if prompt.cure
            else _message_page(prompt, prompt.problem)
        )
        shown.insert(0 if prompt.refused else len(shown), wrong)
    if prompt.beside and prompt.beside not in prompt.says:
        shown.append(_message_page(prompt, prompt.beside))
    if prompt.outline:
        shown.insert(1, _tray_outline_page(prompt))
    return tuple(shown)


def _message_page(prompt: PagePrompt, line: str) -> Picture:
    canvas = Canvas()
    canvas.small_line(0, say(prompt.title), prompt.place)
    canvas.line(_MESSAGE_ROW, say(line))
    _draw_progress_bar(canvas, prompt.progress)
    return canvas.picture


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


def _point_pages(prompt: PointPrompt) -> tuple[Picture, ...]:
    """Pages on what the buttons do; then what is pointed at, with the cross and without."""
    lines = (prompt.problem, *prompt.says) if prompt.problem else prompt.says
    words = []
    for line in lines:
        canvas = Canvas()
        canvas.small_line(0, say("CORNERS"), f"{prompt.number + 1}/4")
        canvas.line(_MESSAGE_ROW, say(line))
        words.append(canvas.picture)
    return (*words, _pointed_at(prompt, cross=True), _pointed_at(prompt, cross=False))


def _pointed_at(prompt: PointPrompt, cross: bool) -> Picture:
    """At the left which corner it is, at the right what the camera sees there."""
    canvas = Canvas()
    canvas.small_line(0, f"{prompt.number + 1}/4", "", _TRAY_COLUMNS)
    for x in range(_TRAY_COLUMNS):
        for y in (HEIGHT - _TRAY_ROWS, HEIGHT - 1):
            canvas.light(x, y)
    canvas.block(0, HEIGHT - _TRAY_ROWS, 1, _TRAY_ROWS)
    canvas.block(_TRAY_COLUMNS - 1, HEIGHT - _TRAY_ROWS, 1, _TRAY_ROWS)
    right, low = prompt.number in (1, 2), prompt.number in (2, 3)
    canvas.block(
        (_TRAY_COLUMNS - _CORNER_COLUMNS) * right,
        HEIGHT - _TRAY_ROWS + (_TRAY_ROWS - _CORNER_ROWS) * low,
        _CORNER_COLUMNS,
        _CORNER_ROWS,
    )
    left = WIDTH - POINT_COLUMNS
    for y, row in enumerate(prompt.lights):
        for x, on in enumerate(row):
            canvas.light(left + x, y, on)
    if cross:
        _draw_cross(canvas, prompt, left)
    return canvas.picture


def _draw_cross(canvas: Canvas, prompt: PointPrompt, left: int) -> None:
    """A cross that is seen on lights that are on and on such that are off."""
    at_x, at_y = POINT_COLUMNS // 2, POINT_ROWS // 2
    for by in range(-_CROSS_REACH, _CROSS_REACH + 1):
        for x, y in {(at_x + by, at_y), (at_x, at_y + by)}:
            on = bool(prompt.lights) and prompt.lights[y][x]
            canvas.light(left + x, y, not on)


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

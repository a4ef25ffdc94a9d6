"""Draws the calibration: what to do, what is wrong, and a bar that shows how good it is."""

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import Film
from appliance.screens.drawing.layout import dice_under, two_lines
from appliance.words import say
from calibration.wizard.prompts import CheckPrompt, ResultPrompt, StagePrompt, WizardPrompt

_CAMERA_FRAME_COLUMNS = 28
"""Columns of the camera's picture on the board: 16:9, as high as the board."""

_MESSAGE_ROW = 6
"""First row of the message: the small title is above it, the bar below."""


def wizard_pages(prompt: WizardPrompt) -> tuple[Picture, ...]:
    """The pages of a prompt, what matters most first."""
    match prompt:
        case StagePrompt():
            return _stage_pages(prompt)
        case CheckPrompt():
            return _check_pages(prompt)
        case ResultPrompt():
            shown = [two_lines(say(prompt.problem), say("OK: AGAIN"))] if prompt.problem else []
            shown += [two_lines(*map(say, lines)) for lines in prompt.pages]
            return (*shown, two_lines(say("OK: KEEP IT"), say("BACK: CHECK AGAIN")))


def wizard_film(prompt: WizardPrompt) -> Film:
    """A prompt in time: its pages in turn."""
    return Film.of_pages(wizard_pages(prompt))


def _stage_pages(prompt: StagePrompt) -> tuple[Picture, ...]:
    first = prompt.problem or ("GOOD: OK" if prompt.good else "")
    shown = []
    for line in (first, *prompt.says, prompt.beside):
        if line and (line != prompt.beside or line not in prompt.says):
            canvas = Canvas()
            canvas.small_line(0, say(prompt.title), prompt.place)
            canvas.line(_MESSAGE_ROW, say(line))
            _draw_quality_bar(canvas, prompt.quality, prompt.good)
            shown.append(canvas.picture)
    if prompt.outline:
        shown.insert(1, _tray_outline_page(prompt))
    return tuple(shown)


def _tray_outline_page(prompt: StagePrompt) -> Picture:
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


def _draw_quality_bar(canvas: Canvas, quality: float | None, good: bool) -> None:
    """The live bar on the lowest two rows: thick when good enough, thin while not."""
    if quality is None:
        return
    length = max(1, round(WIDTH * min(1.0, max(0.0, quality))))
    canvas.block(0, HEIGHT - (2 if good else 1), length, 2 if good else 1)


def _check_pages(prompt: CheckPrompt) -> tuple[Picture, ...]:
    place = f"{prompt.number}/{prompt.count}"
    if prompt.faces is None:
        return (two_lines(say("THROW DICE"), say("CHECK"), "", place),)
    held = () if prompt.chosen is None else (prompt.chosen,)
    return tuple(
        dice_under((says, place), prompt.faces, held).picture
        for says in ((say("CHANGE < >"),) if held else (say("OK IF RIGHT"), say("HOLD: FIX")))
    )

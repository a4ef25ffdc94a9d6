"""Draws the calibration: what to do, what is wrong, and a bar that tells how good it is."""

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.canvas import Canvas
from appliance.screens.film import Film
from appliance.screens.layout import dice, two_lines
from calibration.wizard.prompts import CheckPrompt, ResultPrompt, StagePrompt, WizardPrompt
from vision.reading import Face

_LINE = 6
"""First row of what is said: the small title is above it, the bar below."""


def wizard_pages(prompt: WizardPrompt) -> tuple[Picture, ...]:
    """The pages of a prompt, what matters most first."""
    match prompt:
        case StagePrompt():
            return _stage(prompt)
        case CheckPrompt():
            return _check(prompt)
        case ResultPrompt():
            shown = [two_lines(prompt.problem, "OK: AGAIN")] if prompt.problem else []
            shown += [two_lines(*lines) for lines in prompt.pages]
            return (*shown, two_lines("OK: KEEP IT", "BACK: CHECK AGAIN"))


def wizard_film(prompt: WizardPrompt) -> Film:
    """A prompt in time: its pages in turn."""
    return Film.of(wizard_pages(prompt))


def _stage(prompt: StagePrompt) -> tuple[Picture, ...]:
    first = prompt.problem or ("GOOD: OK" if prompt.good else "")
    shown = []
    for line in (first, *prompt.says, prompt.beside):
        if line and (line != prompt.beside or line not in prompt.says):
            canvas = Canvas()
            canvas.small_line(0, prompt.title, prompt.place)
            canvas.line(_LINE, line)
            _bar(canvas, prompt.quality, prompt.good)
            shown.append(canvas.picture)
    return tuple(shown)


def _bar(canvas: Canvas, quality: float | None, good: bool) -> None:
    """The live bar on the lowest two rows: thick when good enough, thin while not."""
    if quality is None:
        return
    length = max(1, round(WIDTH * min(1.0, max(0.0, quality))))
    canvas.block(0, HEIGHT - (2 if good else 1), length, 2 if good else 1)


def _check(prompt: CheckPrompt) -> tuple[Picture, ...]:
    place = f"{prompt.number}/{prompt.count}"
    if prompt.faces is None:
        return (two_lines("THROW DICE", "CHECK", "", place),)
    held = () if prompt.chosen is None else (prompt.chosen,)
    return tuple(
        _faces(prompt.faces, held, says, place)
        for says in (("CHANGE < >",) if held else ("OK IF RIGHT", "HOLD: FIX"))
    )


def _faces(faces: tuple[Face | None, ...], held: tuple[int, ...], says: str, place: str) -> Picture:
    canvas = Canvas()
    canvas.small_line(0, says, place)
    dice(canvas, faces, held, _LINE)
    return canvas.picture

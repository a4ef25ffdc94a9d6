"""The end of a game and the beginning of the next."""

from appliance.picture import Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.celebration import fireworks
from appliance.screens.drawing.film import Film, animation, film, pages
from appliance.screens.drawing.layout import BOTTOM, two_lines
from appliance.table.prompts import NewGamePrompt, OverPrompt


@pages.register
def _(prompt: OverPrompt) -> tuple[Picture, ...]:
    verb = "WINS" if len(prompt.winners) == 1 else "WIN"
    won = [two_lines(name, verb, "", str(dict(prompt.totals)[name])) for name in prompt.winners]
    if len(prompt.totals) == 1:
        name, total = prompt.totals[0]
        won = [two_lines(name, "TOTAL", "", str(total))]
    listed = []
    for i in range(0, len(prompt.totals) if len(prompt.totals) > 1 else 0, 2):
        canvas = Canvas()
        for y, (name, total) in zip((0, BOTTOM), prompt.totals[i : i + 2], strict=False):
            canvas.line(y, name, str(total))
        listed.append(canvas.picture)
    return (*won, *listed, two_lines("GAME OVER", "OK: AGAIN"))


@film.register
def _(prompt: OverPrompt) -> Film:
    return Film.of(pages(prompt), animation(fireworks()) if prompt.winners else ())


@pages.register
def _(prompt: NewGamePrompt) -> tuple[Picture, ...]:
    return (two_lines("NEW GAME?", "OK", "", "BACK: NO"),)

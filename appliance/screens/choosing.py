"""A list of choices: each with the points that it gives, why, and where in the list it is."""

from appliance.picture import Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import pages
from appliance.screens.drawing.layout import BOTTOM, list_bar, split
from appliance.screens.table_map import table_map
from appliance.table.prompts import ChoicePrompt

_PLAIN = "SCORE"


@pages.register
def _(prompt: ChoicePrompt) -> tuple[Picture, ...]:
    if prompt.confirm:
        return (_page(prompt, "ZERO?", "OK"), _page(prompt, "NO?", "BACK"))
    # Why it gives these points comes before whose turn it is: the player has just pressed OK.
    told = (*split(prompt.points.reason), *_purpose(prompt), prompt.player)
    shown = tuple(_page(prompt, line, "OK?") for line in dict.fromkeys(told))
    on_ring = prompt.table is not None and prompt.table.ring
    return (*shown, table_map(prompt.table)) if on_ring and prompt.table else shown


def _purpose(prompt: ChoicePrompt) -> tuple[str, ...]:
    """What is chosen, unless it is plain: dice that were rolled are scored."""
    return (prompt.purpose,) if prompt.purpose not in ("", _PLAIN) else ()


def _page(prompt: ChoicePrompt, below: str, ask: str) -> Picture:
    canvas = Canvas()
    points = prompt.points
    # Moving on, staying and the like are no zeros in a box: they say why instead.
    nothing = points.points == 0 and bool(points.reason)
    canvas.line(0, prompt.label, "" if nothing else str(points.points))
    canvas.small_line(BOTTOM, below, ask)
    list_bar(canvas, prompt.index, prompt.count)
    return canvas.picture

"""Draws which module of the board is which: figures that show order and rotation to any eye."""

from appliance.picture import WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import pages
from appliance.screens.drawing.layout import two_lines
from appliance.table.menu import prompting
from appliance.words import say

MODULE_NAMES = "123456789ABCDEFG"
"""The sign that each module of the scoreboard shows, row by row from the top left."""


def modules_picture(names: str = MODULE_NAMES) -> Picture:
    """The figures on the modules of these names, as in the last picture of the self-test."""
    canvas = Canvas()
    for number, name in enumerate(MODULE_NAMES):
        if name in names:
            y, x = (8 * part for part in divmod(number, WIDTH // 8))
            canvas.text(x + 1, y, name)
            # Without it an upside-down 8 would still be an 8.
            canvas.block(x, y + 7, 3, 1)
    return canvas.picture


@pages.register
def _modules_pages(prompt: prompting.ModulesPrompt) -> tuple[Picture, ...]:
    # The words can be read exactly when the layout is right.
    return (modules_picture(), two_lines(say("READABLE: OK"), say("IF NOT: RIGHT")))

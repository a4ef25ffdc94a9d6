"""The means to draw: canvas, font, layout, film.

For example:

    from appliance.screens.drawing import Film, two_lines

    shown = Film.of_pages([two_lines("ANNA", "THROW 2 DICE")])
"""

from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import Film
from appliance.screens.drawing.layout import two_lines

__all__ = ["Canvas", "Film", "two_lines"]

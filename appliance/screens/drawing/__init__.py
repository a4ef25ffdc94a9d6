"""The means to draw: canvas, font, layout, film.

For example:

    from appliance.screens.drawing.canvas import Canvas
    from appliance.screens.drawing.film import Film
    from appliance.screens.drawing.layout import two_lines

    canvas = Canvas()
    canvas.line(0, "ANNA", "2/3")
    shown = Film.of([canvas.picture, two_lines("ANNA", "THROW 2 DICE")])
"""

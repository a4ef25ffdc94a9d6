"""Short celebrations: fireworks for the best throws and for the winner. Any press ends them."""

from functools import cache

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.drawing.canvas import Canvas

_BURSTS = ((16, 8, 0), (48, 7, 3), (32, 8, 6))
"""Where fireworks burst, and in which frame."""
_SPARKS = ((2, 0), (-2, 0), (0, 1), (0, -1), (2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (-1, -2))
"""The ways that the sparks of a burst fly, in columns and rows a frame."""
_FRAMES = 12
_LIFE = 6


@cache
def fireworks() -> tuple[Picture, ...]:
    """Three bursts of sparks, 12 pictures."""
    shown = []
    for frame in range(_FRAMES):
        canvas = Canvas()
        for x, y, begins in _BURSTS:
            age = frame - begins
            if 0 <= age < _LIFE:
                for dx, dy in _SPARKS:
                    # Two lights to a spark while it is young, so that it draws a trail.
                    for reach in {age, max(age - 1, 0)}:
                        _spark(canvas, x + dx * reach, y + dy * reach)
        shown.append(canvas.picture)
    return tuple(shown)


def _spark(canvas: Canvas, x: int, y: int) -> None:
    """A light, unless the spark has flown off the board."""
    if 0 <= x < WIDTH and 0 <= y < HEIGHT:
        canvas.light(x, y)


def flashing(picture: Picture, times: int = 3) -> tuple[Picture, ...]:
    """A picture that changes with its opposite."""
    opposite = Picture(bytes(byte ^ 0xFF for byte in picture.data))
    return (opposite, picture) * times

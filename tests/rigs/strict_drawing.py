"""Treats lights outside the board as errors, as tests want."""

from collections.abc import Iterator
from contextlib import contextmanager

from appliance.screens.drawing.canvas import STRICT_DRAWING


@contextmanager
def strict_drawing() -> Iterator[None]:
    """Makes every light outside the board an error; at the table it is not drawn."""
    token = STRICT_DRAWING.set(True)
    try:
        yield
    finally:
        STRICT_DRAWING.reset(token)

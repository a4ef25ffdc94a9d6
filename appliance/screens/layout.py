"""Layouts that many screens share: two lines of text, a row of dice, a text at the right."""

from collections.abc import Sequence

from appliance.picture import WIDTH, Picture
from appliance.rules.game import Face
from appliance.screens.canvas import DIE, PITCH, Canvas
from appliance.screens.font import SMALL, TALL

BOTTOM = 8
"""First row of the lower line."""


def two_lines(top: str, bottom: str, top_right: str = "", bottom_right: str = "") -> Picture:
    """Two lines of text, each with an optional text at its right end.

    Raises:
        TooWideError: a line does not fit even in the small font.
    """
    canvas = Canvas()
    canvas.line(0, top, top_right)
    canvas.line(BOTTOM, bottom, bottom_right)
    return canvas.picture


def dice(canvas: Canvas, faces: Sequence[Face | None], held: Sequence[int] = ()) -> int:
    """Draws dice on the lower line, held ones underlined; returns the columns left over."""
    pitch = PITCH if len(faces) <= 5 else PITCH - 1
    for slot, face in enumerate(faces):
        x = slot * pitch
        canvas.die(x, BOTTOM, face)
        for dx in range(DIE) if slot in held else ():
            canvas.light(x + dx, BOTTOM + DIE)
    return WIDTH - len(faces) * pitch + 1


def at_right(canvas: Canvas, y: int, text: str, room: int) -> None:
    """Draws a text at the right end of the line from row y, in the font that `room` allows."""
    font = TALL if TALL.width(text) <= room else SMALL
    canvas.text(WIDTH - font.width(text), y + (7 - font.height) // 2, text, font)


def split(text: str, room: int = 46) -> tuple[str, ...]:
    """A text in lines of whole words that take at most `room` columns in the small font."""
    lines: list[str] = []
    for word in text.split():
        if lines and SMALL.width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def plural(count: int, thing: str = "DIE", things: str = "DICE") -> str:
    """A number with its noun."""
    return f"{count} {thing if count == 1 else things}"

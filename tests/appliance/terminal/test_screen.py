"""What is drawn in terminals of all kinds."""

import io
import re

import numpy as np
import pytest

from appliance.terminal.screen import TerminalView, image_lines
from appliance.terminal.style import Colours, Style
from vision.frame import Image

GREEN_OVER_BLACK: Image = np.array([[[0, 255, 0]], [[0, 0, 0]]], np.uint8)


class Tty(io.TextIOWrapper):
    """A terminal of an encoding, and what was written to it."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.raw_bytes = io.BytesIO()
        super().__init__(self.raw_bytes, encoding=encoding, newline="")

    @property
    def text(self) -> str:
        """What was written."""
        self.flush()
        return self.raw_bytes.getvalue().decode(self.encoding)


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "xterm-256color"}, Colours.CUBE),
        ({"TERM": "linux"}, Colours.SIXTEEN),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Colours.NONE),
        ({}, Colours.NONE),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit", "NO_COLOR": "1"}, Colours.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, Colours.CUBE),
    ],
)
def test_colours_are_those_that_the_terminal_has(
    environment: dict[str, str], colours: Colours
) -> None:
    assert Style.of(Tty(), environment) == Style(colours, blocks=True)
    assert Style.of(Tty("iso8859-1"), environment) == Style(colours, blocks=False)


@pytest.mark.parametrize(
    ("style", "line"),
    [
        (Style(Colours.TRUE), "\x1b[38;2;0;255;0;48;2;0;0;0m▀\x1b[0m"),
        (Style(Colours.CUBE), "\x1b[38;5;46;48;5;16m▀\x1b[0m"),
        (Style(Colours.SIXTEEN), "\x1b[92;40m▀\x1b[0m"),
        (Style(Colours.TRUE, blocks=False), "\x1b[38;2;0;127;0;48;2;0;127;0m \x1b[0m"),
    ],
)
def test_a_pixel_is_drawn_in_the_nearest_colour(style: Style, line: str) -> None:
    assert style.picture_lines(GREEN_OVER_BLACK) == [line]


def test_without_colours_a_picture_is_drawn_in_shades() -> None:
    ramp = np.repeat(np.linspace(0, 255, 10).astype(np.uint8), 3).reshape(1, 10, 3)
    shown = image_lines(np.repeat(ramp, 2, axis=0), 10, 1, Style(Colours.NONE))
    assert shown == [" .:-=+*#%@"]


@pytest.mark.parametrize(("columns", "rows"), [(79, 24), (80, 23), (20, 5), (2, 2)])
def test_too_small_a_window_is_asked_to_grow(
    columns: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(rows))
    out = Tty()
    TerminalView(out).draw(None, None, ["ANNA: throw 5 dice"])
    wish = f"The window needs 80x24 characters, it has {columns}x{rows}."
    assert wish[:columns] in out.text
    assert "ANNA: throw 5 dice"[:columns] in out.text or rows < 3
    assert "┌" not in out.text


def test_a_terminal_without_blocks_gets_ascii_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "vt100")
    monkeypatch.setenv("NO_COLOR", "1")
    out = Tty("ascii")
    TerminalView(out).draw(None, np.zeros((90, 160, 3), np.uint8), ["ZOË ←/→ look"])
    assert "+----" in out.text
    assert "ZO? </> look" in out.text
    assert not re.search(r"\x1b\[[\d;]*m", out.text)

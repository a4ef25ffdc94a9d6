"""Drawing in terminals of all kinds."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest

from appliance.devices.camera.listing import ListedCamera
from appliance.guidance import Guidance, KeyAction
from appliance.inputs import Button, Key
from appliance.service.view import DieView, SeenSheet, View
from appliance.terminal.keyboard import HELP_ACTION, REAL_DICE_HELP
from appliance.terminal.looking import choice_view, failed_view, looking_view
from appliance.terminal.pointing import pointing_view
from appliance.terminal.qr import qr_code
from appliance.terminal.screen import (
    MIN_WINDOW_SIZE,
    TerminalView,
    fitted,
    screen_lines,
    sheet_lines,
)
from appliance.terminal.style import Colours, Style
from calibration.wizard.pointing import begin_pointing
from tests.rigs.examples import FULL
from vision.frame import Image

GREEN_OVER_BLACK: Image = np.array([[[0, 255, 0]], [[0, 0, 0]]], np.uint8)


class Tty(io.TextIOWrapper):
    """A terminal with a given encoding, and what was written to it."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.raw_bytes = io.BytesIO()
        super().__init__(self.raw_bytes, encoding=encoding, newline="")

    @property
    def text(self) -> str:
        """The text written."""
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
    image = fitted(np.repeat(ramp, 2, axis=0), 10, 1)
    shown = Style(Colours.NONE).picture_lines(image)
    assert shown == [" .:-=+*#%@"]


ROLLED = "ANNA: 1-5 hold, SPACE rolls again, ENTER scores"
PIPS = np.full((64, 64, 3), 20, np.uint8)
PIPS[8:24, 8:24] = PIPS[40:56, 40:56] = 240


def die(number: int, *, kept: bool = False, sure: bool = True) -> DieView:
    left = 0.1 * number
    corners = ((left, 0.4), (left + 0.05, 0.4), (left + 0.05, 0.5), (left, 0.5))
    return DieView(number, "2" if sure else "2?", sure, kept, PIPS, np.array(corners))


def shown(*dice: DieView, tray: tuple[int, int] = (100, 140)) -> View:
    keys = (
        KeyAction(Key.NUMBERS, "1-5", "hold"),
        KeyAction(Key.SPACE, "SPACE", "rolls again"),
        KeyAction(Key.ENTER, "ENTER", "scores"),
    )
    return View(
        tray=np.full((*tray, 3), (0, 90, 0), np.uint8),
        dice=dice,
        guidance=Guidance("ANNA", keys),
        sheets=(SeenSheet("ANNA", 12, (("ACES", "3"),), True), SeenSheet("BOB", 7, (), False)),
    )


def drawn(columns: int, rows: int, *dice: DieView, readings: bool = False) -> list[str]:
    return screen_lines(shown(*dice), columns, rows, Style(Colours.NONE), readings=readings)


@pytest.mark.parametrize(("columns", "rows"), [(79, 24), (80, 23), (20, 5), (2, 2)])
def test_too_small_a_window_is_asked_to_grow(
    columns: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(rows))
    out = Tty()
    TerminalView(out).draw(View(guidance=Guidance("ANNA: throw 5 dice")))
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
    view = replace(shown(die(1, kept=True)), guidance=Guidance("ZOË ←/→ look"))
    TerminalView(out).draw(view)
    assert "+----" in out.text
    assert "ZO? </> look" in out.text
    assert not re.search(r"\x1b\[[\d;]*m", out.text)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (180, 50), (300, 90)])
@pytest.mark.parametrize("count", [0, 1, 5, 6, 20])
def test_every_window_is_filled_and_none_overflows(size: tuple[int, int], count: int) -> None:
    columns, rows = size
    lines = drawn(columns, rows, *(die(number % 8, kept=number == 2) for number in range(count)))
    assert len(lines) == rows - 1
    assert max(map(len, lines)) < columns
    assert lines[-2] == ROLLED
    assert lines[-1].startswith("q quit  ? help")


@pytest.mark.parametrize(("size", "side"), [((80, 24), 10), ((100, 30), 12), ((180, 50), 22)])
def test_pips_can_be_counted_and_grow_with_the_window(size: tuple[int, int], side: int) -> None:
    columns, rows = size
    lines = drawn(columns, rows, *map(die, range(1, 6)))
    below = next(number for number, line in enumerate(lines) if "1:2" in line)
    left = lines[below].index("1:2")
    drawn_side = lines[below].index("2:2") - left - 1
    assert drawn_side >= side
    block = [line[left : left + drawn_side] for line in lines[below - drawn_side // 2 : below]]
    upper, lower = block[drawn_side // 8], block[-1 - drawn_side // 8]
    half = drawn_side // 2
    assert "@" in upper[:half]
    assert "@" not in upper[half:] + lower[:half]
    assert "@" in lower[half:]


def test_kept_dice_are_marked_with_and_without_colours() -> None:
    words = " ".join(drawn(100, 30, die(1), die(2, kept=True)))
    assert "2:2 KEPT" in words
    assert "1:2 KEPT" not in words
    coloured = screen_lines(shown(die(1), die(2, kept=True)), 100, 30, Style())
    assert any("\x1b[7m2:2 KEPT\x1b[0m" in line for line in coloured)


def test_what_was_read_is_drawn_over_the_tray_when_asked_for() -> None:
    def tray(readings: bool) -> str:
        lines = drawn(100, 30, die(1), die(3, sure=False), readings=readings)[10:-2]
        return "".join(line[:40] for line in lines)

    assert "2?" not in tray(readings=False)
    assert "2?" in tray(readings=True)


def test_the_scores_are_beside_the_board_with_a_mark_at_whose_turn_it_is() -> None:
    lines = drawn(180, 50)
    assert re.search(r">ANNA +12$", lines[0])
    assert re.search(r" BOB +7$", lines[1])
    assert re.search(r"ACES +3$", lines[3])


def test_help_stands_in_place_of_the_tray_until_the_next_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    out = Tty()
    screen = TerminalView(out, REAL_DICE_HELP)
    for actions, helps in (([HELP_ACTION], True), ([], True), ([Button.OK], False)):
        screen.obey(actions)
        out.seek(0)
        out.truncate()
        screen.draw(shown())
        assert ("q      quit; the game is saved" in out.text) == helps
        assert "SPACE  throw" not in out.text


def test_what_is_for_one_player_stands_in_place_of_what_can_be_done() -> None:
    lines = screen_lines(replace(shown(), secret="For ANNA alone: red 3"), 80, 24, Style())
    assert "For ANNA alone: red 3" in lines
    assert ROLLED not in lines


def test_nobody_is_told_to_press_letters_while_a_name_is_typed() -> None:
    assert drawn(80, 24)[-1].startswith("q quit")
    assert screen_lines(replace(shown(), typing=True), 80, 24, Style())[-1] == "Ctrl-C quit"


def test_the_stars_of_a_computer_stay_where_its_name_has_no_room() -> None:
    sheets = (SeenSheet("ROBO ***", 231, (), True), SeenSheet("MAXIMILIAN", 7, (), False))
    assert sheet_lines(sheets, 10, 8)[:2] == [">RO*** 231", " MAXIMIL 7"]
    unnamed = (SeenSheet("PLAYER 1", 95, (), True), SeenSheet("SPIELER 2", 7, (), False))
    assert sheet_lines(unnamed, 10, 8)[:2] == [">PLAYE1 95", " SPIELE2 7"]
    assert sheet_lines(sheets, 20, 8)[:2] == [">ROBO ***        231", " MAXIMILIAN        7"]


INVITED = "On the phone, open https://192.168.178.135:8443 and enter the PIN 123456."
CODE = qr_code("https://192.168.178.135:8443/#123456")
PHOTOGRAPH = np.full((360, 640, 3), (40, 90, 30), np.uint8)
WEBCAMS = tuple(ListedCamera(f"v4l2:{n}", f"Kamera für {n}") for n in range(1, 6))
VIEWS = {
    "code": failed_view(INVITED, CODE),
    "no picture": failed_view(INVITED),
    "live": looking_view(PHOTOGRAPH, None, None, "Caméra, 1280x720"),
    "cameras": choice_view(WEBCAMS, {0: PHOTOGRAPH, 1: None}),
    "corners": pointing_view(begin_pointing((640, 360)), PHOTOGRAPH),
    "game": shown(*map(die, range(1, 6))),
    "strip": shown(tray=(40, 139)),
    "drawing": shown(tray=(33, 33)),
}
"""Every kind of view that is drawn."""
ROWS, COLUMNS = range(10, 61), range(20, 221)


@pytest.mark.slow
@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize(
    ("style", "rows_between", "columns_between"),
    [(Style(Colours.NONE, blocks=False), 1 if FULL else 5, 12), (Style(), 7, 20)],
)
def test_every_view_is_drawn_in_every_window(
    name: str, style: Style, rows_between: int, columns_between: int
) -> None:
    for rows in ROWS[::rows_between]:
        # Nearly all columns at some rows; with all examples, all rows at some columns, too.
        for columns in COLUMNS[rows % columns_between :: columns_between]:
            size = (columns, rows)
            lines = screen_lines(VIEWS[name], columns, rows, style)
            plain = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
            assert max(map(len, plain)) <= columns, size
            assert style.blocks or "".join(plain).isascii(), size
            if columns < MIN_WINDOW_SIZE[0] or rows < MIN_WINDOW_SIZE[1]:
                # The last lines find no room in the lowest windows.
                plain = plain[: rows - 1]
            else:
                assert len(lines) == rows - 1, size
            words = "".join("".join(plain).split())
            assert name not in ("code", "no picture") or "".join(INVITED.split()) in words, size


def test_a_code_is_drawn_whole_and_square_or_not_at_all() -> None:
    modules = len(CODE)
    for rows in ROWS:
        for columns in range(20, 221):
            height, width = fitted(CODE, columns, rows).shape[:2]
            assert height == width
            assert height % modules == 0
            assert width <= columns < width + modules or height <= 2 * rows < height + modules


def test_a_terminal_of_unknown_size_is_drawn_in_as_one_of_80_by_24(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    out = Tty()
    TerminalView(out).draw(VIEWS["code"])
    assert INVITED in out.text
    assert out.text.count("\n") == 22

"""How the board's modules are mounted: asked once, tried by the board, stored there."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.devices.flash.layouts import LAYOUTS
from appliance.devices.scoreboard import Hello, LayoutFrom, LinkState, SerialScoreboard, Status
from appliance.devices.scoreboard.link import LinkTiming
from appliance.errors import ScoreboardError
from appliance.inputs import SHOW_MODULES, SHUT_DOWN, Button, Chord, Pressed
from appliance.journal.journal import Journal
from appliance.picture import Picture
from appliance.screens.drawing import two_lines
from appliance.screens.modules import modules_picture
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.modules import OLD_FIRMWARE_PAGES, OWN_FILE_PAGES, BoardLayouts
from appliance.service.ports import PictureBoard
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.modules import Modules
from appliance.table.menu.prompting import ListPrompt, ModulesPrompt, NoticePrompt
from appliance.table.menu.upkeep import Off
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.session import Session, Setup, new_session
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.rigs.faulty_board import FaultyBoard
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.published_modules import chain_of
from vision.frame import Frame

OK, BACK, LEFT, RIGHT = Button.OK, Button.BACK, Button.LEFT, Button.RIGHT
MENU = Pressed(OK, long=True)
NAMES = tuple(LAYOUTS)
CODES = {name: layout.code() for name, layout in LAYOUTS.items()}
FRESH = Hello(
    (1, 2), unique_id="one", layout_from=LayoutFrom.DEFAULT, layout=CODES["fc16"], linked=True
)
BLANK = np.zeros((36, 64, 3), np.uint8)


class Board(MemoryScoreboard):
    """A board with a voice."""

    def __init__(self, hello: Hello | None = FRESH) -> None:
        super().__init__()
        self.hello = hello
        self.refuses = False

    @property
    def status(self) -> Status:
        state = LinkState.CLOSED if self.hello is None else LinkState.LINKED
        return Status(state=state, hello=self.hello)

    def store_layout(self, layout: bytes) -> None:
        if self.refuses:
            raise ScoreboardError("its flash is full")
        super().store_layout(layout)
        assert self.hello is not None
        self.hello = replace(self.hello, layout_from=LayoutFrom.STORED, layout=layout)


class Desk:
    """An appliance at its board."""

    def __init__(
        self, journal: Journal, board: PictureBoard, layouts: BoardLayouts, session: Session | None
    ) -> None:
        self.keys = ScriptedKeys()
        watcher = ScriptedWatcher()
        self.appliance = Appliance(
            Devices(board, self.keys, layouts=layouts),
            Tray(watcher),
            journal,
            session=session,
        )
        self.appliance.start()
        self.index = 0
        self.feed()

    def feed(self, *presses: Pressed | Chord, seconds: float = 0.1) -> None:
        self.keys.presses += presses
        self.appliance.feed(Frame(BLANK, self.index / 10, self.index))
        self.index += round(10 * seconds)

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.feed(Pressed(button))

    def shows(self) -> Prompt:
        return self.appliance.prompt


def desk(journal: Journal, board: Board, session: Session | None = None) -> Desk:
    return Desk(journal, board, BoardLayouts(board), session)


@pytest.fixture
def journal() -> Journal:
    return Journal(":memory:")


def test_a_board_that_nobody_has_set_up_is_asked_about_at_the_first_start(journal: Journal) -> None:
    board = Board()
    at = desk(journal, board)
    assert at.shows() == ModulesPrompt(0, len(NAMES))
    assert board.picture == modules_picture()
    assert board.tried == [CODES["fc16"]]
    at.press(RIGHT, RIGHT)
    assert board.tried == [CODES[name] for name in NAMES[:3]]
    at.press(OK)
    assert board.stored == [CODES[NAMES[2]]]
    assert board.tried[-1] is None
    assert at.shows() == NoticePrompt((("MODULES", "SAVED"),))
    at.press(OK)
    assert isinstance(at.appliance.console.page, Menu)
    for _ in range(20):
        at.feed()
    assert isinstance(at.appliance.console.page, Menu)


def test_the_layouts_go_round_both_ways(journal: Journal) -> None:
    board = Board()
    at = desk(journal, board)
    at.press(LEFT)
    assert board.tried[-1] == CODES[NAMES[-1]]
    at.press(*[RIGHT] * len(NAMES))
    assert board.tried[-1] == CODES[NAMES[-1]]
    assert {code for code in board.tried if code} == set(CODES.values())


def test_back_leaves_everything_as_it_was_until_the_next_start(journal: Journal) -> None:
    board = Board()
    at = desk(journal, board)
    at.press(RIGHT, BACK)
    assert (board.stored, board.tried[-1]) == ([], None)
    for _ in range(20):
        at.feed()
    assert isinstance(at.appliance.console.page, Menu)
    # Another board on the port is asked about; so is this one at the next start.
    board.hello = replace(FRESH, unique_id="two")
    at.feed()
    assert isinstance(at.shows(), ModulesPrompt)
    board.hello = FRESH
    assert isinstance(desk(journal, board).shows(), ModulesPrompt)


@pytest.mark.parametrize("source", [LayoutFrom.STORED, LayoutFrom.OWN, None])
def test_a_board_that_was_set_up_is_not_asked_about(
    journal: Journal, source: LayoutFrom | None
) -> None:
    at = desk(journal, Board(replace(FRESH, layout_from=source)))
    assert isinstance(at.appliance.console.page, Menu)


def test_a_game_goes_on_after_the_question(journal: Journal) -> None:
    board = Board(None)
    at = desk(journal, board, new_session(Setup("classic", ("ANNA", "BOB"))))
    assert at.appliance.console.page is None
    at.feed(MENU)
    board.hello = FRESH
    at.press(RIGHT)
    # The board is linked only now; the menu is no reason not to ask, another page is.
    assert isinstance(at.shows(), ModulesPrompt)
    for _ in range(10):
        # RIGHT was meant for the menu.
        at.feed()
    at.press(BACK, BACK)
    assert at.appliance.console.page is None


def test_two_buttons_open_the_page_blindly_and_the_present_layout_comes_first(
    journal: Journal,
) -> None:
    hello = replace(FRESH, layout_from=LayoutFrom.STORED, layout=CODES["generic"])
    board = Board(hello)
    at = desk(journal, board, new_session(Setup("classic", ("ANNA", "BOB"))))
    at.feed(SHOW_MODULES)
    assert board.tried == [CODES["generic"]]
    at.feed(SHOW_MODULES)
    assert at.appliance.console.pages == (Modules(NAMES.index("generic")),)
    # A slow finger on OK is an OK.
    at.feed(Pressed(OK, long=True))
    assert board.stored == [CODES["generic"]]


def test_while_it_is_switched_off_the_page_does_not_come(journal: Journal) -> None:
    at = desk(journal, Board(replace(FRESH, layout_from=LayoutFrom.STORED)))
    at.feed(SHUT_DOWN)
    at.feed(SHOW_MODULES)
    assert isinstance(at.appliance.console.page, Off)


def test_no_alert_hides_the_figures(journal: Journal) -> None:
    board = Board()
    at = desk(journal, board)
    at.appliance.warn(Alert.CAMERA_GONE, blind=True)
    seen = set()
    for _ in range(60):
        at.feed()
        seen.add(board.picture.data)
    words = two_lines("READABLE: OK", "IF NOT: RIGHT")
    assert seen == {modules_picture().data, words.data}
    at.press(BACK)
    for _ in range(120):
        at.feed()
        seen.add(board.picture.data)
    assert two_lines(*Alert.CAMERA_GONE.lines).data in seen


@pytest.mark.parametrize(
    ("source", "why"), [(None, OLD_FIRMWARE_PAGES), (LayoutFrom.OWN, OWN_FILE_PAGES)]
)
def test_a_board_that_cannot_store_says_so(
    journal: Journal, source: LayoutFrom | None, why: tuple[tuple[str, str], ...]
) -> None:
    layout = CODES["fc16"] if source else b""
    board = Board(replace(FRESH, layout_from=source, layout=layout))
    at = desk(journal, board)
    at.feed(SHOW_MODULES)
    assert at.shows() == NoticePrompt(why, passing=False)
    at.press(RIGHT)
    assert isinstance(at.shows(), ListPrompt)
    assert (board.tried, board.stored) == ([], [])


def test_what_the_board_refuses_is_said(journal: Journal, caplog: pytest.LogCaptureFixture) -> None:
    board = Board()
    board.refuses = True
    at = desk(journal, board)
    at.press(OK)
    assert at.shows() == NoticePrompt((("MODULES", "NOT SAVED"),))
    assert "its flash is full" in caplog.text
    at.press(OK)
    assert isinstance(at.appliance.console.page, Menu)


def test_without_a_board_there_is_nothing_to_choose(journal: Journal) -> None:
    at = desk(journal, Board(None))
    at.feed(SHOW_MODULES)
    assert isinstance(at.appliance.console.page, Menu)
    prompt = at.shows()
    assert isinstance(prompt, ListPrompt)
    words = set()
    for _ in range(prompt.count):
        prompt = at.shows()
        assert isinstance(prompt, ListPrompt)
        words.add(prompt.lines[0])
        at.press(RIGHT)
    assert "MODULES" not in words


@pytest.mark.parametrize("name", ["generic", "icstation"])
def test_from_a_scrambled_board_to_one_that_can_be_read(
    journal: Journal, tmp_path: Path, name: str
) -> None:
    """Real firmware on a board of other modules, just flashed; whoever looks cannot read."""
    with (
        FaultyBoard(state=tmp_path / "flash", layout=None, chain=chain_of(name)) as board,
        closing(SerialScoreboard(board.device, timing=LinkTiming(repeat=0.1))) as host,
    ):
        host.wait(lambda status: status.connected)
        at = Desk(journal, host, BoardLayouts(host), None)
        for _ in range(len(NAMES)):
            if shows(board, host, modules_picture()):
                break
            at.press(RIGHT)
        at.press(OK)
        assert at.shows() == NoticePrompt((("MODULES", "SAVED"),))
        saved = two_lines("MODULES", "SAVED")
        board.wait(lambda lights: lights.data == saved.data)
        board.reboot()
        host.wait(lambda status: status.reboots == 1 and status.connected)
        board.wait(lambda lights: lights.data == saved.data)
        hello = host.status.hello
        assert hello is not None
        assert (hello.layout_from, hello.layout) == (LayoutFrom.STORED, CODES[name])


def shows(board: FaultyBoard, host: SerialScoreboard, picture: Picture) -> bool:
    """True if it is seen upright once the board has acknowledged what it was sent."""
    count = host.status.shown
    host.wait(lambda status: status.shown >= count + 2)
    return board.lights().data == picture.data

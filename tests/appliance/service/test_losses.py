"""A loss is told at every start until somebody has read it: its page was up, then a press."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

import pytest

from appliance.devices.buttons import STUCK_S
from appliance.inputs import Button, Pressed
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from appliance.journal.sessions import load_session
from appliance.journal.untold import Damage
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.environment import Environment
from appliance.service.losses import SURE_S
from appliance.service.steady import WINDOW_S
from appliance.table.menu.prompting import NoticePrompt
from tests.appliance.service.test_disk_trouble import SETUP
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import throw as roll
from tests.rigs.memory_scoreboard import MemoryScoreboard

pytestmark = pytest.mark.slow

PAGES = (("GAME 1", "WAS DAMAGED"), ("2 STEPS", "ARE LOST"), ("LOOK AT", "THE POINTS"))


class Started:
    """A start of the appliance with this journal; ticks are 0.1 s apart."""

    def __init__(self, path: Path) -> None:
        self.journal, _ = open_and_mend(path)
        self.keys = ScriptedKeys()
        self.appliance = Appliance(
            Devices(MemoryScoreboard(), self.keys),
            Tray(ScriptedWatcher()),
            self.journal,
            Environment(dark_after_s=60.0),
            session=load_session(self.journal, SETUP),
        )
        self.time_s = 0.0
        self.appliance.start()
        self.wait(10.0)

    def wait(self, seconds: float, *presses: Button) -> None:
        self.keys.presses = [Pressed(button) for button in presses]
        for _ in range(round(seconds * 10)):
            self.time_s += 0.1
            self.appliance.tick(self.time_s)
            self.keys.presses = []

    @property
    def tells(self) -> bool:
        prompt = self.appliance.prompt
        return isinstance(prompt, NoticePrompt) and prompt.pages == PAGES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A game of which a line is damaged in both places, with a line behind it."""
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        number = journal.begin("classic", "2009", SETUP.players, SETUP.options, "1.0.0")
        journal.append(number, 0, ["roll 1 2 3 4 5", "holding 1", "holding 1 2"])
    for file in folder_of(path).rglob("*.game"):
        file.write_bytes(file.read_bytes().replace(b"holding 1  ", b"holding 3  "))
    return path


@pytest.fixture
def start(path: Path) -> Iterator[Callable[[], Started]]:
    """Starts, after a cut of the power if it has started before."""
    with ExitStack() as stack:

        def start() -> Started:
            started = Started(path)
            # Nothing more is written, as after a cut.
            stack.callback(started.journal.files.close)
            return started

        yield start


def test_it_is_told_until_somebody_has_read_it(start: Callable[[], Started]) -> None:
    for _ in range(3):
        assert start().tells
    started = start()
    started.wait(2.0)
    started.wait(0.1, Button.OK)
    assert not started.tells
    started.wait(SURE_S + 0.5)
    assert not started.tells
    assert not start().tells


def test_a_page_that_was_not_up_for_a_second_stays(start: Callable[[], Started]) -> None:
    started = start()
    started.wait(0.1, Button.OK)
    started.wait(SURE_S + 0.5)
    started.appliance.console = started.appliance.console.close()
    started.journal.note_untold(Damage(2, lost=1))
    while not isinstance(started.appliance.prompt, NoticePrompt):
        started.wait(0.1)
    started.wait(0.5)
    started.wait(0.1, Button.OK)
    assert isinstance(started.appliance.prompt, NoticePrompt)
    started.wait(1.0)
    started.wait(0.1, Button.OK)
    assert not isinstance(started.appliance.prompt, NoticePrompt)


def wake(started: Started) -> None:
    """The board has gone dark; the press only wakes it."""
    started.wait(90.0)
    started.wait(0.1, Button.OK)


def throw(started: Started) -> None:
    """Dice take the page away, which nobody need have looked at."""
    started.wait(2.0)
    started.appliance._inbox.take(roll(6, 6, 6, 6, 6))
    started.wait(0.1)


def jam(started: Started) -> None:
    """Something falls on a button, which is known to be stuck only later."""
    started.wait(2.0)
    started.wait(0.1, Button.OK)
    started.wait(STUCK_S)
    started.keys.closed = frozenset({Button.OK})
    started.wait(SURE_S)


def bounce(started: Started) -> None:
    started.wait(2.0)
    for _ in range(40):
        started.wait(0.1, *[Button.OK] * 5)
    started.wait(SURE_S)


def lose_power(started: Started) -> None:
    """Before it is known that the button is not stuck."""
    started.wait(2.0)
    started.wait(0.1, Button.OK)
    started.wait(1.0)


@pytest.mark.parametrize("what", [wake, throw, jam, bounce, lose_power])
def test_what_is_no_sign_of_a_reader_leaves_it_untold(
    start: Callable[[], Started], what: Callable[[Started], None]
) -> None:
    started = start()
    what(started)
    assert started.tells or what is lose_power
    assert start().tells


def test_by_then_a_button_is_known_to_be_stuck() -> None:
    assert max(STUCK_S, WINDOW_S) < SURE_S


class Cut(BaseException):
    """The power goes."""


@pytest.mark.parametrize("renames", range(1, 6))
def test_a_cut_while_it_is_mended_leaves_it_damaged_or_told(
    path: Path, start: Callable[[], Started], monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    real, done = Files._rename, count(1)

    def rename(self: Files, old: str, new: str) -> None:
        real(self, old, new)
        if next(done) == renames:
            raise Cut

    monkeypatch.setattr(Files, "_rename", rename)
    with suppress(Cut):
        open_and_mend(path)[0].close()
    monkeypatch.undo()
    assert next(done) > renames
    assert start().tells
    with Journal(path) as journal:
        (damage,) = journal.untold()
    # It is kept once, as both places were the same.
    (kept,) = (folder_of(path) / "damaged").iterdir()
    assert damage.file == f"damaged/{kept.name}"

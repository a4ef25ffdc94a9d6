"""A disk that refuses: the board names the fault, nothing is lost, and nothing counts twice."""

import errno
import os
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import BinaryIO

import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.errors import (
    ApplianceError,
    ConfigError,
    JournalError,
    NoHeaderError,
    PinsError,
    PinsInUseError,
    PowerError,
)
from appliance.inputs import SHUT_DOWN, Button, Pressed
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.lock import claimed
from appliance.journal.mending import open_and_mend
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.screens.drawing.layout import two_lines
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.opening import SwitchedOff, open_games, retry_until_done
from appliance.service.phases import Phases
from appliance.service.systemd import Notifier
from appliance.simulator.people.menu_user import MenuUser, Wishes
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.name_entry import NAME_END, Entry
from appliance.table.menu.prompting import NamePrompt, NoticePrompt, QuestionPrompt
from appliance.table.menu.settings import from_text
from appliance.table.menu.upkeep import Off
from appliance.table.prompts.turn import ChoicePrompt
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import throw as roll
from tests.rigs.dropped import closed_when_dropped
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.stored_games import games_of
from vision.events import TrayEvent
from vision.frame import Frame

SETUP = Setup("classic", ("ANNA",), ())


class FailingDisk(Files):
    """A disk that refuses what is written while `code` says why."""

    code = 0

    def _refuse(self, name: str) -> None:
        if self.code:
            raise OSError(self.code, os.strerror(self.code), name)

    def _create(self, name: str) -> BinaryIO:
        self._refuse(name)
        return super()._create(name)

    def _write(self, name: str, file: BinaryIO, data: bytes, at: int) -> None:
        self._refuse(name)
        super()._write(name, file, data, at)

    def _rename(self, old: str, new: str) -> None:
        self._refuse(old)
        super()._rename(old, new)

    def _unlink(self, name: str) -> None:
        self._refuse(name)
        super()._unlink(name)


class Bench:
    def __init__(self, path: Path, setup: Setup | None = SETUP) -> None:
        self.files = closed_when_dropped(FailingDisk(folder_of(path), patience_s=0.0))
        self.journal = Journal(path, files=self.files)
        self.watcher, self.keys = ScriptedWatcher(), ScriptedKeys()
        session = load_session(self.journal, setup) if setup else None
        board = MemoryScoreboard()
        self.appliance = Appliance(
            Devices(board, self.keys),
            Tray(self.watcher),
            self.journal,
            session=session,
        )
        self.appliance.start()
        # What follows a game that begins is written.
        while self.journal.tidy():
            pass
        self.index = 0

    def feed(self, *events: TrayEvent) -> None:
        self.index += 1
        self.watcher.events = list(events)
        frame = Frame(np.zeros((4, 4, 3), np.uint8), float(self.index) * 2, self.index)
        self.appliance.feed(frame)

    def press(self, *buttons: Button) -> None:
        self.keys.presses = [Pressed(button) for button in buttons]
        self.feed()

    def refuse(self, code: int) -> None:
        """The disk refuses what is written from now on, for this reason; 0 ends that."""
        self.files.code = code

    @property
    def disk(self) -> str:
        return self.appliance.disk.name if self.appliance.disk else ""

    @property
    def going(self) -> list[Path]:
        """The files of games going on, the present one's last."""
        return sorted((self.files.folder / "going").glob("*.game"))

    @property
    def lines(self) -> tuple[str, ...]:
        last = self.journal.last()
        assert last is not None
        return last.lines


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "games.sqlite3")


def test_what_the_disk_refused_is_saved_when_it_can_be(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.feed(roll(1, 2, 3, 4, 5))
    assert list(bench.lines) == ["roll 1 2 3 4 5"]
    bench.refuse(errno.EROFS)
    bench.press(Button.HOLD1)
    assert bench.disk == "DISK_READ_ONLY"
    # What is not on disk is not on the board either.
    assert bench.appliance.session.record.holds == frozenset()
    # The first of these uncovers the dice, over which the board says what is wrong; the others can
    # mean nothing but the dice.
    bench.press(Button.OK, Button.HOLD2, Button.HOLD3)
    bench.feed()
    assert bench.disk == "DISK_READ_ONLY"
    assert bench.lines == ("roll 1 2 3 4 5",)
    bench.refuse(0)
    bench.feed()
    assert not bench.disk
    assert bench.appliance.session.record.holds == {0, 1, 2}
    assert list(bench.lines[1:]) == ["holding 1", "holding 1 2", "holding 1 2 3"]
    assert caplog.text.count("not saved") == 1


def asked_to_shut_down(bench: Bench) -> None:
    """Presses are waiting for a disk that refuses when somebody asks to shut down."""
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.refuse(errno.EROFS)
    bench.press(Button.HOLD1, Button.OK)
    bench.keys.presses = [SHUT_DOWN]
    bench.feed()


def test_who_meets_a_disk_that_refuses_can_shut_down(bench: Bench) -> None:
    asked_to_shut_down(bench)
    assert bench.appliance.prompt == QuestionPrompt("SHUT DOWN?")
    assert bench.disk == "DISK_READ_ONLY"
    bench.press(Button.OK)
    assert bench.appliance.ended
    assert bench.lines == ("roll 1 2 3 4 5",)


def test_what_waits_for_the_disk_does_not_answer_whether_to_shut_down(bench: Bench) -> None:
    asked_to_shut_down(bench)
    bench.refuse(0)
    bench.feed()
    assert isinstance(bench.appliance.console.page, Off)
    assert not bench.appliance.ended
    bench.press(Button.BACK)
    bench.feed()
    assert not bench.disk
    assert not bench.appliance.ended
    assert bench.lines[1] == "holding 1"
    assert isinstance(bench.appliance.prompt, ChoicePrompt)


def test_brightness_that_could_not_be_kept_is_kept_when_it_can_be(bench: Bench) -> None:
    bench.appliance.happen(Pressed(Button.OK, long=True))
    user = MenuUser(FakeButtons(bench), Wishes("", (), menu="BRIGHTNESS"), think_s=0.0)
    while isinstance(bench.appliance.console.page, Menu):
        assert user.act(bench.appliance.prompt, float(bench.index))
    bench.refuse(errno.EROFS)
    bench.press(Button.LEFT)
    bench.press(Button.OK)
    level = bench.appliance.console.settings.brightness
    bench.feed()
    assert bench.disk == "DISK_READ_ONLY"
    bench.refuse(0)
    bench.feed()
    assert not bench.disk
    remembered = bench.journal.remembered("desk")
    assert remembered is not None
    assert from_text(remembered).brightness == level


@pytest.mark.parametrize(
    ("code", "alert"),
    [
        (errno.ENOSPC, "DISK_FULL"),
        (errno.EDQUOT, "DISK_FULL"),
        (errno.EIO, "DISK_FAULT"),
        (errno.EROFS, "DISK_READ_ONLY"),
    ],
)
def test_what_a_disk_refuses_for_is_named(bench: Bench, code: int, alert: str) -> None:
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.refuse(code)
    before = bench.lines
    bench.press(Button.HOLD1)
    assert bench.disk == alert
    assert bench.lines == before
    bench.refuse(0)
    bench.feed()
    assert not bench.disk
    assert bench.lines == (*before, "holding 1")
    # The log still replays to what the board shows.
    assert load_session(bench.journal, SETUP).record.holds == bench.appliance.session.record.holds


def test_after_a_sync_that_failed_the_lines_go_into_a_new_file(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may have dropped what it did not write, and call it written the next time."""
    bench.feed(roll(1, 2, 3, 4, 5))
    (file,) = bench.going
    before = file.stat().st_ino

    def fail(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("vision.files.system.sync_data", fail)
    bench.press(Button.HOLD1)
    assert bench.disk == "DISK_FAULT"
    monkeypatch.undo()
    bench.feed()
    assert not bench.disk
    assert file.stat().st_ino != before
    assert bench.lines == ("roll 1 2 3 4 5", "holding 1")


def test_a_throw_that_could_not_be_saved_is_not_lost(bench: Bench) -> None:
    bench.refuse(errno.EROFS)
    bench.feed(roll(6, 6, 6, 6, 6))
    assert "roll" not in "".join(bench.lines)
    assert bench.appliance.session.record.events == ()
    bench.refuse(0)
    bench.feed()
    assert "".join(bench.lines) == "roll 6 6 6 6 6"


class FakeButtons:
    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def press(self, button: Button) -> None:
        self._bench.press(button)


def set_up(bench: Bench) -> None:
    """Sets up a game, except for the last OK."""
    user = MenuUser(FakeButtons(bench), Wishes("CLASSIC", SETUP.players), think_s=0.0)
    while bench.appliance.prompt != NamePrompt(0, Entry("ANNA", NAME_END), ""):
        assert user.act(bench.appliance.prompt, float(bench.index))


def test_a_game_that_could_not_be_begun_begins_when_it_can_be(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path / "games.sqlite3", setup=None)
    set_up(bench)
    bench.refuse(errno.EROFS)
    bench.press(Button.OK)
    for _ in range(3):
        # Named until it is over, not just for one frame.
        assert bench.disk == "DISK_READ_ONLY"
        assert bench.appliance.console.session is None
        bench.feed()
    # What is thrown meanwhile is the first throw of that game.
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.refuse(0)
    bench.feed()
    assert not bench.disk
    assert [saved.players for saved in games_of(bench.journal)] == [SETUP.players]
    assert bench.lines == ("roll 1 2 3 4 5",)
    assert bench.appliance.session.record.setup.players == SETUP.players
    assert caplog.text.count("not saved") == 1


def damage(file: Path, *lines: int) -> bytes:
    """Overwrites lines of a file in use, as a bad card may; returns the file's new content."""
    data = file.read_bytes().splitlines(keepends=True)
    for line in lines:
        if line < len(data):
            data[line] = b"\xa5" * (len(data[line]) - 1) + b"\n"
    file.write_bytes(b"".join(data))
    return b"".join(data)


ALL = tuple(range(20))


@pytest.mark.parametrize("lines", [(0,), (6,), (-1,), ALL])
def test_a_game_that_turns_damaged_between_turns_heals_by_itself(
    bench: Bench, caplog: pytest.LogCaptureFixture, lines: tuple[int, ...]
) -> None:
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.press(Button.HOLD1)
    shown = bench.lines
    (file,) = bench.going
    damage(file, *lines)
    # What was written is read back after each turn.
    bench.appliance._background._library._turn_is_over = True
    bench.feed()
    assert bench.disk == "DISK_FAULT"
    bench.feed()
    assert not bench.disk
    assert bench.lines == shown
    assert bench.appliance.prompt == NoticePrompt(
        (("A GAME WAS", "DAMAGED:"), ALL_SAVED), passing=False
    )
    assert "damaged, and mended" in caplog.text
    bench.feed()
    bench.press(Button.OK)
    bench.feed(roll(6, 6, 6, 6, 6))
    assert load_session(bench.journal, SETUP).record.log == bench.appliance.session.record.log


ALL_SAVED = ("ALL OF IT", "IS SAVED")


@pytest.mark.parametrize("seed", range(6))
def test_what_was_shown_survives_damage_anywhere_again_and_again(bench: Bench, seed: int) -> None:
    random = Random(seed)
    bench.feed(roll(1, 2, 3, 4, 5))
    for _ in range(60):
        if random.random() < 0.1 and bench.going:
            damage(bench.going[-1], random.randrange(20))
        bench.press(random.choice((Button.HOLD1, Button.HOLD2, Button.HOLD3)))
    # Another repair may have to wait.
    for _ in range(31):
        bench.feed()
    assert not bench.disk
    shown = bench.appliance.session
    bench.journal.close()
    journal, _ = open_and_mend(bench.journal.path)
    with journal:
        assert load_session(journal, SETUP).record.log[: len(shown.record.log)] == shown.record.log


def test_a_damaged_game_waits_for_a_disk_that_refuses(bench: Bench) -> None:
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.press(Button.HOLD1)
    bench.feed()
    damage(bench.going[-1], 7)
    bench.appliance._background._library._turn_is_over = True
    bench.feed()
    assert bench.disk == "DISK_FAULT"
    bench.refuse(errno.ENOSPC)
    bench.press(Button.OK, Button.HOLD2)
    bench.feed()
    assert bench.disk == "DISK_FULL"
    bench.refuse(0)
    bench.feed()
    assert not bench.disk
    assert bench.lines == ("roll 1 2 3 4 5", "holding 1", "holding 1 2")


class Board:
    def __init__(self) -> None:
        self.shown: list[Picture] = []

    def show(self, picture: Picture) -> None:
        self.shown.append(picture)


class Service(Notifier):
    def __init__(self, listened_to: bool) -> None:
        super().__init__()
        self._listened_to = listened_to
        self.said: list[str] = []

    @property
    def listened_to(self) -> bool:
        return self._listened_to

    def ready(self) -> None:
        self.said.append("ready")

    def alive(self) -> None:
        self.said.append("alive")


@pytest.mark.parametrize(
    ("cause", "alert"),
    [
        (OSError(errno.ENOSPC, "x"), Alert.DISK_FULL),
        (OSError(errno.EROFS, "x"), Alert.DISK_READ_ONLY),
        (OSError(errno.EIO, "x"), Alert.DISK_FAULT),
    ],
)
def test_the_systems_codes_are_named_through_a_mending_that_failed(
    cause: OSError, alert: Alert
) -> None:
    inner, error = JournalError("y"), JournalError("z")
    inner.__cause__, error.__cause__ = cause, inner
    assert error.alert is alert


def test_under_systemd_the_board_says_what_is_wrong_until_the_disk_is_there(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "late"
    board, phases = Board(), Phases(notifier := Service(True))
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            folder.mkdir()

    open_games(folder / "games.sqlite3", board, phases, wait).close()
    assert len(waited) == 3
    assert set(board.shown) == {two_lines(*Alert.DISK_FAULT.lines)}
    assert {"ready", "alive"} <= set(notifier.said)


@pytest.mark.parametrize(
    ("script", "alert"),
    [
        ("PRAGMA user_version=5", Alert.GAMES_NEWER),
        ("CREATE TABLE bookmarks (url)", Alert.GAMES_FOREIGN),
    ],
)
def test_with_a_file_that_no_waiting_changes_the_service_is_never_ready(
    tmp_path: Path, script: str, alert: Alert
) -> None:
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as other:
        other.executescript(script)
    board, keys = Board(), ScriptedKeys()
    phases = Phases(notifier := Service(True))

    def wait(seconds: float) -> None:
        keys.presses = [SHUT_DOWN]

    with pytest.raises(SwitchedOff):
        open_games(tmp_path / "games.sqlite3", board, phases, wait, keys=keys)
    assert board.shown[0] == two_lines(*alert.lines)
    assert "ready" not in notifier.said


def test_another_program_that_writes_holds_up_only_what_begins_a_game(bench: Bench) -> None:
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.journal.begin("classic", "2009", ["BOB"], (), "0.1.0")
    with Files(bench.files.folder).locked():
        bench.press(Button.HOLD1)
        assert not bench.disk
        with pytest.raises(JournalError) as busy:
            bench.journal.begin("classic", "2009", ["BOB"], (), "0.1.0")
        assert busy.value.alert is Alert.GAMES_BUSY


class Soon:
    """Fails the first three times it is tried."""

    def __init__(self, error: ApplianceError) -> None:
        self.errors = [error] * 3

    def __call__(self) -> str:
        if self.errors:
            raise self.errors.pop()
        return "done"


@pytest.mark.parametrize(
    ("error", "alert"),
    [
        (PinsInUseError("the pins are taken"), Alert.NO_BUTTONS),
        (PinsError("there are no pins"), Alert.NO_HEADER),
        (ConfigError("line 3: nonsense"), Alert.SETTINGS_WRONG),
    ],
)
def test_pins_and_settings_that_are_wrong_are_named_until_they_are_right(
    error: ApplianceError, alert: Alert, caplog: pytest.LogCaptureFixture
) -> None:
    board, phases = Board(), Phases(notifier := Service(True))
    assert retry_until_done(Soon(error), board, phases, lambda _: None) == "done"
    assert board.shown == [two_lines(*alert.lines)] * 3
    assert "ready" not in notifier.said
    assert caplog.text.count(str(error)) == 1
    with pytest.raises(type(error)):
        retry_until_done(Soon(error), board, Phases(Service(False)))


def test_a_machine_without_a_header_is_ready_as_no_other_version_would_find_one() -> None:
    """Else the Debian package could never be installed on a PC."""
    board, phases = Board(), Phases(notifier := Service(True))
    error = NoHeaderError("expected pins, found no Raspberry Pi")
    assert retry_until_done(Soon(error), board, phases, lambda _: None) == "done"
    assert board.shown == [two_lines(*Alert.NO_HEADER.lines)] * 3
    assert "ready" in notifier.said


class LatePower:
    """Switches off when asked for the second time."""

    def __init__(self) -> None:
        self.asked = 0

    def off(self) -> None:
        self.asked += 1
        if self.asked == 1:
            raise PowerError("systemd refuses")


@pytest.mark.parametrize(
    ("code", "alert"),
    [
        (errno.EROFS, Alert.DISK_READ_ONLY),
        (errno.ENOSPC, Alert.DISK_FULL),
        (errno.EIO, Alert.DISK_FAULT),
    ],
)
def test_a_disk_that_cannot_be_opened_is_named_and_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, alert: Alert
) -> None:
    def fail(*_: object) -> tuple[str, ...]:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Files, "names", fail)
    board, keys = Board(), ScriptedKeys()

    def wait(seconds: float) -> None:
        keys.presses = [Pressed(Button.OK), SHUT_DOWN]

    with pytest.raises(SwitchedOff):
        open_games(
            tmp_path / "games.sqlite3",
            board,
            Phases(Service(True)),
            wait,
            keys=keys,
            power=LatePower(),
        )
    named, good_bye = two_lines(*alert.lines), two_lines("GOODBYE", "SHUTS DOWN")
    assert board.shown == [
        *(named, named, good_bye),
        *(two_lines("CANNOT", "SHUT DOWN"), named, good_bye),
    ]


def test_at_a_terminal_the_error_is_raised(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        open_games(tmp_path / "none" / "games.sqlite3", Board(), Phases(Service(False)))


def test_while_another_program_plays_the_board_says_so_and_waits(tmp_path: Path) -> None:
    path, board, phases = tmp_path / "games", MemoryScoreboard(), Phases(Service(True))
    with ExitStack() as other, ExitStack() as own:
        other.enter_context(claimed(path))

        def wait(_: float) -> None:
            assert board.picture == two_lines("GAMES IN USE", "NOT SAVED")
            other.close()

        retry_until_done(lambda: own.enter_context(claimed(path)), board, phases, wait)
        with pytest.raises(JournalError), claimed(path):
            pass

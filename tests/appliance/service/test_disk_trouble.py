"""A disk that refuses: the board names the fault, nothing is lost, and nothing counts twice."""

import errno
import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random

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
from appliance.journal import recovery as salvage
from appliance.journal.journal import Journal
from appliance.journal.library import SETTINGS
from appliance.journal.lock import claimed
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.screens.drawing.layout import two_lines
from appliance.service.appliance import Appliance
from appliance.service.opening import SwitchedOff, open_games, retry_until_done
from appliance.service.phases import Phases
from appliance.service.systemd import Notifier
from appliance.simulator.people.menu_user import MenuUser, Wishes
from appliance.table.menu.main_menu import Menu, Off
from appliance.table.menu.name_entry import NAME_END, Entry
from appliance.table.menu.prompting import NamePrompt, NoticePrompt, QuestionPrompt
from appliance.table.menu.settings import from_text
from appliance.table.prompts import ChoicePrompt
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import throw as roll
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.events import TrayEvent
from vision.frame import Frame
from vision.system import Disk

SETUP = Setup("classic", ("ANNA",), ())


class Bench:
    def __init__(self, path: Path, setup: Setup | None = SETUP) -> None:
        self.journal = Journal(path)
        self.watcher, self.keys = ScriptedWatcher(), ScriptedKeys()
        session = load_session(self.journal, setup) if setup else None
        board = MemoryScoreboard()
        self.appliance = Appliance(session, self.journal, self.watcher, board, self.keys)
        self.appliance.start()
        self.index = 0

    def feed(self, *events: TrayEvent) -> None:
        self.index += 1
        self.watcher.events = list(events)
        frame = Frame(np.zeros((4, 4, 3), np.uint8), float(self.index) * 2, self.index)
        self.appliance.feed(frame)

    def press(self, *buttons: Button) -> None:
        self.keys.presses = [Pressed(button) for button in buttons]
        self.feed()

    def refuse(self, pragma: str) -> None:
        self.journal._db.execute(f"PRAGMA {pragma}")

    @property
    def disk(self) -> str:
        return self.appliance.disk.name if self.appliance.disk else ""

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
    bench.refuse("query_only=1")
    bench.press(Button.HOLD1)
    assert bench.disk == "DISK_READ_ONLY"
    # What is not on disk is not on the board either.
    assert bench.appliance.session.holds == frozenset()
    # The first of these uncovers the dice, over which the board says what is wrong; the others can
    # mean nothing but the dice.
    bench.press(Button.OK, Button.HOLD2, Button.HOLD3)
    bench.feed()
    assert bench.disk == "DISK_READ_ONLY"
    assert bench.lines == ("roll 1 2 3 4 5",)
    bench.refuse("query_only=0")
    bench.feed()
    assert not bench.disk
    assert bench.appliance.session.holds == {0, 1, 2}
    assert list(bench.lines[1:]) == ["holding 1", "holding 1 2", "holding 1 2 3"]
    assert caplog.text.count("not saved") == 1


def asked_to_shut_down(bench: Bench) -> None:
    """Presses are waiting for a disk that refuses when somebody asks to shut down."""
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.refuse("query_only=1")
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
    bench.refuse("query_only=0")
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
    bench.refuse("query_only=1")
    bench.press(Button.LEFT)
    bench.press(Button.OK)
    level = bench.appliance.console.settings.brightness
    bench.feed()
    assert bench.disk == "DISK_READ_ONLY"
    bench.refuse("query_only=0")
    bench.feed()
    assert not bench.disk
    remembered = bench.journal.remembered("desk")
    assert remembered is not None
    assert from_text(remembered).brightness == level


def test_a_full_disk_is_named(bench: Bench) -> None:
    (pages,) = bench.journal._db.execute("PRAGMA page_count").fetchone()
    bench.refuse(f"max_page_count={pages}")
    bench.feed(roll(1, 2, 3, 4, 5))
    press = [Button.HOLD1, Button.HOLD2]
    for _ in range(400):
        bench.press(*press)
        if bench.disk:
            break
    assert bench.disk == "DISK_FULL"
    before = bench.lines
    bench.refuse("max_page_count=100000")
    bench.feed()
    assert not bench.disk
    assert bench.lines[: len(before)] == before
    assert len(bench.lines) > len(before)
    # The log still replays to what the board shows.
    assert load_session(bench.journal, SETUP).holds == bench.appliance.session.holds


def test_a_throw_that_could_not_be_saved_is_not_lost(bench: Bench) -> None:
    bench.refuse("query_only=1")
    bench.feed(roll(6, 6, 6, 6, 6))
    assert "roll" not in "".join(bench.lines)
    assert bench.appliance.session.events == ()
    bench.refuse("query_only=0")
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
    bench.refuse("query_only=1")
    bench.press(Button.OK)
    for _ in range(3):
        # Named until it is over, not just for one frame.
        assert bench.disk == "DISK_READ_ONLY"
        assert bench.appliance.console.session is None
        bench.feed()
    # What is thrown meanwhile is the first throw of that game.
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.refuse("query_only=0")
    bench.feed()
    assert not bench.disk
    assert [saved.players for saved in bench.journal.games()] == [SETUP.players]
    assert bench.lines == ("roll 1 2 3 4 5",)
    assert bench.appliance.session.setup.players == SETUP.players
    assert caplog.text.count("not saved") == 1


@pytest.mark.parametrize(
    ("code", "alert"),
    [
        (sqlite3.SQLITE_FULL, Alert.DISK_FULL),
        (sqlite3.SQLITE_READONLY, Alert.DISK_READ_ONLY),
        (sqlite3.SQLITE_READONLY | 8 << 8, Alert.DISK_READ_ONLY),
        (sqlite3.SQLITE_IOERR, Alert.DISK_FAULT),
    ],
)
def test_sqlites_codes_are_named(code: int, alert: Alert) -> None:
    cause = sqlite3.OperationalError("x")
    cause.sqlite_errorcode = code
    error = JournalError("y")
    error.__cause__ = cause
    assert error.alert is alert


def damage(path: Path, *pages: int) -> bytes:
    """Overwrites pages of a journal in use, as a bad card may; returns the file's new content.

    SQLite's log is checkpointed into the file first, so the file is all there is.
    """
    with closing(sqlite3.connect(path)) as db, suppress(sqlite3.DatabaseError):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    for page in pages:
        data[4096 * page : 4096 * (page + 1)] = b"\xa5" * 4096
    path.write_bytes(data)
    return bytes(data)


GAMES, LINES = 1, 2
"""The pages that hold the tables."""


@pytest.mark.parametrize("pages", [(0,), (GAMES,), (LINES,), (0, GAMES, LINES, 3)])
def test_a_journal_that_turns_damaged_in_mid_game_heals_by_itself(
    bench: Bench, caplog: pytest.LogCaptureFixture, pages: tuple[int, ...]
) -> None:
    path = bench.journal.path
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.press(Button.HOLD1)
    shown = bench.lines
    number = bench.appliance.session.serial
    damaged = damage(path, *pages)
    bench.press(Button.HOLD2)
    assert bench.disk == "DISK_FAULT"
    # What is not on disk is not on the board either.
    assert bench.appliance.session.holds == {0}
    bench.feed()
    assert not bench.disk
    assert bench.appliance.session.holds == {0, 1}
    assert bench.lines == (*shown, "holding 1 2")
    assert bench.journal.check() == "ok"
    last = bench.journal.last()
    assert last is not None
    assert (last.id, last.players) == (number, SETUP.players)
    kept = path.with_name("games.sqlite3.damaged-1")
    assert kept.read_bytes() == damaged
    assert bench.appliance.prompt == NoticePrompt(
        (("GAMES WERE", "DAMAGED"), ("1 SAVED", "GO ON"), ("FILE KEPT:", "DAMAGED-1"))
    )
    assert "the journal was damaged" in caplog.text
    bench.press(Button.OK)
    bench.feed(roll(6, 6, 6, 6, 6))
    assert load_session(bench.journal, SETUP).log == bench.appliance.session.log


@pytest.mark.parametrize("seed", range(6))
def test_what_was_shown_survives_damage_anywhere_again_and_again(bench: Bench, seed: int) -> None:
    random = Random(seed)
    path = bench.journal.path
    bench.feed(roll(1, 2, 3, 4, 5))
    for _ in range(60):
        if random.random() < 0.1:
            damage(path, random.randrange(4))
        bench.press(random.choice((Button.HOLD1, Button.HOLD2, Button.HOLD3)))
    # Another repair may have to wait.
    for _ in range(31):
        bench.feed()
    assert not bench.disk
    assert path.with_name("games.sqlite3.damaged-1").exists()
    shown = bench.appliance.session
    bench.journal.close()
    journal, _ = salvage.open_or_salvage(path)
    with journal:
        assert journal.check() == "ok"
        assert load_session(journal, SETUP).log[: len(shown.log)] == shown.log


def test_games_that_were_put_aside_are_salvaged_with_the_present_one(bench: Bench) -> None:
    others = [
        bench.journal.begin("classic", "2009", [f"P{i}"], [("first", 0)], "0.1.0") for i in range(3)
    ]
    for other in others:
        bench.journal.append(other, 0, ["roll 1 2 3 4 5"])
    bench.journal.remember("else", "{}")
    bench.feed(roll(1, 2, 3, 4, 5))
    damage(bench.journal.path, 0)
    bench.press(Button.HOLD1)
    bench.feed()
    assert not bench.disk
    assert [aside.number for aside in bench.appliance.console.aside] == others[::-1]
    assert {saved.id: saved.lines for saved in bench.journal.games()} == {
        bench.appliance.session.serial: bench.lines,
        **dict.fromkeys(others, ("roll 1 2 3 4 5",)),
    }
    assert bench.journal.remembered("else") == "{}"
    # The players were remembered when the game began.
    assert from_text(bench.journal.remembered(SETTINGS) or "").names == ("ANNA",)


def test_a_damaged_journal_waits_for_a_disk_that_refuses(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.feed(roll(1, 2, 3, 4, 5))
    damage(bench.journal.path, 0)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(salvage, "_rename_durably", full)
    bench.press(Button.HOLD1)
    bench.press(Button.OK, Button.HOLD2)
    bench.feed()
    assert bench.disk == "DISK_FULL"
    monkeypatch.undo()
    bench.feed()
    assert not bench.disk
    assert bench.lines == ("roll 1 2 3 4 5", "holding 1", "holding 1 2")


def test_a_card_that_damages_all_that_is_written_is_not_filled_with_damaged_files(
    bench: Bench,
) -> None:
    path = bench.journal.path
    bench.feed(roll(1, 2, 3, 4, 5))
    for _ in range(40):
        damage(path, 0)
        bench.press(Button.HOLD1)
    # Two seconds pass with each press.
    assert 1 <= len([f for f in path.parent.iterdir() if ".damaged-" in f.name]) <= 2
    assert bench.disk == "DISK_FAULT"


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
def test_the_systems_codes_are_named_through_a_salvage_that_failed(
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

    journal, found = open_games(folder / "games.sqlite3", board, phases, wait)
    journal.close()
    assert found is None
    assert len(waited) == 3
    assert set(board.shown) == {two_lines(*Alert.DISK_FAULT.lines)}
    assert {"ready", "alive"} <= set(notifier.said)


@pytest.mark.parametrize(
    ("script", "alert"),
    [
        ("PRAGMA user_version=4", Alert.GAMES_NEWER),
        (
            "DROP TABLE lines; DROP TABLE games; CREATE TABLE bookmarks (url)",
            Alert.GAMES_FOREIGN,
        ),
    ],
)
def test_with_a_file_that_no_waiting_changes_the_service_is_never_ready(
    tmp_path: Path, script: str, alert: Alert
) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        journal._db.executescript(script)
    board, keys = Board(), ScriptedKeys()
    phases = Phases(notifier := Service(True))

    def wait(seconds: float) -> None:
        keys.presses = [SHUT_DOWN]

    with pytest.raises(SwitchedOff):
        open_games(tmp_path / "games.sqlite3", board, phases, wait, keys=keys)
    assert board.shown[0] == two_lines(*alert.lines)
    assert "ready" not in notifier.said


def test_another_program_that_writes_is_named_and_does_not_hold_up_the_loop(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bench.journal.path
    bench.feed(roll(1, 2, 3, 4, 5))
    bench.journal.close()
    journal, _ = salvage.open_or_salvage(path)
    (patience_ms,) = journal._db.execute("PRAGMA busy_timeout").fetchone()
    assert 0 < patience_ms <= 500
    journal.close()
    bench.journal._patience_s = 0.0
    bench.journal.reopen()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        bench.press(Button.HOLD1)
        bench.feed()
        assert bench.disk == "GAMES_BUSY"
    bench.feed()
    assert not bench.disk
    assert bench.lines == ("roll 1 2 3 4 5", "holding 1")


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
    ("disk", "alert"),
    [
        (Disk(9, read_only=True), Alert.DISK_READ_ONLY),
        (Disk(0, read_only=False), Alert.DISK_FULL),
        (Disk(9, read_only=False), Alert.DISK_FAULT),
    ],
)
def test_a_disk_that_keeps_sqlite_from_its_log_is_named_and_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: Disk, alert: Alert
) -> None:
    Journal(tmp_path / "games.sqlite3").close()
    (tmp_path / "games.sqlite3-wal").mkdir()
    monkeypatch.setattr("vision.system.disk_of", lambda _: disk)
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

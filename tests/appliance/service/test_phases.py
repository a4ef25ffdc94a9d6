"""A start, phase by phase: how long it takes, and what becomes of one that hangs or crashes."""

import os
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from appliance.cli.commands import COMMANDS
from appliance.cli.main import main, named_command
from appliance.cli.main import parser as main_parser
from appliance.errors import ScoreboardError
from appliance.screens.drawing import two_lines
from appliance.service.phase import LIMIT_S, SLOW_S, Phase
from appliance.service.phases import FAULT_NAMED_S, Phases, process_age_s, progress_of_main_thread
from appliance.service.starts import STARTS_FILE, Starts
from appliance.service.systemd import Notifier
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.unit_file import stop_post, value_of

NEEDED = (Phase.PROGRAM, Phase.PROMPT)
"""Nothing can start without them."""
BOOT_S = 25.0
"""From the plug to the program, on a slow Pi by estimate."""
WORK_S = 1.0
"""How long a phase takes that does not hang."""
PAUSES_S = (1.0, 1.97, 3.9)
"""Between starts, from 1 to 30 s in five steps (systemd/backoff.conf)."""


@dataclass
class Systemd(Notifier):
    """A service manager with a simulated clock: ends a start that says nothing for too long."""

    now_s: float = BOOT_S
    began_s: float = 0.0
    due_s: float = 0.0
    said: list[str] = field(default_factory=list)

    @property
    def listened_to(self) -> bool:
        return True

    def begin(self) -> None:
        self.began_s = self.now_s
        self.due_s = self.now_s + float(value_of("TimeoutStartSec"))

    def age_s(self) -> float:
        return self.now_s - self.began_s

    def extend(self, seconds: int) -> None:
        self.due_s = max(self.due_s, self.now_s + seconds)

    def status(self, text: str) -> None:
        self.said.append(text)

    def ready(self) -> None:
        self.said.append("ready")

    def alive(self) -> None:
        self.said.append("alive")


def start(folder: Path, systemd: Systemd, faulty: Phase, how: str) -> Starts:
    """One start with a fault in a phase, which `hangs`, `holds` Python's lock, or `crashes`."""
    systemd.begin()
    starts = Starts(folder, "1.0.0")
    starts.begin()
    phases = Phases(systemd, starts, systemd.age_s, progress=count().__next__)
    # Unless a start has failed, the camera is opened while the buttons are taken.
    at = Phase.BUTTONS if faulty is Phase.CAMERA and not starts.careful else faulty
    for phase in Phase:
        phases.begin(phase)
        systemd.now_s += WORK_S
        if phase is at and faulty not in starts.left_out:
            if how == "crashes":
                stop_post(folder, "core-dump")
                return starts
            phases._progress = int
            while systemd.now_s < systemd.due_s:
                systemd.now_s += 1.0
                if how == "hangs":
                    phases.look()
            stop_post(folder, "timeout")
            return starts
        phases.look()
    phases.ready()
    return starts


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in NEEDED])
@pytest.mark.parametrize("how", ["hangs", "holds", "crashes"])
def test_the_fourth_start_leaves_out_what_hangs_within_two_minutes_of_the_plug(
    tmp_path: Path, phase: Phase, how: str
) -> None:
    systemd = Systemd()
    for pause_s in PAUSES_S:
        assert not start(tmp_path, systemd, phase, how).safe
        assert "ready" not in systemd.said
        systemd.now_s += pause_s
    safe = start(tmp_path, systemd, phase, how)
    assert safe.safe
    assert systemd.said[-1] == "ready"
    line = "START FAILED:" if how == "crashes" else "START HANGS:"
    assert safe.pages == ((line, phase.word),)
    assert systemd.now_s <= 120.0


def test_a_phase_that_gets_on_is_never_ended(tmp_path: Path) -> None:
    systemd = Systemd()
    systemd.begin()
    phases = Phases(systemd, age_s=systemd.age_s, progress=count().__next__)
    phases.begin(Phase.GAMES)
    for _ in range(3600):
        systemd.now_s += 1.0
        phases.look()
        assert systemd.now_s < systemd.due_s
    phases._progress = int
    for _ in range(LIMIT_S + 1):
        systemd.now_s += 1.0
        phases.look()
    assert systemd.now_s >= systemd.due_s


@pytest.mark.parametrize("phase", Phase)
def test_the_board_names_a_phase_that_is_slow_once(phase: Phase) -> None:
    systemd, board = Systemd(), MemoryScoreboard()
    phases = Phases(systemd, age_s=systemd.age_s, progress=int)
    systemd.begin()
    phases.show_on(board)
    phases.begin(phase)
    named = two_lines("STARTING...", phase.word)
    for second in range(1, LIMIT_S):
        systemd.now_s += 1.0
        phases.look()
        assert (board.picture == named) is (second >= SLOW_S)
    board.show(two_lines("SETTINGS", "ARE WRONG"))
    phases.look()
    assert board.picture != named
    phases.begin(Phase.PROMPT)
    phases.look()
    assert board.picture != named


def test_before_there_is_a_board_one_is_opened_to_name_a_phase_and_closed_again() -> None:
    systemd, board = Systemd(), MemoryScoreboard()
    phases = Phases(Notifier(), age_s=systemd.age_s, progress=int)

    def open_board(stack: ExitStack) -> MemoryScoreboard:
        stack.callback(board.close)
        return board

    phases.watch(open_board)
    systemd.begin()
    phases.begin(Phase.SETTINGS)
    systemd.now_s += SLOW_S
    phases.look()
    assert board.picture == two_lines("STARTING...", "SETTINGS")
    assert not board.closed
    phases.release_board()
    assert board.closed


def test_a_board_that_cannot_be_opened_keeps_nothing_from_starting() -> None:
    systemd = Systemd()
    phases = Phases(Notifier(), age_s=systemd.age_s, progress=int)

    def fails(_: ExitStack) -> MemoryScoreboard:
        raise ScoreboardError("no port", "plug it in")

    phases.watch(fails)
    systemd.begin()
    phases.begin(Phase.SETTINGS)
    systemd.now_s += SLOW_S
    phases.look()
    phases.ready()


def test_what_the_board_says_is_wrong_is_no_failed_start_and_ends_after_90_s(
    tmp_path: Path,
) -> None:
    systemd = Systemd()
    systemd.begin()
    starts = Starts(tmp_path, "1.0.0")
    phases = Phases(systemd, starts, systemd.age_s, progress=count().__next__)
    phases.begin(Phase.SETTINGS)
    while systemd.now_s < systemd.due_s:
        phases.name_fault("settings - are wrong", ready=False)
        assert not (tmp_path / STARTS_FILE).exists()
        for _ in range(2):
            systemd.now_s += 1.0
            phases.look()
        phases.try_again()
        assert (tmp_path / STARTS_FILE).read_text() == "1 1.0.0\nsettings"
    assert FAULT_NAMED_S <= systemd.age_s() < FAULT_NAMED_S + 20.0
    assert "ready" not in systemd.said


def test_what_the_main_thread_reads_is_progress_and_what_it_waits_for_is_none() -> None:
    before = progress_of_main_thread()
    Path("/proc/version").read_text()
    read = progress_of_main_thread()
    threading.Event().wait(0.01)
    # Reading the count is counted, too, but always the same.
    itself = progress_of_main_thread() - read
    assert read - before > itself


def test_a_sync_is_progress_while_a_disk_writes(tmp_path: Path) -> None:
    task = tmp_path / f"self/task/{threading.main_thread().native_id}"
    task.mkdir(parents=True)
    (task / "io").write_text("rchar: 7\nwchar: 20\n")

    def written(state: str, sectors: int) -> int:
        (task / "stat").write_text(f"7 (a name) with) {state} 1 7")
        (tmp_path / "diskstats").write_text(f" 179 0 mmcblk0 1 2 3 4 5 6 {sectors} 8 9\n")
        return progress_of_main_thread(tmp_path)

    assert [written("D", 100), written("D", 108), written("S", 116)] == [127, 135, 27]
    (task / "io").unlink()
    assert written("D", 100) == 0


def test_the_watching_thread_ends_with_the_start(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        phases = Phases(Notifier(str(tmp_path / "notify")))
        phases.watch(lambda _: MemoryScoreboard())
        names = {thread.name for thread in threading.enumerate()}
        phases.begin(Phase.GAMES)
        phases.ready()
        assert "start" in names
        assert "start" not in {thread.name for thread in threading.enumerate()}


def test_each_phase_is_announced_and_timed(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    times = iter((0.25, 0.75, 1.0, 1.75))
    systemd = Systemd()
    phases = Phases(systemd, age_s=lambda: next(times))
    phases.begin(Phase.PROGRAM)
    phases.begin(Phase.GAMES)
    phases.ready()
    assert systemd.said == ["loads the program", "opens the games", "ready"]
    assert phases.taken == [
        ("starts Python", 0.25),
        ("loads the program", 0.5),
        ("opens the games", 0.25),
    ]
    phases.note_first_frame()
    phases.note_first_frame()
    assert caplog.messages == [
        "first prompt after 1.00 s: starts Python 0.25, loads the program 0.50, "
        "opens the games 0.25",
        "first picture from the camera after 1.75 s",
    ]


def test_a_process_knows_its_age() -> None:
    first = process_age_s()
    assert 0 < first <= process_age_s()


@pytest.mark.parametrize("name", COMMANDS)
def test_only_the_command_that_is_named_is_imported(name: str) -> None:
    assert named_command([name, "--help"]) == (name,)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["juggle"], ["--version"]])
def test_none_is_imported_where_none_is_named(arguments: list[str]) -> None:
    assert named_command(arguments) == ()


def test_the_help_of_all_needs_no_import(capsys: pytest.CaptureFixture[str]) -> None:
    assert main_parser(()).format_help() == main_parser().format_help()


def test_libraries_find_their_settings_and_what_the_owner_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENCV_LOG_LEVEL", "INFO")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    assert main(["config", "default"]) == 0
    assert capsys.readouterr().out
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    assert os.environ["OPENCV_LOG_LEVEL"] == "INFO"


def test_numpy_is_not_imported_before_its_settings_are_made() -> None:
    child = subprocess.run(
        [sys.executable, "-c", "import sys, appliance.cli.main; print('numpy' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert child.stdout.strip() == "False"

"""How the appliance ends, what the scoreboard is told; and how it begins in safe mode."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from appliance.alerts import Alert
from appliance.cli.run import RunOptions
from appliance.cli.shared import wiring
from appliance.cli.shared.starting import GameOptions
from appliance.config import Config
from appliance.config.paths import TRAY_FILE
from appliance.devices.buzzer import Silence
from appliance.devices.power import SystemPower
from appliance.errors import CameraError
from appliance.journal.database import Journal
from appliance.journal.sessions import load_session
from appliance.service.loop import Loop
from appliance.service.starts import FAILED_STARTS, Starts
from appliance.service.systemd import Notifier, Phases
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys
from tests.rigs.memory_scoreboard import MemoryScoreboard


class Board(MemoryScoreboard):
    """Gets systemd's signal while it is told."""

    def say_farewell(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        super().say_farewell()


def board_after_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: BaseException, *, buttons: str = "none"
) -> Board:
    """The board after the appliance was ended while it opened its games."""
    board = Board()

    def open_board(name: str, config: Config, stack: ExitStack, *, as_json: bool) -> Board:
        stack.callback(board.close)
        return board

    def ends(*_: object, **__: object) -> None:
        raise end

    monkeypatch.setattr(wiring, "open_board", open_board)
    monkeypatch.setattr(wiring, "open_games", ends)
    monkeypatch.setattr(wiring, "SystemPower", lambda: SystemPower(sign=tmp_path / "going-off"))
    monkeypatch.setattr(wiring, "_open_terminal", lambda *_: None)
    monkeypatch.setattr(wiring, "_open_buttons", lambda *_: (None, Silence()))
    options = RunOptions(GameOptions(), f"dir:{tmp_path}", buttons=buttons)
    notifier = Notifier()
    before = signal.getsignal(signal.SIGTERM)
    try:
        wiring.wire(options, Config(), notifier, Phases(notifier))
    except type(end) as error:
        assert error is end
    assert signal.getsignal(signal.SIGTERM) is before
    assert board.closed
    return board


def test_the_board_is_told_farewell_when_the_machine_goes_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "going-off").mkdir()
    assert board_after_an_end(tmp_path, monkeypatch, KeyboardInterrupt()).parted


@pytest.mark.parametrize(
    "end", [KeyboardInterrupt(), CameraError("a failure"), ValueError("a bug")]
)
def test_a_service_that_only_ends_leaves_the_board_to_say_no_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: BaseException
) -> None:
    assert not board_after_an_end(tmp_path, monkeypatch, end).parted


def test_a_game_on_a_laptop_says_no_farewell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "going-off").mkdir()
    board = board_after_an_end(tmp_path, monkeypatch, KeyboardInterrupt(), buttons="keyboard")
    assert not board.parted


def test_safe_mode_leaves_camera_profile_and_game_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = tmp_path / "games.sqlite3"
    with Journal(games) as journal:
        load_session(journal, Setup("classic", ("ANNA",), ()))
    (tmp_path / TRAY_FILE).write_text("whatever made it fail")
    for _ in range(FAILED_STARTS):
        Starts(tmp_path).begin()
    starts = Starts(tmp_path)
    starts.begin()
    seen: list[Any] = []

    class OneRound(Loop):
        def run(self) -> None:
            self.once()
            seen.append(self)
            raise KeyboardInterrupt

    def touched(*_: object) -> None:
        raise AssertionError("a camera in safe mode")

    board = Board()
    monkeypatch.setattr(wiring, "open_board", lambda *_, **__: board)
    monkeypatch.setattr(wiring, "open_camera", touched)
    monkeypatch.setattr(wiring, "Loop", OneRound)
    monkeypatch.setattr(wiring, "_open_buttons", lambda *_: (ScriptedKeys(), Silence()))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    options = RunOptions(GameOptions(), "pi", buttons="gpio", journal=str(games))
    wiring.wire(options, Config(), Notifier(), Phases(Notifier()), starts=starts)
    (loop,) = seen
    assert loop._appliance.console.session is None
    assert loop._appliance.alert is Alert.SAFE_MODE
    assert (tmp_path / TRAY_FILE).read_text() == "whatever made it fail"

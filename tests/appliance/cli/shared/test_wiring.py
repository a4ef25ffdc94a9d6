"""How the appliance ends, what the scoreboard is told; and how it begins in safe mode."""

import os
import signal
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.cli.shared import start, starting, wiring
from appliance.cli.shared.cameras import Cameras
from appliance.cli.shared.launch import Launch
from appliance.cli.shared.looking import Wish
from appliance.cli.shared.starting import GameOptions
from appliance.cli.shared.stopping import StopRequests
from appliance.config import Config
from appliance.config.paths import TRAY_FILE
from appliance.devices import buttons
from appliance.devices.buzzer import Silence
from appliance.devices.power import SystemPower
from appliance.errors import CameraError
from appliance.inputs import Button, Chord, Pressed
from appliance.journal import lock
from appliance.journal.journal import Journal
from appliance.journal.reader import MEMORY
from appliance.journal.sessions import load_session
from appliance.service import opening
from appliance.service.loop import Loop
from appliance.service.phase import Phase
from appliance.service.phases import Phases
from appliance.service.starts import FAILED_STARTS, RUNNING, Starts
from appliance.service.systemd import Notifier
from appliance.table.menu.console import Notice
from appliance.table.prompts.turn import ThrowPrompt
from appliance.table.session.session import Setup
from tests.appliance.table.scripted import ScriptedKeys
from tests.builders import bytes_of_games
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.unit_file import stop_post
from tests.rigs.webcam import over_dice, photograph
from vision.frame import Frame, Image


class Board(MemoryScoreboard):
    """Gets systemd's signal while it is told."""

    def say_farewell(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        super().say_farewell()


def board_after_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: BaseException, *, keys: str = "none"
) -> Board:
    """The board after the appliance was ended while it opened its games."""
    board = Board()

    def open_board(name: str, config: Config, stack: ExitStack, *, as_json: bool) -> Board:
        stack.callback(board.close)
        return board

    def ends(*_: object, **__: object) -> None:
        raise end

    monkeypatch.setattr(start, "open_board", open_board)
    monkeypatch.setattr(start, "open_games", ends)
    monkeypatch.setattr(start, "SystemPower", lambda: SystemPower(sign=tmp_path / "going-off"))
    monkeypatch.setattr(start.Start, "open_terminal", lambda *_: None)
    monkeypatch.setattr(start.Start, "open_buttons", lambda *_: (None, Silence()))
    journal = str(tmp_path / "games.sqlite3")
    launch = Launch(GameOptions(), f"dir:{tmp_path}", buttons=keys, journal=journal)
    before = signal.getsignal(signal.SIGTERM)
    try:
        with StopRequests.all_raise():
            wiring.wire(launch, Config(), Phases(Notifier()))
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
    board = board_after_an_end(tmp_path, monkeypatch, KeyboardInterrupt(), keys="keyboard")
    assert not board.parted


class SafeMode:
    """A start after so many that failed, which ends after its first round."""

    def __init__(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        failed: int,
        phase: str = RUNNING,
    ) -> None:
        self.games = folder / "games.sqlite3"
        with Journal(self.games) as journal:
            load_session(journal, Setup("classic", ("ANNA",), ()))
        self.tray = folder / TRAY_FILE
        self.tray.write_text("whatever made it fail")
        for number in range(failed + 1):
            self.starts = Starts(folder)
            self.starts.begin()
            self.starts.enter(phase)
            if number < failed:
                stop_post(folder, "timeout")
        monkeypatch.setattr(start, "open_board", lambda *_, **__: Board())
        monkeypatch.setattr(Cameras, "open", self.touched)
        monkeypatch.setattr(buttons, "Buttons", lambda *_: nullcontext(ScriptedKeys()))
        monkeypatch.setenv("RUNTIME_DIRECTORY", str(folder))
        self._monkeypatch = monkeypatch

    def touched(self, *_: object) -> None:
        raise AssertionError("touched in safe mode")

    def first_round(self) -> Loop:
        seen: list[Any] = []

        class OneRound(Loop):
            def run(self) -> None:
                self.once()
                seen.append(self)
                raise KeyboardInterrupt

        self._monkeypatch.setattr(wiring, "Loop", OneRound)
        launch = Launch(GameOptions(), "pi", buttons="gpio", journal=str(self.games))
        wiring.wire(launch, Config(), Phases(Notifier(), self.starts))
        (loop,) = seen
        assert isinstance(loop, Loop)
        return loop


def test_safe_mode_leaves_camera_profile_and_game_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe = SafeMode(tmp_path, monkeypatch, FAILED_STARTS)
    loop = safe.first_round()
    assert loop._appliance.console.session is None
    assert Alert.SAFE_MODE in loop._appliance.alerts
    assert safe.tray.read_text() == "whatever made it fail"


def test_safe_mode_leaves_a_voice_alone_that_hangs_and_goes_on_saying_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe = SafeMode(tmp_path, monkeypatch, FAILED_STARTS, Phase.VOICE.key)
    monkeypatch.setattr(starting, "can_speak", lambda: True)
    monkeypatch.setattr(start, "device_for_speech", safe.touched)
    appliance = safe.first_round()._appliance
    assert appliance.console.equipment.speaks is None
    assert appliance.console.notice == Notice((("START HANGS:", "VOICE"),), passing=False)
    for later_s in (1e6, 2e6):
        appliance.tick(later_s)
    assert appliance.console.notice is not None


def test_where_safe_mode_fails_too_buttons_and_games_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe = SafeMode(tmp_path, monkeypatch, 2 * FAILED_STARTS)
    monkeypatch.setattr(buttons, "Buttons", safe.touched)
    monkeypatch.setattr(opening, "open_and_mend", safe.touched)
    monkeypatch.setattr(lock, "refuse_strange", safe.touched)
    before = bytes_of_games(safe.games)
    loop = safe.first_round()
    assert Alert.SAFE_MODE in loop._appliance.alerts
    assert loop._appliance.console.session is None
    assert bytes_of_games(safe.games) == before != {}
    assert not Path(MEMORY).exists()


class HurriedKeys(ScriptedKeys):
    """Somebody presses OK again and again, until it is `over`."""

    over = False

    def poll(self) -> tuple[Pressed | Chord, ...]:
        return () if self.over else (Pressed(Button.OK),)


class NoFeed:
    """Frames are fed by the loop."""

    def __init__(self, _: object) -> None:
        pass

    def start(self) -> None:
        pass

    def close(self) -> None:
        pass


def film(image: Image, begin_s: float, seconds: float = 1.5) -> tuple[Frame, ...]:
    """The frames of a webcam above a tray in which nothing moves."""
    count = round(15 * seconds)
    noise = [np.random.default_rng(k).integers(0, 3, image.shape, np.uint8) for k in range(4)]
    return tuple(
        Frame(image + np.minimum(noise[k % 4], 255 - image), begin_s + k / 15, k)
        for k in range(count)
    )


@pytest.mark.slow
@pytest.mark.parametrize("lay_there", [False, True])
def test_only_dice_that_lay_there_before_a_game_are_no_throw_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lay_there: bool
) -> None:
    dice = photograph(over_dice(1, (3, 3, 5, 6, 2)))
    floor = photograph(replace(over_dice(0), dice=()))

    class Fed(Loop):
        def run(self) -> None:
            hurried.over = True
            assert isinstance(self._appliance.prompt, ThrowPrompt)
            # The dice lie there in the game's first frame.
            for frame in film(dice, 102.0):
                self._appliance.feed(frame)
            assert isinstance(self._appliance.prompt, ThrowPrompt) is lay_there
            raise KeyboardInterrupt

    hurried = HurriedKeys()
    monkeypatch.setattr(buttons, "Buttons", lambda *_: nullcontext(hurried))
    monkeypatch.setattr(start, "open_board", lambda *_, **__: Board())
    monkeypatch.setattr(start, "Feed", NoFeed)
    monkeypatch.setattr(wiring, "Loop", Fed)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    seen = film(dice if lay_there else floor, 100.0)
    launch = Launch(
        *(GameOptions(players=("ANNA",)), "pi"),
        journal=str(tmp_path / "games.sqlite3"),
        wish=Wish("pi", menu=True, seen=seen),
    )
    wiring.wire(launch, Config(), Phases(Notifier()))
    with Journal(tmp_path / "games.sqlite3") as journal:
        last = journal.last()
    assert last is not None
    rolls = [line for line in last.lines if "roll" in line]
    assert len(rolls) == (0 if lay_there else 1)

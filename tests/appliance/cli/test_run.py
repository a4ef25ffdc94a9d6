"""The commands as a user calls them."""

import argparse
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from appliance.alerts import Alert
from appliance.cli.main import main
from appliance.cli.run import main as run_command
from appliance.cli.shared.boards import TextBoard, open_board
from appliance.cli.shared.cameras import Cameras
from appliance.cli.shared.launch import Launch
from appliance.config import Config
from appliance.errors import CameraError
from appliance.screens.drawing.layout import two_lines
from appliance.service.phases import Phases
from appliance.service.starts import STARTS_FILE
from calibration.store import save
from tests.calibration.wizard.test_wizard import draft
from tests.paths import DATA, ROOT
from tests.rigs.by_hand.terminal import Terminal
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.frame import Frame

needs_data = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_dir(), reason="skipped: no test pictures"),
]


def happened(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["run", "--json", "--board", "none", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("film", "faces", "earliest"),
    [
        pytest.param("tirada_1", [1, 1, 2, 3, 4], 60, marks=needs_data),
        pytest.param("tirada_2", [1, 2, 2, 3, 3], 50, marks=needs_data),
    ],
)
def test_a_film_of_a_throw_is_one_roll(
    film: str, faces: list[int], earliest: int, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = f"file:{DATA / 'tray_videos' / film}.mp4"
    events = happened(capsys, "--camera", spec, "--game", "classic", "--players", "ANNA")
    rolls = [e for e in events if e["event"] == "roll"]
    assert len(rolls) == 1
    dice = rolls[0]["dice"]
    assert isinstance(dice, list)
    assert sorted(d["value"] for d in dice) == faces
    assert all(d["state"] == "ok" for d in dice)
    assert isinstance(rolls[0]["frame"], int)
    assert rolls[0]["frame"] >= earliest
    states = [e["state"] for e in events if e["event"] == "tray"]
    assert "hand" in states
    assert states.index("hand") < states.index("still")


class FailingCamera:
    """Delivers one frame, then fails."""

    name = "failing"

    def frames(self) -> Iterator[Frame]:
        yield Frame(np.zeros((4, 4, 3), np.uint8), 0.0, 0)
        raise CameraError("no frame for 2 s; plug the camera in")

    def close(self) -> None:
        """Has nothing to close."""


def test_a_film_that_fails_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(Cameras, "open", lambda *_: FailingCamera())
    assert main(["run", "--camera", f"dir:{tmp_path}", "--players", "ANNA", "--board", "none"]) == 2
    said = capsys.readouterr()
    assert "no frame for 2 s; plug the camera in" in said.err
    assert "tray moving" in said.out, "the frame before was looked at"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--camera", "file:nowhere.mp4"], "nowhere.mp4"),
        (["run", "--camera", "telescope"], "expected file:PATH"),
        (["run", "--camera", "dir:.", "--players", "MAXIMILIANUS II"], "1 to 12 characters"),
        (
            ["run", "--camera", "dir:.", "--players", "A", "--first", "2"],
            "expected 1, the only player, found 2",
        ),
        (["run", "--camera", "dir:.", "--first", "me"], "expected roll-off or a number"),
        (
            ["run", "--camera", "dir:.", "--first", "0"],
            "expected 1 to 2, one of 2 players, found 0",
        ),
        (
            ["run", "--camera", "dir:.", "--game", "showdown", "--first", "roll-off"],
            "--first: expected a number from 1, found 'roll-off'",
        ),
        (["run", "--config", "nowhere.toml"], "No such file"),
        (["run", "--camera", "dir:.", "--profile", "nowhere.json"], "nowhere.json"),
        (["play", "--human", "--journal", ":memory:"], "keys are read from a terminal"),
        (["play", "--players", "A", "a", "--journal", ":memory:"], "named twice"),
        (["read", "nowhere.jpg"], "no such file"),
        (["replay", "nowhere.txt"], "nowhere.txt"),
        (["score", "classic", "1", "2", "3", "4", "9"], "9"),
    ],
)
def test_bad_input_is_named_and_ends_with_2(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err


def test_a_film_of_another_size_than_the_profiles_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    save(tmp_path / "tray.profile", draft())
    cv2.imwrite(str(tmp_path / "0.png"), np.full((90, 160, 3), 80, np.uint8))
    command = ["run", "--camera", f"dir:{tmp_path}", "--profile", str(tmp_path / "tray.profile")]
    command += ["--board", "none", "--players", "A", "--game", "classic", "--journal", ":memory:"]
    assert main(command) == 2
    assert "640x360) than these (160x90); calibrate again" in capsys.readouterr().err


MODULES_WHEN_SHOWN = """
import sys
from appliance.cli.main import main
from appliance.cli.shared.boards import TextBoard

def show(board, picture):
    print(*sys.modules)
    raise KeyboardInterrupt

TextBoard.show = show
main(sys.argv[1:])
"""
"""Prints all modules that are loaded when the first picture is on the board, and ends there."""


@pytest.mark.slow
def test_nothing_simulated_is_loaded_for_a_real_tray(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), np.full((360, 640, 3), 80, np.uint8))
    command = [sys.executable, "-c", MODULES_WHEN_SHOWN, "run", "--camera", f"dir:{tmp_path}"]
    command += ["--board", "text", "--players", "A", "--game", "classic", "--journal", ":memory:"]
    home = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    child = subprocess.run(command, cwd=ROOT, env=home, capture_output=True, text=True)
    loaded = child.stdout.split()
    assert "appliance.service.loop" in loaded, child.stderr
    assert [name for name in loaded if "simulator" in name.split(".")] == []


@pytest.mark.parametrize("command", ["play", "run", "read", "score", "replay", "bench"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main([command, "--help"])
    assert leaving.value.code == 0
    assert f"dicetray {command}" in capsys.readouterr().out


class Corrected(Exception):
    """The configuration was read."""


def test_a_wrong_configuration_is_on_the_board_until_it_is_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text("[camera]\nsauce = 3\n")
    board = MemoryScoreboard()
    shown: list[bool] = []

    def correct(seconds: float) -> None:
        shown.append(board.picture == two_lines(*Alert.SETTINGS_WRONG.lines))
        file.write_text('[camera]\nsource = "dir:none"\n')

    def run(options: Launch, _: object, phases: Phases) -> int:
        assert options.camera == "dir:none"
        raise Corrected

    monkeypatch.setattr("appliance.cli.run.open_board", lambda *_: board)
    monkeypatch.setattr("appliance.cli.run.run", run)
    # Not `time.sleep` itself: a thread of another test would correct the file, too.
    monkeypatch.setattr("appliance.service.opening.time", SimpleNamespace(sleep=correct))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
        args = argparse.Namespace(
            **dict.fromkeys(
                (
                    "camera",
                    "profile",
                    "board",
                    "buttons",
                    "journal",
                    "game",
                    "players",
                    "first",
                    "deck",
                    "language",
                )
            ),
            config=file,
            phases=Phases.of_service(),
            new=False,
            json=False,
            log=False,
        )
        with pytest.raises(Corrected):
            run_command(args)
        said = [systemd.recv(100) for _ in range(3)]
    assert said == [
        b"STATUS=reads the settings",
        b"EXTEND_TIMEOUT_USEC=15000000",
        b"STATUS=settings - are wrong",
    ]
    assert shown == [True]
    assert (tmp_path / STARTS_FILE).read_text().endswith("\nsettings")


@pytest.mark.slow
def test_a_film_is_played_with_the_board_and_the_keys_of_a_terminal(tmp_path: Path) -> None:
    picture = ROOT / "tests/vision/regression/shining_die.jpg"
    command = ["run", "--camera", f"file:{picture}?hold=100000", "--players", "ANNA"]
    command += ["--board", "terminal", "--buttons", "keyboard", "--game", "classic"]
    environment = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": str(tmp_path)}
    program = [sys.executable, "-m", "appliance.cli.program", *command]
    with Terminal(program, environment, (100, 30)) as terminal:

        def shows(*words: str) -> bool:
            for _ in range(600):
                if all(word in "\n".join(terminal.screen) for word in words):
                    return True
                terminal.read()
            return False

        assert shows("┌──", "ANNA", "q quit  ? help")
        assert shows("1:", "▀"), "what was read is magnified"
        terminal.press(b"m")
        assert shows("ENTER ok, ← → show others, b goes back")
        terminal.press(b"?")
        assert shows("correct a die")
        assert "SPACE  throw" not in "\n".join(terminal.screen)
        terminal.press(b"q")
        ended = terminal.ended()
    assert (terminal.status, terminal.unlike) == (0, ""), ended
    assert "Traceback" not in ended
    log = (tmp_path / "dicetray" / "run.log").read_text()
    assert "tray still" in log
    assert "press ok long" in log


def test_what_is_no_terminal_gets_the_boards_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with ExitStack() as stack:
        assert isinstance(open_board("terminal", Config(), stack), TextBoard)
    picture = ROOT / "tests/vision/regression/shining_die.jpg"
    spec = f"file:{picture}?hold=2"
    assert main(["run", "--camera", spec, "--board", "terminal", "--players", "ANNA"]) == 0
    assert "tray moving" in capsys.readouterr().out
    assert main(["run", "--camera", spec, "--board", "terminal", "--buttons", "keyboard"]) == 2
    assert "keys are read from a terminal" in capsys.readouterr().err


def loaded_after(code: str) -> set[str]:
    """The modules that a new interpreter has loaded after some lines."""
    lines = f"import sys\n{code}\nprint(*sys.modules)"
    return set(subprocess.check_output((sys.executable, "-c", lines), text=True, cwd=ROOT).split())


@pytest.mark.slow
def test_a_start_loads_nothing_that_only_some_games_or_calibrations_need() -> None:
    loaded = loaded_after("import appliance.cli.shared.wiring")
    assert "appliance.service.appliance" in loaded
    late = (
        "calibration.wizard",
        "games.holdem",
        "games.strategy.computer",
        "appliance.cli.dataset",
    )
    assert not loaded.intersection(late)


@pytest.mark.slow
def test_whoever_has_no_name_yet_is_known_without_any_game() -> None:
    settings = "from appliance.table.menu.settings import number_of_unnamed"
    loaded = loaded_after(f"{settings}\nassert number_of_unnamed('SPIELER 3') == 3")
    assert "games.game" in loaded
    assert not loaded.intersection(("games.power", "games.showdown", "games.boxes"))


def test_the_kinds_of_cameras_are_known_without_numpy() -> None:
    assert "numpy" not in loaded_after("import appliance.devices.camera.kinds")

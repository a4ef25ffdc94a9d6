"""On Windows and macOS every command runs, or refuses in a sentence; the game is played."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from appliance.cli.commands import COMMANDS
from tests.paths import ROOT

RUNS = {
    "play": ("play --seed none",),
    "run": (
        "run --camera file:dice.png --board sim --buttons none",
        "run --camera file:dice.png --board COM3 --buttons none",
        "run --camera file:dice.png --board text --buttons none",
    ),
    "look": ("look --camera usb:7 --board terminal", "look --camera pi"),
    "web": ("web",),
    "calibrate": ("calibrate --camera usb:7 --board terminal --buttons keyboard",),
    "read": ("read dice.png", "read dice.png --annotate out.png", "read none.png"),
    "score": ("score classic 3 3 5 3 5",),
    "replay": ("replay none.pgn",),
    "games": ("games list", "games export 1"),
    "review": ("review",),
    "stats": ("stats",),
    "mqtt": ("mqtt",),
    "club": ("club --config none.toml",),
    "stick": ("stick save",),
    "flash": ("flash --dry-run", "flash --port COM3"),
    "doctor": ("doctor", "doctor --only disk", "doctor --bundle report.tar.gz"),
    "config": ("config default",),
    "bench": ("bench vision --data .",),
    "dataset": ("dataset add dice.png --truth black:4 --to set",),
    "new-game": ("new-game my-dice",),
    "completion": ("completion bash",),
}
"""The trials of each command."""

REFUSED = {
    "run --camera file:dice.png --board sim --buttons none": "which Windows cannot make",
    "run --camera file:dice.png --board COM3 --buttons none": "needs Linux or macOS",
    "web": "Windows has no sockets",
    "mqtt": "Windows has no sockets",
    "flash --port COM3": "from Linux or macOS",
}
"""Commands that need another system, and a part of the sentence that says so."""

DRIVER = """
import contextlib, io, json, sys
from tests.rigs.windows import pretend
pretend()
from appliance.cli.main import main
for line in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(line.split())
        except SystemExit as leaving:
            status = leaving.code
    print(json.dumps([line, status, out.getvalue(), err.getvalue()]), flush=True)
"""


def environment(folder: Path) -> Mapping[str, str]:
    return os.environ | {
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
        "PYTHONPATH": str(ROOT),
    }


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Status, output and complaints of each command line."""
    folder = tmp_path_factory.mktemp("windows")
    cv2.imwrite(str(folder / "dice.png"), np.full((240, 320, 3), 90, np.uint8))
    lines = [f"{name} --help" for name in COMMANDS] + [x for runs in RUNS.values() for x in runs]
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps(lines),
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    answers = map(json.loads, done.stdout.splitlines())
    return {line: (status, out, err) for line, status, out, err in answers}


def test_every_command_is_tried() -> None:
    assert RUNS.keys() == COMMANDS.keys()


def test_every_command_runs_or_refuses_in_a_sentence(tried: Mapping[str, Any]) -> None:
    failed = [
        (line, err or out)
        for line, (status, out, err) in tried.items()
        if status not in (0, 1, 2) or "internal error" in err or "Traceback" in out + err
    ]
    assert failed == []


@pytest.mark.parametrize(("line", "said"), REFUSED.items())
def test_what_needs_another_system_says_so(tried: Mapping[str, Any], line: str, said: str) -> None:
    status, _, err = tried[line]
    assert (status, said in err) == (2, True), err


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.rigs.windows", *words],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def lines_of(program: subprocess.Popen[str]) -> Iterator[str]:
    assert program.stdout is not None
    return iter(program.stdout)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("play --no-view --speed 0 --picture small --seed 1", "  roll "),
        ("play --browser --no-open --human --picture small", "http://"),
        ("run --camera usb:7 --board text --buttons none", "|"),
        ("run --camera usb:7 --board browser --buttons browser", "http://"),
    ],
)
def test_a_game_is_played(tmp_path: Path, words: str, wanted: str) -> None:
    with started(tmp_path, *words.split()) as program:
        found = next((line for line in lines_of(program) if wanted in line), "")
        program.send_signal(signal.SIGTERM)
        _, err = program.communicate()
    assert found, err
    assert "internal error" not in err
    # 143 where it was told so before the game had begun.
    assert program.returncode in (0, 143), err


def test_a_webcam_is_opened_in_the_way_of_the_system(tmp_path: Path) -> None:
    code = """
from tests.rigs.windows import pretend
pretend()
import cv2
from appliance.devices.camera import usb
class Webcam:
    isOpened = lambda self: True
    set = lambda self, name, value: True
    get = lambda self, name: -4.0
    grab = lambda self: True
    retrieve = lambda self: (True, __import__("numpy").full((72, 128, 3), 90, "uint8"))
    release = lambda self: None
def opened(where, backend):
    assert (where, backend) == ("1", cv2.CAP_DSHOW), (where, backend)
    return Webcam()
camera = usb.V4L2Camera("1", capture=opened)
print(next(camera.frames()).image.shape)
camera.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "(72, 128, 3)\n", done.stderr

"""Every command as a process: its good end, a bad word, and Ctrl-C in the middle of it.

The good end is that of a new interpreter, which imports no more than the command does by itself.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from appliance.cli.commands import COMMANDS
from appliance.journal.journal import Journal
from games import classic
from games.record import write_record
from tests.builders import record_for
from tests.paths import ROOT
from tests.rigs.warm import Warm

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0
CAMERA = "--camera file:dice.jpg?hold=100000"
PAGED = "--board browser --no-open"


@dataclass(frozen=True, slots=True)
class Run:
    """How a command is run.

    Attributes:
        words: the command.
        until: a word that it says when it has begun, if it goes on until it is told to end;
            otherwise it ends by itself.
        told: whether it is done when it is told so, and not interrupted; None if it is interrupted
            as long as it opens its camera, which says nothing.
        status: how it ends by itself.
    """

    words: str
    until: str = ""
    told: bool | None = False
    status: int = 0


RUNS = {
    "play": Run(
        "play --no-view --game classic --players ANNA --new --picture small --speed 0 --seed 3",
        until="tray moving",
        told=True,
    ),
    "run": Run(f"run --board text --players ANNA {CAMERA}", until="first prompt", told=True),
    "look": Run(f"look {CAMERA} {PAGED}", until="http://", told=None),
    "web": Run("web --folder .", told=True),
    "calibrate": Run(
        f"calibrate {CAMERA} --profile p --board browser --corners --floor 320x180",
        until="http://",
    ),
    "read": Run("read dice.jpg"),
    "score": Run("score classic 3 3 5 3 5"),
    "replay": Run("replay record.txt"),
    "games": Run("games list --journal games"),
    "review": Run("review --journal games"),
    "stats": Run("stats --journal games"),
    "mqtt": Run("mqtt --config club.toml", until="broker", told=True),
    "club": Run("club --config club.toml --port 0", until="http://", told=True),
    # Without a stick, as tests have none.
    "stick": Run("stick none", status=2),
    "flash": Run("flash --dry-run --port none"),
    "doctor": Run("doctor --only disk"),
    "config": Run("config default"),
    "bench": Run("bench vision --data labelled"),
    "dataset": Run("dataset add --corrections labelled --to new"),
    "new-game": Run("new-game my-dice"),
    "completion": Run("completion bash"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The working folder, with what the commands need."""
    shutil.copytree(ROOT / "tests/vision/regression", tmp_path / "labelled")
    shutil.copy(tmp_path / "labelled/shining_die.jpg", tmp_path / "dice.jpg")
    (tmp_path / "club.toml").write_text('[mqtt]\nbroker = "mqtt://127.0.0.1:1"\n')
    record = record_for(classic.GAME, ("ANNA", "BEN"), {}, version="1")
    (tmp_path / "record.txt").write_text(write_record(record), encoding="utf-8")
    with Journal(tmp_path / "games") as journal:
        number = journal.begin("classic", "2009", ("ANNA", "BEN"), (("first", 0),), "0.1.0")
        journal.append(number, 0, ["roll 1 2 3 4 5"])
    return tmp_path


def environment(folder: Path) -> Mapping[str, str]:
    return os.environ | {
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
        "RUNTIME_DIRECTORY": str(folder),
        "PYTHONUNBUFFERED": "1",
    }


def told(run: Run, number: signal.Signals) -> set[int]:
    """The statuses of a command that this signal ends."""
    return {0, 128 + number} if run.told is None else {0 if run.told else 128 + number}


def wait_for(process: "subprocess.Popen[str] | Warm", word: str) -> str:
    """Its words up to this one."""
    assert process.stdout is not None
    said = ""
    while word not in said:
        line = process.stdout.readline()
        assert line, said
        said += line
    return said


def test_every_command_is_tried() -> None:
    assert RUNS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", RUNS)
def test_a_new_interpreter_comes_to_a_good_end(command: str, folder: Path) -> None:
    run, said = RUNS[command], ""
    with subprocess.Popen(
        [sys.executable, "-m", "appliance.cli.program", *run.words.split()],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        if run.until:
            said = wait_for(process, run.until)
            process.terminate()
        said += process.communicate(timeout=PATIENCE_S)[0]
    assert process.returncode in (told(run, signal.SIGTERM) if run.until else {run.status}), said
    assert said
    assert "Traceback" not in said


@pytest.mark.parametrize("command", RUNS)
def test_a_bad_word_is_refused(command: str, folder: Path) -> None:
    with Warm(
        (*RUNS[command].words.split(), "--no-such-word"), environment(folder), folder
    ) as process:
        out, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out) == (2, "")
    assert said.splitlines()[-1].startswith("dicetray")
    assert "no-such-word" in said.splitlines()[-1]


@pytest.mark.parametrize("command", [name for name, run in RUNS.items() if run.until])
def test_ctrl_c_ends_what_goes_on(command: str, folder: Path) -> None:
    run = RUNS[command]
    with Warm(run.words.split(), environment(folder), folder, stderr=subprocess.STDOUT) as process:
        said = wait_for(process, run.until)
        process.send_signal(signal.SIGINT)
        said += process.communicate(timeout=PATIENCE_S)[0]
    assert process.returncode in told(run, signal.SIGINT), said
    # Where it strikes in a callback of what is being opened, Python prints it.
    assert "Traceback" not in said or "Exception ignored" in said


@pytest.mark.parametrize("command", [name for name, run in RUNS.items() if not run.until])
def test_ctrl_c_ends_what_waits_to_be_read(command: str, folder: Path) -> None:
    """A command that ends by itself has begun when it has no room for what it says."""
    run = RUNS[command]
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, b" ")
    os.set_blocking(writing, True)
    with Warm(
        run.words.split(), environment(folder), folder, stdout=writing, stderr=subprocess.STDOUT
    ) as process:
        try:
            while "pipe_write" not in process.waits_in():
                with suppress(subprocess.TimeoutExpired):
                    raise AssertionError(f"it has ended with {process.wait(0.01)}")
            process.send_signal(signal.SIGINT)
            # Only now it is read: what comes at the end has to go somewhere.
            os.set_blocking(reading, False)
            while process.poll() is None:
                with suppress(BlockingIOError):
                    os.read(reading, 1 << 16)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.01)
        finally:
            os.close(writing)
            os.close(reading)
    assert process.returncode in told(run, signal.SIGINT)

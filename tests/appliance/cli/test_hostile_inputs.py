"""Whatever is given as input, and wherever the output goes: one line and exit status 2."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli.commands import COMMANDS
from appliance.cli.main import main
from appliance.config.parsing import MOST_MISTAKES
from appliance.errors import printable
from appliance.journal.journal import Journal
from tests.rigs.warm import Warm

LONG = "x" * 300
COMMAND = [sys.executable, "-m", "appliance.cli.program"]
BUFFERED = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": ""}
NO_ROOM = "dicetray: output: No space left on device; is there room, is it yours?"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a small picture in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    noise = np.random.default_rng(1).integers(90, 160, (60, 80, 3)).astype(np.uint8)
    cv2.imwrite("small.png", noise)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The message for bad input: one line, without control characters."""
    capsys.readouterr()
    assert main(list(arguments)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said[:-1].isprintable()
    return said


CONFIGURATIONS = {
    "deep brackets": "a = " + "[" * 50_000,
    "deep brackets in lines": "a = " + "[\n" * 30_000,
    "deep tables": "a = " + "{a=" * 20_000,
    "a long number": "a = " + "9" * 5000,
    "long names": "a" + ".a" * 30_000 + " = 1",
    "many names": "\n".join(f"a{n}.b.c = 1" for n in range(4000)),
    "commands to a terminal": '[games]\n"a\\u001b[2Jb" = 1\n',
    "a large file": "#" * 100_000,
}


@pytest.mark.parametrize("what", CONFIGURATIONS)
def test_configurations(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.toml").write_text(CONFIGURATIONS[what])
    assert main(["config", "check", "x.toml"]) == 2
    mistakes = capsys.readouterr().err.split("\n")
    assert mistakes.pop() == ""
    assert len(mistakes) == (MOST_MISTAKES if what == "many names" else 1)
    assert all(mistake.isprintable() for mistake in mistakes)
    refused(capsys, "games", "list", "--config", "x.toml")
    assert main(["doctor", "--config", "x.toml", "--only", "config"]) == 1


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder_there(path: Path) -> None:
    path.mkdir()


READS = (
    "config check {}",
    "games list --config {}",
    "games list --journal {}",
    "stats --journal {}",
    "replay {}",
    "read {}",
    "read --profile {} small.png",
    "flash --dry-run --port /dev/null --package {}",
    "dataset add {} --truth black:1 --to set",
    "run --board none --camera file:{}",
)


@pytest.mark.parametrize("make", [pipe, device, folder_there])
@pytest.mark.parametrize("command", READS)
def test_what_is_no_file_is_refused_before_it_is_read(
    folder: Path, make: Callable[[Path], None], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder / "input")
    refused(capsys, *command.format("input").split())


def test_pipes_in_folders_are_refused_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "set").mkdir()
    pipe(folder / "set" / "index.jsonl")
    pipe(folder / "set" / "a.png")
    refused(capsys, "bench", "vision", "--data", "set")
    refused(capsys, "dataset", "add", "small.png", "--truth", "black:1", "--to", "set")
    refused(capsys, "run", "--board", "none", "--camera", "dir:set")


@pytest.mark.parametrize(
    "command",
    [
        *READS,
        "run --board none --camera dir:{}",
        "play --journal {}",
        "bench vision --data {}",
        "read small.png --annotate {}.png",
    ],
)
def test_a_name_that_is_too_long(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, *command.format(LONG).split())


@pytest.mark.parametrize("size", [(1, 5000), (5000, 1), (1, 1), (15, 400)])
@pytest.mark.parametrize("command", ["read {}", "run --board none --camera file:{}"])
def test_a_picture_too_thin_to_hold_a_die(
    size: tuple[int, int], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite("thin.png", np.full((*size, 3), 128, np.uint8))
    refused(capsys, *command.format("thin.png").split())


@pytest.mark.parametrize("command", ["read {}", "run --board none --camera file:{}"])
def test_a_huge_picture_is_not_decoded(folder: Path, command: str) -> None:
    cv2.imwrite("huge.png", np.zeros((20_000, 20_000), np.uint8))
    done = subprocess.run(
        [
            "sh",
            "-c",
            'ulimit -v 3000000; exec "$@"',
            "sh",
            *COMMAND,
            *command.format("huge.png").split(),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("dicetray")


def test_a_package_that_unpacks_to_a_flood(capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("main.py", bytes(50_000_000))
    said = refused(capsys, "flash", "--dry-run", "--port", "/dev/null", "--package", "bomb.zip")
    assert "larger than" in said


@pytest.mark.parametrize("base", ["file", "/proc/none", f"/{LONG}"])
@pytest.mark.parametrize(
    "command", ["games list", "stats", "play", "dataset add small.png --truth black:1"]
)
def test_a_state_folder_that_cannot_be_made(
    base: str, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", base)
    assert "XDG_STATE_HOME" in refused(capsys, *command.split())


@pytest.mark.parametrize(
    "command",
    ["config default", "score classic 1 2 3 4 5", "games list --journal g", "--help", "run --help"],
)
def test_an_output_that_has_no_room(command: str) -> None:
    with Journal("g") as journal:
        journal.begin("classic", "2009", ("ANNA",), (), "0.1.0")
    with (
        Path("/dev/full").open("w") as full,
        Warm(command.split(), BUFFERED, stdout=full.fileno()) as process,
    ):
        _, said = process.communicate()
    assert process.returncode == 2
    assert said.splitlines() == [NO_ROOM]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_help_that_has_no_room(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(OSError), Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main([command, "--help"]) == 2
        assert full.closed  # else the interpreter tries again at exit, and fails
    assert capsys.readouterr().err.splitlines() == [NO_ROOM]


@pytest.mark.parametrize("command", ["--help", "config default", "flash --dry-run"])
def test_an_output_that_nobody_reads(command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with Warm(command.split(), BUFFERED, stdout=writing) as process:
        os.close(writing)
        _, said = process.communicate()
    # Where there is no Pico, that is reported, and not the broken pipe.
    assert (process.returncode, len(said.splitlines())) == (
        (2, 1) if command.startswith("flash") else (141, 0)
    )


@pytest.mark.parametrize("number", [1, 2])
def test_an_output_that_is_closed(number: int) -> None:
    shell = f'exec "$@" {number}>&-'
    done = subprocess.run(
        ["sh", "-c", shell, "sh", *COMMAND, "config", "default"],
        capture_output=True,
        text=True,
        check=False,
        env=BUFFERED,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (number == 2)


def test_names_do_not_command_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Journal("g") as journal:
        number = journal.begin("classic", "2009", ("A\x1b[2J", "B"), (), "\x1b[31m")
        journal.append(number, 0, ["roll 1 2 3 4 5"])
        bad = journal.begin("\x1b[2J", "2009", ("A",), (), "0.1.0")
    for command in (
        "list",
        f"show {number}",
        f"show {bad}",
        f"export {bad}",
        f"delete {bad} --yes",
    ):
        main(["games", *command.split(), "--journal", "g"])
    main(["stats", "--journal", "g"])
    main(["read", "\x1b[2J.png"])
    main(["replay", "\x1b[2J"])
    main(["score", "classic", "\x1b[2J"])
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert "\\x1b[2J" in said.out
    assert printable("ÅSA \t\n\x9b\u202e") == "ÅSA \\t\\n\\x9b\\u202e"


def test_a_device_is_not_written_over(folder: Path) -> None:
    from vision.files.atomic import write_atomically

    pipe(folder / "pipe")
    with pytest.raises(OSError, match="expected an ordinary file, found a pipe"):
        write_atomically(folder / "pipe", b"x")
    assert (folder / "pipe").is_fifo()

"""Every command in the documents is run, completely or at least as far as its real parser.

- Commands in `RUN` are run in their own folder and must print what is shown.
- Every other `dicetray` command goes through the program's own parser, every script through its
  own, as far as `parse_args`; shell scripts must exist, be executable and have no syntax errors.
- What cannot be tried at all is in `NOT_RUN`, with the reason.

Whether anything reads the variables that they set is seen in `test_every_file.py`.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from appliance.cli.main import main, parser
from appliance.journal.journal import Journal
from games import classic
from games.chance import random_game
from games.notation.events import event_to_text
from tests.docs.reading import Command, commands, documents
from tests.paths import ROOT

NOT_RUN = {
    r"systemctl (?:start|stop|restart|enable|status) dicetray": "needs the installed service",
    r"systemctl enable --now dicetray-mqtt": "needs the installed service",
    r"systemctl disable --now dicetray": "needs the installed service",
    r"journalctl .*": "needs systemd's journal",
    r"apt(?:-get)? .*": "changes the system",
    r"scripts/training/train_faces\.py.*": "needs PyTorch and hours",
}
"""Patterns of whole commands (without sudo) that no test can run, and why."""

RUN = {
    "score classic 3 3 5 3 5": "FULL HOUSE",
    "config default": "[camera]",
    "read photo.jpg --annotate out.png": "",
    "games list": "classic",
    "games show 12": "won by",
    "games export": "[Game",
    "stats": "ANNA",
    "stats --picture /tmp/dice.svg": "ANNA",
}
"""Cheap `dicetray` commands, and what they must print."""

GAMES_SAVED = 12
"""An example uses the game with this number."""

INSTALLED = "/opt/dicetray/current/share/"
"""Where installation keeps copies of systemd/ and docs/."""

PLACEHOLDERS = {"LAB": "lab", "DIR": "dir", "PORT": "port", "NAME": "classic"}
"""Words that a reader replaces, and something that fits."""

ALL = [command for path in documents() for command in commands(path)]


class Parsed(Exception):
    """The real parser has accepted the arguments; the program goes no further."""


def reason_not_to_run(command: Command) -> str:
    """Why a command is not tried; empty if it is."""
    for pattern, reason in NOT_RUN.items():
        if re.fullmatch(pattern, command.bare):
            return reason
    return ""


TRIED = {
    (command.text, command.inline): command for command in ALL if not reason_not_to_run(command)
}
"""Each once."""


def words(command: Command) -> list[str]:
    """The words of a command, placeholders filled in."""
    text = re.sub(r"\[[^\]]*\]|…|\.\.\.", "", command.bare)
    return [PLACEHOLDERS.get(word, word) for word in shlex.split(text)]


def ids(command: Command) -> str:
    """A name for the test."""
    return f"{command.where}: {command.bare}"


def test_there_are_commands_in_the_documents() -> None:
    assert len(ALL) > 60
    assert {"scripts/play", "scripts/test"} <= {
        command.text for command in ALL if command.where.startswith("README.md:")
    }


def test_every_reason_is_needed() -> None:
    """A pattern that nothing needs any more would hide mistakes."""
    used = {pattern for pattern in NOT_RUN for c in ALL if re.fullmatch(pattern, c.bare)}
    assert used == set(NOT_RUN)


@pytest.mark.parametrize("command", TRIED.values(), ids=ids)
def test_the_command_can_be_given(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    try_to_give(command, monkeypatch)


@pytest.mark.parametrize(
    "text",
    [
        "dicetray run --nonsense",
        "dicetray juggle dice",
        "sudo -u dicetray dicetray games lose 1",
        "scripts/play --game snap",
        "scripts/test tests/nothing",
        "scripts/nothing",
        "scripts/make_release --nonsense",
        ".venv/bin/python scripts/bench_rules.py --nonsense 3",
        "sudo systemd/install.sh --nonsense",
        "sudo systemd/install.sh --usb-cam",
    ],
)
def test_nonsense_is_found_out(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError):
        try_to_give(Command("nowhere", text), monkeypatch)


def try_to_give(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a command as far as the real parser; raises AssertionError if it does not get there."""
    program, *arguments = words(command)
    monkeypatch.chdir(ROOT)
    if program in ("dicetray", ".venv/bin/dicetray"):
        dicetray(arguments)
    elif program in ("python", "python3", ".venv/bin/python", ".venv/bin/ruff", ".venv/bin/mypy"):
        tool(program, arguments, monkeypatch)
    elif program == "dicetray-upgrade":
        script(ROOT / "systemd/upgrade.sh", arguments, monkeypatch)
    else:
        script(ROOT / program.removeprefix(INSTALLED), arguments, monkeypatch)


@cache
def real_parser() -> argparse.ArgumentParser:
    """The program's own parser."""
    return parser()


def dicetray(arguments: list[str]) -> None:
    """Checks that the program's own parser accepts the arguments."""
    if arguments in (["--version"], ["--help"], []):
        return
    if arguments[-1] in ("--help", "help"):
        with pytest.raises(SystemExit) as end:
            real_parser().parse_args(arguments)
        assert end.value.code == 0
        return
    if len(arguments) == 1 and arguments[0] in ("bench", "dataset", "games", "config"):
        # The name of a group, not a command to give.
        return
    try:
        # A command that is only named, such as `dicetray read`, may leave out required arguments.
        real_parser().parse_args(arguments)
    except SystemExit as end:
        if len(arguments) > 1:
            raise AssertionError(f"dicetray {' '.join(arguments)} is refused") from end
        with pytest.raises(SystemExit):
            real_parser().parse_args([*arguments, "--help"])


def tool(program: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks a call of Python with a script or a module, or of a checker."""
    if program.endswith(("ruff", "mypy")):
        assert (ROOT / program).exists() or Path(sys.executable).with_name(Path(program).name)
        return
    if arguments[:2] == ["-m", "pytest"]:
        pytest_arguments(arguments[2:])
    elif arguments[:1] == ["-m"]:
        assert arguments[1] in ("venv", "pip", "tests.rigs.windows"), arguments
    else:
        script(ROOT / arguments[0], arguments[1:], monkeypatch)


def pytest_arguments(arguments: list[str]) -> None:
    """Checks that the test files named exist."""
    for word in arguments:
        if word.startswith("tests/"):
            assert (ROOT / word.split("::")[0]).exists(), f"{word}: no such tests"


def script(path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks a script of this project."""
    assert path.is_file(), f"{path.relative_to(ROOT)}: no such script"
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    assert os.access(path, os.X_OK) or "python" in first or path.suffix == ".py", (
        f"{path}: chmod +x"
    )
    if "python" in first or path.suffix == ".py":
        parsed(path, arguments, monkeypatch)
        return
    subprocess.run(["sh", "-n", str(path)], check=True)
    if path.name == "test":
        pytest_arguments(arguments)
    elif path.name == "play":
        dicetray(["play", *arguments])
    else:
        text = path.read_text(encoding="utf-8")
        for word in arguments:
            known = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)
            assert not word.startswith("-") or known, f"{path.name} knows no {word}"


def parsed(path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks that a Python script's own parser accepts the arguments."""
    source = path.read_text(encoding="utf-8")
    if "argparse" not in source:
        compile(source, str(path), "exec")
        return
    real = argparse.ArgumentParser.parse_args

    def stop(self: argparse.ArgumentParser, args: object = None, namespace: object = None) -> None:
        real(self, args if isinstance(args, list) else arguments)
        raise Parsed

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)
    monkeypatch.setattr(sys, "argv", [str(path), *arguments])
    monkeypatch.setattr(sys, "path", [str(path.parent), *sys.path])
    try:
        module = loaded(path)
        with pytest.raises(Parsed):
            module.main()
    except SystemExit as end:
        named = not arguments and end.code == 2
        # A script that is only named may leave out required arguments.
        if not named:
            raise AssertionError(f"{path.name} {' '.join(arguments)} is refused") from end


def loaded(path: Path) -> ModuleType:
    """The script as a module: only its definitions run."""
    name = f"_script_{path.stem.replace('-', '_')}"
    loader = SourceFileLoader(name, str(path))
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
        del sys.modules[name]
    return module


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a photograph, and saved games in a home of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "docs" / "pictures" / "tray.jpg", tmp_path / "photo.jpg")
    with Journal(tmp_path / "games.sqlite3") as journal:
        for seed in range(GAMES_SAVED):
            players = ("ANNA", "BOB")
            events, _ = random_game(classic.GAME, players, {}, Random(seed))
            number = journal.begin("classic", classic.GAME.edition, players, (), "0.1.0")
            lines = [event_to_text(classic.GAME, event) for event in events]
            journal.append(number, 0, lines, ended=True)
    return tmp_path


@pytest.mark.parametrize("text", RUN)
def test_what_costs_little_is_run(
    text: str, scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ends = f"dicetray {text}"
    assert any(c.bare == ends or c.bare.endswith(f"/{ends}") for c in ALL), "in no document"
    arguments = [word.replace("/tmp", str(scratch)) for word in shlex.split(text)]
    if arguments[0] in ("games", "stats"):
        arguments += ["--journal", str(scratch / "games.sqlite3")]
    assert main(arguments) == 0
    assert RUN[text] in capsys.readouterr().out
    for word in arguments:
        if word.endswith((".svg", ".png")):
            assert (scratch / word).stat().st_size


def test_the_default_configuration_is_found_right(
    scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "default"]) == 0
    (scratch / "dicetray.toml").write_text(capsys.readouterr().out)
    assert main(["config", "check", str(scratch / "dicetray.toml")]) == 0


def test_the_records_in_the_documents_of_the_rules_replay(
    scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs" / "rules" / "showdown.md").read_text(encoding="utf-8")
    block = text.split('    [Game "showdown"]')[1].split("\n\nThe first")[0]
    record = '[Game "showdown"]' + block.replace("\n    ", "\n")
    (scratch / "game.txt").write_text(record)
    assert main(["replay", "game.txt"]) == 0
    assert "Ann" in capsys.readouterr().out

"""With `--json` standard output has JSON and nothing else, whatever else there is to say."""

import argparse
import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from appliance.cli.main import parser
from appliance.journal.journal import Journal
from games import classic
from games.record import write_record
from tests.builders import record_for
from tests.paths import ROOT
from tests.rigs.warm import Warm

PICTURE = str(ROOT / "tests/vision/regression/shining_die.jpg")
FILM = ("--camera", f"file:{PICTURE}?hold=2")
GAME = ("--game", "classic", "--players", "ANNA", "--new")
THROWN = ("1", "2", "3", "4", "5")
ENDING: dict[str, tuple[tuple[str, ...], ...]] = {
    "play": (),
    "run": (
        FILM,
        (*FILM, *GAME),
        (*FILM, "--board", "text"),
        (*FILM, "--board", "terminal"),
        (*FILM, "--board", "sim"),
        (*FILM, "--board", "browser"),
    ),
    "read": ((PICTURE,), (PICTURE, "/nonexistent.png")),
    "score": (("classic", *THROWN), ("classic", *THROWN, "--holds")),
    "replay": (("RECORD",),),
    "games list": (("--journal", "GAMES"),),
    "stats": (("--journal", "GAMES"),),
    "review": (("--journal", "GAMES"),),
}
"""Calls of each command that has `--json`, and that end by themselves."""
ENDLESS = (
    ("play", *GAME, "--picture", "small", "--speed", "0", "--seed", "3"),
    ("play", *GAME, "--picture", "small", "--speed", "0", "--browser", "--no-open"),
    ("run", "--camera", "sim", *GAME),
)
"""Calls that play until they are stopped."""
HANGS_S = 60.0
"""Seconds after which a program counts as hung."""
SEEN = 3
"""Lines after which a program on a terminal has shown what it prints."""
ON_A_TERMINAL = (("run", "--camera", f"file:{PICTURE}", "--board", "terminal"), ENDLESS[0])

pytestmark = pytest.mark.slow


def having_json(of: argparse.ArgumentParser, name: str = "") -> set[str]:
    """The commands that have the option, by their full names."""
    found = set[str]()
    for action in of._actions:
        if "--json" in action.option_strings:
            found.add(name)
        if isinstance(action, argparse._SubParsersAction):
            for word, command in action.choices.items():
                found |= having_json(command, f"{name} {word}".strip())
    return found


def started(folder: Path, *arguments: str, output: int = subprocess.PIPE) -> Warm:
    environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
    return Warm((*arguments, "--json"), environment, stdout=output)


def values(output: str) -> list[object]:
    """Each line of the output; it must be JSON as every language reads it."""
    return [json.loads(line, parse_constant=pytest.fail) for line in output.splitlines()]


def test_every_command_that_has_the_option_is_tried() -> None:
    assert having_json(parser()) == ENDING.keys()


@pytest.mark.parametrize(
    ("command", "arguments"),
    [(command, arguments) for command, calls in ENDING.items() for arguments in calls],
)
def test_every_line_is_json(command: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    begun = record_for(classic.GAME, ("ANNA", "BEN"), {}, version="1")
    record.write_text(write_record(begun), encoding="utf-8")
    games = tmp_path / "games.sqlite3"
    with Journal(games) as journal:
        journal.begin("classic", classic.GAME.edition, ("ANNA", "BEN"), (), "1.0.0")
    named = {"RECORD": str(record), "GAMES": str(games)}
    given = [named.get(word, word) for word in arguments]
    with started(tmp_path, *command.split(), *given) as process:
        output, said = process.communicate()
    assert process.returncode == (2 if "/nonexistent.png" in given else 0), said
    assert values(output)
    if command == "run" and not {"sim", "browser"} & {*given}:
        # The board is still there to read.
        assert "    |█" in said or "    | " in said
    if "browser" in given:
        assert "The page is at http://127.0.0.1:" in said


@pytest.mark.parametrize("arguments", ENDLESS)
def test_a_game_that_is_stopped_has_printed_json_alone(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    output = ""
    with started(tmp_path, *arguments) as process:
        assert process.stdout is not None
        while '"event": "roll"' not in output:
            line = process.stdout.readline()
            assert line, f"ended or hung after {output}"
            output += line
        process.terminate()
        rest, said = process.communicate()
    assert process.returncode == 0
    assert len(values(output + rest)) > 1
    assert "unfinished: ANNA" in said


@pytest.mark.parametrize("arguments", ON_A_TERMINAL)
def test_a_terminal_gets_json_alone(arguments: tuple[str, ...], tmp_path: Path) -> None:
    master, slave = os.openpty()
    output, lines = b"", 0
    with started(tmp_path, *arguments, output=slave) as process:
        os.close(slave)
        # The end of a terminal is an error.
        with os.fdopen(master, "rb", buffering=0) as terminal, suppress(OSError):
            while True:
                output += terminal.read(4096)
                if lines < SEEN <= output.count(b"\n"):
                    process.terminate()
                lines = output.count(b"\n")
        _, said = process.communicate()
    assert process.returncode == 0, said
    assert len(values(output.decode())) >= SEEN

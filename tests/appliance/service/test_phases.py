"""How long a start takes, phase by phase."""

import os
import subprocess
import sys

import pytest

from appliance.cli.commands import COMMANDS
from appliance.cli.main import main, named_command
from appliance.cli.main import parser as main_parser
from appliance.service.systemd import Notifier, Phases, process_age_s


class Said(Notifier):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def starting(self, step: str) -> None:
        self.said.append(step)

    def ready(self) -> None:
        self.said.append("ready")


def test_each_phase_is_announced_and_timed(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    times = iter((0.25, 0.75, 1.0, 1.75))
    notifier = Said()
    phases = Phases(notifier, lambda: next(times))
    phases.begin("loads the program")
    phases.begin("opens the games")
    phases.ready()
    assert notifier.said == ["loads the program", "opens the games", "ready"]
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

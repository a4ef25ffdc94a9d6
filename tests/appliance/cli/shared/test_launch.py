"""Who is told how to resume a game is told the command that they typed."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.cli.play import UNSAID
from appliance.cli.shared.launch import SCRIPT_VARIABLE

OPTIONS = replace(UNSAID, buttons="keyboard")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `dicetray` on the PATH."""
    program = tmp_path / "dicetray"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(SCRIPT_VARIABLE, raising=False)
    return program


def test_a_name_is_named(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(installed), "play"])
    assert OPTIONS.command == "dicetray play --human"


def test_another_program_of_that_name_is_not(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/dicetray", "play"])
    assert OPTIONS.command == ".venv/bin/dicetray play --human"


def test_a_script_is_named(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SCRIPT_VARIABLE, "scripts/play")
    assert OPTIONS.command == "scripts/play --human"

"""`dicetray new-game`: the package that it makes is a game, and passes its own test."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.cli.main import main
from tests.paths import ROOT


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(made: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Runs Python where the package can be imported, as if it were installed."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(made)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_what_it_makes_is_a_game_and_passes_its_test(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", "my-dice"]) == 0
    said = capsys.readouterr().out
    assert "dicetray play --game my-dice" in said
    made = here / "my-dice"
    assert {file.name for file in made.iterdir()} == {
        "pyproject.toml",
        "my_dice.py",
        "test_my_dice.py",
    }
    tested = run(made, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(made))
    assert tested.returncode == 0, tested.stdout
    assert "3 passed" in tested.stdout
    # The metadata that an installation makes of the project's file.
    entry = 'my-dice = "my_dice:GAME"'
    assert entry in (made / "pyproject.toml").read_text()
    installed = made / "my_dice-0.1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-dice\nVersion: 0.1\n")
    points = f"[dicetray.games]\n{entry.replace(chr(34), '')}\n"
    (installed / "entry_points.txt").write_text(points)
    scored = run(made, "-m", "appliance.cli.program", "score", "my-dice", "33355", "--holds")
    assert scored.returncode == 0, scored.stderr
    assert "on average" in scored.stdout
    doctor = run(made, "-m", "appliance.cli.program", "doctor", "--only", "games")
    assert "OK     game my-dice: brought by my-dice 0.1" in doctor.stdout


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("My Dice", "expected small letters, digits and dashes, found 'My Dice'"),
        ("../up", "expected small letters, digits and dashes, found '../up'"),
        ("random", "random is a word of Python's own; choose another"),
        ("yatzy", "there is a game yatzy already; choose another name"),
        ("there", "there is there already; choose another name"),
    ],
)
def test_a_name_that_cannot_be_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, problem: str
) -> None:
    (here / "there").mkdir()
    assert main(["new-game", name]) == 2
    assert capsys.readouterr().err == f"dicetray new-game: {problem}\n"
    assert [file.name for file in here.iterdir()] == ["there"]

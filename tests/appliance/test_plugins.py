"""Games that other packages bring: a package outside the checkout, as pip would install it."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from appliance.devices.camera.kinds import USUAL_SILENCE_S, add_kind, find_kind, max_silence_s
from appliance.devices.camera.naming import parse_spec
from appliance.diagnostics import Level
from appliance.diagnostics.plugins import check_games_of_packages, findings
from appliance.errors import CameraError
from games import registry
from games.modules import NoModuleGame
from games.plugins import Plugin, load_plugins
from games.registry import NoGame, add_game, find_game
from tests.paths import ROOT


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages with one that brings High Dice, and one that is broken."""
    shutil.copy(ROOT / "tests/docs/high_dice.py", tmp_path / "their_dice.py")
    installed(tmp_path, "their-dice", "high-dice = their_dice:GAME")
    (tmp_path / "bad_dice.py").write_text("NAME = 'bad'\n")
    installed(tmp_path, "bad-dice", "bad = bad_dice\nmissing = no_such_module")
    return tmp_path


def installed(site: Path, package: str, entries: str, group: str = "games") -> None:
    folder = site / f"{package.replace('-', '_')}-1.2.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    (folder / "entry_points.txt").write_text(f"[dicetray.{group}]\n{entries}\n")


CAMERA = """
from pathlib import Path

from appliance.devices.camera.files import PictureFile
from appliance.devices.camera.kinds import CameraKind

KIND = CameraKind(
    "slow",
    "slow:PATH",
    lambda spec, opening: PictureFile(Path(spec.where), fps=30, hold=3),
    frozenset({"fps"}),
    film=True,
    silence_s=5.0,
)
"""


def run(site: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "appliance.cli.program", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_package_brings_a_game_to_the_command_line(site: Path) -> None:
    done = run(site, "score", "high-dice", "6", "6", "6", "6", "6", "6")
    assert done.returncode == 0, done.stderr
    assert "BANK" in done.stdout
    assert "36" in done.stdout


def test_doctor_names_the_package_and_what_failed(site: Path) -> None:
    done = run(site, "doctor", "--only", "games")
    assert "OK     game high-dice: brought by their-dice 1.2" in done.stdout
    assert (
        "WRONG  game bad: bad-dice 1.2 could not bring it: NoModuleGame: expected a game"
        in done.stdout
    )
    assert "WRONG  game missing: bad-dice 1.2 could not bring it: ModuleNotFound" in done.stdout


def test_without_packages_nothing_is_said() -> None:
    assert list(check_games_of_packages()) == []


def test_what_is_found_says_what_to_do() -> None:
    (finding,) = findings("game", [Plugin("x", "their-dice 1", "OSError: no")])
    assert finding.level is Level.WRONG
    assert finding.advice == "remove the package, or tell those who made it"


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(NoGame, match=r"expected a value of games\.game\.Game, found 'empty'"):
        add_game("empty")
    assert "empty" not in registry.GAMES


def test_a_module_that_is_no_game_is_refused_with_what_it_lacks() -> None:
    with pytest.raises(NoModuleGame, match=r"but json lacks DICE, .*EDITION.*, turn"):
        add_game(json)


def test_a_game_cannot_take_the_place_of_another() -> None:
    other = replace(find_game("yatzy"), name="classic")
    with pytest.raises(NoGame, match="expected a name that no other game has, found 'classic'"):
        add_game(other)
    assert find_game("classic").edition == "2009"


def test_one_that_fails_does_not_keep_the_others_out() -> None:
    found: list[object] = []
    points = [
        EntryPoint("b", "pathlib:Path", "dicetray.games"),
        EntryPoint("a", "no_such_module", "dicetray.games"),
    ]
    plugins = load_plugins(points, found.append)
    assert [(p.name, bool(p.problem)) for p in plugins] == [("a", True), ("b", False)]
    assert found == [Path]


def test_a_package_brings_a_camera(tmp_path: Path) -> None:
    (tmp_path / "their_camera.py").write_text(CAMERA)
    installed(tmp_path, "their-camera", "slow = their_camera:KIND", "cameras")
    seen = run(tmp_path, "doctor", "--only", "camera", "--camera", "slow:docs/pictures/tray.jpg")
    assert "OK     camera slow: brought by their-camera 1.2" in seen.stdout
    assert "slow:docs/pictures/tray.jpg gives 1280x720 pictures" in seen.stdout
    wrong = run(tmp_path, "doctor", "--only", "camera", "--camera", "nope:docs/pictures/tray.jpg")
    assert "rtsp://..., phone, pi or slow:PATH, found the kind 'nope'" in wrong.stdout


def test_a_slow_camera_may_be_silent_for_longer() -> None:
    def silence_s(text: str) -> float:
        return max_silence_s(parse_spec(text))

    assert silence_s("pi") == USUAL_SILENCE_S
    assert silence_s("usb:0?fps=0.5") == 6.0
    assert silence_s("usb:0?fps=30") == USUAL_SILENCE_S


def test_what_is_no_kind_of_camera_is_refused() -> None:
    nothing: Any = object()
    with pytest.raises(CameraError, match="expected a CameraKind, found <object"):
        add_kind(nothing)
    other = replace(find_kind("pi"), silence_s=9.0)
    with pytest.raises(CameraError, match="expected a name that no other kind has, found 'pi'"):
        add_kind(other)


@pytest.fixture
def with_farkle(tmp_path: Path) -> Path:
    """A folder of installed packages with one that brings Farkle."""
    shutil.copy(ROOT / "tests/games/plugins/farkle.py", tmp_path)
    installed(tmp_path, "their-farkle", "farkle = farkle:GAME")
    return tmp_path


def run_python(site: Path, *words: str) -> str:
    """What a new process prints, in which nothing has been loaded yet."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "line",
    [
        "from games.registry import find_game; print(find_game('farkle').name)",
        "from games.record import position_from_text as read; "
        """print(read('farkle first 1 target 2000 pot 0 | "A" | "B"')[0].name)""",
    ],
)
def test_a_game_of_a_package_is_found_by_whatever_is_asked_first(
    with_farkle: Path, line: str
) -> None:
    assert run_python(with_farkle, "-c", line) == "farkle\n"


@pytest.mark.slow
def test_no_import_loads_a_game_of_a_package(with_farkle: Path) -> None:
    line = (
        "import sys; from importlib import import_module; from pkgutil import walk_packages;"
        "import appliance;"
        "names = [module.name for module in walk_packages(appliance.__path__, 'appliance.')];"
        "[import_module(name) for name in names if not name.endswith('__main__')];"
        "print(len(names) > 300, 'farkle' in sys.modules)"
    )
    assert run_python(with_farkle, "-W", "ignore", "-c", line) == "True False\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("prove_play.py --game farkle --games 1 --clumsy 0", "| farkle | 1 | 0 |"),
        ("bench_hints.py farkle --games 1 --seats hints greedy", "farkle: 1 games"),
        ("bench_computers.py farkle --games 1 --watched", "farkle, 1 games"),
        ("bench_rules.py --memory 1 --game farkle", "farkle, after 1 games"),
    ],
)
def test_what_measures_and_proves_games_takes_those_of_packages(
    with_farkle: Path, words: str, expected: str
) -> None:
    script, *arguments = words.split()
    assert expected in run_python(with_farkle, f"scripts/{script}", *arguments)

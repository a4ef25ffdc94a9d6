"""The examples of `docs/library.md` run, in order, with what they do not need blocked."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import dicetray
from tests.paths import ROOT

PAGE = ROOT / "docs" / "library.md"
HEAVY = ("numpy", "cv2", "gpiozero", "serial", "picamera2")
"""Packages that the appliance needs and the rules must not."""

BLOCK = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"{{name}} is blocked here", name=name)

sys.meta_path.insert(0, Blocked())
"""
_EXAMPLE = re.compile(r"(?:<!-- needs ([\w, ]+) -->\n)?```python\n(.*?)```", re.DOTALL)


def examples() -> list[tuple[tuple[str, ...], str]]:
    """The examples with the packages that each needs."""
    found = _EXAMPLE.findall(PAGE.read_text())
    return [(tuple(re.findall(r"\w+", needs)), code) for needs, code in found]


def run(code: str, blocked: tuple[str, ...], folder: Path = ROOT) -> str:
    """The output of a program in a Python of its own, with packages blocked."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCK.format(blocked=blocked) + code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_games_are_played_without_numpy_and_opencv() -> None:
    code = "".join(code for needs, code in examples() if not needs)
    lines = run(code, HEAVY).splitlines()
    assert "full-house 25 " in lines
    assert "49 29 57" in lines
    assert lines[-1].isdigit()


def test_every_example_runs_in_order() -> None:
    code = "".join(code for _, code in examples())
    lines = run(code, ()).splitlines()
    assert "hold 123 260 total" in lines
    assert sum(line.startswith("black ") for line in lines) >= 4


def test_what_an_example_needs_is_said() -> None:
    heavy = [(needs, code) for needs, code in examples() if needs]
    assert [needs for needs, _ in heavy] == [("numpy",), ("numpy", "cv2")]
    beginning = "".join(code for needs, code in examples() if not needs)
    for needs, code in heavy:
        with pytest.raises(AssertionError, match="is blocked here"):
            run(beginning + code, (needs[-1],))


def test_the_reference_has_every_name_of_the_namespace_once() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^::: dicetray\.(\w+)$", text, re.M)) == sorted(dicetray.__all__)


def test_all_games_can_be_imported_and_played_without_any_package() -> None:
    code = """
    from random import Random

    import dicetray

    for game in dicetray.GAMES.values():
        players = ["ANNA", "BEN"]
        events, state = dicetray.random_game(game, players, {}, Random(3))
        assert game.outcome(state) is not None
        kept = dicetray.Record(game.name, game.edition, tuple(players), (), tuple(events))
        written = dicetray.read_record(dicetray.write_record(kept))
        assert dicetray.replay(written) == state
        print(game.name)
    """
    packages = {name.partition(".")[0] for name in _installed_packages()}
    assert {"numpy", "cv2"} <= packages
    printed = run(textwrap.dedent(code), tuple(sorted(packages)))
    assert len(printed.split()) >= 5


def _installed_packages() -> set[str]:
    """The top-level modules of all installed packages but this project's own."""
    from importlib.metadata import packages_distributions

    return set(packages_distributions()) - {
        "appliance",
        "dicetray",
        "vision",
        "calibration",
        "firmware",
        "games",
        "simulator",
    }

"""The namespace of the library: complete, typed, and loading nothing before it is used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import dicetray
from tests.paths import ROOT

SOURCE = ROOT / "dicetray.py"
ROOMS = ("appliance", "calibration", "firmware", "games", "simulator", "vision")


@pytest.mark.parametrize("name", dicetray.__all__)
def test_a_name_is_that_of_the_room_that_makes_it(name: str) -> None:
    module, _, attribute = dicetray.PLACES[name].partition(":")
    made = import_module(module)
    assert getattr(dicetray, name) is getattr(made, attribute)
    # It is made there, not only imported.
    assert getattr(getattr(made, attribute), "__module__", module) == module


def test_checkers_of_types_see_the_same_names_in_the_same_places() -> None:
    typed = {
        alias.asname: f"{node.module}:{alias.name}"
        for block in ast.parse(SOURCE.read_text("utf-8")).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == dicetray.PLACES


def test_dir_has_every_name_and_no_other_is_there() -> None:
    assert {*dicetray.__all__} <= {*dir(dicetray)}
    with pytest.raises(AttributeError, match="module 'dicetray' has no attribute 'nothing'"):
        dicetray.nothing  # noqa: B018


def loaded_by(code: str, folder: Path) -> set[str]:
    """The top-level modules that a program loads in a Python of its own, and rooms' modules."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    )
    return {*done.stdout.split()}


def test_the_import_loads_no_room(tmp_path: Path) -> None:
    loaded = loaded_by("import dicetray", tmp_path)
    assert {name for name in loaded if name.startswith((*ROOMS, "numpy", "cv2"))} == set()


def test_rules_records_and_chance_load_neither_numpy_nor_games_not_asked_for(
    tmp_path: Path,
) -> None:
    loaded = loaded_by(
        "import dicetray, random; game = dicetray.find_game('yatzy');"
        "dicetray.random_game(game, ['ANNA'], {}, random.Random(1));"
        "dicetray.read_record, dicetray.legal_actions",
        tmp_path,
    )
    assert "games.yatzy" in loaded
    assert not loaded & {"numpy", "cv2", "games.classic", "games.power", "vision", "appliance"}

"""No game is named outside its own files: what others need of it, they ask it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.registry import GAMES, OWN_GAMES
from tests.paths import ROOT

PACKAGES = ("appliance", "calibration", "firmware", "games", "simulator", "vision")
SOURCES = ("*.py", "*.js", "*.html", "*.css", "*.toml")
FOLDERS = {name: name.replace("-", "_") for name in OWN_GAMES}

EXCEPTIONS = {
    "games/registry.py": "the table of games",
    "appliance/cli/shared/game_names.py": "other names that people know them by",
    "appliance/cli/shared/launch.py": "the lesson is played with one",
    "appliance/table/menu/lesson.py": "the lesson is played with one",
    "appliance/config/default.toml": "the default game, and a list by scripts/list_games.py",
    "appliance/cli/main.py": "an example of a command",
    "pyproject.toml": "contracts on imports, by module",
    "games/strategy/advice.py": "bets are weighed by the dice that a seat hides",
    "games/strategy/computer.py": "bets are weighed by the dice that a seat hides",
    "games/strategy/review.py": "bets are weighed by the dice that a seat hides",
}
"""Files that name games, and why they may."""

POWER_DIE_OR_MAINS = {
    *("appliance/cli/doctor.py", "appliance/diagnostics/pc.py"),
    "appliance/dataset/evaluation/sites.py",
    *("appliance/dataset/evaluation/vision.py", "appliance/languages/de.toml"),
    *("appliance/screens/drawing/canvas.py", "appliance/screens/turn.py"),
    *("calibration/own_dice/record.py", "games/dice.py", "games/notation/events.py"),
    *("games/values.py", "simulator/render/artwork.py", "vision/reading.py"),
    *("appliance/web/pages/shared/dice.js", "appliance/web/pages/shared/style.css"),
    "appliance/web/pages/tray/ending.js",
}
"""Files with a word that is no game there: a kind of die and its face, or the mains."""


def sources() -> Iterator[Path]:
    """All files that are shipped, or that say how."""
    yield ROOT / "pyproject.toml"
    for package in PACKAGES:
        for pattern in SOURCES:
            yield from (ROOT / package).rglob(pattern)


def is_own(path: Path) -> bool:
    """True for the files of a game, in rules and strategy."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0] == "games" and bool({*parts[1:3]} & {*FOLDERS.values()})


def names_in_text(text: str) -> set[str]:
    """The games that a text names, in records' writing or in people's."""
    return {
        name
        for name, game in GAMES.items()
        if name in OWN_GAMES
        for written in {name, game.title, FOLDERS[name], name.replace("-", "")}
        # Of one game the title is also a kind of die.
        if re.search(rf"(?<![\w-]){re.escape(written)}(?![\w-])", text)
        and (name != "power" or written != game.title)
    }


def names_in_code(text: str) -> set[str]:
    """The games that a module names in its code, without docstrings and comments."""
    found: set[str] = set()
    tree = ast.parse(text)
    documented = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            said = names_in_text(node.value) if id(node) not in documented else set()
            # In a sentence it is that of the mains.
            found |= said if node.value == "power" else said - {"power"}
        for written in identifiers(node):
            found |= {
                name
                for name, folder in FOLDERS.items()
                if folder != "power" and folder.replace("_", "") in written.replace("_", "").lower()
            }
        if isinstance(node, ast.ImportFrom):
            parts = {*(node.module or "").split("."), *(each.name for each in node.names)}
            if (node.module or "").partition(".")[0] == "games":
                found |= {name for name, folder in FOLDERS.items() if folder in parts}
    return found


def identifiers(node: ast.AST) -> Iterator[str]:
    """The names that a piece of code gives or uses."""
    for attribute in ("id", "attr", "name", "arg", "asname"):
        if isinstance(found := getattr(node, attribute, None), str):
            yield found


def named_in(path: Path) -> set[str]:
    """The games that a file names."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        stem = re.sub("[^a-z]", "", path.stem)
        here = {n for n, folder in FOLDERS.items() if folder.replace("_", "") == stem}
        return names_in_code(text) | (here - {"power"})
    return names_in_text(text)


def test_no_game_is_named_outside_its_own_files() -> None:
    found: dict[str, set[str]] = {}
    for path in sources():
        if not is_own(path) and (names := named_in(path)):
            found[str(path.relative_to(ROOT))] = names
    mains = {file for file, names in found.items() if file in POWER_DIE_OR_MAINS}
    assert {file: found[file] for file in mains if found[file] != {"power"}} == {}
    named = {file: names for file, names in found.items() if file not in mains}
    assert named.keys() - EXCEPTIONS.keys() == set(), named
    # An exception that is needed no more goes.
    assert EXCEPTIONS.keys() - named.keys() == set()
    assert mains == POWER_DIE_OR_MAINS


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('if game == "free-for-all":\n    pass', {"free-for-all"}),
        ("from games.holdem.state import Stage", {"holdem"}),
        ("from games import yatzy", {"yatzy"}),
        ("from games.power import State", {"power"}),
        ("value: HoldemState", {"holdem"}),
        ('title = f"played {n} times: Hold\'em"', {"holdem"}),
        ('"""Of Showdown."""\nx = 1  # and classic', set()),
        ("from appliance.devices.power import SystemPower", set()),
        ("lines = holder + clean", set()),
    ],
)
def test_a_name_is_found_wherever_it_stands(text: str, names: set[str]) -> None:
    assert names_in_code(text) == names


def test_a_name_is_found_in_a_page_and_in_settings() -> None:
    assert names_in_text('now.kind === "holdem" // Hold\'em') == {"holdem"}
    assert names_in_text("# Free for All, or classic-style") == {"free-for-all"}

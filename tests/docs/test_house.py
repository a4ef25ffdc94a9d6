"""The map has all rooms, and the table of how to run things has all scripts."""

import ast
import inspect
import re
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from appliance.cli.commands import COMMANDS
from appliance.words import Label
from games.registry import GAMES
from scripts.draw_house import PICTURE, drawing, guarded, layers, page, sub_packages
from tests.paths import ROOT

MAP = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
SOURCED = {"environment.sh", "packing.sh"}
"""Files in scripts/ that are part of others."""


def test_the_table_and_the_drawing_are_those_of_the_contracts() -> None:
    made = "run scripts/draw_house.py"
    assert page() == MAP, made
    assert (ROOT / PICTURE).read_text(encoding="utf-8") == drawing(layers()), made


def test_every_room_has_its_layer() -> None:
    rooms = {room.name for layer in layers() for room in layer}
    appliance = ROOT / "appliance"
    packages = {path.parent.name for path in appliance.glob("*/__init__.py")}
    modules = {path.stem for path in appliance.glob("*.py")} - {"__init__"}
    assert rooms - {"calibration", "firmware", "games", "simulator", "vision"} == {
        f"appliance.{name}" for name in packages | modules
    }


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements at any depth; what they compute is not gone through."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            yield node
            yield from _statements(node)


def _imported_modules(file: Path) -> Iterator[str]:
    """The modules of ours that a file imports, or imports from, dotted."""
    for node in _statements(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                path = ROOT / inner.replace(".", "/")
                is_module = path.is_dir() or path.with_suffix(".py").is_file()
                yield inner if is_module else node.module


def test_other_rooms_look_into_public_sub_folders_only_and_into_all_of_them() -> None:
    packages, internal = sub_packages(), guarded()
    looked_into = set()
    for room in (room for layer in layers() for room in layer if room.path.endswith("/")):
        for file in (ROOT / room.path).rglob("*.py"):
            for module in _imported_modules(file):
                depth = 3 if module.startswith("appliance.") else 2
                sub_package = ".".join(module.split(".")[:depth])
                is_inside = sub_package in packages and module != sub_package
                is_own = sub_package.startswith(f"{room.name}.")
                if is_inside and not is_own and room.name not in internal.get(sub_package, set()):
                    looked_into.add(sub_package)
    assert looked_into == packages - internal.keys()


def test_every_step_of_the_ways_names_what_is_there() -> None:
    """In that very file: where a name is only imported, a reader finds no code."""
    ways = MAP.split("\nRead these in order")[1].split("\n## Principles")[0]
    steps = re.findall(r"`([\w.]+)`\s+in\s+`([\w/]+\.py)`", ways)
    assert len(steps) > 20
    for name, path in steps:
        module = path.removesuffix(".py").replace("/", ".")
        found: object = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        assert getattr(found, "__module__", module) == module, f"{name} is not made in {path}"


def test_what_is_read_first_is_as_long_as_it_is_said() -> None:
    """To the next two hundred lines."""
    (said,) = re.findall(r"they have some ([\d,]+) lines", MAP)
    text = MAP.split("\nRead these in order")[1].split("\nThen follow")[0]
    lines = 0
    for name, path in re.findall(r"(?:`(\w+)`\s+in\s+)?`([\w/]+\.py)`", text):
        module = import_module(path.removesuffix(".py").replace("/", "."))
        lines += len(inspect.getsourcelines(getattr(module, name) if name else module)[0])
    assert abs(lines - int(said.replace(",", ""))) <= 200, lines


def test_no_room_is_on_the_map_that_is_no_more() -> None:
    for named in re.findall(r"`((?:appliance|calibration|games|simulator|vision)/[\w/.]*)`", MAP):
        assert (ROOT / named).exists(), named


def test_every_script_says_what_it_does_in_its_first_line() -> None:
    scripts = ROOT / "scripts"
    for path in sorted(scripts.iterdir()):
        if path.is_file() and path.name not in SOURCED:
            line = re.sub(r"\A#!.*\n", "", path.read_text(encoding="utf-8")).split("\n")[0]
            assert re.match(r'("""|# )[A-Z].{20}', line), f"scripts/{path.name}: {line}"


def test_every_script_in_a_folder_is_listed_there() -> None:
    scripts = ROOT / "scripts"
    for readme in scripts.glob("*/README.md"):
        text = readme.read_text(encoding="utf-8")
        for path in sorted(readme.parent.glob("*.py")):
            if "__main__" in path.read_text(encoding="utf-8"):
                name = path.relative_to(ROOT).as_posix()
                assert name in text, f"{name} is in no line"


def test_every_bench_is_quoted_by_a_page_of_figures() -> None:
    pages = [path for path in (ROOT / "docs").rglob("*.md") if path.name != "house.md"]
    text = "".join(path.read_text(encoding="utf-8") for path in pages)
    for path in sorted((ROOT / "scripts").glob("bench_*.py")):
        assert f"scripts/{path.name}" in text, f"scripts/{path.name} is quoted nowhere"


def test_the_changelog_names_every_subcommand() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"`{name}`" in text or f"`dicetray {name}`" in text, name


def test_the_front_page_names_every_game() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in GAMES:
        assert f"(docs/rules/{name}.md)" in text, name


def test_the_front_page_says_each_folder_in_a_line() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.findall(r"^- `(\w+)/`: \S", text, re.M)
    tracked = subprocess.run(
        ["git", "-C", str(ROOT), "ls-tree", "-d", "--name-only", "HEAD"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert sorted(said) == [name for name in tracked.stdout.split() if not name.startswith(".")]


def test_the_owners_guide_has_every_game_under_its_name() -> None:
    text = (ROOT / "docs" / "owner.md").read_text(encoding="utf-8")
    for name in GAMES:
        chapter = text.split(f"(rules/{name}.md)")
        assert len(chapter) == 2, name
        if not chapter[0].endswith("[The rules]"):
            # In the list of those without a chapter.
            continue
        heading = chapter[0].rsplit("\n## ", 1)[1].splitlines()[0]
        assert heading.upper() == Label(name)
        # A board picture in each.
        assert "](screens/" in chapter[1].split("\n## ")[0]

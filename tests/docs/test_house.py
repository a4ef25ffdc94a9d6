"""The map of the house has all of its rooms, and the table of how to run things all scripts."""

import re

from appliance.cli.main import COMMANDS
from appliance.cli.starting import PLAYABLE
from appliance.rules.registry import find
from tests.paths import ROOT

MAP = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
SOURCED = {"environment.sh", "packing.sh"}
"""Files in scripts/ that are part of others."""


def rows(text: str) -> list[str]:
    """First cells of the tables."""
    return [line.split("|")[1] for line in text.splitlines() if line.startswith("| ")]


def test_every_room_is_on_the_map() -> None:
    rooms = " ".join(rows(MAP.split("\n## ")[0]))
    packages = [ROOT / "vision", ROOT / "calibration"]
    packages += [path.parent for path in (ROOT / "appliance").glob("*/__init__.py")]
    packages += [ROOT / "firmware", ROOT / "systemd", ROOT / "tests"]
    for package in packages:
        name = f"{package.relative_to(ROOT)}/"
        assert f"`{name}`" in rooms or f"`{package.name}/`" in rooms, f"{name} is on no line"


def test_no_room_is_on_the_map_that_is_no_more() -> None:
    for named in re.findall(r"`((?:appliance|vision|calibration)/[\w/.]*)`", MAP):
        assert (ROOT / named).exists(), named


def test_every_script_is_told() -> None:
    told = MAP.split("\n## Running things")[1]
    for path in sorted((ROOT / "scripts").iterdir()):
        if path.is_file() and path.name not in SOURCED:
            assert f"scripts/{path.name}" in told, f"scripts/{path.name} is in no line"


def test_the_changelog_names_every_subcommand() -> None:
    told = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"`{name}`" in told or f"`dicetray {name}`" in told, name


def test_the_front_page_names_every_game() -> None:
    told = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in PLAYABLE:
        assert f"(docs/rules/{name}.md)" in told, name


def test_the_owners_guide_has_every_game_under_its_name() -> None:
    told = (ROOT / "docs" / "owner.md").read_text(encoding="utf-8")
    for name in PLAYABLE:
        chapter = told.split(f"(rules/{name}.md)")
        assert len(chapter) == 2, name
        heading = chapter[0].rsplit("\n## ", 1)[1].splitlines()[0]
        assert heading.upper() == find(name).TITLE
        # A board picture in each.
        assert "](screens/" in chapter[1].split("\n## ")[0]

"""A part of the systems is compared with its own rows, and leaves all others as they were."""

import copy
import json
from typing import Any

import pytest

from tests.lab.record_programs import ORDER, PYPI, changes, joined, rows_of, table_of
from tests.rigs.programs import RECORDED

PART = ("trixie", PYPI)


@pytest.fixture
def before() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(RECORDED.read_text())
    return table


@pytest.fixture
def found(before: dict[str, Any]) -> dict[str, Any]:
    """As if the part were recorded again, and nothing had changed."""
    versions = {
        program: {system: known for system, known in named.items() if system in PART}
        for program, named in before["versions"].items()
    }
    programs = table_of(rows_of(before["programs"], PART))
    return copy.deepcopy({"versions": versions, "programs": programs})


def test_what_has_not_changed_is_not_told_and_written_as_it_was(
    before: dict[str, Any], found: dict[str, Any]
) -> None:
    assert list(changes(before, found, PART)) == []
    assert joined(before, found, PART) == before
    assert joined(before, before, ORDER) == before


def test_a_change_touches_only_the_rows_of_its_system(
    before: dict[str, Any], found: dict[str, Any]
) -> None:
    found["programs"]["espeak-ng"]["heard"]["answers"][0]["status"] = 7
    found["versions"]["espeak-ng"]["trixie"] = "9"
    assert [line.partition("\n")[0] for line in changes(before, found, PART)] == [
        "espeak-ng, heard: changed"
    ]
    after = joined(before, found, PART)
    others = [system for system in ORDER if system not in PART]
    assert rows_of(after["programs"], others) == rows_of(before["programs"], others)
    statuses = {
        system: said["status"]
        for said in after["programs"]["espeak-ng"]["heard"]["answers"]
        for system in said["in"]
    }
    assert statuses == {"bookworm": 0, "trixie": 7, "forky": 0}
    assert after["versions"]["espeak-ng"] == before["versions"]["espeak-ng"] | {"trixie": "9"}


def test_a_case_that_has_gone_is_told_and_stays_where_it_was_not_looked_for(
    before: dict[str, Any], found: dict[str, Any]
) -> None:
    del found["programs"]["espeak-ng"]["heard"]
    assert list(changes(before, found, PART)) == ["espeak-ng, heard: gone"]
    left = joined(before, found, PART)["programs"]["espeak-ng"]["heard"]["answers"]
    assert sorted(system for said in left for system in said["in"]) == ["bookworm", "forky"]


def test_a_command_that_has_changed_needs_all_systems(
    before: dict[str, Any], found: dict[str, Any]
) -> None:
    found["programs"]["espeak-ng"]["heard"]["command"] = "espeak-ng --other"
    with pytest.raises(SystemExit, match="record all systems"):
        joined(before, found, PART)

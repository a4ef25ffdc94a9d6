"""Each row of the table of reliability has a command that is there, and a test that tries it."""

import re
from dataclasses import dataclass

import pytest

from scripts.list_figures import PAGE
from tests.docs.test_length import words
from tests.paths import ROOT

PART = PAGE.read_text("utf-8").partition("\n## Reliability\n")[2].partition("\n## ")[0]
MOST_WORDS = 1_001
"""Half of what the page had that this part was."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: what happens, what came of it, the commands, and the tests as links."""

    happens: str
    outcome: str
    commands: tuple[str, ...]
    tests: tuple[str, ...]


def rows() -> list[Row]:
    """The rows of the table that the part begins with."""
    lines = [line for line in PART.partition("\n### ")[0].splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]
    return [
        Row(one[0], one[1], tuple(re.findall(r"`([^`]+)`", one[2])), links_in(one[3]))
        for one in cells
    ]


def links_in(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\]\(\.\./(tests/[^)]+)\)", text))


def test_the_table_is_there() -> None:
    assert len(rows()) > 10
    assert len({row.happens for row in rows()}) == len(rows())


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.happens)
def test_a_row_has_its_command_and_its_test(row: Row) -> None:
    assert row.outcome
    assert row.commands
    for command in row.commands:
        path, *words = command.split()
        source = (ROOT / path).read_text("utf-8")
        assert all(f'"{word}"' in source for word in words if word.startswith("--")), command
    assert row.tests
    for name in row.tests:
        assert re.search(r"^def test_", (ROOT / name).read_text("utf-8"), re.MULTILINE), name


def test_the_part_is_half_as_long_as_it_was() -> None:
    assert words(PART) <= MOST_WORDS

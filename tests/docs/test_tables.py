"""Tables are written so that they are shown as tables."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])
RULE = re.compile(r"\|(?: *:?-+:? *\|)+")


def loose_rows(text: str) -> Iterator[str]:
    """The first row of each run of rows that has no rule below its head, or nothing below that."""
    for rows in re.findall(r"(?:^\|.*\n)+", text + "\n", re.MULTILINE):
        head, *rest = rows.splitlines()
        if len(rest) < 2 or not RULE.fullmatch(rest[0].rstrip()):
            yield head


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_row_belongs_to_a_table(page: Path) -> None:
    assert not list(loose_rows(page.read_text("utf-8")))


def test_rows_without_their_head_are_told() -> None:
    whole = "| a | b |\n|---|---:|\n| 1 | 2 |\n"
    assert not list(loose_rows(whole))
    assert list(loose_rows(whole + "\n| 3 | 4 |\n")) == ["| 3 | 4 |"]
    assert list(loose_rows("| a |\n|---|\n\n| 1 |\n")) == ["| a |", "| 1 |"]

#!/usr/bin/env python3
"""Says which chapters of docs/figures.md were measured on code that has changed since.

    .venv/bin/python scripts/list_figures.py             lists them
    .venv/bin/python scripts/list_figures.py --mark      writes into each how old it is

Each chapter names a commit and the folders that it measures. It needs the history of the project.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "figures.md"
_CHAPTER = re.compile(
    r"^### (.+)\n\n\*Measured at ([0-9a-f]{7,40}): (.+?)(?:, [\d,]+ commits? ago)?\*$", re.MULTILINE
)
_FOLDER = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter with figures.

    Attributes:
        title: its heading.
        commit: what was measured.
        folders: the code that the figures depend on, relative to the project's root.
    """

    title: str
    commit: str
    folders: tuple[str, ...]


def chapters(text: str) -> Iterator[Chapter]:
    """The chapters of a page that say at which commit they were measured."""
    for found in _CHAPTER.finditer(text):
        yield _chapter(found)


def _chapter(found: re.Match[str]) -> Chapter:
    title, commit, folders = found.groups()
    return Chapter(title, commit, tuple(_FOLDER.findall(folders)))


def marked(text: str, count: Callable[[Chapter], int]) -> str:
    """The page with how many commits have changed each chapter's code, where any has."""

    def one(found: re.Match[str]) -> str:
        title, commit, folders = found.groups()
        many = count(_chapter(found))
        ago = f", {many:,} commit{'s' * (many != 1)} ago" if many else ""
        return f"### {title}\n\n*Measured at {commit}: {folders}{ago}*"

    return _CHAPTER.sub(one, text)


def changes(chapter: Chapter, root: Path = ROOT) -> int:
    """How many commits have changed the code of a chapter since it was measured.

    Raises:
        ValueError: the history has no such commit.
    """
    span = f"{chapter.commit}..HEAD"
    command = ["git", "-C", str(root), "rev-list", "--count", span, "--", *chapter.folders]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if told.returncode:
        raise ValueError(
            f"{chapter.title}: expected a commit of this project, found {chapter.commit}; name the "
            "one that was measured, or fetch the whole history"
        )
    return int(told.stdout)


def main() -> int:
    """Lists the chapters, those whose code has changed most first, or marks them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mark", action="store_true", help="write it into the page")
    mark: bool = parser.parse_args().mark
    try:
        if mark:
            PAGE.write_text(marked(PAGE.read_text("utf-8"), changes), "utf-8")
            return 0
        found = [(changes(one), one) for one in chapters(PAGE.read_text("utf-8"))]
    except ValueError as error:
        print(f"list_figures: {error}", file=sys.stderr)
        return 2
    for many, one in sorted(found, key=lambda each: -each[0]):
        print(f"{many:5} commits since {one.commit}  {one.title} ({', '.join(one.folders)})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

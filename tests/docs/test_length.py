"""The documents stay short: pages, words, and what a builder must read."""

import re
from pathlib import Path

from tests.paths import ROOT

DOCS = ROOT / "docs"
BUILDING = ("building", "scoreboard", "installing", "calibrating")
"""What a builder reads, from parts to a calibrated tray."""
MOST_PAGES = 32
MOST_TO_BUILD = 4_500
MOST_IN_ALL = 36_000
_UNSEEN = re.compile(r"<!--.*?-->|\]\([^)]*\)|<[^>]+>", re.DOTALL)
_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_FOLDED = re.compile(r"<details.*?</details>", re.DOTALL)
_WORD = re.compile(r"[^\W\d_][\w’'-]*")


def words(text: str) -> int:
    """How many words a page has, without addresses, comments and blocks of code."""
    lines = _FENCED.sub("", text).split("\n")
    prose = "\n".join(line for line in lines if not line.startswith("    "))
    return len(_WORD.findall(_UNSEEN.sub(" ", prose)))


def text_of(path: Path) -> str:
    return path.read_text("utf-8")


def test_words_are_counted_without_what_is_not_read() -> None:
    page = "Two [words](not/this.md) <!-- nor this -->\n\n    nor this\n\n```sh\nnor this\n```\n"
    assert words(page) == 2


def test_there_are_few_pages() -> None:
    assert len([*DOCS.glob("*.md"), *ROOT.glob("*.md")]) <= MOST_PAGES


def test_what_a_builder_must_read_is_short() -> None:
    pages = [text_of(DOCS / f"{name}.md") for name in BUILDING]
    assert sum(words(_FOLDED.sub("", page)) for page in pages) <= MOST_TO_BUILD
    # What is folded holds less than what is not would be without it.
    assert all(page.count("<details") == page.count("</details>") for page in pages)


def test_the_documents_are_short() -> None:
    assert sum(words(text_of(path)) for path in DOCS.glob("*.md")) <= MOST_IN_ALL

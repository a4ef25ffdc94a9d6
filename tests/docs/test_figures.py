"""Figures carry the commit that they were made at, and what has changed since can be told."""

import re
import subprocess
from pathlib import Path

import pytest

from scripts.list_figures import PAGE, Chapter, changes, chapters, marked
from tests.paths import ROOT

TEXT = PAGE.read_text("utf-8")
CHAPTERS = list(chapters(TEXT))
WORDS_ALONE = {"Where it falls short"}
"""Chapters without figures of their own."""


def whole_history() -> bool:
    command = ["git", "-C", str(ROOT), "rev-parse", "--is-shallow-repository"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    return told.stdout.strip() == "false"


def test_every_chapter_names_its_commit_and_code() -> None:
    titles = set(re.findall(r"^### (.+)$", TEXT, re.MULTILINE))
    assert {one.title for one in CHAPTERS} == titles - WORDS_ALONE
    for one in CHAPTERS:
        assert one.folders
        assert all((ROOT / folder).exists() for folder in one.folders), one.title


@pytest.mark.skipif(not whole_history(), reason="needs the history of the project")
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.title)
def test_the_commit_exists(chapter: Chapter) -> None:
    assert changes(chapter) >= 0


@pytest.mark.skipif(not whole_history(), reason="needs the history of the project")
def test_every_other_commit_that_is_named_exists() -> None:
    named = re.findall(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,8}\b", TEXT)
    assert len(named) > len(CHAPTERS)
    command = ["git", "-C", str(ROOT), "cat-file", "--batch-check=%(objectname) %(objecttype)"]
    told = subprocess.run(
        command, input="\n".join(named), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert [line for line in told if not line.endswith(" commit")] == []


def test_changes_of_the_code_are_counted_and_others_are_not(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        settings = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        command = ["git", "-C", str(tmp_path), *settings, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "-q")
    for name in ("a/one", "b/one", "a/two"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
        git("add", "-A")
        git("commit", "-qm", name)
    first = git("rev-list", "--max-parents=0", "HEAD")
    assert changes(Chapter("a", first, ("a",)), tmp_path) == 1
    assert changes(Chapter("both", first, ("a", "b")), tmp_path) == 2
    with pytest.raises(ValueError, match="expected a commit of this project, found 0123456"):
        changes(Chapter("none", "0123456", ("a",)), tmp_path)


def test_a_page_says_of_each_chapter_how_much_has_changed_since() -> None:
    def page(ago: str, other: str) -> str:
        first = f"### A\n\n*Measured at 0123456: `a` `b`{ago}*\n"
        return f"{first}\n### B\n\n*Measured at 89abcde: `b`{other}*\n"

    counts = {"A": 1149, "B": 0}
    once = marked(page("", ""), lambda chapter: counts[chapter.title])
    assert once == page(", 1,149 commits ago", "")
    assert list(chapters(once)) == list(chapters(page("", "")))
    assert marked(once, lambda chapter: 1) == page(", 1 commit ago", ", 1 commit ago")

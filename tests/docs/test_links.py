"""Every link leads somewhere, every file that is named exists, every document can be found."""

from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.reading import anchors, documents, links, named_paths
from tests.paths import ROOT

MADE = {
    "firmware/package.zip": "is made with each wheel",
    "games/damaged": "is beside the saved games, where one is damaged",
    "systemd/release.pub": "is made by scripts/make_key, once",
}
"""Files that documents name and that no checkout has."""


FORM = "issues/new?template="
"""The end of a link to a form of GitHub, but for the form's file."""


@pytest.mark.parametrize("path", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in links(path):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        if FORM in link:
            # Documents are at /OWNER/PROJECT/blob/BRANCH/... on GitHub, forms at /OWNER/PROJECT.
            up, _, name = link.partition(FORM)
            assert (ROOT / ".github" / "ISSUE_TEMPLATE" / name).exists(), f"{link}: no such form"
            assert up == "../" * (len(path.relative_to(ROOT).parts) + 1), f"{link}: not the form"
            continue
        target, _, anchor = unquote(link).partition("#")
        found = (path.parent / target).resolve() if target else path
        assert found.exists(), f"{link}: no such file"
        assert found.is_relative_to(ROOT), f"{link}: outside the project"
        if anchor:
            assert anchor in anchors(found), f"{link}: no such heading"


@pytest.mark.parametrize("path", documents(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_file_that_is_named_exists(path: Path) -> None:
    for named in named_paths(path):
        assert named in MADE or (ROOT / named).exists(), named


def test_every_document_can_be_reached_from_the_front_page() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        path = waiting.pop()
        if path in reached or not path.exists():
            continue
        reached.add(path)
        if path.is_dir():
            waiting += path.glob("*.md")
        elif path.suffix == ".md":
            for link in links(path):
                target = unquote(link).partition("#")[0]
                if target and not target.startswith("http"):
                    waiting.append((path.parent / target).resolve())
    assert set(documents()) <= reached


def test_every_picture_of_the_documents_is_shown_somewhere() -> None:
    shown = {
        (path.parent / unquote(link)).resolve() for path in documents() for link in links(path)
    }
    kept = {path for path in (ROOT / "docs" / "pictures").iterdir() if path.is_file()}
    assert not sorted(str(path.relative_to(ROOT)) for path in kept - shown)

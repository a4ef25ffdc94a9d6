"""The documents as a site: built strictly, every link in it leads somewhere, nothing is fetched."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest

import dicetray
from scripts.make_site import GENERATORS, prepared
from tests.docs.reading import documents
from tests.paths import ROOT

DOCUMENTS = [
    path
    for path in documents()
    if path.relative_to(ROOT).parts[0] not in ("findings", "scripts", "tests")
]
"""Those of the site."""
ELSEWHERE = ("http://", "https://", "mailto:", "data:")
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""The elements that a browser fetches by itself when it shows a page, with the attribute."""


class Page(HTMLParser):
    """The links and fetches of a page, and the anchors that links can name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {given[name] or "" for name in ("id", "name") if name in given}
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        # A canonical address is only stated, not fetched.
        elif (address := given.get(FETCHED.get(tag, ""))) and given.get("rel") != "canonical":
            self.fetched.append(address)


@pytest.fixture(scope="module", params=GENERATORS)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    folder: Path = tmp_path_factory.mktemp("site") / request.param
    command = [
        sys.executable,
        "scripts/make_site.py",
        "--with",
        request.param,
        "--out",
        str(folder),
    ]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {
        path: Page(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
        if path.name != "404.html"
    }


@pytest.mark.slow
def test_every_link_of_the_site_leads_somewhere(pages: dict[Path, Page]) -> None:
    assert len(pages) == len(DOCUMENTS)
    for path, page in pages.items():
        for link in [*page.links, *page.fetched]:
            if link.startswith(ELSEWHERE):
                continue
            target, _, anchor = unquote(link).partition("#")
            found = (path.parent / target).resolve() if target else path
            found = found / "index.html" if found.is_dir() else found
            assert found.exists(), f"{path.name}: {link}"
            assert found not in pages or anchor in pages[found].anchors, f"{path.name}: {link}"


@pytest.mark.slow
def test_the_reference_describes_every_name_of_the_library(
    site: Path, pages: dict[Path, Page]
) -> None:
    described = pages[site / "reference.html"].anchors
    assert {f"dicetray.{name}" for name in dicetray.__all__} <= described


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        assert not [link for link in page.fetched if link.startswith((*ELSEWHERE, "//"))], path
    for path in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import )[\"']?(?:https?:)?//", path.read_text("utf-8")), (
            path
        )


def test_a_page_is_prepared_before_any_generator() -> None:
    text = (
        "[a](../README.md#try-it), [b](../scripts/play), [c](../../../issues/new?template=x.yml)\n"
        "- item\n  more\n\n![d](pictures/turn.webp)\n"
        "\n1. one\n\n   more\n2. two\n3. three\n"
    )
    assert prepared(text, "docs/owner.md", "owner.md") == (
        "[a](index.md#try-it), b (`scripts/play`), c\n"
        "- item\n    more\n\n[![d](pictures/turn.webp)](pictures/turn.webp)\n"
        "\n1. one\n\n    more\n\n2. two\n3. three\n"
    )


def test_every_document_is_in_the_navigation_once() -> None:
    named = re.findall(r"^ *- ([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.M)
    docs = ROOT / "docs"
    wanted = [
        str(path.relative_to(docs)) if path.is_relative_to(docs) else path.name
        for path in DOCUMENTS
    ]
    assert sorted(named) == sorted(name.replace("README.md", "index.md") for name in wanted)

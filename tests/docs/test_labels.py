"""The words in drawings can be read on a phone, which shows a drawing over its whole width."""

import re

import pytest

from tests.paths import ROOT

DOCS = ROOT / "docs"
PHONE_PX = 390
SMALLEST_PX = 7.0
GERMAN = DOCS / "de"
FONT = re.compile(r'font(?:-size)?(?::|=")\s*([\d.]+)')


def drawings() -> dict[str, str]:
    """All drawings with words, by their paths below docs/; not the sheets that are printed."""
    paths = {path.relative_to(DOCS).as_posix(): path for path in DOCS.rglob("*.svg")}
    read = {name: p.read_text("utf-8") for name, p in paths.items() if "print" not in p.parts}
    return {name: drawn for name, drawn in read.items() if "<text" in drawn}


DRAWINGS = drawings()


def shown() -> set[str]:
    """The drawings that the German pages show, by their paths below docs/."""
    pages = "".join(page.read_text("utf-8") for page in GERMAN.glob("*.md"))
    names = re.findall(r"!\[[^\]]*\]\(([^)]+\.svg)\)", pages)
    return {(GERMAN / name).resolve().relative_to(DOCS).as_posix() for name in names}


def test_the_pages_have_drawings() -> None:
    assert len(DRAWINGS) > 14


@pytest.mark.parametrize("name", DRAWINGS)
def test_labels_can_be_read_on_a_phone(name: str) -> None:
    found = re.search(r'viewBox="\S+ \S+ (\S+) \S+"', DRAWINGS[name])
    assert found
    sizes = FONT.findall(DRAWINGS[name])
    assert sizes
    assert min(map(float, sizes)) * PHONE_PX / float(found[1]) >= SMALLEST_PX


def test_the_german_pages_show_no_english_words() -> None:
    found = shown()
    assert "pictures/building-slant.svg" in found
    ours = {name for name in found if not name.startswith("de/")}
    for name in ours & DRAWINGS.keys():
        words = re.findall(r"<(?:text|title)[^>]*>([^<]*)<", DRAWINGS[name])
        assert not [word for word in words if re.search("[A-Za-z]{2}", word)], name

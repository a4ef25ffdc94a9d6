"""The words in a builder's drawings can be read on a phone, which shows a drawing's whole width."""

import re

import pytest

from tests.paths import ROOT

DOCS = ROOT / "docs"
PHONE_PX = 390
SMALLEST_PX = 7.0

DRAWINGS = sorted(
    {
        name
        for page in ("building.md", "scoreboard.md")
        for name in re.findall(r"\((pictures/[\w-]+\.svg)\)", (DOCS / page).read_text("utf-8"))
    }
)


def test_the_pages_have_drawings() -> None:
    assert len(DRAWINGS) > 8


@pytest.mark.parametrize("name", DRAWINGS)
def test_labels_can_be_read_on_a_phone(name: str) -> None:
    drawn = (DOCS / name).read_text("utf-8")
    found = re.search(r'viewBox="\S+ \S+ (\S+) \S+"', drawn)
    assert found
    sizes = re.findall(r'font(?:-size)?(?::|=")\s*([\d.]+)', drawn)
    assert sizes
    assert min(map(float, sizes)) * PHONE_PX / float(found[1]) >= SMALLEST_PX

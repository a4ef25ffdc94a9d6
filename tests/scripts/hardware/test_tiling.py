"""Templates on sheets of paper: at true size, each part of them on some sheet."""

import re

import pytest

from scripts.hardware.building import parts, tiling

BOARD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="310mm" '
    'viewBox="-210 -155 420 310"><path id="cut" d="M0 0h10"/></svg>'
)


def views(paper: str) -> list[tuple[float, ...]]:
    found: list[tuple[float, ...]] = []
    for sheet in tiling.sheets(BOARD, paper, "board"):
        inner = re.findall(
            r'<svg x[^>]*width="([\d.]+)" height="([\d.]+)" viewBox="([^"]+)"', sheet
        )
        ((wide, high, view),) = inner
        left, top, width, height = map(float, view.split())
        assert (width, height) == pytest.approx((float(wide), float(high)))  # one unit is 1 mm
        found.append((left, top, left + width, top + height))
    return found


@pytest.mark.parametrize("paper", tiling.PAPERS)
def test_every_point_of_a_template_is_on_a_sheet(paper: str) -> None:
    sheets = views(paper)
    assert len(sheets) == tiling.counts((420, 310), paper)[0] * tiling.counts((420, 310), paper)[1]
    for x in range(-210, 211, 10):
        for y in range(-155, 156, 5):
            assert any(a <= x <= c and b <= y <= d for a, b, c, d in sheets), (x, y)


@pytest.mark.parametrize("paper", tiling.PAPERS)
def test_a_sheet_has_the_size_of_the_paper_and_a_ruler(paper: str) -> None:
    first = next(iter(tiling.sheets(BOARD, paper, "board")))
    wide, high = tiling.PAPERS[paper]
    assert f'width="{wide:g}mm" height="{high:g}mm"' in first
    assert f"h{tiling.RULER_MM:g}" in first
    assert "sheet 1 of" in first


def test_the_panel_fits_one_sheet_of_letter_and_needs_no_more_than_it_must() -> None:
    assert tiling.counts((190, 84), "letter") == (1, 1)
    assert tiling.counts((190, 263), "a4") == (1, 1)
    assert tiling.counts((191, 84), "a4") == (2, 1)
    assert len(list(tiling.sheets(parts.tray().svg(), "a4", "tray"))) >= 1


def test_a_drawing_without_a_size_is_refused() -> None:
    with pytest.raises(ValueError, match="expected an SVG with width"):
        tiling.drawing("<svg></svg>")

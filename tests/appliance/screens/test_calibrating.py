"""The calibration on the board: golden pictures, drawings kept up to date, nothing cut off."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.picture import HEIGHT
from appliance.screens.calibrating import wizard_film, wizard_pages
from appliance.screens.drawing.layout import two_lines
from calibration.accuracy import Check, accuracy_on_board
from calibration.problems import Problem, Verdict
from calibration.wizard.pages import FLOOR_PAGES, Page
from calibration.wizard.prompts import CheckPrompt, PagePrompt, wizard_prompt
from calibration.wizard.state import FLOOR_SIDE_RANGE_MM, MAX_CHECKED_DICE, Seen, Wizard
from tests.appliance.screens.golden import assert_golden
from tests.paths import ROOT
from tests.rigs.examples import examples
from tests.rigs.gallery.calibrating import KNOWN, SCREENS, drawings, page, tray
from tests.rigs.strict_drawing import strict_drawing
from vision.reading import POWER_FACES

GOLDEN = Path(__file__).with_name("golden_calibrating.txt")
DOCS = ROOT / "docs"


def test_the_screens_are_as_the_golden_pictures() -> None:
    assert_golden(GOLDEN, {name: wizard_pages(screen) for name, screen in SCREENS.items()})


def test_the_drawings_of_the_page_are_those_of_the_product() -> None:
    kept = {path.name: path.read_text() for path in (DOCS / "calibrating").glob("*.svg")}
    assert kept == drawings(), "make them anew with scripts/make_gallery.py"
    page = (DOCS / "calibrating.md").read_text()
    assert all(f"(calibrating/{name})" in page for name in kept)


def test_the_page_leads_to_what_every_refusal_means() -> None:
    assert "(troubleshooting.md#calibration-refuses)" in (DOCS / "calibrating.md").read_text()
    page = (DOCS / "troubleshooting.md").read_text().split("## Calibration refuses")[1]
    assert [problem.value for problem in Problem if f"**{problem.value}**" not in page] == []


@pytest.mark.parametrize("which", [one for one in Page if one not in (Page.CHECK, Page.KEPT)])
def test_every_page_fits_whatever_is_wrong(which: Page) -> None:
    with strict_drawing():
        for problem in (None, *Problem):
            for wizard in (
                page(which, problem),
                page(which, refused=problem),
                page(which, looks=2),
            ):
                for n in range(6 if which is Page.POWER else 1):
                    faces = KNOWN.profile.power_faces[:n]
                    assert wizard_pages(wizard_prompt(replace(wizard, faces=faces)))
        assert wizard_pages(wizard_prompt(Wizard(which)))


@pytest.mark.parametrize("side", FLOOR_SIDE_RANGE_MM)
def test_every_size_of_a_floor_fits(side: float) -> None:
    with strict_drawing():
        for which in FLOOR_PAGES:
            assert wizard_pages(wizard_prompt(Wizard(which, floor_mm=(side, side))))
        for doubt in (0.1, 1.4, 12.3):
            found = tray(doubt)
            seen = Seen(Page.CORNERS, Verdict(0.9), draft=found, outline=((0.2, 0.2),) * 4)
            wizard = Wizard(Page.CORNERS, floor_mm=(side, side), seen=seen, pointed=found)
            assert wizard_pages(wizard_prompt(wizard))


@pytest.mark.parametrize("doubt", [None, 0.1, 9.9])
@pytest.mark.parametrize("advice", [None, *Problem])
def test_every_tray_that_was_found_fits(doubt: float | None, advice: Problem | None) -> None:
    for markers in (True, False):
        known = replace(tray(1.0, markers), doubt_mm=doubt)
        with strict_drawing():
            for page_of in (Page.KEPT, Page.LIST):
                assert wizard_pages(wizard_prompt(Wizard(page_of, known=known, advice=advice)))


@settings(max_examples=examples(5, 20))
@given(st.integers(0, 999), st.integers(0, 999), st.integers(0, 999))
def test_every_result_fits(dice: int, wrong: int, unread: int) -> None:
    check = Check(dice, min(wrong, dice), unread)
    with strict_drawing():
        for known in (KNOWN, KNOWN.with_check(check)):
            wizard = Wizard(Page.KEPT, Page.CHECK, known, tally=check)
            assert wizard_film(wizard_prompt(wizard)).loop
            assert wizard_pages(wizard_prompt(replace(wizard, page=Page.CHECK)))
            assert wizard_pages(wizard_prompt(replace(wizard, page=Page.LIST)))


@pytest.mark.parametrize(("dice", "wrong"), [(88, 88), (444, 4), (444, 44), (444, 444), (4444, 44)])
def test_what_years_of_corrections_come_to_fits_as_well(dice: int, wrong: int) -> None:
    with strict_drawing():
        assert two_lines(*accuracy_on_board(Check(dice, wrong)))


faces = st.sampled_from([None, 1, 2, 3, 4, 5, 6, *POWER_FACES])


@settings(max_examples=examples(10, 40))
@given(st.integers(1, MAX_CHECKED_DICE), st.lists(faces, min_size=1, max_size=7), st.integers(0, 6))
def test_every_throw_fits(there: int, shows: list[int | str | None], chosen: int) -> None:
    with strict_drawing():
        for which in (None, min(chosen, len(shows) - 1)):
            assert wizard_pages(CheckPrompt((), tuple(shows), there, which))


@pytest.mark.parametrize("progress", [0.2, 0.6, 1.0])
def test_the_bar_is_full_when_the_page_goes_on(progress: float) -> None:
    said = PagePrompt("TRAY", "", ("MARKERS SEEN",), "", refused=False, progress=progress)
    (first,) = wizard_pages(said)
    lit = [sum(first.is_lit(x, HEIGHT - 1 - row) for x in range(64)) for row in range(2)]
    assert lit == [round(64 * progress)] * 2
    for none in (None, 0.0):
        (first,) = wizard_pages(replace(said, progress=none))
        assert not any(first.is_lit(x, HEIGHT - 1) for x in range(64))


def test_what_to_do_comes_first_and_a_refused_ok_before_that() -> None:
    said = PagePrompt("TRAY", "", ("4 MARKERS",), "TOO DARK", refused=False, progress=0.0)
    asks, dark = wizard_pages(said)
    assert wizard_pages(replace(said, refused=True)) == (dark, asks)

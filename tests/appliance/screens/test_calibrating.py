"""The calibration on the board: golden pictures, drawings kept up to date, nothing cut off."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.picture import HEIGHT
from appliance.screens.calibrating import wizard_film, wizard_pages
from appliance.screens.drawing.layout import two_lines
from calibration.accuracy import Check, accuracy_on_board
from calibration.problems import Problem, Verdict
from calibration.wizard.prompts import CheckPrompt, StagePrompt, wizard_prompt
from calibration.wizard.stages import (
    CHECK_THROWS,
    DICE_SETS,
    FLOOR_STEPS,
    TAKES_PER_FACE,
    WizardStage,
    WizardStep,
)
from calibration.wizard.state import (
    FLOOR_SIDE_RANGE_MM,
    MAX_CHECKED_DICE,
    NOT_STORED,
    RIM_HEIGHT_RANGE_MM,
    Seen,
    Wizard,
)
from tests.appliance.screens.golden import assert_golden
from tests.paths import ROOT
from tests.rigs.gallery.calibrating import SCREENS, drawings
from tests.rigs.strict_drawing import strict_drawing
from vision.reading import POWER_FACES

GOLDEN = Path(__file__).with_name("golden_calibrating.txt")
DOCS = ROOT / "docs"
STAGES = [WizardStage(step) for step in WizardStep if step is not WizardStep.POWER] + [
    WizardStage(WizardStep.POWER, face, take)
    for face in POWER_FACES
    for take in range(TAKES_PER_FACE)
]


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


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: f"{stage.step}{stage.face}{stage.take}")
def test_every_stage_fits_whatever_is_wrong(stage: WizardStage) -> None:
    with strict_drawing():
        # The set of dice matters in one step only.
        sets = range(len(DICE_SETS)) if stage.step is WizardStep.DICE else (0,)
        for problem, which in product((None, *Problem), sets):
            refusal = None if problem is None else Verdict(0.3, problem)
            for found, rim in ((0, RIM_HEIGHT_RANGE_MM[0]), (32, RIM_HEIGHT_RANGE_MM[-1])):
                seen = Seen(stage, Verdict(0.9), found)
                wizard = Wizard(stage, seen=seen, refusal=refusal, dice_set=which, rim_mm=rim)
                for entered in (False, True):
                    assert wizard_pages(wizard_prompt(replace(wizard, rim_set=entered)))
        assert wizard_pages(wizard_prompt(Wizard(stage)))


@pytest.mark.parametrize("side", FLOOR_SIDE_RANGE_MM)
@pytest.mark.parametrize("step", [*FLOOR_STEPS, WizardStep.TRAY])
def test_every_size_of_a_floor_fits(step: WizardStep, side: float) -> None:
    wizard = Wizard(WizardStage(step), floor_mm=(side, side), by_rim=step is WizardStep.TRAY)
    with strict_drawing():
        for off in (None, 1.4, 12.3):
            outline = ((0.2, 0.2),) * 4 if wizard.by_rim else ()
            seen = Seen(wizard.stage, Verdict(0.9), 1, outline, off)
            assert wizard_pages(wizard_prompt(replace(wizard, seen=seen)))


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, MAX_CHECKED_DICE * CHECK_THROWS), st.integers(0, MAX_CHECKED_DICE * CHECK_THROWS)
)
def test_every_result_fits(dice: int, wrong: int) -> None:
    check = Check(dice, min(wrong, dice))
    with strict_drawing():
        for refusal in (None, NOT_STORED):
            wizard = Wizard(WizardStage(WizardStep.RESULT), check=check, refusal=refusal)
            assert wizard_film(wizard_prompt(wizard)).loop


@pytest.mark.parametrize(("dice", "wrong"), [(88, 88), (444, 4), (444, 44), (444, 444), (4444, 44)])
def test_what_years_of_corrections_come_to_fits_as_well(dice: int, wrong: int) -> None:
    with strict_drawing():
        assert two_lines(*accuracy_on_board(Check(dice, wrong)))


faces = st.sampled_from([None, 1, 2, 3, 4, 5, 6, *POWER_FACES])


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 10), st.lists(faces, min_size=1, max_size=7), st.integers(0, 6))
def test_every_throw_fits(number: int, shows: list[int | str | None], chosen: int) -> None:
    with strict_drawing():
        for which in (None, min(chosen, len(shows) - 1)):
            assert wizard_pages(CheckPrompt(number, 10, tuple(shows), which))


@pytest.mark.parametrize("quality", [0.0, 0.2, 0.6, 1.0])
def test_the_bar_is_as_long_as_the_quality_and_thick_when_good(quality: float) -> None:
    said = StagePrompt("LIGHT", "1/9", ("LIGHT ON",), "TOO DARK", quality, good=False)
    for good, lowest in ((False, 1), (True, 2)):
        (first, *_) = wizard_pages(replace(said, good=good, problem=""))
        lit = [sum(first.is_lit(x, HEIGHT - 1 - row) for x in range(64)) for row in range(2)]
        assert lit[:lowest] == [max(1, round(64 * quality))] * lowest

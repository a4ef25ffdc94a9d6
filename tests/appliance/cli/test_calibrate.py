"""`dicetray calibrate` in a terminal: what it says, what it refuses before anything is opened."""

import pytest

from appliance.cli.calibrate import _sentence
from appliance.cli.main import main
from calibration.problems import Problem, Verdict
from calibration.wizard.prompts import prompt
from calibration.wizard.stages import WizardStage, WizardStep
from calibration.wizard.state import Seen, Wizard


def said(wizard: Wizard) -> str:
    return _sentence(prompt(wizard))


def test_the_terminal_says_all_that_the_boards_pages_say() -> None:
    width = Wizard(WizardStage(WizardStep.WIDTH), floor_mm=(230.0, 160.0))
    assert said(width) == "2/9 FLOOR WIDTH: < 230 MM >"
    tray = WizardStage(WizardStep.TRAY)
    none = Wizard(tray, seen=Seen(tray, Verdict(0.1, Problem.NO_MARKERS)))
    assert said(none) == "2/9 TRAY: NO MARKERS, USE THE RIM?, OK: USE RIM"
    seen = Seen(tray, Verdict(0.9), 1, ((0.1, 0.1),) * 4, 1.4)
    found = Wizard(tray, seen=seen, floor_mm=(230.0, 160.0), by_rim=True)
    assert said(found) == (
        "2/9 TRAY: good: OK, IS THIS IT?, 230x160 MM, WITHIN 1.4 MM, < OTHER SIZE >"
    )


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--floor", "abc"], "expected two numbers as in 12x34"),
        (["--floor", "100x200"], "expected a width and a smaller depth"),
        (["--corners", "1,2", "3,4", "5,6", "7,8"], "expected --floor with --corners"),
        (["--corners", "1,2", "3,4", "5,6", "x", "--floor", "216x152"], "two numbers as in 12,34"),
    ],
)
@pytest.mark.parametrize("how", [[], ["--simulate"]])
def test_what_is_mistyped_is_said_at_once(
    args: list[str], says: str, how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *how, *args]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def test_a_real_tray_needs_no_word_that_it_has_no_markers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["calibrate", "--no-markers"]) == 2
    assert "expected --simulate with --no-markers" in capsys.readouterr().err

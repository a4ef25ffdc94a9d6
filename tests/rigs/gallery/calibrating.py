"""The calibration screens, for `docs/calibrating.md` and for the golden pictures."""

from collections.abc import Mapping

from appliance.screens.calibrating import wizard_pages
from calibration.problems import Problem, Verdict
from calibration.wizard.prompts import CheckPrompt, ResultPrompt, WizardPrompt, wizard_prompt
from calibration.wizard.stages import WizardStage, WizardStep
from calibration.wizard.state import Seen, Wizard
from tests.rigs.gallery import svg
from vision.reading import POWER_FACES

_FOUND = ((0.2, 0.15), (0.82, 0.12), (0.84, 0.87), (0.18, 0.88))


def _by_rim() -> WizardPrompt:
    stage = WizardStage(WizardStep.TRAY)
    seen = Seen(stage, Verdict(0.9), 1, _FOUND, off_mm=1.4)
    return wizard_prompt(Wizard(stage=stage, seen=seen, floor_mm=(216.0, 152.0), by_rim=True))


def _no_rim() -> WizardPrompt:
    stage = WizardStage(WizardStep.TRAY)
    seen = Seen(stage, Verdict(0.2, Problem.NO_RIM))
    return wizard_prompt(Wizard(stage=stage, seen=seen, floor_mm=(216.0, 152.0), by_rim=True))


def _at(
    step: WizardStep, quality: float, problem: Problem | None = None, found: int = 0
) -> WizardPrompt:
    stage = WizardStage(step, POWER_FACES[0] if step is WizardStep.POWER else "")
    return wizard_prompt(Wizard(stage=stage, seen=Seen(stage, Verdict(quality, problem), found)))


SCREENS: Mapping[str, WizardPrompt] = {
    "light": _at(WizardStep.LIGHT, 0.3, Problem.TOO_DARK),
    "light-good": _at(WizardStep.LIGHT, 0.85),
    "tray": _at(WizardStep.TRAY, 0.3, Problem.CUT_OFF),
    "tray-no-markers": _at(WizardStep.TRAY, 0.1, Problem.NO_MARKERS),
    "floor-width": _at(WizardStep.WIDTH, 1.0),
    "floor-depth": _at(WizardStep.DEPTH, 1.0),
    "tray-rim": _by_rim(),
    "tray-no-rim": _no_rim(),
    "rim": _at(WizardStep.RIM, 0.9),
    "rim-board": _at(WizardStep.RIM, 1.0, found=32),
    "rim-rough": _at(WizardStep.RIM, 0.5, Problem.ROUGH),
    "empty": _at(WizardStep.EMPTY, 0.0, Problem.NOT_EMPTY),
    "dice": _at(WizardStep.DICE, 0.4, Problem.TOO_CLOSE),
    "face": _at(WizardStep.POWER, 1.0),
    "face-turn": _at(WizardStep.POWER, 0.4, Problem.NOT_TURNED),
    "face-alike": _at(WizardStep.POWER, 0.3, Problem.TOO_ALIKE),
    "holder": _at(WizardStep.HOLDER, 0.0, Problem.NO_DICE),
    "throw": CheckPrompt(3, 10, None, None),
    "judge": CheckPrompt(3, 10, (2, 6, 1, 5, 4, "double"), None),
    "put-right": CheckPrompt(3, 10, (2, 6, 1, 5, 4, "double"), 2),
    "result": ResultPrompt(
        (
            ("60 DICE 0 WRONG", "ERROR < 4.9%"),
            ("239 MORE", "FOR < 1%"),
            ("PLACES", "WITHIN 0.3 MM"),
        )
    ),
}
"""The screens by name; the pages of a screen alternate."""


def drawings() -> dict[str, str]:
    """The drawings of all screens, by file name."""
    return {f"{name}.svg": svg(wizard_pages(screen)) for name, screen in SCREENS.items()}

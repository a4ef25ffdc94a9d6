"""Guidance at a step of the calibration."""

from appliance.service.guide import wizard_guidance
from calibration.wizard.pages import Page
from calibration.wizard.prompts import wizard_prompt
from calibration.wizard.state import Wizard


def test_a_calibration_says_what_to_lay_and_what_keys_do() -> None:
    said = wizard_prompt(Wizard(Page.TRAY))
    assert wizard_guidance(said, hands=False).line == (
        "TRAY: 4 MARKERS, ALL IN SIGHT, HANDS OFF. ENTER OK, ← → change, b goes back"
    )
    assert "SPACE puts it in the tray" in wizard_guidance(said).line

"""Guidance at a step of the calibration."""

from appliance.service.guide import wizard_guidance
from calibration.wizard.pages import Page
from calibration.wizard.prompts import CheckPrompt, wizard_prompt
from calibration.wizard.state import Wizard


def test_a_calibration_says_what_to_lay_and_what_keys_do() -> None:
    said = wizard_prompt(Wizard(Page.TRAY))
    assert wizard_guidance(said, hands=False).line == (
        "Tray: 4 markers, all in sight, hands off. ENTER OK, ← → change, b goes back"
    )
    for page, does in (
        (Page.TRAY, "empties the tray"),
        (Page.POWER, "puts it in the tray"),
        (Page.HOLDER, "puts dice in the holder"),
        (Page.CARD, "puts the card there, or takes it away"),
    ):
        assert f"SPACE {does}" in wizard_guidance(wizard_prompt(Wizard(page))).line


def test_the_check_says_what_it_read_and_which_die_is_being_corrected() -> None:
    said = CheckPrompt((("THROW", "1"),), (4, None, "freeze"), there=4, chosen=1)
    line = wizard_guidance(said).line
    assert line.startswith("check, 3 of 4 dice: 4 ? freeze; correcting die 2.")
    waits = wizard_guidance(CheckPrompt((("THROW ALL", "DICE"),), None, there=0, chosen=None))
    assert waits.line.startswith("Check dice: Throw all dice.")

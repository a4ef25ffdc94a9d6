"""What is claimed about places depends on whether anybody has measured the rim."""

from dataclasses import replace

import numpy as np
import pytest

from appliance.simulator.render.prints import board_in_tray
from appliance.simulator.render.scene import Scene
from calibration.build import MAX_DOUBT_MM
from calibration.calibration import Calibration
from calibration.problems import Problem, Verdict
from calibration.wizard.advance import advance
from calibration.wizard.prompts import StagePrompt, wizard_prompt
from calibration.wizard.stages import WizardStage, WizardStep
from calibration.wizard.state import MAX_OFF_MM, Key, Press, Seen, Took, Wizard
from calibration.wizard.taking import take_stage
from tests.calibration.setups import grid, picture, ready, true_frame
from vision.frame import Frame

SIZE = (960, 540)
SEEDS = (101, 105, 112)
"""Trays whose rims are 19, 17 and 26 mm high."""


def frames(scene: Scene) -> list[Frame]:
    return [Frame(picture(scene), 0.0, 0)]


def taken(scene: Scene, wizard: Wizard) -> Calibration:
    took = take_stage(wizard, frames(scene))
    assert isinstance(took, Took), took
    return took.draft


def at_rim(scene: Scene) -> Wizard:
    """Once the tray was found."""
    draft = taken(scene, Wizard(WizardStage(WizardStep.TRAY)))
    seen = Seen(WizardStage(WizardStep.RIM), Verdict(1.0))
    return Wizard(WizardStage(WizardStep.RIM), draft, seen=seen)


def off_mm(scene: Scene, calibration: Calibration) -> float:
    """How far off the worst place on the tops of dice is."""
    places = grid(scene.tray)
    pixels = scene.camera.project(np.column_stack([places, np.full(len(places), -16.0)]))
    origin, turn = true_frame(scene.prints)
    found = calibration.profile.to_mm(pixels, 16.0)
    return float(np.linalg.norm(found - (places - origin) @ turn, axis=1).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rim_that_nobody_has_measured_is_not_claimed_to_be_known(seed: int) -> None:
    scene = ready(seed, SIZE)
    wizard = at_rim(scene)
    guessed = taken(scene, wizard)
    off = off_mm(scene, guessed)
    assert off > 1.0, "these trays are not the usual one"
    assert guessed.off_mm is not None
    assert off < guessed.off_mm
    assert guessed.off_mm > MAX_DOUBT_MM
    # It is said, once, and OK accepts it.
    asked = advance(replace(wizard, waiting=True), Took(wizard.stage, guessed))
    assert asked.verdict is not None
    assert asked.verdict.problem is Problem.ROUGH
    assert f"{guessed.off_mm:.1f} mm" in asked.verdict.detail
    kept = advance(replace(asked, waiting=True), Took(asked.stage, guessed))
    assert kept.stage == WizardStage(WizardStep.EMPTY)


def test_a_height_that_was_entered_or_measured_is_claimed_to_be_known() -> None:
    scene = ready(105, SIZE)
    wizard = at_rim(scene)
    steps = round(2 * (scene.tray.wall_height - wizard.rim_mm))
    for _ in range(abs(steps)):
        wizard = advance(wizard, Press(Key.RIGHT if steps > 0 else Key.LEFT))
    entered = taken(scene, wizard)
    laid = replace(scene, prints=(*scene.prints, board_in_tray((5.0, -3.0), 0.1)))
    measured = taken(laid, at_rim(scene))
    for calibration in (entered, measured):
        assert calibration.off_mm is not None
        assert off_mm(scene, calibration) < calibration.off_mm < 2.5 * MAX_OFF_MM


def test_the_usual_height_can_be_confirmed_with_left_and_right() -> None:
    wizard = Wizard(WizardStage(WizardStep.RIM))
    said = wizard_prompt(wizard)
    assert isinstance(said, StagePrompt)
    assert said.says == ("LAY IN BOARD", "OR SET RIM")
    confirmed = advance(advance(wizard, Press(Key.RIGHT)), Press(Key.LEFT))
    assert (confirmed.rim_mm, confirmed.rim_set) == (wizard.rim_mm, True)
    said = wizard_prompt(confirmed)
    assert isinstance(said, StagePrompt)
    assert said.says == ("LAY IN BOARD", "OR RIM 22 MM")

"""Hostile set-ups, rendered: each is refused by the wizard with the right word."""

from dataclasses import replace

import pytest

from appliance.simulator.render.dice_model import STANDARD_STYLES, flat_die
from appliance.simulator.render.light import Light
from appliance.simulator.render.prints import rim_plates
from appliance.simulator.render.scene import Scene, camera_parameters
from calibration.calibration import Calibration
from calibration.problems import Problem
from calibration.wizard.seeing import see_stage
from calibration.wizard.stages import WizardStage, WizardStep
from calibration.wizard.state import Wizard
from tests.calibration.setups import exposed, picture, ready
from vision.frame import Frame
from vision.reading import Kind

SIZE = (960, 540)


@pytest.fixture(scope="module")
def base() -> Scene:
    return ready(3, SIZE)


def word(scene: Scene, step: WizardStep, calibration: Calibration | None = None) -> Problem | None:
    """What the board would say about a picture at a step."""
    frame = Frame(picture(scene), 0.0, 0)
    return see_stage(Wizard(WizardStage(step), draft=calibration), [frame]).verdict.problem


def lit(scene: Scene, factor: float) -> Scene:
    return replace(scene, sensor=replace(scene.sensor, exposure=scene.sensor.exposure * factor))


def test_a_good_set_up_passes_both_steps(base: Scene) -> None:
    assert [word(base, step) for step in (WizardStep.LIGHT, WizardStep.TRAY)] == [None, None]


def test_the_dark_is_refused(base: Scene) -> None:
    assert word(lit(base, 1 / 10), WizardStep.LIGHT) is Problem.TOO_DARK


def test_blur_is_refused(base: Scene) -> None:
    soft = replace(base, sensor=replace(base.sensor, defocus=2.0))
    assert word(soft, WizardStep.LIGHT) is Problem.BLURRED


def test_glare_is_refused(base: Scene) -> None:
    tray = replace(base.tray, floor=replace(base.tray.floor, roughness=0.25))
    # A lamp at the camera's height is reflected half-way between it and the camera.
    lamp = Light((-120.0, 0.0, float(base.camera.position[2]) - 1), 12.0, (2.5, 2.5, 2.5))
    lighting = replace(base.lighting, lights=(*base.lighting.lights, lamp))
    shining = exposed(replace(base, tray=tray, lighting=lighting))
    assert word(shining, WizardStep.LIGHT) is Problem.GLARE_LEFT


def test_a_tray_in_the_wrong_place_is_for_the_second_step(base: Scene) -> None:
    hidden = replace(base, prints=rim_plates(base.tray, corners=(0, 1, 3)))
    assert word(hidden, WizardStep.LIGHT) is None
    assert word(hidden, WizardStep.TRAY) is Problem.HIDDEN
    x, y = base.camera.centre
    cut = replace(base, camera=replace(base.camera, centre=(x + 260.0, y)))
    assert word(cut, WizardStep.TRAY) is Problem.CUT_OFF


def test_foreign_dice_are_refused(base: Scene) -> None:
    profile = replace(camera_parameters(base, SIZE), empty=picture(base, 1))
    calibration = Calibration(profile)
    kinds = [Kind.BLACK] * 5 + [Kind.OTHER, Kind.OTHER]
    places = [(x, y) for y in (-35.0, 35.0) for x in (-66.0, -22.0, 22.0, 66.0)]
    dice = tuple(
        flat_die(kind, 1 + n % 6, place, 0.3 * n, STANDARD_STYLES[kind])
        for n, (kind, place) in enumerate(zip(kinds, places, strict=False))
    )
    assert word(replace(base, dice=dice), WizardStep.DICE, calibration) is Problem.WRONG_DICE
    assert word(replace(base, dice=dice[:1]), WizardStep.DICE, calibration) is Problem.DICE_MISSING
    assert word(base, WizardStep.DICE, calibration) is Problem.NO_DICE
    assert word(replace(base, dice=dice[:2]), WizardStep.EMPTY, calibration) is Problem.NOT_EMPTY

"""A user who follows the calibration: lays out what the board asks for, presses, corrects."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from appliance.inputs import Button, Pressed
from appliance.service.calibration import Calibrating
from appliance.simulator.camera import LazyFrame
from appliance.simulator.people.calibrator import (
    MIN_LONE_DIE_GAP_MM,
    USED_DICE_SET,
    dice_left_to_right,
    next_press,
)
from appliance.simulator.render.dice_model import face_up
from appliance.simulator.render.renderer import render
from appliance.simulator.render.scene import Scene
from appliance.simulator.scenes.installations import (
    DICE_LAID_APART_MM,
    INSTALLATION_QUALITY,
    Installation,
)
from calibration.calibration import Calibration
from calibration.problems import Problem
from calibration.wizard.stages import WizardStage, WizardStep
from calibration.wizard.state import FLOOR_STEP_MM, STEPS_OF_LONG_PRESS
from vision.frame import Frame
from vision.reading import Face, Kind

CALIBRATION_FPS = 10.0
SMALL_SIZE_PX = (480, 270)
MAX_LAYOUTS = 5
"""The user gives up after so many."""
MAX_FRAMES_WAITED = 26
"""The user waits so long for the board to be satisfied."""


class StillCamera:
    """Takes frames of one scene after another; its exposure can be set and locked.

    Attributes:
        scene: what it looks at.
        gain: factor by which the exposure differs from that of the scene.
    """

    def __init__(self, scene: Scene, seed: int = 0) -> None:
        self.scene = scene
        self.gain = 1.0
        self.locked = False
        self._stored_gain = 1.0
        self._seed = seed
        self._index = 0

    def take(self) -> Frame:
        """The next frame; its full picture is only rendered when it is looked at."""
        index = self._index
        self._index += 1
        sensor = self.scene.sensor
        scene = replace(self.scene, sensor=replace(sensor, exposure=sensor.exposure * self.gain))
        chance = (self._seed, index)
        small = render(
            scene, SMALL_SIZE_PX, np.random.default_rng((*chance, 0)), INSTALLATION_QUALITY
        )
        return LazyFrame(
            Frame(small, index / CALIBRATION_FPS, index),
            lambda: render(scene, None, np.random.default_rng((*chance, 1)), INSTALLATION_QUALITY),
        )

    def unlock(self) -> None:
        """Lets the exposure be changed."""
        self.locked = False

    def expose(self, factor: float) -> None:
        """Makes pictures brighter by this factor."""
        if not self.locked:
            self.gain *= factor

    def lock(self) -> Mapping[str, float]:
        """Locks the exposure."""
        self.locked = True
        return {"ExposureTime": round(8000.0 * self.gain)}

    def keep(self) -> None:
        """Remembers the exposure as the one to go back to."""
        self._stored_gain = self.gain

    def restore(self) -> None:
        """Goes back to the exposure that was kept."""
        self.gain = self._stored_gain
        self.locked = True


@dataclass(frozen=True, slots=True)
class CalibrationRun:
    """How a calibration went.

    Attributes:
        calibration: the calibration that was kept; None if the wizard refused.
        stage: where it ended.
        problem: what the board said when the user gave up.
        detail: the same at length.
        presses: how many buttons were pressed.
    """

    calibration: Calibration | None
    stage: WizardStage
    problem: Problem | None = None
    detail: str = ""
    presses: int = 0


class CalibrationUser:
    """Follows the wizard until a profile is kept, or gives up.

    Args:
        activity: the calibration, with this camera.
        camera: looks at the tray.
        where: the installation.
        rng: decides what they do by chance.
    """

    def __init__(
        self,
        activity: Calibrating,
        camera: StillCamera,
        where: Installation,
        rng: np.random.Generator,
    ) -> None:
        self._activity = activity
        self._camera = camera
        self._installation = where
        self._rng = rng
        self._presses = 0

    def follow(self) -> CalibrationRun:
        """Goes through all stages."""
        activity = self._activity
        while not activity.done:
            stage = activity.wizard.stage
            checks = stage.step is WizardStep.CHECK
            if not (self._confirm_a_throw() if checks else self._follow_stage(stage)):
                verdict = activity.wizard.verdict
                problem = None if verdict is None else verdict.problem
                detail = "" if verdict is None else verdict.detail
                return CalibrationRun(None, stage, problem, detail, self._presses)
        return CalibrationRun(activity.calibration, activity.wizard.stage, presses=self._presses)

    def _press(self, button: Button, long: bool = False) -> None:
        self._presses += 1
        self._activity.press(Pressed(button, long))

    def _follow_stage(self, stage: WizardStage) -> bool:
        """Does what a stage asks for; False to give up."""
        activity = self._activity
        match stage.step:
            case WizardStep.RESULT:
                self._press(Button.OK)
                return activity.done
            case WizardStep.HOLDER:
                self._press(Button.RIGHT)
                return True
            case WizardStep.DICE:
                while activity.wizard.dice is not USED_DICE_SET:
                    self._press(Button.RIGHT)
            case WizardStep.WIDTH | WizardStep.DEPTH as step:
                self._enter_floor_side(step)
                return activity.wizard.stage != stage
        for _ in range(MAX_LAYOUTS if stage.step in (WizardStep.DICE, WizardStep.POWER) else 1):
            self._camera.scene = self._scene_asked_for(stage)
            for _ in range(MAX_FRAMES_WAITED):
                activity.feed(self._camera.take())
                wizard = activity.wizard
                seen = wizard.seen
                if wizard.refusal is not None:
                    break
                if seen is None or not (seen.verdict.good or wizard.no_markers):
                    continue
                self._press(Button.OK)
                if activity.wizard.stage != stage:
                    return True
        return False

    def _enter_floor_side(self, step: WizardStep) -> None:
        """Enters a side of the floor as a ruler shows it, to the millimetre."""
        axis = (WizardStep.WIDTH, WizardStep.DEPTH).index(step)
        side = round(2 * self._installation.scene.tray.half[axis])
        while (off := side - self._activity.wizard.floor[axis]) != 0:
            button = Button.RIGHT if off > 0 else Button.LEFT
            self._press(button, abs(off) >= STEPS_OF_LONG_PRESS * FLOOR_STEP_MM)
        self._press(Button.OK)

    def _scene_asked_for(self, stage: WizardStage) -> Scene:
        """The tray as the board asks for it."""
        where, rng = self._installation, self._rng
        match stage.step:
            case WizardStep.RIM:
                return where.with_board()
            case WizardStep.LIGHT | WizardStep.DICE:
                return where.laid(rng, self._dice_of_set(), DICE_LAID_APART_MM)
            case WizardStep.POWER:
                return where.laid(rng, [(Kind.POWER, stage.face)], MIN_LONE_DIE_GAP_MM)
            case _:
                return where.scene

    def _dice_of_set(self) -> list[tuple[Kind, Face | None]]:
        return [(kind, None) for kind in Counter(USED_DICE_SET.counts).elements()]

    def _confirm_a_throw(self) -> bool:
        """Makes one throw, waits until it is read, corrects what is wrong, and confirms."""
        for _ in range(MAX_LAYOUTS):
            scene = self._installation.laid(self._rng, self._dice_of_set())
            self._camera.scene = scene
            before = self._activity.wizard.throw
            for _ in range(MAX_FRAMES_WAITED):
                self._activity.feed(self._camera.take())
                throw = self._activity.wizard.throw
                if throw is not None and throw is not before:
                    break
            else:
                continue
            shown = [face_up(die) for die in dice_left_to_right(scene)]
            for _ in range(8 * len(shown) + 1):
                button = next_press(throw, shown)
                if button is Button.BACK:
                    break
                self._press(button)
                if button is Button.OK and throw.chosen is None:
                    return True
                throw = self._activity.wizard.throw or throw
            # A die was not found: in play the board asks about it, here the throw does not count.
            self._press(Button.BACK)
        return False

"""A user at the simulated tray who does what calibration asks: lays dice, presses, corrects."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.simulator.motion.simulated_tray import SimulatedTray
from appliance.simulator.people.ports import Pressing
from appliance.simulator.render.dice_model import DieBody, face_up, top_face_points
from appliance.simulator.render.prints import board_in_tray
from appliance.simulator.render.scene import Scene
from appliance.simulator.scenes.installations import DICE_LAID_APART_MM
from appliance.simulator.scenes.random_setup import random_face
from calibration.wizard.stages import DICE_SETS, WizardStage, WizardStep
from calibration.wizard.state import CheckedThrow, Wizard
from vision.reading import Face, Kind

USED_DICE_SET = DICE_SETS[0]
"""The dice that the user has."""
MIN_LONE_DIE_GAP_MM = 15.0
"""Least gap between a die that is shown on its own and the wall."""
ACTION_INTERVAL_S = 0.4
LAY_OUT_AGAIN_AFTER_S = 6.0
"""Seconds the user waits for the board to be satisfied before laying everything out again."""
DICE_IN_HOLDER = 6
"""Dice that are laid into the holder, side by side, to show where it is."""


def dice_left_to_right(scene: Scene) -> list[DieBody]:
    """The dice from left to right in the picture."""
    middle = np.zeros((1, 2))
    return sorted(
        scene.dice, key=lambda die: tuple(scene.camera.project(top_face_points(die, middle))[0])
    )


def next_press(throw: CheckedThrow, truth: Sequence[Face | None]) -> Button:
    """What to press next for a throw that the board shows.

    Args:
        throw: as the wizard has it.
        truth: what the dice show, from left to right.

    Returns:
        BACK if there are too few or too many dice; the button of a wrong die, RIGHT until it is
        right, then OK; and OK for a throw that is all right.
    """
    if len(throw.dice) != len(truth):
        return Button.BACK
    if throw.chosen is not None:
        right = throw.faces[throw.chosen] == truth[throw.chosen]
        return Button.OK if right else Button.RIGHT
    wrong = [n for n, face in enumerate(truth) if throw.faces[n] != face]
    if not wrong:
        return Button.OK
    # The last of seven has no button of its own; LEFT leads to it.
    return HOLD_BUTTONS[wrong[0]] if wrong[0] < len(HOLD_BUTTONS) else Button.LEFT


class Calibrator:
    """Follows the wizard at a simulated tray, one thing at a time as its time passes.

    Args:
        tray: where everything is laid.
        buttons: to be pressed.
        rng: decides what is done by chance.
        size: of the full pictures, in which dice are ordered from left to right.
    """

    def __init__(
        self,
        tray: SimulatedTray,
        buttons: Pressing,
        rng: np.random.Generator,
        size: tuple[int, int],
    ) -> None:
        self._tray = tray
        self._buttons = buttons
        self._rng = rng
        self._size = size
        self._kinds = dict(enumerate(Counter(USED_DICE_SET.counts).elements()))
        self._laid_for_stage: WizardStage | None = None
        self._throws = -1
        self._next_s = 0.0
        self._until_s = 0.0

    def act(self, wizard: Wizard, time_s: float) -> None:
        """Does the next thing, if it is time and nothing is going on in the tray."""
        if self._tray.busy:
            self._next_s = time_s + ACTION_INTERVAL_S
            self._until_s = time_s + LAY_OUT_AGAIN_AFTER_S
            return
        if time_s < self._next_s or wizard.waiting:
            return
        self._next_s = time_s + ACTION_INTERVAL_S
        stage = wizard.stage
        if stage.step is WizardStep.RESULT:
            self._buttons.press(Button.OK)
        elif self._must_lay_out(wizard) or time_s >= self._until_s:
            self.lay_out(wizard)
            self._until_s = time_s + LAY_OUT_AGAIN_AFTER_S
        elif wizard.throw is not None:
            shown = [face_up(die) for die in dice_left_to_right(self._tray.scene(self._size))]
            self._buttons.press(next_press(wizard.throw, shown))
            self._until_s = time_s + LAY_OUT_AGAIN_AFTER_S
        elif stage.step is WizardStep.DICE and wizard.dice is not USED_DICE_SET:
            self._buttons.press(Button.RIGHT)
        elif wizard.seen is not None and wizard.seen.verdict.good and wizard.refusal is None:
            self._buttons.press(Button.OK)

    def _must_lay_out(self, wizard: Wizard) -> bool:
        """Whether the tray must now be laid out differently."""
        if wizard.stage != self._laid_for_stage:
            return True
        return wizard.stage.step is WizardStep.CHECK and wizard.throws != self._throws

    def lay_out(self, wizard: Wizard) -> None:
        """Lays out the tray as the present stage asks for it."""
        tray = self._tray
        stage = wizard.stage
        self._laid_for_stage = stage
        self._throws = wizard.throws
        tray.play_with(self._kinds)
        tray.lay_sheets((board_in_tray((3.0, -2.0), 0.03),) if stage.step is WizardStep.RIM else ())
        match stage.step:
            case WizardStep.DICE:
                tray.throw(
                    {slot: self._random_face(slot) for slot in self._kinds},
                    apart_mm=DICE_LAID_APART_MM,
                )
            case WizardStep.POWER:
                self._lay_power_die(stage)
            case WizardStep.HOLDER:
                slots = list(self._kinds)[:DICE_IN_HOLDER]
                tray.clear()
                tray.throw({slot: self._random_face(slot) for slot in slots})
                tray.set_aside(slots)
            case WizardStep.CHECK:
                tray.throw({slot: self._random_face(slot) for slot in self._kinds})
            case _:
                tray.clear()

    def _lay_power_die(self, stage: WizardStage) -> None:
        slot = next(n for n, kind in self._kinds.items() if kind is Kind.POWER)
        if stage.take and self._tray.slots == (slot,):
            self._tray.turn(slot, stage.face)
        else:
            self._tray.clear()
            self._tray.throw({slot: stage.face}, apart_mm=MIN_LONE_DIE_GAP_MM)

    def _random_face(self, slot: int) -> Face:
        return random_face(self._rng, self._kinds[slot])

"""A user at the simulated tray who does what calibration asks: lays dice, presses, corrects."""

from collections.abc import Sequence

import numpy as np

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.simulator.people.ports import Pressing
from calibration.wizard.pages import ITEMS, Page
from calibration.wizard.state import CheckedThrow, Wizard
from simulator.motion.simulated_tray import SimulatedTray
from simulator.render.dice_model import DieBody, face_up, top_face_points
from simulator.render.scene import Scene
from simulator.scenes.card import card_on_rim
from simulator.scenes.random_setup import random_face
from vision.reading import Face, Kind

USED_DICE: tuple[Kind, ...] = (*[Kind.BLACK] * 5, Kind.RED, Kind.POWER)
"""The dice that the user has: what the box of the four games holds."""
CHECKED_THROWS = 3
"""The user leaves the check after so many."""
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
    """The button to press next for a throw that the board shows.

    Args:
        throw: as the wizard has it.
        truth: what the dice show, from left to right.

    Returns:
        RIGHT or LEFT until the count of dice is right; the button of a wrong die, RIGHT until it is
        right, then OK; and OK for a throw that is all right.
    """
    if throw.chosen is not None:
        right = throw.faces[throw.chosen] == truth[throw.chosen]
        return Button.OK if right else Button.RIGHT
    if throw.there != len(truth):
        return Button.RIGHT if throw.there < len(truth) else Button.LEFT
    if len(throw.dice) != len(truth):
        # Which of them was not seen does not matter: the others are as they were read.
        return Button.OK
    wrong = [n for n, face in enumerate(truth) if throw.faces[n] != face]
    if not wrong:
        return Button.OK
    return HOLD_BUTTONS[wrong[0] % len(HOLD_BUTTONS)]


def press_at_list(item: Page, *, leaves: bool) -> Button:
    """What somebody presses at the list who does every item that is asked for, then leaves."""
    if leaves:
        return Button.BACK
    # A card is only offered.
    return Button.RIGHT if item is Page.CARD else Button.OK


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
        self._kinds = dict(enumerate(USED_DICE))
        self._laid_for: tuple[Page, int] | None = None
        self._opened: Page | None = None
        self._next_s = 0.0
        self._until_s = 0.0

    def act(self, wizard: Wizard, time_s: float) -> None:
        """Does the next thing, if it is time and nothing is going on in the tray."""
        if self._tray.busy:
            self._next_s = time_s + ACTION_INTERVAL_S
            self._until_s = time_s + LAY_OUT_AGAIN_AFTER_S
            return
        if time_s < self._next_s:
            return
        self._next_s = time_s + ACTION_INTERVAL_S
        if wizard.page is Page.LIST:
            # One item after the other; after the last one they leave.
            leaves = self._opened is ITEMS[-1]
            self._opened = wizard.item
            self._buttons.press(press_at_list(wizard.item, leaves=leaves))
        elif wizard.page is Page.KEPT:
            pass
        elif wizard.page is Page.CHECK and throws_in(wizard) >= CHECKED_THROWS:
            self._buttons.press(Button.BACK)
        elif self._laid_for != _asked_for(wizard) or time_s >= self._until_s:
            self.lay_out(wizard)
            self._until_s = time_s + LAY_OUT_AGAIN_AFTER_S
        elif wizard.throw is not None:
            shown = [face_up(die) for die in dice_left_to_right(self._tray.scene(self._size))]
            self._buttons.press(next_press(wizard.throw, shown))
            self._until_s = time_s + LAY_OUT_AGAIN_AFTER_S

    def lay_out(self, wizard: Wizard) -> None:
        """Lays out the tray as the present page asks for it."""
        tray = self._tray
        self._laid_for = _asked_for(wizard)
        tray.play_with(self._kinds)
        match wizard.page:
            case Page.POWER:
                self._lay_power_die(wizard.face)
            case Page.HOLDER:
                slots = list(self._kinds)[:DICE_IN_HOLDER]
                tray.clear()
                tray.throw({slot: self._random_face(slot) for slot in slots})
                tray.set_aside(slots)
            case Page.CARD:
                tray.lay_sheets(() if tray.sheets else (card_on_rim(tray.scene(self._size).tray),))
            case Page.CHECK:
                tray.throw({slot: self._random_face(slot) for slot in self._kinds})
            case _:
                tray.clear()

    def _lay_power_die(self, face: Face) -> None:
        slot = next(n for n, kind in self._kinds.items() if kind is Kind.POWER)
        self._tray.clear()
        self._tray.throw({slot: face}, apart_mm=MIN_LONE_DIE_GAP_MM)

    def _random_face(self, slot: int) -> Face:
        return random_face(self._rng, self._kinds[slot])


def throws_in(wizard: Wizard) -> int:
    """How many throws of all the user's dice were counted in this check."""
    return (wizard.tally.dice + wizard.tally.unread) // len(USED_DICE)


def _asked_for(wizard: Wizard) -> tuple[Page, int]:
    """The page that the tray is to be laid out for, and which face or throw of it."""
    return wizard.page, len(wizard.faces) if wizard.page is Page.POWER else throws_in(wizard)

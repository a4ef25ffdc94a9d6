"""A user who follows the calibration: lays out what the board asks for, presses, corrects."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.service.calibration import Calibrating
from appliance.simulator.people.calibrator import (
    MIN_LONE_DIE_GAP_MM,
    USED_DICE,
    dice_left_to_right,
    next_press,
    press_at_list,
)
from calibration.calibration import Calibration
from calibration.problems import Problem
from calibration.wizard.pages import FLOOR_PAGES, ITEMS, Page
from calibration.wizard.state import FLOOR_STEP_MM, STEPS_OF_LONG_PRESS
from simulator.render.dice_model import face_up
from simulator.render.renderer import render
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY, Installation
from vision.frame import Frame, LazyFrame
from vision.reading import Face, Kind

CALIBRATION_FPS = 10.0
SMALL_SIZE_PX = (480, 270)
HAND_SPREAD_PX = 1.0
"""How far from a corner the user means the cross to be."""
MAX_LAYOUTS = 5
"""The user gives up after so many."""
MAX_FRAMES_WAITED = 90
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
        calibration: the calibration that was kept last; None if no tray was found.
        page: where it ended.
        problem: what the board said when the user gave up.
        detail: the same at length.
        presses: how many buttons were pressed.
        handlings: how often something was laid into the tray or taken out.
    """

    calibration: Calibration | None
    page: Page
    problem: Problem | None = None
    detail: str = ""
    presses: int = 0
    handlings: int = 0


class CalibrationUser:
    """Follows the wizard until a profile is kept, or gives up.

    Args:
        activity: the calibration, with this camera.
        camera: looks at the tray.
        where: the installation.
        rng: decides what they do by chance.
        sheet: whether the printed sheet lies in the tray when that is looked for.
    """

    def __init__(
        self,
        activity: Calibrating,
        camera: StillCamera,
        where: Installation,
        rng: np.random.Generator,
        sheet: bool = False,
    ) -> None:
        self._sheet = sheet
        self._activity = activity
        self._camera = camera
        self._installation = where
        self._rng = rng
        self._presses = 0
        self._handlings = 0

    def follow(self) -> CalibrationRun:
        """Does all items, one after the other, and leaves."""
        activity = self._activity
        # A tray that is not known is looked for before the list comes up.
        done: set[Page] = set() if activity.wizard.page is Page.LIST else {Page.TRAY}
        while not activity.done:
            page = activity.wizard.page
            if page is Page.LIST:
                leaves = done == set(ITEMS)
                done.add(activity.wizard.item)
                self._press(press_at_list(activity.wizard.item, leaves=leaves))
                continue
            if not self._follow_page(page):
                verdict = activity.wizard.verdict
                problem = None if verdict is None else verdict.problem
                detail = "" if verdict is None else verdict.detail
                return self._run(page, problem, detail)
        return self._run(activity.wizard.page)

    def _run(self, page: Page, problem: Problem | None = None, detail: str = "") -> CalibrationRun:
        kept = self._activity.calibration
        return CalibrationRun(kept, page, problem, detail, self._presses, self._handlings)

    def _press(self, button: Button, long: bool = False) -> None:
        self._presses += 1
        self._activity.press(Pressed(button, long))

    def _follow_page(self, page: Page) -> bool:
        """Does what a page asks for; False to give up."""
        activity = self._activity
        if page is Page.CHECK:
            done = all(self._confirm_a_throw() for _ in range(10))
            self._press(Button.BACK)
            return done
        if page is Page.HOLDER:
            self._press(Button.RIGHT)
            return activity.wizard.page is not page
        if page is Page.KEPT:
            self._press(Button.OK)
            return True
        if page in FLOOR_PAGES:
            self._enter_floor_side(page)
            return activity.wizard.page is not page
        for _ in range(MAX_LAYOUTS if page is Page.POWER else 1):
            faces = len(activity.wizard.faces)
            self._camera.scene = self._scene_asked_for(page)
            self._handlings += page is Page.POWER
            for _ in range(MAX_FRAMES_WAITED):
                activity.feed(self._camera.take())
                wizard = activity.wizard
                if wizard.page is not page or len(wizard.faces) != faces:
                    return True
                if wizard.points and wizard.pointing is not None:
                    self._point_at_corners()
                    if activity.wizard.refusal is not None:
                        return False
                elif wizard.no_markers or (page is Page.CORNERS and wizard.happened):
                    self._press(Button.OK)
                if activity.wizard.page is not page:
                    return True
        return False

    def _enter_floor_side(self, page: Page) -> None:
        """Enters a side of the floor as a ruler shows it, to the millimetre."""
        axis = FLOOR_PAGES.index(page)
        side = round(2 * self._installation.scene.tray.half[axis])
        while (off := side - self._activity.wizard.floor[axis]) != 0:
            button = Button.RIGHT if off > 0 else Button.LEFT
            self._press(button, abs(off) >= STEPS_OF_LONG_PRESS * FLOOR_STEP_MM)
        self._press(Button.OK)

    def _point_at_corners(self) -> None:
        """Leads the cross to each corner of the floor, about as exactly as its last steps are."""
        scene = self._installation.scene
        (x, y), activity = scene.tray.half, self._activity
        floor = np.array(((-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)))
        for corner in scene.camera.project(floor):
            number = len(activity.wizard.pointing.corners) if activity.wizard.pointing else 0
            seen = corner + self._rng.normal(0.0, HAND_SPREAD_PX, 2)
            while (now := activity.pointing) is not None and len(now.corners) == number:
                right, down = np.rint((seen - now.at) / now.step).astype(int)
                self._press_often(Button.RIGHT if right > 0 else Button.LEFT, abs(right))
                self._press_often(HOLD_BUTTONS[int(down > 0)], abs(down))
                self._press(Button.OK)

    def _press_often(self, button: Button, times: int) -> None:
        for _ in range(times):
            self._press(button)

    def _scene_asked_for(self, page: Page) -> Scene:
        """The tray as the board asks for it."""
        where, rng = self._installation, self._rng
        if page is Page.POWER:
            face = self._activity.wizard.face
            return where.laid(rng, [(Kind.POWER, face)], MIN_LONE_DIE_GAP_MM)
        if page is Page.TRAY and self._sheet:
            return where.with_board()
        return where.scene

    def _confirm_a_throw(self) -> bool:
        """Makes one throw, waits until it is read, corrects what is wrong, and confirms."""
        dice: list[tuple[Kind, Face | None]] = [(kind, None) for kind in USED_DICE]
        for _ in range(MAX_LAYOUTS):
            scene = self._installation.laid(self._rng, dice)
            self._camera.scene = scene
            self._handlings += 1
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
                self._press(button)
                if button is Button.OK and throw.chosen is None:
                    return True
                throw = self._activity.wizard.throw or throw
        return False

"""The wizard with glossy dice under a lamp: it asks for darker frames as a game does."""

from collections.abc import Callable

import pytest

from appliance.inputs import Button, Pressed
from appliance.service.calibration import Calibrating
from appliance.simulator.people.calibrator import USED_DICE
from calibration.calibration import Calibration
from calibration.problems import Problem
from calibration.wizard.pages import Page
from calibration.wizard.prompts import PagePrompt
from calibration.wizard.state import Wizard
from simulator.camera import EXPOSURE_DELAY_FRAMES, SimulatedCamera
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.watched_tray import geometry_of_tray
from simulator.render.scene import GLANCE_QUALITY
from tests.rigs.rendering.glare import GLOSSY, glaring_scene
from vision.frame import Frame
from vision.reading import Kind
from vision.watch.darker import MAX_WAIT_FRAMES

pytestmark = pytest.mark.slow

FULL, SMALL, FPS = (960, 540), (240, 135), 30.0
KINDS = dict(enumerate(USED_DICE))
POWER = next(slot for slot, kind in KINDS.items() if kind is Kind.POWER)
# Frames between measurements, plus those to darken and brighten again.
AGAIN = 4 * EXPOSURE_DELAY_FRAMES


class Camera(SimulatedCamera):
    """Counts how often it was asked; may never answer, or say that it cannot."""

    def __init__(self, tray: SimulatedTray, answers: bool = True, able: bool = True) -> None:
        super().__init__(tray, SMALL, FULL, GLANCE_QUALITY)
        self.answers, self.able, self.asked = answers, able, 0
        self.dark = False

    def darken(self, share: float) -> bool:
        self.asked += 1
        self.dark = self.able
        return super().darken(share if self.answers else 1.0) and self.able

    def brighten(self) -> None:
        self.dark = False
        super().brighten()


class Bench:
    """The wizard where it asks for the Power die, with an empty tray."""

    def __init__(self, answers: bool = True, able: bool = True) -> None:
        self.tray = SimulatedTray(5, KINDS, glaring_scene(FULL), GLOSSY)
        self.camera = Camera(self.tray, answers, able)
        profile = geometry_of_tray(self.tray, FULL)
        self.activity = Calibrating(
            lambda kept: None, known=Calibration(profile), shutter=self.camera
        )
        self.press(Button.RIGHT)
        self.press(Button.OK)
        assert self.wizard.page is Page.POWER
        self.feed(AGAIN)

    @property
    def wizard(self) -> Wizard:
        return self.activity.wizard

    def lay(self, dice: dict[int, int | str]) -> None:
        self.tray.throw(dice, apart_mm=12.0)
        self.rest()

    def rest(self) -> None:
        while self.tray.busy:
            self.tray.advance(1 / FPS)

    def feed(self, frames: int) -> list[float]:
        taken = list[Frame]()
        for _ in range(frames):
            taken.append(self.camera.take())
            self.activity.feed(taken[-1])
            self.tray.advance(1 / FPS)
        return [frame.exposure for frame in taken]

    def until(self, there: Callable[[], bool]) -> None:
        for _ in range(8 * MAX_WAIT_FRAMES):
            if there():
                return
            self.feed(1)
        raise AssertionError("not within so many frames")

    def press(self, button: Button) -> None:
        self.activity.press(Pressed(button))

    @property
    def said(self) -> PagePrompt:
        said = self.activity.said
        assert isinstance(said, PagePrompt)
        return said

    @property
    def problem(self) -> Problem | None:
        seen = self.wizard.seen
        return None if seen is None else seen.verdict.problem


def face_in_glare(bench: Bench) -> None:
    bench.lay({POWER: "freeze"})


def test_a_face_that_a_lamp_outshines_is_learnt_from_a_darker_frame() -> None:
    bench = Bench()
    asked = bench.camera.asked
    face_in_glare(bench)
    bench.until(lambda: bench.camera.dark)
    bench.until(lambda: len(bench.wizard.faces) == 1)
    assert (bench.camera.asked, bench.camera.dark) == (asked + 1, False)
    # It goes on by itself, and waits for the next face.
    assert bench.said.place == "2/6"
    assert bench.feed(AGAIN)[-1] == 1.0


def test_what_has_moved_is_looked_at_anew() -> None:
    bench = Bench(answers=False)
    face_in_glare(bench)
    bench.until(lambda: bench.problem is Problem.GLARE_DIE)
    bench.tray.clear()
    bench.rest()
    bench.until(lambda: bench.problem is Problem.NO_DICE)


@pytest.mark.parametrize("able", [True, False])
def test_a_camera_that_does_not_answer_is_waited_for_no_longer_than_in_play(able: bool) -> None:
    bench = Bench(answers=False, able=able)
    face_in_glare(bench)
    bench.until(lambda: bench.problem is Problem.GLARE_DIE)
    assert not bench.camera.dark
    assert bench.said.says == ("MOVE THE DIE", "OR THE LAMP", "PAPER OVER LAMP")
    asked = bench.camera.asked
    bench.feed(AGAIN)
    assert bench.camera.asked == asked


def test_who_goes_back_gets_the_usual_exposure() -> None:
    bench = Bench()
    face_in_glare(bench)
    bench.until(lambda: bench.camera.dark)
    bench.press(Button.BACK)
    assert not bench.camera.dark
    bench.press(Button.BACK)
    assert bench.activity.done
    assert bench.feed(AGAIN)[-1] == 1.0


def test_a_calibration_ends_what_a_game_has_asked_for() -> None:
    tray = SimulatedTray(5, KINDS, glaring_scene(FULL), GLOSSY)
    camera = Camera(tray)
    camera.darken(0.125)
    Calibrating(lambda kept: None, shutter=camera)
    assert not camera.dark

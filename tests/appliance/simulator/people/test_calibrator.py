"""Somebody who follows the calibration at the simulated tray; what cameras see is made up here."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pytest

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.simulator.motion.simulated_tray import SimulatedTray
from appliance.simulator.people.calibrator import (
    DICE_IN_HOLDER,
    Calibrator,
    dice_left_to_right,
    next_press,
)
from appliance.simulator.people.menu_user import MenuUser, Wishes
from appliance.simulator.render.dice_model import face_up
from appliance.simulator.scenes.installations import marked_scene
from appliance.table.menu.prompting import ListPrompt
from calibration.problems import Verdict
from calibration.wizard.advance import advance
from calibration.wizard.stages import TAKES_PER_FACE, WizardStep
from calibration.wizard.state import (
    CheckedThrow,
    Key,
    Lock,
    Locked,
    Press,
    Seen,
    SeenDie,
    Store,
    TakePictures,
    Took,
    Wizard,
    begin_wizard,
)
from tests.calibration.wizard.test_wizard import draft
from tests.rigs.rendering.truth import truth_in
from vision.reading import POWER_FACES, Kind

SIZE = (640, 360)
KEYS = {Button.OK: Key.OK, Button.BACK: Key.BACK, Button.LEFT: Key.LEFT, Button.RIGHT: Key.RIGHT}


class Hand:
    """Passes presses on to the wizard, and does what it asks for."""

    def __init__(self, tray: SimulatedTray) -> None:
        self.tray = tray
        self.wizard = begin_wizard()
        self.stored = False
        self.seen: dict[WizardStep, list[Mapping[int, object]]] = {}

    def press(self, button: Button) -> None:
        if self.wizard.stage.step is not WizardStep.CHECK:
            lying = {slot: face_up(die) for slot, die in self.tray.resting.items()}
            self.seen.setdefault(self.wizard.stage.step, []).append(lying)
        slot = HOLD_BUTTONS.index(button) if button in HOLD_BUTTONS else 0
        self.wizard = advance(self.wizard, Press(KEYS.get(button, Key.HOLD), slot))
        for request in self.wizard.requests:
            match request:
                case TakePictures(stage):
                    self.wizard = advance(self.wizard, Took(stage, draft()))
                case Lock():
                    self.wizard = advance(self.wizard, Locked({}))
                case Store():
                    self.stored = True
                case _:
                    pass


def test_everything_is_laid_as_the_board_asks() -> None:
    tray = SimulatedTray(4, scene=marked_scene())
    hand = Hand(tray)
    calibrator = Calibrator(tray, hand, np.random.default_rng(1), SIZE)
    time_s, sheets = 0.0, set[int]()
    while hand.wizard.stage.step is not WizardStep.CHECK and time_s < 240:
        wizard = hand.wizard
        if not tray.busy:
            hand.wizard = advance(wizard, Seen(wizard.stage, Verdict(0.9)))
        if wizard.stage.step is WizardStep.RIM:
            sheets.add(len(tray.scene().prints))
        calibrator.act(hand.wizard, time_s)
        tray.advance(0.2)
        time_s += 0.2
    assert hand.wizard.stage.step is WizardStep.CHECK
    assert max(sheets) == 5
    assert len(tray.scene().prints) == 4
    for step in (WizardStep.LIGHT, WizardStep.TRAY, WizardStep.RIM, WizardStep.EMPTY):
        assert hand.seen[step] == [{}]
    (whole,) = hand.seen[WizardStep.DICE]
    assert len(whole) == 7
    shown = [tuple(lying.values()) for lying in hand.seen[WizardStep.POWER]]
    assert shown == [(face,) for face in POWER_FACES for _ in range(TAKES_PER_FACE)]
    assert len(hand.seen[WizardStep.HOLDER][0]) == DICE_IN_HOLDER


def test_dice_are_corrected_from_left_to_right() -> None:
    tray = SimulatedTray(2, scene=marked_scene())
    tray.throw({0: 1, 1: 2, 2: 3}, apart_mm=12.0)
    while tray.busy:
        tray.advance(0.5)
    truth = sorted(truth_in(tray, SIZE).values(), key=lambda die: die.centre_px)
    assert [face_up(die) for die in dice_left_to_right(tray.scene(SIZE))] == [
        die.value for die in truth
    ]
    assert min(abs(a.mm[0] - b.mm[0]) + abs(a.mm[1] - b.mm[1]) for a, b in pairwise(truth)) > 20


def throw(faces: tuple[int, ...], chosen: int | None = None) -> CheckedThrow:
    dice = tuple(SeenDie(Kind.BLACK, face, True) for face in faces)
    return CheckedThrow(dice, faces, chosen)


@pytest.mark.parametrize(
    ("shown", "truth", "button"),
    [
        (throw((1, 2, 3)), (1, 2, 3), Button.OK),
        (throw((1, 2, 3)), (1, 2), Button.BACK),
        (throw((1, 5, 3)), (1, 2, 3), HOLD_BUTTONS[1]),
        (throw((1, 5, 3), 1), (1, 2, 3), Button.RIGHT),
        (throw((1, 2, 3), 1), (1, 2, 3), Button.OK),
        (throw((1, 1, 1, 1, 1, 1, 1)), (1, 1, 1, 1, 1, 1, 2), Button.LEFT),
    ],
)
def test_a_throw_is_put_right_die_by_die(
    shown: CheckedThrow, truth: tuple[int, ...], button: Button
) -> None:
    assert next_press(shown, truth) is button


def test_nothing_is_pressed_while_the_board_is_not_content() -> None:
    tray = SimulatedTray(1, scene=marked_scene())
    hand = Hand(tray)
    calibrator = Calibrator(tray, hand, np.random.default_rng(1), SIZE)
    dark = Wizard(seen=Seen(begin_wizard().stage, Verdict(0.2)), refusal=Verdict(0.2))
    for tenth in range(100):
        calibrator.act(dark, tenth / 10)
        tray.advance(0.1)
    assert hand.seen == {}


def test_a_user_visits_the_menu_before_a_game() -> None:
    pressed: list[Button] = []

    class FakeButtons:
        def press(self, button: Button) -> None:
            pressed.append(button)

    user = MenuUser(FakeButtons(), Wishes("CLASSIC", ("EVA",)), 0.0, before=("CALIBRATE",))
    for n, line in enumerate(("NEW GAME", "CALIBRATE", "NEW GAME")):
        user.act(ListPrompt("MENU", (line,), n, 3), float(n))
    assert pressed == [Button.RIGHT, Button.OK, Button.OK]

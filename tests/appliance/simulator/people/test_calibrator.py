"""Somebody who follows the calibration at the simulated tray; what cameras see is made up here."""

from itertools import pairwise

import numpy as np
import pytest

from appliance.inputs import HOLD_BUTTONS, Button
from appliance.simulator.people.calibrator import (
    CHECKED_THROWS,
    DICE_IN_HOLDER,
    Calibrator,
    dice_left_to_right,
    next_press,
)
from appliance.simulator.people.menu_user import MenuUser, Wishes
from appliance.table.menu.prompting import ListPrompt
from calibration.problems import Problem, Verdict
from calibration.wizard.advance import advance
from calibration.wizard.card import CARD_MM
from calibration.wizard.pages import Page
from calibration.wizard.state import (
    CheckedThrow,
    Event,
    Key,
    Lock,
    Locked,
    Passed,
    Press,
    Rested,
    Seen,
    SeenDie,
    Store,
    Stored,
    Wizard,
    begin_wizard,
)
from simulator.motion.simulated_tray import SimulatedTray
from simulator.render.dice_model import DieBody, face_up
from simulator.scenes.installations import marked_scene
from tests.calibration.wizard.test_wizard import draft, patch
from tests.rigs.rendering.truth import truth_in
from vision.reading import POWER_FACES, Kind

SIZE = (640, 360)
KEYS = {Button.OK: Key.OK, Button.BACK: Key.BACK, Button.LEFT: Key.LEFT, Button.RIGHT: Key.RIGHT}


class Hand:
    """Passes presses on to the wizard, does what it asks for, and looks at the tray for it."""

    def __init__(self, tray: SimulatedTray) -> None:
        self.tray = tray
        self.wizard = begin_wizard()
        self.lying: dict[Page, list[tuple[object, ...]]] = {}
        self.pressed: list[Button] = []
        self._reported: tuple[DieBody, ...] = ()

    def press(self, button: Button) -> None:
        self.pressed.append(button)
        slot = HOLD_BUTTONS.index(button) if button in HOLD_BUTTONS else 0
        self._advance(Press(KEYS.get(button, Key.HOLD), slot))

    def look(self) -> None:
        """Shows the wizard a tray in which nothing moves, as the appliance would."""
        wizard, page = self.wizard, self.wizard.page
        faces = tuple(face_up(die) for die in self.tray.resting.values())
        if page is Page.KEPT:
            self._advance(Passed())
        elif page is Page.CHECK and wizard.throw is None and len(faces) == 7:
            lying = tuple(dice_left_to_right(self.tray.scene(SIZE)))
            # Each throw is reported once.
            if lying != self._reported:
                self._reported = lying
                dice = (SeenDie(Kind.OTHER, face_up(die), True) for die in lying)
                self._advance(Rested(tuple(dice)))
        elif page in (Page.TRAY, Page.HOLDER):
            places = () if page is Page.TRAY else ((1.0, 1.0),) * len(faces)
            self._see(Seen(page, Verdict(1.0), places, draft=draft()))
        elif page is Page.POWER:
            if len(faces) != 1:
                self._see(Seen(page, Verdict(0.0, Problem.NO_DICE, "none")))
                return
            known = draft(faces=POWER_FACES[: len(wizard.faces) + 1])
            number = POWER_FACES.index(str(faces[0]))
            if faces[0] == wizard.face:
                self._see(Seen(page, Verdict(1.0), ((0.0, 0.0),), patch(number), known))

    def _see(self, seen: Seen) -> None:
        lying = tuple(face_up(die) for die in self.tray.resting.values())
        if seen.verdict.good:
            self.lying.setdefault(seen.page, []).append(lying)
        self._advance(seen)

    def _advance(self, event: Event) -> None:
        self.wizard = advance(self.wizard, event)
        for request in self.wizard.requests:
            if isinstance(request, Lock):
                self._advance(Locked({}))
            elif isinstance(request, Store):
                self._advance(Stored())


def test_everything_is_laid_as_the_board_asks() -> None:
    tray = SimulatedTray(4, scene=marked_scene())
    hand = Hand(tray)
    calibrator = Calibrator(tray, hand, np.random.default_rng(1), SIZE)
    time_s = 0.0
    while not hand.wizard.ended and time_s < 240:
        if not tray.busy:
            hand.look()
        calibrator.act(hand.wizard, time_s)
        tray.advance(0.2)
        time_s += 0.2
    assert hand.wizard.ended
    assert set(hand.lying[Page.TRAY]) == {()}
    assert len(hand.lying[Page.HOLDER][-1]) == DICE_IN_HOLDER
    assert list(dict.fromkeys(hand.lying[Page.POWER])) == [(face,) for face in POWER_FACES]
    assert hand.wizard.known is not None
    assert hand.wizard.known.check.dice == 7 * CHECKED_THROWS
    # The items are opened, but for the card, throws confirmed, and the check and the list left.
    assert hand.pressed.count(Button.OK) == 3 + CHECKED_THROWS
    assert hand.pressed.count(Button.BACK) == 2
    assert hand.pressed.count(Button.RIGHT) == 1
    assert len(hand.pressed) == 6 + CHECKED_THROWS


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


def throw(
    faces: tuple[int, ...], chosen: int | None = None, there: int | None = None
) -> CheckedThrow:
    dice = tuple(SeenDie(Kind.BLACK, face, True) for face in faces)
    return CheckedThrow(dice, faces, there or len(faces), chosen)


@pytest.mark.parametrize(
    ("shown", "truth", "button"),
    [
        (throw((1, 2, 3)), (1, 2, 3), Button.OK),
        (throw((1, 2, 3)), (1, 2), Button.LEFT),
        (throw((1, 2)), (1, 2, 3), Button.RIGHT),
        (throw((1, 2), there=3), (1, 2, 3), Button.OK),
        (throw((1, 5, 3)), (1, 2, 3), HOLD_BUTTONS[1]),
        (throw((1, 5, 3), 1), (1, 2, 3), Button.RIGHT),
        (throw((1, 2, 3), 1), (1, 2, 3), Button.OK),
        (throw((1, 1, 1, 1, 1, 1, 1)), (1, 1, 1, 1, 1, 1, 2), HOLD_BUTTONS[0]),
    ],
)
def test_a_throw_is_put_right_die_by_die(
    shown: CheckedThrow, truth: tuple[int, ...], button: Button
) -> None:
    assert next_press(shown, truth) is button


def test_nothing_is_pressed_while_nothing_is_asked() -> None:
    tray = SimulatedTray(1, scene=marked_scene())
    hand = Hand(tray)
    calibrator = Calibrator(tray, hand, np.random.default_rng(1), SIZE)
    for tenth in range(100):
        calibrator.act(hand.wizard, tenth / 10)
        tray.advance(0.1)
    assert hand.pressed == []


def test_a_user_visits_the_menu_before_a_game() -> None:
    pressed: list[Button] = []

    class FakeButtons:
        def press(self, button: Button) -> None:
            pressed.append(button)

    user = MenuUser(FakeButtons(), Wishes("CLASSIC", ("EVA",)), 0.0, before=("CALIBRATE",))
    for n, line in enumerate(("NEW GAME", "CALIBRATE", "NEW GAME")):
        user.act(ListPrompt("MENU", (line,), n, 3), float(n))
    assert pressed == [Button.RIGHT, Button.OK, Button.OK]


def test_a_card_is_put_on_the_rim_and_taken_away_again() -> None:
    tray = SimulatedTray(4, scene=marked_scene())
    calibrator = Calibrator(tray, Hand(tray), np.random.default_rng(1), SIZE)
    plates = tray.scene(SIZE).prints
    for lies in (True, False, True):
        calibrator.lay_out(Wizard(Page.CARD))
        sheets = [one.sheet.size for one in tray.scene(SIZE).prints[len(plates) :]]
        assert sheets == [CARD_MM] * lies

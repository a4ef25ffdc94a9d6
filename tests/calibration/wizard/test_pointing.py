"""A cross that is led to the floor's corners with buttons, without any other screen."""

import numpy as np
import pytest

from calibration.problems import Problem, Verdict
from calibration.wizard.advance import advance
from calibration.wizard.pages import Page
from calibration.wizard.pointing import (
    CORNER_COUNT,
    FAST_STEPS,
    ZOOMS,
    begin_pointing,
    lights_around,
)
from calibration.wizard.prompts import PagePrompt, PointPrompt, wizard_prompt
from calibration.wizard.state import (
    Event,
    Key,
    Point,
    Press,
    Seen,
    Store,
    Wizard,
    begin_wizard,
)
from tests.calibration.wizard.test_wizard import draft, run, stored
from vision.frame import Image

SIZE = (1280, 720)
FLOOR_MM = (216.0, 152.0)
CORNERS = ((320, 140), (960, 140), (960, 590), (320, 590))
OK, BACK, LEFT, RIGHT = (Press(key) for key in (Key.OK, Key.BACK, Key.LEFT, Key.RIGHT))
UP, DOWN = Press(Key.HOLD, 0), Press(Key.HOLD, 1)
PICTURE = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
SEEN = Seen(Page.CORNERS, Verdict(1.0), picture=PICTURE)


def begun(known: bool = True) -> Wizard:
    """A cross in the first picture."""
    wizard = begin_wizard(draft("known") if known else None, None, FLOOR_MM, by_corners=True)
    return advance(wizard, SEEN)


def lead(wizard: Wizard, x: int, y: int) -> tuple[Wizard, int]:
    """Leads the cross to a corner; how many presses that took."""
    presses = 0
    number = len(wizard.pointing.corners) if wizard.pointing else 0
    while (now := wizard.pointing) is not None and len(now.corners) == number:
        right, down = (round((to - at) / now.step) for to, at in zip((x, y), now.at, strict=True))
        keys: list[Event] = [RIGHT if right > 0 else LEFT] * abs(right)
        keys += [DOWN if down > 0 else UP] * abs(down)
        wizard = run(wizard, *keys, OK)
        presses += len(keys) + 1
    return wizard, presses


def pointed(wizard: Wizard, corners: tuple[tuple[int, int], ...] = CORNERS) -> Wizard:
    for x, y in corners:
        wizard, _ = lead(wizard, x, y)
    return wizard


def test_eleven_buttons_lead_the_cross_to_four_corners_and_these_to_a_tray() -> None:
    wizard, presses = begun(), 0
    for x, y in CORNERS:
        wizard, more = lead(wizard, x, y)
        presses += more
    assert presses < 60
    assert wizard.pointing is not None
    assert np.abs(np.subtract(wizard.pointing.corners, CORNERS)).max() <= wizard.pointing.step
    assert wizard.pointed is not None
    assert wizard.pointed.floor_mm == FLOOR_MM
    assert wizard.pointed.off_mm is not None
    said = wizard_prompt(wizard)
    assert isinstance(said, PagePrompt)
    assert said.says[0] == "TAKE ALL OUT"
    # What is pointed at is kept when it was seen to be empty, and somebody has said yes.
    found = Seen(Page.CORNERS, Verdict(1.0), draft=wizard.pointed, outline=((0.2, 0.2),) * 4)
    wizard = run(wizard, *[found] * 20)
    assert wizard.page is Page.CORNERS
    said = wizard_prompt(wizard)
    assert isinstance(said, PagePrompt)
    assert said.says[0] == "IS THIS IT? OK"
    assert said.says[2].startswith("WITHIN ")
    wizard = stored(advance(wizard, OK))
    assert wizard.page is Page.KEPT
    assert wizard.known is not None
    assert wizard.known.floor_mm == FLOOR_MM
    assert wizard.known.profile.power_faces == ()


def test_what_is_in_the_way_refuses_an_ok() -> None:
    wizard = pointed(begun())
    full = Seen(Page.CORNERS, Verdict(0.0, Problem.NOT_EMPTY))
    wizard = run(wizard, full, OK)
    assert not any(isinstance(one, Store) for one in wizard.requests)
    assert wizard.refusal is not None
    assert wizard.refusal.problem is Problem.NOT_EMPTY


def test_corners_of_no_floor_are_said_and_pointed_at_again_from_where_they_were() -> None:
    wrong = (CORNERS[0], CORNERS[1], CORNERS[3], CORNERS[2])
    wizard = pointed(begun(), wrong)
    said = wizard_prompt(wizard)
    assert isinstance(said, PointPrompt)
    assert said.problem == "MEASURE AGAIN"
    assert wizard.pointed is None
    assert wizard.pointing is not None
    assert wizard.pointing.corners == ()
    assert np.abs(np.subtract(wizard.pointing.before, wrong)).max() <= 2
    assert advance(wizard, RIGHT).refusal is None
    assert pointed(wizard).pointed is not None


def test_left_corrects_the_size_and_the_cross_begins_where_the_corners_were() -> None:
    wizard = pointed(begun())
    assert wizard.pointing is not None
    before = wizard.pointing.corners
    wizard = run(wizard, LEFT, RIGHT, OK)
    assert (wizard.page, wizard.floor) == (Page.DEPTH, (217.0, 152.0))
    wizard = run(wizard, OK, SEEN, *[OK] * (ZOOMS * CORNER_COUNT))
    assert wizard.pointing is not None
    assert wizard.pointing.corners == before
    assert wizard.pointed is not None
    assert wizard.pointed.floor_mm == (217.0, 152.0)


def test_right_points_again_at_what_was_found() -> None:
    wizard = pointed(begun())
    assert wizard.pointing is not None
    before = wizard.pointing.corners
    again = advance(wizard, RIGHT)
    assert again.points
    # Who only meant one of them has the others in three presses each.
    assert run(again, *[OK] * (ZOOMS * CORNER_COUNT)).pointing is not None
    same = run(again, SEEN, *[OK] * (ZOOMS * CORNER_COUNT)).pointing
    assert same is not None
    assert same.corners == before


@pytest.mark.parametrize("known", [True, False])
def test_one_back_leaves_and_puts_the_camera_back(known: bool) -> None:
    wizard, _ = lead(begun(known), *CORNERS[0])
    left = run(wizard, OK, BACK)
    assert left.ended is not known
    assert left.pointing is None or left.ended
    assert [type(one).__name__ for one in left.requests] == ["Restore"]


def test_a_button_held_down_moves_it_farther() -> None:
    wizard = begun()
    assert wizard.pointing is not None
    far = advance(wizard, Press(Key.RIGHT, long=True)).pointing
    assert far == wizard.pointing.moved(FAST_STEPS, 0)


def test_before_the_first_picture_nothing_can_be_pointed_at() -> None:
    wizard = begin_wizard(None, None, FLOOR_MM, by_corners=True)
    assert run(wizard, RIGHT, UP, Point(0.5, 0.5)).pointing is None
    refused = advance(wizard, OK).refusal
    assert refused is not None
    assert refused.problem is Problem.LOOKING
    said = wizard_prompt(wizard)
    assert isinstance(said, PointPrompt)
    assert said.lights == ()


def test_a_mouse_points_at_once() -> None:
    wizard = begun()
    for x, y in CORNERS:
        wizard = advance(wizard, Point(x / SIZE[0], y / SIZE[1]))
    assert wizard.pointed is not None
    assert advance(wizard, Point(0.5, 0.5)).pointing == wizard.pointing


def picture_of_a_floor() -> Image:
    """Red felt between walls of wood that are as bright."""
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 110, 150), np.uint8)
    (left, top), _, (right, bottom), _ = CORNERS
    picture[top:bottom, left:right] = (90, 90, 190)
    return picture


@pytest.mark.parametrize("zoom", range(1, ZOOMS))
def test_a_corner_is_seen_by_lights_wherever_colours_meet(zoom: int) -> None:
    pointing = begin_pointing(SIZE, CORNERS)
    for _ in range(zoom):
        pointing = pointing.taken()
    noise = np.random.default_rng(0).normal(0, 4, (*PICTURE.shape,))
    image = np.clip(picture_of_a_floor() + noise, 0, 255).astype(np.uint8)
    lights = lights_around(image, pointing, 41, 15)
    inside = np.zeros((15, 41), bool)
    inside[8:, 21:] = True
    assert (lights == inside)[:7].all() or (lights != inside)[:7].all()
    assert (lights == inside).mean() > 0.9 or (lights != inside).mean() > 0.9


def test_beyond_the_picture_and_in_the_dark_there_is_no_light() -> None:
    pointing = begin_pointing(SIZE, ((0, 0), *CORNERS[1:]))
    lights = lights_around(picture_of_a_floor(), pointing, 41, 15)
    assert not lights[:7].any()
    assert not lights[:, :20].any()
    assert lights.any()
    assert not lights_around(PICTURE, pointing, 41, 15).any()

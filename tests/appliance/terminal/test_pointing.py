"""Pointing at corners with keys, and with a mouse."""

import numpy as np
import pytest

from appliance.inputs import Button
from appliance.terminal.keyboard import DOWN_ACTION, UP_ACTION
from appliance.terminal.pointing import obey, place_of, pointing_view
from calibration.corners import calibrate_by_corners
from calibration.markers.lens import camera_module_3
from calibration.wizard.pointing import Pointing, begin_pointing
from tests.profiles import make_profile

SIZE = (1536, 864)


def lead(pointing: Pointing, x: int, y: int) -> Pointing:
    """Moves the cross to a place with as few keys as somebody needs who sees it, and takes it."""
    number = len(pointing.corners)
    while len(pointing.corners) == number:
        right, down = (
            round((to - at) / pointing.step) for to, at in zip((x, y), pointing.at, strict=True)
        )
        keys: list[str] = [Button.RIGHT if right > 0 else Button.LEFT] * abs(right)
        keys += [DOWN_ACTION if down > 0 else UP_ACTION] * abs(down)
        pointing = obey(pointing, [*keys, Button.OK])
    return pointing


def test_keys_lead_to_the_corners_and_these_to_the_tray() -> None:
    profile = make_profile()
    floor = profile.to_pixels(np.pad(profile.tray, ((0, 0), (0, 1))))
    corners = [(round(x), round(y)) for x, y in floor.tolist()]
    pointing = begin_pointing(SIZE)
    for x, y in corners:
        assert not pointing.done
        pointing = lead(pointing, x, y)
    assert pointing.done
    assert np.abs(np.subtract(pointing.corners, corners)).max() <= 1
    found = calibrate_by_corners(camera_module_3(SIZE), pointing.corners, (212.0, 150.0)).profile
    assert np.abs(found.to_pixels(np.pad(found.tray, ((0, 0), (0, 1)))) - corners).max() < 8


def test_back_looks_from_farther_away_and_then_gives_the_last_corner_back() -> None:
    taken = lead(begin_pointing(SIZE), 300, 200)
    closer = obey(taken, [Button.OK])
    assert closer.zoom == 1
    assert obey(closer, [Button.BACK]) == taken
    again = obey(closer, [Button.BACK, Button.BACK])
    assert not again.corners
    assert again.at == taken.corners[0]
    assert obey(again, [Button.BACK]) == again


def test_edges_are_not_passed() -> None:
    pointing = obey(begin_pointing(SIZE), [Button.RIGHT] * 99 + [UP_ACTION] * 99)
    assert pointing.at == (SIZE[0] - 1, 0)


def test_the_view_says_which_corner_is_next_and_why_it_starts_again() -> None:
    picture = np.zeros((864, 1536, 3), np.uint8)
    line = pointing_view(begin_pointing(SIZE), picture, "they miss a rectangle.").line
    assert line.startswith("they miss a rectangle. Corner 1 of 4, top left of the floor: ")


def test_what_lies_around_the_cross_is_magnified() -> None:
    picture = np.zeros((864, 1536, 3), np.uint8)
    picture[216 - 20, 384 + 20] = 255
    view = pointing_view(begin_pointing(SIZE), picture)
    [near] = view.dice
    assert near.picture[24 - 20, 24 + 20].tolist() == [255, 255, 255]
    assert view.tray is not None
    assert view.tray[216, 384].tolist() == near.picture[24, 24].tolist() != [0, 0, 0]
    assert not picture[216, 384].any(), "the camera's own picture is left as it is"


def test_a_place_that_is_pointed_at_is_a_corner() -> None:
    actions = ["point:0.25,0.5", "point:1.0,7", "point:nan,0.5", "point:x", "point:"]
    pointing = obey(begin_pointing(SIZE), actions)
    assert pointing.corners == ((SIZE[0] // 4, SIZE[1] // 2), (SIZE[0] - 1, SIZE[1] - 1))
    assert pointing_view(pointing, np.zeros((864, 1536, 3), np.uint8)).pointing
    pointing = obey(pointing, [Button.BACK, "point:0,0", "point:0,0.5", "point:0.5,0"])
    assert pointing.done
    assert pointing.corners[1:] == ((0, 0), (0, SIZE[1] // 2), (SIZE[0] // 2, 0))
    assert obey(pointing, ["point:0,0", Button.OK, Button.LEFT]) == pointing


@pytest.mark.parametrize(
    "action", [Button.OK, "", "point:", "point:1", "point:1,2,3", "point:inf,0"]
)
def test_other_actions_point_at_nothing(action: str) -> None:
    assert place_of(action) is None

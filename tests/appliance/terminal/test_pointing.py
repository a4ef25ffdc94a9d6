"""Pointing at corners with keys."""

import numpy as np

from appliance.inputs import Button
from appliance.terminal.keyboard import DOWN_ACTION, UP_ACTION
from appliance.terminal.pointing import Pointer
from calibration.markers.lens import camera_module_3
from calibration.rim.corners import calibrate_by_corners
from tests.profiles import make_profile

SIZE = (1536, 864)
STARTS = ((384, 216), (1152, 216), (1152, 648), (384, 648))


def move(pointer: Pointer, right: int, down: int) -> None:
    """Moves this many pixels: coarse steps of 38, then fine ones."""
    far = [round(way / 38) for way in (right, down)]
    near = [way - 38 * steps for way, steps in zip((right, down), far, strict=True)]
    for steps in (far, near):
        pointer.obey([Button.RIGHT if steps[0] > 0 else Button.LEFT] * abs(steps[0]))
        pointer.obey([DOWN_ACTION if steps[1] > 0 else UP_ACTION] * abs(steps[1]))
        pointer.obey([Button.HINT])


def test_keys_lead_to_the_corners_and_these_to_the_tray() -> None:
    profile = make_profile()
    floor = profile.to_pixels(np.pad(profile.tray, ((0, 0), (0, 1))))
    corners = [(round(x), round(y)) for x, y in floor.tolist()]
    pointer = Pointer(SIZE)
    for (x, y), (start_x, start_y) in zip(corners, STARTS, strict=True):
        assert not pointer.done
        move(pointer, x - start_x, y - start_y)
        pointer.obey([Button.OK])
    assert pointer.done
    assert pointer.corners == corners
    found = calibrate_by_corners(camera_module_3(SIZE), pointer.corners, (212.0, 150.0)).profile
    assert np.abs(found.to_pixels(np.pad(found.tray, ((0, 0), (0, 1)))) - corners).max() < 8


def test_back_gives_the_last_corner_back_and_edges_are_not_passed() -> None:
    pointer = Pointer(SIZE)
    pointer.obey([Button.OK, Button.OK, Button.BACK])
    assert pointer.corners == [STARTS[0]]
    pointer.obey([Button.RIGHT] * 99 + [Button.OK])
    assert pointer.corners == [STARTS[0], (SIZE[0] - 1, STARTS[1][1])]
    again = Pointer(SIZE, "they miss a rectangle.")
    assert again.corners == []
    line = again.view(np.zeros((864, 1536, 3), np.uint8)).line
    assert line.startswith("they miss a rectangle. Corner 1 of 4, top left of the floor: ")


def test_what_lies_around_the_cross_is_magnified() -> None:
    picture = np.zeros((864, 1536, 3), np.uint8)
    picture[216 - 20, 384 + 20] = 255
    view = Pointer(SIZE).view(picture)
    [near] = view.dice
    assert near.picture[24 - 20, 24 + 20].tolist() == [255, 255, 255]
    assert view.tray is not None
    assert view.tray[216, 384].tolist() == near.picture[24, 24].tolist() != [0, 0, 0]
    assert not picture[216, 384].any(), "the camera's own picture is left as it is"


def test_a_place_that_is_pointed_at_is_a_corner() -> None:
    pointer = Pointer(SIZE)
    pointer.obey(["point:0.25,0.5", "point:1.0,7", "point:nan,0.5", "point:x", "point:"])
    assert pointer.corners == [(SIZE[0] // 4, SIZE[1] // 2), (SIZE[0] - 1, SIZE[1] - 1)]
    assert pointer.view(np.zeros((864, 1536, 3), np.uint8)).pointing
    pointer.obey([Button.BACK, "point:0,0", "point:0,0.5", "point:0.5,0"])
    assert pointer.done
    assert pointer.corners[1:] == [(0, 0), (0, SIZE[1] // 2), (SIZE[0] // 2, 0)]

"""The corners of a tray's floor, pointed at with keys or a mouse in the camera's picture."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from appliance.inputs import Button
from appliance.service.guide import pointing_guidance
from appliance.service.pointing import magnified_view
from appliance.service.view import View
from appliance.terminal.keyboard import DOWN_ACTION, POINT_PREFIX, UP_ACTION
from calibration.wizard.pointing import Pointing
from vision.frame import Image

_STEP_OF_ACTION = {
    Button.LEFT: (-1, 0),
    Button.RIGHT: (1, 0),
    UP_ACTION: (0, -1),
    DOWN_ACTION: (0, 1),
}


def place_of(action: str) -> tuple[float, float] | None:
    """The place in the picture that an action points at, shares of its size; None for others."""
    if not action.startswith(POINT_PREFIX):
        return None
    with suppress(ValueError):
        x, y = (float(text) for text in action.removeprefix(POINT_PREFIX).split(","))
        if np.isfinite((x, y)).all():
            return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)
    return None


def obey(pointing: Pointing, actions: Sequence[str]) -> Pointing:
    """Moves the cross, takes a corner, or goes back."""
    for action in actions:
        if (place := place_of(action)) is not None:
            width, height = pointing.size
            pointing = pointing.with_corner(int(place[0] * width), int(place[1] * height))
        elif action in _STEP_OF_ACTION:
            pointing = pointing.moved(*_STEP_OF_ACTION[action])
        elif action == Button.OK:
            pointing = pointing.taken()
        elif action == Button.BACK:
            pointing = pointing.back()
    return pointing


def pointing_view(pointing: Pointing, image: Image, said: str = "") -> View:
    """The picture with the cross, its surroundings magnified, and what the keys do.

    Args:
        pointing: how far somebody has come.
        image: the picture.
        said: a sentence on why it starts again.
    """
    tray, near = magnified_view(image, pointing)
    moves = pointing_guidance(pointing.number, pointing.last_zoom, said)
    return View(tray=tray, dice=(near,), guidance=moves, pointing=True)

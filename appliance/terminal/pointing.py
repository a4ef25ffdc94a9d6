"""The corners of a tray's floor, pointed at with keys in the camera's picture."""

from collections.abc import Sequence
from contextlib import suppress

import cv2
import numpy as np

from appliance.inputs import Button
from appliance.service.guide import guidance
from appliance.service.view import DieView, View
from appliance.terminal.keyboard import DOWN_ACTION, POINT_PREFIX, UP_ACTION
from appliance.words import say
from vision.frame import Image

_CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")
_CORNER_GUESSES = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))
_DIRECTION_OF_ACTION = {
    Button.LEFT: (-1, 0),
    Button.RIGHT: (1, 0),
    UP_ACTION: (0, -1),
    DOWN_ACTION: (0, 1),
}
_LARGE_STEPS_ACROSS = 40  # the picture's width; a small one is a pixel
_MAGNIFIED_RADIUS_PX = 24
_CROSS_BGR = (60, 60, 255)
_TAKEN_CORNER_BGR = (0, 230, 255)


class Pointer:
    """A cross that keys move over the picture, for one corner after another.

    `said` is a sentence on why it starts again. The `corners` taken are in pixels, clockwise from
    the top left.
    """

    def __init__(self, size: tuple[int, int], said: str = "") -> None:
        self._starts = [(round(x * size[0]), round(y * size[1])) for x, y in _CORNER_GUESSES]
        self._size, self._said, self._fine = size, said, False
        self._at = self._starts[0]
        self.corners: list[tuple[int, int]] = []

    @property
    def done(self) -> bool:
        """Whether all four are taken."""
        return len(self.corners) == len(_CORNER_NAMES)

    def obey(self, actions: Sequence[str]) -> None:
        """Moves the cross, takes a corner, or returns to the last one."""
        for action in actions:
            if action.startswith(POINT_PREFIX):
                with suppress(ValueError):
                    shares = np.array(action.removeprefix(POINT_PREFIX).split(","), float)
                    x, y = np.multiply(shares, self._size).clip(0, np.subtract(self._size, 1))
                    self._at, action = (int(x), int(y)), Button.OK
            if action in _DIRECTION_OF_ACTION:
                step = 1 if self._fine else max(1, self._size[0] // _LARGE_STEPS_ACROSS)
                at = np.add(self._at, np.multiply(_DIRECTION_OF_ACTION[action], step))
                x, y = at.clip(0, np.subtract(self._size, 1)).tolist()
                self._at = x, y
            elif action == Button.HINT:
                self._fine = not self._fine
            elif action == Button.OK and not self.done:
                self.corners.append(self._at)
                self._at = self._starts[len(self.corners) % len(_CORNER_NAMES)]
            elif action == Button.BACK and self.corners:
                self._at = self.corners.pop()

    def view(self, image: Image) -> View:
        """The picture with the cross, its surroundings magnified, and what the keys do."""
        tray, thick, side = image.copy(), max(2, self._size[0] // 200), 2 * _MAGNIFIED_RADIUS_PX + 1
        for corner in self.corners:
            cv2.circle(tray, corner, 3 * thick, _TAKEN_CORNER_BGR, thick)
        cv2.drawMarker(tray, self._at, _CROSS_BGR, cv2.MARKER_CROSS, 16 * thick, thick)
        around = np.asarray(cv2.getRectSubPix(image, (side, side), self._at), np.uint8)
        cv2.drawMarker(
            around,
            (_MAGNIFIED_RADIUS_PX, _MAGNIFIED_RADIUS_PX),
            _CROSS_BGR,
            cv2.MARKER_CROSS,
            side // 2,
        )
        near = DieView(None, say("magnified"), True, False, around, np.zeros((0, 2)))
        number = len(self.corners) % len(_CORNER_NAMES)
        step = "h|larger steps" if self._fine else "h|small steps"
        keys = ("← → ↑ ↓|move the cross", step, "ENTER|takes it", "b|goes back")
        says, place = (
            "{said} Corner {number} of 4, {place} of the floor",
            say(_CORNER_NAMES[number]),
        )
        moves = guidance(says, *keys, said=self._said, number=number + 1, place=place)
        return View(tray=tray, dice=(near,), guidance=moves, pointing=True)

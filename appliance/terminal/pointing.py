"""The corners of a tray's floor, pointed at by keys in the camera's picture."""

from collections.abc import Sequence

import cv2
import numpy as np

from appliance.inputs import Button
from appliance.service.guide import guidance
from appliance.service.view import SeenDie, View
from appliance.terminal.keyboard import DOWN, UP
from vision.frame import Image

_PLACES = ("top left", "top right", "bottom right", "bottom left")
_STARTS = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))
_WAYS = {Button.LEFT: (-1, 0), Button.RIGHT: (1, 0), UP: (0, -1), DOWN: (0, 1)}
_FAR, _NEAR = 40, 1
"""Of the picture's width, a coarse step; pixels of a fine one."""
_AROUND = 24
"""Pixels around the cross that are shown magnified."""
_CROSS, _TAKEN = (60, 60, 255), (0, 230, 255)
"""BGR of the cross, and of the corners taken."""


class Pointer:
    """A cross that keys move over the picture, for one corner after the other.

    Args:
        size: width and height of the picture.

    Attributes:
        corners: those taken, pixels, from the top left clockwise.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._fine = False
        self._said = ""
        self.corners: list[tuple[float, float]] = []
        self._begin()

    @property
    def done(self) -> bool:
        """Whether all four are taken."""
        return len(self.corners) == len(_PLACES)

    def _begin(self) -> None:
        width, height = self._size
        x, y = _STARTS[len(self.corners) % len(_PLACES)]
        self._at = (round(x * width), round(y * height))

    def again(self, said: str) -> None:
        """The four were no tray, as is said here: they are pointed at once more."""
        self._said = f"{said}. "
        self.corners.clear()
        self._begin()

    def obey(self, actions: Sequence[str]) -> None:
        """Moves the cross, takes a corner, or gives the last one back."""
        width, height = self._size
        for action in actions:
            if action in _WAYS:
                step = _NEAR if self._fine else max(1, width // _FAR)
                (x, y), (right, down) = self._at, _WAYS[action]
                at = x + right * step, y + down * step
                self._at = min(max(at[0], 0), width - 1), min(max(at[1], 0), height - 1)
            elif action == Button.HINT:
                self._fine = not self._fine
            elif action == Button.OK and not self.done:
                self.corners.append(self._at)
                self._begin()
            elif action == Button.BACK and self.corners:
                self._at = round(self.corners[-1][0]), round(self.corners[-1][1])
                self.corners.pop()

    def view(self, image: Image) -> View:
        """The picture with the cross, what lies around it magnified, and what keys do."""
        tray = image.copy()
        thick = max(2, self._size[0] // 200)
        for x, y in self.corners:
            cv2.circle(tray, (round(x), round(y)), 3 * thick, _TAKEN, thick)
        cv2.drawMarker(tray, self._at, _CROSS, cv2.MARKER_CROSS, 16 * thick, thick)
        side = 2 * _AROUND + 1
        around = np.asarray(cv2.getRectSubPix(image, (side, side), self._at), np.uint8)
        cv2.drawMarker(around, (_AROUND, _AROUND), _CROSS, cv2.MARKER_CROSS, side // 2)
        near = SeenDie(None, "magnified", True, False, around, np.zeros((0, 2)))
        which = min(len(self.corners), len(_PLACES) - 1)
        says = f"{self._said}Corner {which + 1} of 4, {_PLACES[which]} of the floor"
        step = "h|larger steps" if self._fine else "h|small steps"
        moves = guidance(says, "← → ↑ ↓|move the cross", step, "ENTER|takes it", "b|goes back")
        return View(tray=tray, dice=(near,), guidance=moves)

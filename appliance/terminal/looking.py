"""The view in a terminal or on a page while a camera is tried: its picture, and what to do."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from appliance.aiming import Advice, Verdict
from appliance.devices.camera.listing import ListedCamera
from appliance.guidance import Guidance, KeyAction, guidance
from appliance.service.view import DieView, View
from appliance.words import say
from vision.frame import Image
from vision.image.annotate import label
from vision.image.arrays import FloatArray
from vision.reading import TrayReading

MAX_LISTED = 6
"""Cameras to choose from: as many as there are keys with numbers."""
_STILL_SIZE = (640, 360)
_ACROSS = 2
_NO_PICTURE = np.zeros((0, 0, 3), np.uint8)


def looking_view(
    image: Image | None, reading: TrayReading | None, verdict: Verdict | None, about: str
) -> View:
    """The live picture, each die outlined with its value or doubt.

    Args:
        image: the newest picture; None before the first.
        reading: the last one; None before the first.
        verdict: what to do about it; None while that is not known.
        about: what delivers the picture, in words.
    """
    good = verdict is not None and verdict.advice is Advice.PLAY
    can = guidance(
        "Looking for dice ...",
        "ENTER|begins a game",
        not good and "h|points at the floor's corners",
        "1-6|players, a new game",
        "m|games and names",
        "b|another camera",
    )
    if verdict is not None:
        can = Guidance(verdict.sentence, can.keys)
    dice: tuple[DieView, ...] = ()
    if image is not None and reading is not None:
        dice = tuple(
            DieView(None, label(die), die.sure, False, _NO_PICTURE, _shares(die.outline, image))
            for die in reading.dice
        )
    return View(tray=image, dice=dice, guidance=can, still=True, looking=about, good=good)


def _shares(outline: Sequence[tuple[float, float]], image: Image) -> FloatArray:
    return np.array(outline, float).reshape(-1, 2) / image.shape[1::-1]


def failed_view(why: str, shown: Image | None = None) -> View:
    """A camera that gives no picture, and why; `shown` in place of one."""
    can = guidance("", "b|another camera")
    return View(tray=shown, guidance=Guidance(why, can.keys), still=True, looking=" ")


def choice_view(
    cameras: Sequence[ListedCamera],
    stills: Mapping[int, Image | None],
    asks: str = "",
) -> View:
    """The cameras to choose from, each by its name with a still of it.

    Args:
        cameras: at most `MAX_LISTED`.
        stills: by place in that list, as far as they were taken; None where there was no picture.
        asks: what is asked, in the chosen language; empty for which of them looks down.
    """
    across, (width, height) = min(_ACROSS, len(cameras)), _STILL_SIZE
    down = -(-len(cameras) // max(across, 1))
    sheet = np.full((max(1, down) * height, max(1, across) * width, 3), 40, np.uint8)
    dice = []
    for k, camera in enumerate(cameras):
        still = stills.get(k)
        x, y = k % across * width, k // across * height
        if still is not None:
            sheet[y : y + height, x : x + width] = _fitted(still)
        edges = np.array(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), float)
        inset = np.array(((6, 6), (-6, 6), (-6, -6), (6, -6)))
        outline = (edges + inset) / sheet.shape[1::-1]
        blind = k in stills and still is None
        name = f"{camera.name}: {say('no picture')}" if blind else camera.name
        name = f"{name}, {say('built in')}" if camera.built_in else name
        sure = still is not None and not camera.built_in and not camera.doubtful
        dice.append(DieView(k + 1, name, sure, False, _NO_PICTURE, outline))
    keys = tuple(KeyAction(None, str(die.number), die.face) for die in dice)
    can = guidance("Which camera looks down at the dice?", "b|looks again")
    return View(
        tray=sheet,
        dice=tuple(dice),
        guidance=Guidance(asks or can.says, (*keys, *can.keys)),
        still=True,
        looking=" ",
    )


def _fitted(image: Image) -> Image:
    """A picture as large as a still, with black beside it where it has another shape."""
    width, height = _STILL_SIZE
    scale = min(width / image.shape[1], height / image.shape[0])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    still = np.zeros((height, width, 3), np.uint8)
    x, y = (width - size[0]) // 2, (height - size[1]) // 2
    still[y : y + size[1], x : x + size[0]] = small
    return still


def named_camera(cameras: Sequence[ListedCamera]) -> ListedCamera | None:
    """The only camera that is not part of the computer; None where somebody has to choose."""
    others = [camera for camera in cameras if not camera.built_in]
    return others[0] if len(others) == 1 and not others[0].doubtful else None

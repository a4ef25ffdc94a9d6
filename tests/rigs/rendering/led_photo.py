"""A photograph of the board: round red lights on black, for documents and eyes."""

import cv2
import numpy as np

from appliance.picture import HEIGHT, WIDTH, Picture
from vision.frame import Image

_ON = (40, 50, 255)
_OFF = (22, 22, 38)
_BACK = (12, 12, 14)


def photograph(picture: Picture, pitch: int = 12) -> Image:
    """The board as a picture, (16 * pitch + pitch, 64 * pitch + pitch, 3), BGR.

    Args:
        picture: which lights are on.
        pitch: pixels from light to light, at least 4.
    """
    margin = pitch // 2
    shape = (HEIGHT * pitch + 2 * margin, WIDTH * pitch + 2 * margin, 3)
    photo = np.full(shape, _BACK, np.uint8)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            centre = (margin + x * pitch + pitch // 2, margin + y * pitch + pitch // 2)
            colour = _ON if picture.is_lit(x, y) else _OFF
            cv2.circle(photo, centre, round(pitch * 0.38), colour, -1, cv2.LINE_AA)
    glow = cv2.GaussianBlur(photo, (0, 0), pitch * 0.45)
    return np.asarray(cv2.addWeighted(photo, 1.0, glow, 0.2, 0), dtype=np.uint8)

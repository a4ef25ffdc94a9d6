"""Bilinear samples of pictures at lists of places."""

from enum import IntEnum

import cv2
import numpy as np

from vision.image.arrays import Floats

_COLUMNS = 256


class Border(IntEnum):
    """What lies beyond a picture's edges."""

    EDGE = cv2.BORDER_REPLICATE
    REPEAT = cv2.BORDER_WRAP
    NOTHING = cv2.BORDER_CONSTANT


def lookup(picture: Floats, x: Floats, y: Floats, border: Border = Border.EDGE) -> Floats:
    """Samples (n, channels) of a picture at columns and rows (n,).

    `cv2.remap` refuses rows longer than 32767, so the places are folded into a block.

    Args:
        picture: (rows, columns, channels).
        x: columns.
        y: rows.
        border: what lies beyond its edges.
    """
    count = len(x)
    rows = max(1, -(-count // _COLUMNS))
    block = np.zeros((2, rows * _COLUMNS), np.float32)
    block[0, :count], block[1, :count] = x, y
    folded = block.reshape(2, rows, _COLUMNS)
    found = cv2.remap(picture, folded[0], folded[1], cv2.INTER_LINEAR, borderMode=int(border))
    return np.asarray(found.reshape(rows * _COLUMNS, -1)[:count], np.float32)

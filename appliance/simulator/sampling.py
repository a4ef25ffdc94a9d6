"""Bilinear samples of pictures at lists of places."""

import cv2
import numpy as np

from appliance.simulator.pinhole import Floats

_COLUMNS = 256


def lookup(picture: Floats, x: Floats, y: Floats, wrap: bool = False) -> Floats:
    """Samples (n, channels) of a picture at columns and rows (n,).

    `cv2.remap` refuses rows longer than 32767, so the places are folded into a block.

    Args:
        picture: (rows, columns, channels).
        x: columns.
        y: rows.
        wrap: whether the picture repeats beyond its edges; else its edges go on.
    """
    count = len(x)
    rows = max(1, -(-count // _COLUMNS))
    block = np.zeros((2, rows * _COLUMNS), np.float32)
    block[0, :count], block[1, :count] = x, y
    folded = block.reshape(2, rows, _COLUMNS)
    border = cv2.BORDER_WRAP if wrap else cv2.BORDER_REPLICATE
    found = cv2.remap(picture, folded[0], folded[1], cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(found.reshape(rows * _COLUMNS, -1)[:count], np.float32)

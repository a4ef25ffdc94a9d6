"""Whether a picture shows more than another one; the noise of a camera is nothing to see."""

import cv2
import numpy as np

from vision.frame import Image

_CELL_PX = 8
"""Noise of single pixels is lost in the mean of so many rows and columns."""
_SEEN = 10
"""Grey levels of 255 by which the mean of a cell differs where there is something to see."""


def in_cells(picture: Image) -> Image:
    """The mean colour of each cell of a picture: what `shows_more` compares."""
    height, width = picture.shape[:2]
    size = (max(1, width // _CELL_PX), max(1, height // _CELL_PX))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def shows_more(cells: Image, before: Image) -> bool:
    """True if people would see a difference between the pictures with these cells."""
    return cells.shape != before.shape or bool((cv2.absdiff(cells, before) >= _SEEN).any())

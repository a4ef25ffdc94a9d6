"""The ChArUco board in a picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.errors import RefusedError
from calibration.markers.aruco import gray_of
from calibration.markers.printed import board_corners, charuco
from calibration.problems import Problem
from vision.frame import Image
from vision.image.arrays import FloatArray

LEAST_CORNERS = 12
"""Of 32; fewer do not fix a board's position."""


@dataclass(frozen=True, slots=True, eq=False)
class CharucoCorners:
    """The board's inner corners in one picture.

    Attributes:
        places: on the board, millimetres from the corner of its first square, (n, 3), z = 0.
        pixels: in the picture, (n, 2).
    """

    places: FloatArray
    pixels: FloatArray


def find_charuco(image: Image) -> CharucoCorners:
    """Finds the board.

    Raises:
        RefusedError: it is not there, or too little of it is seen.
    """
    detector = cv2.aruco.CharucoDetector(charuco())
    corners, ids, _, _ = detector.detectBoard(gray_of(image))
    found = np.array(ids if np.ndim(ids) else ()).ravel().astype(int)
    if len(found) < LEAST_CORNERS:
        raise RefusedError(
            Problem.NO_BOARD,
            f"expected at least {LEAST_CORNERS} of the board's {len(board_corners())} corners, "
            f"found {len(found)}; lay it flat into the tray, in the light and near the camera",
        )
    return CharucoCorners(board_corners()[found], np.asarray(corners, np.float64).reshape(-1, 2))

"""The ChArUco board in a picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.errors import RefusedError
from calibration.markers.aruco import to_gray
from calibration.markers.printed import board_corners, charuco_board
from calibration.problems import Problem
from vision.frame import Image
from vision.image.arrays import FloatArray

MIN_BOARD_CORNERS = 12
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
    detector = cv2.aruco.CharucoDetector(charuco_board())
    corners, ids, _, _ = detector.detectBoard(to_gray(image))
    found = np.array(ids if np.ndim(ids) else ()).ravel().astype(int)
    if len(found) < MIN_BOARD_CORNERS:
        raise RefusedError(
            Problem.NO_BOARD,
            f"only {len(found)} of the printed board's {len(board_corners())} corners are seen, "
            f"at least {MIN_BOARD_CORNERS} are needed; lay it flat in the tray, in the light, near "
            "the camera",
        )
    return CharucoCorners(board_corners()[found], np.asarray(corners, np.float64).reshape(-1, 2))

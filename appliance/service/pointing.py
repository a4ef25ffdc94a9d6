"""A cross over the camera's picture: where somebody points, for screens that show the picture."""

import cv2
import numpy as np

from appliance.service.view import DieView
from appliance.words import say
from calibration.wizard.pointing import Pointing
from vision.frame import Image

_MAGNIFIED_RADIUS_PX = 24
_CROSS_BGR = (60, 60, 255)
MARK_BGR = (0, 230, 255)


def with_cross(image: Image, pointing: Pointing) -> tuple[Image, Image]:
    """The picture with the cross and the corners taken, and what lies around it, magnified."""
    marked, thick = image.copy(), max(2, pointing.size[0] // 200)
    for corner in pointing.corners:
        cv2.circle(marked, corner, 3 * thick, MARK_BGR, thick)
    cv2.drawMarker(marked, pointing.at, _CROSS_BGR, cv2.MARKER_CROSS, 16 * thick, thick)
    side, middle = 2 * _MAGNIFIED_RADIUS_PX + 1, (_MAGNIFIED_RADIUS_PX, _MAGNIFIED_RADIUS_PX)
    around = np.asarray(cv2.getRectSubPix(image, (side, side), pointing.at), np.uint8)
    cv2.drawMarker(around, middle, _CROSS_BGR, cv2.MARKER_CROSS, side // 2)
    return marked, around


def magnified_view(image: Image, pointing: Pointing) -> tuple[Image, DieView]:
    """The picture with the cross that points at a corner, and what lies around it."""
    tray, around = with_cross(image, pointing)
    return tray, DieView(None, say("magnified"), True, False, around, np.zeros((0, 2)))

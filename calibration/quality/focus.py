"""Is the picture sharp, steady, and near enough?"""

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from calibration.markers.aruco import Marker, to_gray
from calibration.markers.printed import MARKER_MM
from calibration.problems import Problem, Verdict, quality_between, verdict_if
from vision.frame import Frame, Image
from vision.geometry.profile import DIE_EDGE_MM
from vision.image.arrays import GreyImage

MAX_EDGE_WIDTH_MM = 0.95
"""Greatest width of an edge from 10 % to 90 %; the gaps between pips are little wider."""
MIN_DIE_EDGE_PX = 20.0
_MAX_EDGE_WIDTH_PX = 2.8  # in pictures with 960 pixels a side; a sharp one has 2.0
_MAX_CHANGED_SHARE = 0.012


def sharpness(markers: Sequence[Marker]) -> Verdict:
    """Judges how sharp the markers' edges are."""
    width = max(m.square.width * MARKER_MM / m.side for m in markers)
    why = (
        f"black turns to white over {width:.2f} mm, expected at most {MAX_EDGE_WIDTH_MM} mm; "
        "focus on the tray, clean the lens"
    )
    return verdict_if(
        width <= MAX_EDGE_WIDTH_MM, quality_between(width, 1.3, 0.45), Problem.BLURRED, why
    )


def softness(image: Image) -> float:
    """Width of the sharpest strong edges anywhere, pixels of a picture 960 long; needs no markers.

    The range of brightness within a window, divided by the steepest slope in it.
    """
    gray = to_gray(image)
    scale = min(1.0, 960 / max(gray.shape))
    if scale < 1:
        gray = np.asarray(
            cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    # Noise has steep slopes of its own.
    calm = cv2.medianBlur(gray, 3)
    window = np.ones((13, 13), np.uint8)
    reach = cv2.subtract(cv2.dilate(calm, window), cv2.erode(calm, window)).astype(np.float32)
    across = cv2.Sobel(calm, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(calm, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = cv2.dilate(cv2.magnitude(across, down), window)
    strong = reach > max(20.0, 0.5 * float(reach.max()))
    if np.count_nonzero(strong) < 50:
        return float("inf")
    widths = reach[strong] / np.maximum(steep[strong], 1e-3)
    return float(np.percentile(widths, 20))


def whole_picture(image: Image) -> Verdict:
    """Refuses a picture that is so soft that markers may not be found in it."""
    width = softness(image)
    why = (
        f"the sharpest edges are {min(width, 99):.1f} pixels wide, expected {_MAX_EDGE_WIDTH_PX}; "
        "focus on the tray, clean the lens"
    )
    return verdict_if(
        width <= _MAX_EDGE_WIDTH_PX,
        quality_between(width, 1.5 * _MAX_EDGE_WIDTH_PX, 2.2),
        Problem.BLURRED,
        why,
    )


def nearness(markers: Sequence[Marker]) -> Verdict:
    """Checks that dice have enough pixels."""
    edge = min(m.side for m in markers) / MARKER_MM * DIE_EDGE_MM
    quality = quality_between(edge, MIN_DIE_EDGE_PX - 8, MIN_DIE_EDGE_PX + 12)
    why = (
        f"a die is {int(edge)} pixels wide, expected {MIN_DIE_EDGE_PX:.0f}; lower the camera or "
        "take larger pictures"
    )
    return verdict_if(edge >= MIN_DIE_EDGE_PX, quality, Problem.TOO_FAR, why)


def steadiness(frames: Sequence[Frame]) -> Verdict:
    """Checks that nothing moves: neither the camera nor a hand."""
    if len(frames) < 2:
        return Verdict(1.0)
    small = [_small_gray(f) for f in frames]
    moved = max(float((cv2.absdiff(a, b) > 24).mean()) for a, b in pairwise(small))
    why = (
        f"{moved:.1%} of the picture changes, expected {_MAX_CHANGED_SHARE:.1%}; hands off, "
        "camera fixed?"
    )
    return verdict_if(
        moved <= _MAX_CHANGED_SHARE,
        quality_between(moved, 3 * _MAX_CHANGED_SHARE, 0.0),
        Problem.NOT_STEADY,
        why,
    )


def _small_gray(frame: Frame) -> GreyImage:
    gray = to_gray(frame.image if frame.small is None else frame.small)
    return np.asarray(cv2.resize(gray, (240, 135), interpolation=cv2.INTER_AREA), np.uint8)

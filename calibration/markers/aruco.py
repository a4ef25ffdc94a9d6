"""Finds the printed markers in pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.markers import printed
from calibration.markers.edges import Square, grow_square, mean_side, measure_inset, measure_square
from vision.frame import Image
from vision.image.arrays import FloatArray, GreyImage

MIN_MARKER_SIDE_PX = 20.0
"""Smaller markers cannot be told apart reliably."""
MIN_QUAD_PERIMETER_PX = 0.6 * 4 * MIN_MARKER_SIDE_PX
"""Of what may be a marker, as it is first found; it is then measured."""


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """One marker as it is seen.

    Attributes:
        corner: which corner of the tray it belongs to, 0 to 3 clockwise from the top left.
        square: its edges; `square.corners` are its own corners from its top left clockwise.
    """

    corner: int
    square: Square

    @property
    def corners(self) -> FloatArray:
        """Its corners, (4, 2) pixels, from its own top left clockwise."""
        return self.square.corners

    @property
    def side(self) -> float:
        """Mean length of its sides, pixels."""
        return mean_side(self.corners)


def _make_detector(longer_side: int) -> cv2.aruco.ArucoDetector:
    """A detector for pictures whose longer side is this long, pixels."""
    how = cv2.aruco.DetectorParameters()
    # Threshold windows from small to half a marker; no bits are corrected: a wrong marker is worse
    # than none.
    how.adaptiveThreshWinSizeMin = 5
    how.adaptiveThreshWinSizeMax = 45
    how.adaptiveThreshWinSizeStep = 10
    # A share of the longer side: OpenCV would measure every speck of a small part of a cloth.
    how.minMarkerPerimeterRate = MIN_QUAD_PERIMETER_PX / longer_side
    how.maxMarkerPerimeterRate = 1.5
    how.errorCorrectionRate = 0.35
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    return cv2.aruco.ArucoDetector(printed.aruco_dictionary(), how)


def to_gray(image: Image) -> GreyImage:
    """Brightness of a picture, (height, width)."""
    if image.ndim == 2:
        return np.asarray(image, np.uint8)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def find_markers(image: Image, where: tuple[slice, slice] | None = None) -> dict[int, Marker]:
    """Finds the visible ones of the four markers, by corner of the tray.

    Args:
        image: the picture, (height, width, 3) or grey.
        where: rows and columns to search; all by default.
    """
    return by_corner(find_all(image, where))


def by_corner(markers: Sequence[Marker]) -> dict[int, Marker]:
    """One marker for each corner: of several with the same print the one that is seen best."""
    found: dict[int, Marker] = {}
    for marker in markers:
        before = found.get(marker.corner)
        if before is None or marker.square.doubt < before.square.doubt:
            found[marker.corner] = marker
    return found


def find_all(image: Image, where: tuple[slice, slice] | None = None) -> tuple[Marker, ...]:
    """Finds every print of one of the four markers, the same one perhaps more than once."""
    gray = to_gray(image)
    part = gray if where is None else gray[where]
    shift = np.zeros(2) if where is None else np.array([where[1].start, where[0].start], float)
    if min(part.shape) < 16:
        return ()
    quads, codes, _ = _make_detector(max(part.shape)).detectMarkers(np.ascontiguousarray(part))
    found: list[Marker] = []
    # OpenCV returns None when nothing is found, contrary to its type hints.
    for quad, code in zip(quads, np.array(codes if quads else ()).ravel(), strict=True):
        if int(code) not in printed.MARKER_IDS:
            continue
        square = measure_square(gray, np.asarray(quad, np.float64).reshape(4, 2) + shift)
        if square is None or mean_side(square.corners) < MIN_MARKER_SIDE_PX * 0.8:
            continue
        inset = measure_inset(gray, square.corners, printed.marker_cells(int(code)))
        if inset is None or abs(inset) > 0.5 + 0.02 * mean_side(square.corners):
            continue
        square = replace(square, corners=grow_square(square.corners, inset))
        found.append(Marker(printed.MARKER_IDS.index(int(code)), square))
    return tuple(found)

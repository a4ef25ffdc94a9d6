"""Finds the four printed markers on the rim, or says why they cannot be used."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.errors import RefusedError
from calibration.markers import printed
from calibration.markers.edges import Square, grow_square, mean_side, measure_inset, measure_square
from calibration.problems import Problem
from vision.frame import Image
from vision.image.arrays import FloatArray, GreyImage

MIN_MARKER_SIDE_PX = 20.0
"""Smaller markers cannot be told apart reliably."""
MIN_QUAD_PERIMETER_PX = 0.6 * 4 * MIN_MARKER_SIDE_PX
"""Of what may be a marker, as it is first found; it is then measured."""
# Of the smallest marker's side to the largest's: 0.6 with a near wide lens, tilted by 20 degrees.
_MIN_SIDE_RATIO = 0.55
_USUAL_WIDTH_TO_DEPTH = 1.42
_USUAL_MARKER_SPANS_MM = (235.0, 165.0)


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
    gray = to_gray(image)
    part = gray if where is None else gray[where]
    shift = np.zeros(2) if where is None else np.array([where[1].start, where[0].start], float)
    if min(part.shape) < 16:
        return {}
    quads, codes, _ = _make_detector(max(part.shape)).detectMarkers(np.ascontiguousarray(part))
    found: dict[int, Marker] = {}
    # OpenCV returns None when nothing is found, contrary to its type hints.
    for quad, code in zip(quads, np.array(codes if quads else ()).ravel(), strict=True):
        if int(code) not in printed.MARKER_IDS:
            continue
        square = measure_square(gray, np.asarray(quad, np.float64).reshape(4, 2) + shift)
        if square is None or mean_side(square.corners) < MIN_MARKER_SIDE_PX * 0.8:
            continue
        corner = printed.MARKER_IDS.index(int(code))
        inset = measure_inset(gray, square.corners, printed.marker_cells(int(code)))
        if inset is None or abs(inset) > 0.5 + 0.02 * mean_side(square.corners):
            continue
        square = replace(square, corners=grow_square(square.corners, inset))
        if corner not in found or square.doubt < found[corner].square.doubt:
            found[corner] = Marker(corner, square)
    return found


def all_four(markers: Mapping[int, Marker], size: tuple[int, int]) -> tuple[Marker, ...]:
    """The four markers in order, or why they cannot be used.

    Args:
        markers: those that are seen.
        size: width and height of the picture, pixels.

    Raises:
        RefusedError: one is hidden or cut off, they are mixed up, or too small.
    """
    if not markers:
        raise RefusedError(
            Problem.NO_MARKERS,
            "none of the four printed markers on the rim is seen; is there light, is the lens cap "
            "off, does the camera look at the tray?",
        )
    missing = [k for k in range(4) if k not in markers]
    if missing:
        names = ", ".join(printed.MARKER_NAMES[k] for k in missing)
        if any(_out_of_view(k, markers, size) for k in missing):
            raise RefusedError(
                Problem.CUT_OFF,
                f"the {names} marker lies beyond the picture; move the tray or raise the camera",
            )
        raise RefusedError(
            Problem.HIDDEN,
            f"the {names} marker is not seen; is something in front of it or shining on it?",
        )
    four = tuple(markers[k] for k in range(4))
    smallest = min(marker.side for marker in four)
    if smallest < MIN_MARKER_SIDE_PX:
        raise RefusedError(
            Problem.TOO_FAR,
            f"a marker is only {smallest:.0f} pixels wide, at least {MIN_MARKER_SIDE_PX:.0f} are "
            f"needed; lower the camera or use larger pictures",
        )
    middles = np.array([marker.corners.mean(axis=0) for marker in four])
    edges = np.roll(middles, -1, axis=0) - middles
    turns = [
        edges[k][0] * edges[(k + 1) % 4][1] - edges[k][1] * edges[(k + 1) % 4][0] for k in range(4)
    ]
    upright = [marker.corners[1] - marker.corners[0] for marker in four]
    along = edges[0] / np.linalg.norm(edges[0])
    if min(turns) <= 0 or any(np.dot(up, along) < 0.7 * np.linalg.norm(up) for up in upright):
        raise RefusedError(
            Problem.MARKERS_MIXED,
            "the markers must be 0, 1, 2, 3 clockwise from the top left, all upright; "
            "stick them on as the sheet shows",
        )
    sides = [marker.side for marker in four]
    if min(sides) / max(sides) < _MIN_SIDE_RATIO:
        raise RefusedError(
            Problem.TILTED,
            f"one marker looks {min(sides) / max(sides):.0%} as large as another; "
            "let the camera look straight down",
        )
    return four


def find_rim_markers(image: Image) -> tuple[Marker, ...]:
    """Finds the four markers, clockwise from the top left.

    Raises:
        RefusedError: they cannot be used; it carries the words for the board.
    """
    return all_four(find_markers(image), (image.shape[1], image.shape[0]))


def expected_place_of_missing(markers: Mapping[int, Marker]) -> dict[int, tuple[float, float]]:
    """Where the one missing marker should be, pixels; nothing unless three are seen."""
    if len(markers) != 3:
        return {}
    missing = next(k for k in range(4) if k not in markers)
    return {missing: _guess_places(missing, markers)[0]}


_CORNER_STEPS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""Where each marker sits, in spans across and down from the top left one."""


def _out_of_view(corner: int, markers: Mapping[int, Marker], size: tuple[int, int]) -> bool:
    """True if a missing marker must lie at least partly outside the picture."""
    guesses = _guess_places(corner, markers)
    half = (
        max(marker.side for marker in markers.values()) * printed.PLATE_MM / printed.MARKER_MM / 2
    )
    width, height = size
    beyond = [
        x < half or y < half or x > width - 1 - half or y > height - 1 - half for x, y in guesses
    ]
    return all(beyond)


def _guess_places(corner: int, markers: Mapping[int, Marker]) -> list[tuple[float, float]]:
    """Where a missing marker may be: nearly exact from three others, else as on usual trays."""
    middles = {k: marker.corners.mean(axis=0) for k, marker in markers.items()}
    before, after, across = (corner - 1) % 4, (corner + 1) % 4, (corner + 2) % 4
    if all(k in middles for k in (before, after, across)):
        place = middles[before] + middles[after] - middles[across]
        return [(float(place[0]), float(place[1]))]
    places: list[tuple[float, float]] = []
    for k, marker in markers.items():
        right = (marker.corners[1] - marker.corners[0] + marker.corners[2] - marker.corners[3]) / 2
        down = (marker.corners[3] - marker.corners[0] + marker.corners[2] - marker.corners[1]) / 2
        steps = np.subtract(_CORNER_STEPS[corner], _CORNER_STEPS[k])
        step = np.multiply(steps, _marker_spans_mm(markers)) / printed.MARKER_MM
        place = middles[k] + right * step[0] + down * step[1]
        places.append((float(place[0]), float(place[1])))
    return places


def _marker_spans_mm(markers: Mapping[int, Marker]) -> tuple[float, float]:
    """Distances between the markers across and down, millimetres: measured, or the usual ones."""
    spans: list[float | None] = [None, None]
    for a, b, axis in ((0, 1, 0), (3, 2, 0), (0, 3, 1), (1, 2, 1), (0, 2, 2), (1, 3, 2)):
        if a not in markers or b not in markers:
            continue
        first, second = markers[a], markers[b]
        way = second.corners.mean(axis=0) - first.corners.mean(axis=0)
        right = first.corners[1] - first.corners[0] + second.corners[1] - second.corners[0]
        down = first.corners[3] - first.corners[0] + second.corners[3] - second.corners[0]
        mm = printed.MARKER_MM / ((first.side + second.side) / 2)
        if axis in (0, 2):
            spans[0] = abs(float(way @ right / np.linalg.norm(right))) * mm
        if axis in (1, 2):
            spans[1] = abs(float(way @ down / np.linalg.norm(down))) * mm
    across, below = spans
    if across is not None and below is not None:
        return across, below
    if across is not None:
        return across, across / _USUAL_WIDTH_TO_DEPTH
    if below is not None:
        return below * _USUAL_WIDTH_TO_DEPTH, below
    return _USUAL_MARKER_SPANS_MM

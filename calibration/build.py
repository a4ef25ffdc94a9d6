"""Builds a calibration from what was seen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.calibration import Calibration
from calibration.drift.markers import look_of_markers
from calibration.errors import RefusedError
from calibration.markers.aruco import Marker
from calibration.markers.assumed import assumed_lens
from calibration.markers.bundle import PlacedTray, RimHeight, place_tray
from calibration.markers.charuco import CharucoCorners
from calibration.markers.edges import Square
from calibration.markers.lens import KNOWN_LENS_DOUBT, MODULE_3_SIGHT, MeasuredLens
from calibration.markers.printed import MARKER_MM, PLATE_MM
from calibration.problems import Problem
from vision.geometry.profile import Profile
from vision.geometry.sight import Sight
from vision.image.arrays import FloatArray

MAX_DOUBT_MM = 1.2
MAX_DOUBT_UNKNOWN_LENS_MM = 3.0
"""Most of the doubt is then the lens's, and nothing reduces it."""


def median_markers(takes: Sequence[Sequence[Marker]]) -> tuple[Marker, ...]:
    """The four markers over several pictures: the median of each corner, which is less noisy."""
    if not takes or any(len(take) != 4 for take in takes):
        raise ValueError("expected four markers in each of one or more pictures")
    found = []
    for k in range(4):
        squares = [take[k].square for take in takes]
        corners = np.asarray(np.median([s.corners for s in squares], axis=0), np.float64)
        levels = np.median([(s.black, s.white, s.width, s.doubt) for s in squares], 0).tolist()
        found.append(Marker(k, Square(corners, *levels)))
    return tuple(found)


def floor_corners(placed: PlacedTray) -> FloatArray:
    """Corners of the floor, (4, 2) millimetres: below the inner corners of the plates."""
    grow = (PLATE_MM - MARKER_MM) / 2 / MARKER_MM
    corners = []
    for k, inner in enumerate((2, 3, 0, 1)):
        marker = placed.layout[k, :, :2]
        across = marker[inner] - marker[(inner + 2) % 4]
        corners.append(marker[inner] + grow * across)
    return np.array(corners)


def build_calibration(
    takes: Sequence[Sequence[Marker]],
    size: tuple[int, int],
    *,
    boards: Sequence[CharucoCorners] = (),
    rim: RimHeight | None = None,
    sight: Sight | None = MODULE_3_SIGHT,
    most_doubt_mm: float | None = None,
    measured: MeasuredLens | None = None,
) -> Calibration:
    """Puts together what the steps have found.

    Args:
        takes: the four markers in each of some pictures, camera and tray at rest.
        size: width and height of the pictures, pixels.
        boards: the board lying flat in the tray, if it was used; it measures the rim's height.
        rim: the rim's height above the floor, where no board was used.
        sight: what the pictures show of which camera's sensor; None where that is not known.
        most_doubt_mm: the greatest spread of places that is not refused; by default as much as
            suits the lens.
        measured: the lens, where it was measured; of another camera's pictures it does not count.

    Raises:
        RefusedError: what was seen does not fit together, or is too uncertain.
    """
    markers = median_markers(takes)
    lens, doubt = assumed_lens(size, sight)
    if measured is not None and not measured.serves(size, sight):
        measured = None
    if measured is not None:
        lens, doubt = replace(measured.lens, sight=sight), measured.doubt
    placed = place_tray(lens, markers, boards, rim, doubt)
    most = most_doubt_mm
    if most is None:
        most = MAX_DOUBT_MM if doubt == KNOWN_LENS_DOUBT else MAX_DOUBT_UNKNOWN_LENS_MM
    if placed.doubt_mm > most:
        raise RefusedError(
            Problem.BAD_FIT,
            f"positions may be off by {placed.doubt_mm:.1f} mm, at most {most} mm is allowed; "
            f"lay the printed board into the tray",
        )
    seen = placed.lens
    profile = Profile(
        size,
        seen.matrix,
        seen.distortion,
        placed.rotation,
        placed.translation,
        tray=floor_corners(placed),
        sight=sight,
    )
    return Calibration(
        profile=profile,
        layout=placed.layout,
        look=look_of_markers(markers),
        rim_mm=placed.rim_mm,
        doubt_mm=placed.doubt_mm,
        lens_source=seen.source,
        lens=measured,
    )

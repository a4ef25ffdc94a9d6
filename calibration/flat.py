"""The geometry of a view without a calibrated tray: from one printed marker, or from four corners.

It is as much of a calibration as reading at an angle needs. Where walls, rim and holder are is not
known, so everything that is seen of the floor's plane counts as tray.

For example:

    from calibration.flat import geometry_of_print

    found = geometry_of_print(picture, sight)  # None unless a marker or the board is seen
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from calibration.calibration import Calibration
from calibration.corners import calibrate_by_corners
from calibration.errors import RefusedError
from calibration.markers.aruco import Marker, find_markers
from calibration.markers.assumed import assumed_lens
from calibration.markers.charuco import find_charuco
from calibration.markers.lens import Lens, MeasuredLens
from calibration.markers.pose import pose_from, poses_from
from calibration.markers.printed import MARKER_MM
from calibration.problems import Problem
from vision.frame import Image
from vision.geometry.camera import PinholeCamera
from vision.geometry.profile import DIE_EDGE_MM, Profile
from vision.geometry.sight import Sight, Size
from vision.glance import Top
from vision.image.arrays import FloatArray

MAX_LEAN_DEG = 35.0
"""Farther from straight down dice hide their own tops; up to 30 degrees they are read."""
_MARKER_MM = MARKER_MM / 2 * np.array(((-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)), float)
_MAX_MISFIT_PX = 2.0
_ALIKE_PX = 0.4
"""Two poses whose misfits differ by less are as likely as each other."""
_MAX_SIDE_MM = 900.0
"""Of what is seen that counts as tray: towards the horizon a picture shows no end of it."""
_BORDER_SHARE = 0.02
"""Of the picture's width, at its edges, where dice are cut off."""


def geometry_of_print(
    image: Image, sight: Sight | None, tops: Sequence[Top] = ()
) -> Calibration | None:
    """The geometry from a print that lies flat where dice lie; None unless one is seen.

    The printed board counts before a marker, of which the largest counts. Four markers are those of
    a tray's rim, which is calibrated in other ways.

    Args:
        image: the picture, (height, width, 3), BGR.
        sight: what it shows of which camera's sensor; None where that is not known.
        tops: of dice in it. So small a print looks nearly the same from two sides of the line of
            sight, and they tell from which it is seen.
    """
    places, pixels = _print_in(image)
    if places is None or pixels is None:
        return None
    lens, _ = assumed_lens((image.shape[1], image.shape[0]), sight)
    poses = [
        pose
        for pose in poses_from(lens, places, pixels)
        if np.isfinite(pose[1]).all() and pose[2] < _MAX_MISFIT_PX
    ]
    found: list[Calibration] = []
    for rotation, translation, misfit in poses:
        if misfit < poses[0][2] + _ALIKE_PX:
            with suppress(RefusedError):
                found.append(_calibration(lens, lens.placed(rotation, translation)))
    if not found:
        return None
    return min(found, key=lambda one: _unlikeness(one.profile, tops)) if tops else found[0]


def _unlikeness(profile: Profile, tops: Sequence[Top]) -> float:
    """How far tops are from those of flat dice: by shape and by how sizes differ in the picture."""
    seen = profile.axes(np.array([top.center for top in tops]))
    off, sizes = 0.0, []
    for flat, top in zip(seen, tops, strict=True):
        areas = [abs(float(np.linalg.det(axes))) for axes in (flat, top.axes)]
        # A turn of a die does not change this.
        shapes = [axes @ axes.T / area for axes, area in zip((flat, top.axes), areas, strict=True)]
        off += float(((shapes[0] - shapes[1]) ** 2).sum())
        sizes.append(np.log(areas[1] / areas[0]))
    return off + len(tops) * float(np.var(sizes))


def _print_in(image: Image) -> tuple[FloatArray | None, FloatArray | None]:
    """World places (n, 3) of a print's corners, and where they are seen, (n, 2)."""
    markers = find_markers(image)
    if len(markers) == len(_MARKER_MM):
        return None, None
    try:
        board = find_charuco(image)
    except RefusedError:
        pass
    else:
        return board.places - board.places.mean(axis=0), board.pixels
    if not markers:
        return None, None
    largest: Marker = max(markers.values(), key=lambda marker: marker.side)
    return _MARKER_MM, largest.corners


def geometry_of_corners(
    corners: Sequence[tuple[float, float]],
    size: Size,
    sight: Sight | None,
    *,
    floor_mm: tuple[float, float] | None = None,
    edge_px: float = 0.0,
    measured: MeasuredLens | None = None,
) -> Calibration:
    """The geometry from the four corners of a floor, as somebody points at them.

    Args:
        corners: pixels, from the top left clockwise.
        size: width and height of the picture.
        sight: what it shows of which camera's sensor; None where that is not known.
        floor_mm: width and depth of the floor; None where nobody has measured it.
        edge_px: edge of dice in the picture, which tells the size of a floor that nobody has
            measured.
        measured: the lens, where it was measured; of another camera's pictures it does not count.

    Raises:
        RefusedError: the corners are not those of a rectangle seen from above, or of a floor whose
            size is not known.
    """
    lens, doubt = assumed_lens(size, sight)
    if measured is not None and measured.serves(size, sight):
        lens, doubt = replace(measured.lens, sight=sight), measured.doubt
    else:
        measured = None
    if floor_mm is None:
        floor_mm = _floor_of_dice(lens, corners, edge_px)
    return replace(calibrate_by_corners(lens, corners, floor_mm, doubt), lens=measured)


def _floor_of_dice(
    lens: Lens, corners: Sequence[tuple[float, float]], edge_px: float
) -> tuple[float, float]:
    """Width and depth of a floor on which dice look so large."""
    if edge_px <= 0:
        raise RefusedError(
            Problem.NO_DICE, "put dice on the floor first: their size tells how large it is"
        )
    seen = np.asarray(corners, np.float64)
    shape = _rectangle_ratio(lens, seen)
    width = 200.0
    # Dice stand above the floor, so it takes a few rounds.
    for _ in range(4):
        floor_mm = (width, width / shape)
        found = calibrate_by_corners(lens, corners, floor_mm)
        middle = found.profile.to_pixels(np.array([(0.0, 0.0, -DIE_EDGE_MM)]))[0]
        width *= found.profile.edge_pixels((float(middle[0]), float(middle[1]))) / edge_px
    return width, width / shape


def _rectangle_ratio(lens: Lens, corners: FloatArray) -> float:
    """Width by depth of the rectangle whose corners (4, 2) are seen."""
    best, found = np.inf, 1.0
    for ratio in np.geomspace(0.5, 2.5, 81):
        layout = np.array(((-ratio, -1, 0), (ratio, -1, 0), (ratio, 1, 0), (-ratio, 1, 0)))
        misfit = pose_from(lens, 50.0 * layout, corners)[2]
        if misfit < best:
            best, found = misfit, float(ratio)
    return found


def _calibration(lens: Lens, camera: PinholeCamera) -> Calibration:
    """The calibration that takes the visible part of the floor's plane for a tray.

    Raises:
        RefusedError: the camera leans too far.
    """
    lean = float(np.degrees(np.arccos(np.clip(camera.rotation[2, 2], -1, 1))))
    if lean > MAX_LEAN_DEG:
        raise RefusedError(
            Problem.TILTED,
            f"the camera leans by {math.ceil(lean)} degrees; it must look down within "
            f"{MAX_LEAN_DEG:.0f}",
        )
    width, height = lens.size
    inset = _BORDER_SHARE * width
    left, top, right, bottom = inset, inset, width - 1 - inset, height - 1 - inset
    border = np.array(((left, top), (right, top), (right, bottom), (left, bottom)))
    seen = camera.to_plane(border, DIE_EDGE_MM)
    middle = camera.to_plane(np.array([((width - 1) / 2, (height - 1) / 2)]), DIE_EDGE_MM)[0]
    tray = np.clip(seen - middle, -_MAX_SIDE_MM / 2, _MAX_SIDE_MM / 2)
    shift = camera.rotation @ np.array((*middle, 0.0))
    profile = Profile(
        lens.size,
        lens.matrix,
        lens.distortion,
        camera.rotation,
        camera.translation + shift,
        tray=np.asarray(tray, np.float64),
        sight=lens.sight,
    )
    return Calibration(profile, lens_source=lens.source)


def lean_of(profile: Profile) -> float:
    """Angle between a camera's axis and straight down, degrees."""
    return float(np.degrees(np.arccos(np.clip(profile.rotation[2, 2], -1, 1))))

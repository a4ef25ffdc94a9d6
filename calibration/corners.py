"""The tray from four corners that a person points at, where there are no markers."""

from collections.abc import Sequence

import numpy as np

from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.fitting import Fit, fit, jacobian_of
from calibration.markers.lens import KNOWN_LENS_DOUBT, Lens, LensDoubt
from calibration.markers.pose import pose_from
from calibration.problems import Problem
from vision.geometry.camera import PinholeCamera, rotation_of, vector_of
from vision.geometry.profile import DIE_EDGE_MM, Profile
from vision.image.arrays import FloatArray

MAX_CORNER_MISFIT = 0.02
"""Of the tray's shorter side in the picture: allows pointing errors, no wrong order or size."""
POINTED_SPREAD_PX = 1.5
"""Of a corner that somebody points at."""
_POINTED_PICTURE_PX = 1280
"""Width of the pictures for which that was set: what is pointed at is as large as it is seen."""
RULER_SPREAD_MM = 0.5
"""Of each side of a floor that was measured with a ruler, to a millimetre."""

_STATED_SPREADS = 1.7
"""By how much more than the spread of a fit is stated, so that nineteen of twenty trays are within
`SPREADS_OF_WORST_PLACE` of it: with four corners the focal length causes nearly all of the error,
and of one cause twice the spread is needed; far from what was assumed it does more than in
proportion (tests/calibration/markers/test_unknown_lens.py)."""

_LENS_UNKNOWNS = 5  # focal length, centre, k1, k2; rotation, translation and the sides follow


class _Corners:
    """Predicts from a vector of unknowns where a floor's corners are seen, and compares."""

    def __init__(
        self,
        lens: Lens,
        doubt: LensDoubt,
        seen: FloatArray,
        floor_mm: tuple[float, float],
    ) -> None:
        self.lens, self.seen, self.floor_mm = lens, seen, floor_mm
        self.spread_px = POINTED_SPREAD_PX * lens.size[0] / _POINTED_PICTURE_PX
        off = doubt.centre * lens.size[0]
        self.doubts = np.array((doubt.focal, off, off, doubt.k1, doubt.k2))

    def start(self) -> FloatArray:
        rotation, translation, _ = pose_from(self.lens, _level(self.floor_mm), self.seen)
        return np.concatenate([np.zeros(_LENS_UNKNOWNS), vector_of(rotation), translation, [0, 0]])

    @property
    def steps(self) -> FloatArray:
        # OpenCV treats rotations below 1e-5 as none.
        return np.array((1e-5, 1e-3, 1e-3, 1e-5, 1e-5, *[1e-4] * 3, *[1e-3] * 5))

    def camera_of(self, x: FloatArray) -> PinholeCamera:
        matrix, distortion = self.lens.matrix.copy(), self.lens.distortion.copy()
        matrix[[0, 1], [0, 1]] *= np.exp(x[0])
        matrix[:2, 2] += x[1:3]
        distortion[:2] += x[3:5]
        # The height grows with the focal length, of which a level floor hardly tells it apart.
        translation = x[8:11] * (1.0, 1.0, np.exp(x[0]))
        return PinholeCamera(matrix, distortion, rotation_of(x[5:8]), translation)

    def floor_of(self, x: FloatArray) -> FloatArray:
        return _level((self.floor_mm[0] + float(x[11]), self.floor_mm[1] + float(x[12])))

    def misfit_px(self, x: FloatArray) -> FloatArray:
        return self.seen - self.camera_of(x).to_pixels(self.floor_of(x))

    def residuals(self, x: FloatArray) -> FloatArray:
        off = self.misfit_px(x).ravel() / self.spread_px
        return np.concatenate([off, x[:_LENS_UNKNOWNS] / self.doubts, x[11:] / RULER_SPREAD_MM])

    def worst_spread_mm(self, found: Fit) -> float:
        """The worst spread, over the floor's corners, of a place on the plane of the tops, mm."""
        tops = self.floor_of(found.x) - (0, 0, DIE_EDGE_MM)
        pixels = self.camera_of(found.x).to_pixels(tops)

        def read(x: FloatArray) -> FloatArray:
            return self.camera_of(x).to_plane(pixels, DIE_EDGE_MM)

        slopes = jacobian_of(read, found.x, self.steps)
        covariance = found.covariance(self.seen.size)
        spread = (slopes @ covariance @ slopes.T).diagonal().reshape(-1, 2)
        return float(np.sqrt(spread.sum(axis=1).max()))


def _level(floor_mm: tuple[float, float]) -> FloatArray:
    x, y = floor_mm[0] / 2, floor_mm[1] / 2
    return np.array(((-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)))


def calibrate_by_corners(
    lens: Lens,
    pixels: Sequence[tuple[float, float]],
    floor_mm: tuple[float, float],
    doubt: LensDoubt = KNOWN_LENS_DOUBT,
) -> Calibration:
    """A calibration from the inner corners of the floor and its measured size.

    Where the view is slanted they tell of the lens, too, which is adjusted within its doubt.

    Args:
        lens: the camera's, as far as it is known.
        pixels: the floor's corners from the top left clockwise.
        floor_mm: its width and depth.
        doubt: how far the lens may be off.

    Raises:
        RefusedError: the corners are not those of such a rectangle seen from above.
    """
    seen = np.asarray(pixels, np.float64)
    width, depth = floor_mm
    if seen.shape != (4, 2) or not np.isfinite(seen).all():
        raise RefusedError(Problem.BAD_FIT, "expected four corners of two numbers")
    if not (60 <= width <= 600 and 60 <= depth <= 600):
        raise RefusedError(
            Problem.BAD_FIT, f"the floor must measure 60 to 600 mm, not {width:g} x {depth:g}"
        )
    sides = np.roll(seen, -1, axis=0) - seen
    turns = [
        sides[k][0] * sides[(k + 1) % 4][1] - sides[k][1] * sides[(k + 1) % 4][0] for k in range(4)
    ]
    if min(turns) <= 0:
        raise RefusedError(
            Problem.BAD_FIT,
            "point at the corners clockwise from the top left: top left, top right, bottom right, "
            "bottom left",
        )
    corners = _Corners(lens, doubt, seen, floor_mm)
    found = fit(corners.residuals, corners.start(), corners.steps)
    misfit = float(np.sqrt((corners.misfit_px(found.x) ** 2).sum(axis=1).mean()))
    least = float(np.linalg.norm(sides, axis=1).min())
    if not np.isfinite(found.x).all() or misfit > MAX_CORNER_MISFIT * least:
        raise RefusedError(
            Problem.BAD_FIT,
            f"the corners are {misfit:.0f} pixels off a rectangle of {width:g} x {depth:g} mm; "
            "measure the floor and point at its corners again",
        )
    camera = corners.camera_of(found.x)
    profile = Profile(
        lens.size,
        camera.matrix,
        camera.distortion,
        camera.rotation,
        camera.translation,
        tray=_level(floor_mm)[:, :2],
        sight=lens.sight,
    )
    doubt_mm = _STATED_SPREADS * corners.worst_spread_mm(found)
    return Calibration(profile, doubt_mm=doubt_mm, lens_source=lens.source)

"""Measures a lens with pictures of the printed board, leaning in different ways.

The method is Zhang's (2000), with what is known of the lens beforehand as further observations: a
few pictures are enough, and how sure the result is follows from the same equations.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.errors import RefusedError
from calibration.markers.charuco import CharucoCorners
from calibration.markers.fitting import fit
from calibration.markers.lens import Lens, LensDoubt, MeasuredLens
from calibration.markers.pose import pose_from
from calibration.problems import Problem
from vision.geometry.camera import PinholeCamera, rotation_of, vector_of
from vision.image.arrays import FloatArray

LEANING_VIEWS = 3
"""Pictures of the board that are enough, each leaning otherwise."""
MIN_SLANT_DEG = 8.0
"""Between any two of them; views that are alike tell no focal length."""
BOARD_SPREAD_PX = 0.12
"""Of the board's corners: in rendered pictures 0.08, and a sheet of paper is not quite flat."""
_MAX_RMS_PX = 0.8
_DOUBT_FACTOR = 1.5
"""By how much more than its own spread each number is doubted: the model has no more than k1 and
k2, which no lens follows exactly, and places are worked out as if the numbers were independent."""
_LENS_UNKNOWNS = 5


def is_another_view(lens: Lens, board: CharucoCorners, before: Sequence[CharucoCorners]) -> bool:
    """True if a board leans otherwise than in all pictures before, seen with about this lens."""
    normal = _normal(lens, board)
    least = float(np.cos(np.radians(MIN_SLANT_DEG)))
    return all(float(normal @ _normal(lens, other)) < least for other in before)


def leans(lens: Lens, board: CharucoCorners, rotation: FloatArray) -> bool:
    """True if a board leans against the floor; `rotation` is that of the world to the camera."""
    least = float(np.cos(np.radians(MIN_SLANT_DEG)))
    return float(_normal(lens, board) @ rotation[:, 2]) < least


def _normal(lens: Lens, board: CharucoCorners) -> FloatArray:
    rotation, _, _ = pose_from(lens, board.places, board.pixels)
    return np.asarray(rotation[:, 2], np.float64)


def measure_lens(views: Sequence[CharucoCorners], start: Lens, doubt: LensDoubt) -> MeasuredLens:
    """Measures a lens.

    Args:
        views: pictures of the board, each leaning otherwise.
        start: the lens as far as it is known.
        doubt: how far that may be off.

    Raises:
        RefusedError: they are too few or too alike, or do not fit one lens.
    """
    apart = [k for k, view in enumerate(views) if is_another_view(start, view, views[:k])]
    if len(apart) < LEANING_VIEWS:
        raise RefusedError(
            Problem.NO_BOARD,
            f"{LEANING_VIEWS} pictures of the board are needed, each slanted {MIN_SLANT_DEG:.0f} "
            f"degrees from the others; there are {len(apart)}",
        )
    seen = _Views(views, start, doubt)
    found = fit(seen.residuals, seen.start(), seen.steps)
    rms = float(np.sqrt(np.mean(np.sum(seen.misfit_px(found.x) ** 2, axis=1))))
    if not np.isfinite(found.x).all() or rms > _MAX_RMS_PX:
        raise RefusedError(
            Problem.BAD_FIT,
            f"the corners fit only to {rms:.2f} pixels (at most {_MAX_RMS_PX}); is the board "
            "flat, were the pictures sharp?",
        )
    count = 2 * len(seen.pixels)
    spread = np.sqrt(found.covariance(count).diagonal()[:_LENS_UNKNOWNS]) * _DOUBT_FACTOR
    focal, across, down, k1, k2 = spread.tolist()
    lens = replace(
        seen.lens_of(found.x),
        source=f"measured with {len(views)} pictures of the board",
        rms_px=rms,
    )
    return MeasuredLens(lens, LensDoubt(focal, max(across, down) / start.size[0], k1, k2))


class _Views:
    """Predicts from a vector of unknowns where the boards' corners are seen, and compares."""

    def __init__(self, views: Sequence[CharucoCorners], lens: Lens, doubt: LensDoubt) -> None:
        self.views, self.lens = views, lens
        self.pixels = np.concatenate([view.pixels for view in views])
        off = doubt.centre * lens.size[0]
        self.doubts = np.array((doubt.focal, off, off, doubt.k1, doubt.k2))

    def start(self) -> FloatArray:
        """From OpenCV's estimate, as a search from a lens far off may end anywhere."""
        _, matrix, distortion, _, _ = cv2.calibrateCamera(
            [view.places.astype(np.float32).reshape(-1, 1, 3) for view in self.views],
            [view.pixels.astype(np.float32).reshape(-1, 1, 2) for view in self.views],
            self.lens.size,
            self.lens.matrix.copy(),
            self.lens.distortion.copy(),
            flags=cv2.CALIB_USE_INTRINSIC_GUESS
            | cv2.CALIB_FIX_ASPECT_RATIO
            | cv2.CALIB_FIX_PRINCIPAL_POINT
            | cv2.CALIB_ZERO_TANGENT_DIST
            | cv2.CALIB_FIX_K2
            | cv2.CALIB_FIX_K3,
        )
        k1 = float(np.ravel(distortion)[0] - self.lens.distortion[0])
        focal = float(np.log(matrix[0, 0] / self.lens.matrix[0, 0]))
        x = np.array((focal, 0.0, 0.0, np.clip(k1, -0.3, 0.3), 0.0))
        near = self.lens_of(x)
        poses = [pose_from(near, view.places, view.pixels) for view in self.views]
        parts = [np.concatenate([vector_of(turn), shift]) for turn, shift, _ in poses]
        return np.concatenate([x, *parts])

    @property
    def steps(self) -> FloatArray:
        # OpenCV treats rotations below 1e-5 as none.
        of_view = (1e-4, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3)
        return np.array((1e-5, 1e-3, 1e-3, 1e-5, 1e-5, *of_view * len(self.views)))

    def lens_of(self, x: FloatArray) -> Lens:
        matrix, distortion = self.lens.matrix.copy(), self.lens.distortion.copy()
        matrix[[0, 1], [0, 1]] *= np.exp(x[0])
        matrix[:2, 2] += x[1:3]
        distortion[:2] += x[3:5]
        return replace(self.lens, matrix=matrix, distortion=distortion)

    def misfit_px(self, x: FloatArray) -> FloatArray:
        lens, parts = self.lens_of(x), x[_LENS_UNKNOWNS:].reshape(-1, 6)
        expected = [
            PinholeCamera(lens.matrix, lens.distortion, rotation_of(part[:3]), part[3:]).to_pixels(
                view.places
            )
            for view, part in zip(self.views, parts, strict=True)
        ]
        return self.pixels - np.concatenate(expected)

    def residuals(self, x: FloatArray) -> FloatArray:
        off = self.misfit_px(x).ravel() / BOARD_SPREAD_PX
        return np.concatenate([off, x[:_LENS_UNKNOWNS] / self.doubts])

"""Camera matrix and distortion: a default for the Camera Module 3, or measured with the board."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.errors import RefusedError
from calibration.markers.charuco import CharucoCorners
from calibration.problems import Problem
from vision.geometry.camera import PinholeCamera, rotation_of, undistorted
from vision.image.arrays import FloatArray

LEAST_VIEWS = 5
MOST_RMS_PX = 0.8
_LEAST_SLANT = 8.0  # degrees between some two views of the board; level views give no focal length


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """OpenCV's camera model for one size of picture.

    Attributes:
        size: width and height of the pictures, pixels.
        matrix: camera matrix, (3, 3), pixel centres at whole numbers.
        distortion: k1, k2, p1, p2, (4,).
        source: where the numbers come from, a short sentence.
        rms_px: root mean square of the reprojection; None where it was not measured.
    """

    size: tuple[int, int]
    matrix: FloatArray
    distortion: FloatArray
    source: str
    rms_px: float | None = None

    def undistort(self, pixels: FloatArray) -> FloatArray:
        """Directions (n, 2), x/z and y/z in the camera's frame, of pixels (n, 2)."""
        return undistorted(pixels, self.matrix, self.distortion)

    def placed(self, rotation: FloatArray, translation: FloatArray) -> PinholeCamera:
        """The camera with this lens at a pose: world to camera, (3, 3) and (3,), millimetres."""
        return PinholeCamera(self.matrix, self.distortion, rotation, translation)

    def resized(self, size: tuple[int, int]) -> "Lens":
        """The same lens with the whole picture scaled to another size."""
        sx, sy = size[0] / self.size[0], size[1] / self.size[1]
        matrix = self.matrix.copy()
        matrix[0] *= sx
        matrix[1] *= sy
        matrix[0, 2] += (sx - 1) / 2
        matrix[1, 2] += (sy - 1) / 2
        return Lens(size, matrix, self.distortion, self.source, self.rms_px)


@dataclass(frozen=True, slots=True)
class LensDoubt:
    """How far a lens may be off: one standard deviation of each number.

    Attributes:
        focal: of the focal length, as a share of it.
        centre: of the middle, as a share of the picture's width.
        k1: of k1.
        k2: of k2.
    """

    focal: float
    centre: float
    k1: float
    k2: float


DEFAULT_DOUBT = LensDoubt(focal=0.015, centre=0.008, k1=0.025, k2=0.02)
"""For a lens of the same make that was not measured."""
MEASURED_DOUBT = LensDoubt(focal=0.001, centre=0.0008, k1=0.002, k2=0.004)
"""For one that was measured with the board."""

# Raspberry Pi's documentation, "Camera hardware": IMX708, pixels of 1.4 um, 4608 of them across;
# Camera Module 3, standard: focal length 4.74 mm, 66 degrees across (75 diagonally).
_FOCAL_MM = 4.74
_PIXEL_MM = 0.0014
_SENSOR = (4608, 2592)
_NEAR_MM = 370.0


def camera_module_3(size: tuple[int, int], distance_mm: float = _NEAR_MM) -> Lens:
    """The standard Camera Module 3, as its maker describes it, focused on a tray.

    A lens moves out to focus near: by the thin lens equation its image lies 1/(1/f - 1/d) behind
    it, 1.3 % farther than the focal length for a tray at 37 cm. That makes 75.2 degrees across
    the diagonal, which is the maker's figure. Nobody publishes its distortion; it is taken as none
    and adjusted with what is seen, within `DEFAULT_DOUBT`.

    Args:
        size: width and height of the pictures, pixels; a cut of another shape than 16:9 is taken
            to have the sensor's full width (or height, if it is narrower).
        distance_mm: from the lens to what is in focus.
    """
    image_mm = 1 / (1 / _FOCAL_MM - 1 / distance_mm)
    scale = max(size[0] / _SENSOR[0], size[1] / _SENSOR[1])
    focal = image_mm / _PIXEL_MM * scale
    matrix = np.array(
        [[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]], np.float64
    )
    return Lens(size, matrix, np.zeros(4), "default for Camera Module 3")


def measure_lens(views: Sequence[CharucoCorners], size: tuple[int, int]) -> Lens:
    """Measures a lens with pictures of the board (Zhang's method, OpenCV's).

    Args:
        views: pictures of the board, slanted in different ways, over all of the picture.
        size: width and height of the pictures, pixels.

    Raises:
        RefusedError: too few, all level, or they do not fit one lens.
    """
    if len(views) < LEAST_VIEWS:
        raise RefusedError(
            Problem.NO_BOARD,
            f"expected at least {LEAST_VIEWS} pictures of the board, found {len(views)}",
        )
    start = camera_module_3(size)
    rms, matrix, distortion, turns, _ = cv2.calibrateCamera(
        [view.places.astype(np.float32).reshape(-1, 1, 3) for view in views],
        [view.pixels.astype(np.float32).reshape(-1, 1, 2) for view in views],
        size,
        start.matrix.copy(),
        np.zeros(5),
        flags=cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K3,
    )
    normals = [rotation_of(turn)[:, 2] for turn in turns]
    slant = max(
        math.degrees(math.acos(min(1.0, abs(float(a @ b))))) for a in normals for b in normals
    )
    if slant < _LEAST_SLANT:
        raise RefusedError(
            Problem.BAD_FIT,
            f"expected pictures of the board slanted by at least {_LEAST_SLANT:.0f} degrees to one "
            f"another, found {slant:.1f}; lean it on the rim, each time on another side",
        )
    if rms > MOST_RMS_PX:
        raise RefusedError(
            Problem.BAD_FIT,
            f"expected a fit to {MOST_RMS_PX} pixels, found {rms:.2f}; is the board flat, were "
            "the pictures sharp?",
        )
    return Lens(
        size,
        np.asarray(matrix, np.float64),
        np.asarray(distortion, np.float64).ravel()[:4],
        f"measured with {len(views)} pictures of the board",
        float(rms),
    )

"""Camera matrix and distortion: a default for the Camera Module 3, and how far it may be off."""

from dataclasses import dataclass, replace

import numpy as np

from vision.geometry.camera import PinholeCamera, undistorted
from vision.image.arrays import FloatArray


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


@dataclass(frozen=True, slots=True)
class LensDoubt:
    """How far a lens may be off: one standard deviation of each number.

    Attributes:
        focal: of the focal length, as a share of it.
        centre: of the principal point, as a share of the picture's width.
        k1: of k1.
        k2: of k2.
    """

    focal: float
    centre: float
    k1: float
    k2: float


KNOWN_LENS_DOUBT = LensDoubt(focal=0.015, centre=0.008, k1=0.025, k2=0.02)
"""For a lens of the same make that was not measured."""

UNKNOWN_LENS_DOUBT = LensDoubt(focal=0.35, centre=0.02, k1=0.2, k2=0.15)
"""For the lens of any other camera, which is taken for a Camera Module 3 all the same.

Webcams' angles of view, across the diagonal, are published as 55 to 60 degrees (Logitech C270), 78
(C920), 90 (Brio) and 100 and more: focal lengths of 1.5 to 0.65 times that of the module.
"""

# Raspberry Pi's documentation, "Camera hardware": IMX708, 1.4 um pixels, 4608 across;
# Camera Module 3, standard: focal length 4.74 mm, 66 degrees across (75 diagonally).
_FOCAL_LENGTH_MM = 4.74
_PIXEL_MM = 0.0014
_SENSOR_SIZE_PX = (4608, 2592)
_USUAL_DISTANCE_MM = 370.0


def camera_module_3(size: tuple[int, int], distance_mm: float = _USUAL_DISTANCE_MM) -> Lens:
    """The standard Camera Module 3, as its maker specifies it, focused on a tray.

    A lens moves out to focus near: by the thin lens equation its image lies 1/(1/f - 1/d) behind
    it, 1.3 % farther than the focal length for a tray at 37 cm. That makes 75.2 degrees across
    the diagonal, which is the maker's figure. Its distortion is not published; it is taken as zero
    and adjusted to what is seen, within `KNOWN_LENS_DOUBT`.

    Args:
        size: width and height of the pictures, pixels; a crop of another shape than 16:9 is
            taken to span the sensor's full width (or height, if it is narrower).
        distance_mm: from the lens to the plane in focus.
    """
    image_mm = 1 / (1 / _FOCAL_LENGTH_MM - 1 / distance_mm)
    scale = max(size[0] / _SENSOR_SIZE_PX[0], size[1] / _SENSOR_SIZE_PX[1])
    focal = image_mm / _PIXEL_MM * scale
    matrix = np.array(
        [[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]], np.float64
    )
    return Lens(size, matrix, np.zeros(4), "default for Camera Module 3")


def assumed_lens(size: tuple[int, int], known: bool) -> tuple[Lens, LensDoubt]:
    """The lens that is assumed before anything is measured, and how far it may be off.

    Args:
        size: width and height of the pictures, pixels.
        known: whether it is a standard Camera Module 3, uncropped.
    """
    lens = camera_module_3(size)
    if known:
        return lens, KNOWN_LENS_DOUBT
    return replace(lens, source="not known, taken for a Camera Module 3"), UNKNOWN_LENS_DOUBT

"""Camera matrix and distortion: what is published of a camera, and how far it may be off.

`CAMERAS` has the Pi's cameras, `webcams` others. How much of the sensor a picture shows is taken
from its `Sight`, so that a crop is never mistaken for a lens.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from vision.geometry.camera import PinholeCamera, undistorted
from vision.geometry.sight import Part, Sight, Size, part_of_shape
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
        sight: what part of which camera's sensor the pictures show; None where that is not known.
    """

    size: tuple[int, int]
    matrix: FloatArray
    distortion: FloatArray
    source: str
    rms_px: float | None = None
    sight: Sight | None = None

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


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredLens:
    """A lens that was measured, and how far it may still be off."""

    lens: Lens
    doubt: LensDoubt

    def serves(self, size: Size, sight: Sight | None) -> bool:
        """True if it is that of pictures of this size and sight, as far as is known."""
        mine = self.lens.sight
        same = mine is None or sight is None or mine.matches(sight, size)
        return self.lens.size == size and same


KNOWN_LENS_DOUBT = LensDoubt(focal=0.015, centre=0.008, k1=0.025, k2=0.02)
"""For a lens of the same make that was not measured."""

WIDE_LENS_DOUBT = LensDoubt(focal=0.03, centre=0.012, k1=0.05, k2=0.05)
"""For the Camera Module 3 Wide, whose maker gives 102 degrees across: an undistorted lens
of its focal length would see 99."""

UNKNOWN_LENS_DOUBT = LensDoubt(focal=0.35, centre=0.02, k1=0.2, k2=0.15)
"""For the lens of any other camera, which is taken for a Camera Module 3 all the same.

Webcams' angles of view, across the diagonal, are published as 55 to 60 degrees (Logitech C270), 78
(C920), 90 (Brio) and 100 and more: focal lengths of 1.5 to 0.65 times that of the module.
`webcams` has those that are known better.
"""

AI_LENS_DOUBT = LensDoubt(focal=0.03, centre=0.012, k1=0.05, k2=0.05)
"""For the AI Camera, whose maker gives 66.3 ± 3 by 52.3 ± 3 degrees, 5 % of the focal length at
most; an undistorted lens of its focal length and pixels would see 67 by 53."""

BOUGHT_LENS_DOUBT = LensDoubt(focal=0.05, centre=0.012, k1=0.05, k2=0.05)
"""For a lens with a C, CS or M12 thread, of which only the focal length printed on it is known.

The maker's field angles of the 16 mm lens make 16.4 to 16.6 mm, that of the 6 mm lens 6.5.
"""

USUAL_DISTANCE_MM = 370.0
"""From the lens to the tray."""


@dataclass(frozen=True, slots=True)
class KnownCamera:
    """A camera as its maker specifies it.

    Attributes:
        name: what it is sold as.
        models: libcamera's names of it.
        array: width and height of the sensor, its pixels.
        pixel_mm: edge of a pixel.
        focal_mm: the lens's focal length.
        degrees: field of view of the whole sensor, across and down.
        sharp_from_mm: the nearest distance at which pictures are sharp, or can be made so.
        doubt: how far a lens of this make may be off.
        lens_mm: focal length of the bought lens; None for one that is sold with the camera.
    """

    name: str
    models: tuple[str, ...]
    array: Size
    pixel_mm: float
    focal_mm: float
    degrees: tuple[float, float]
    sharp_from_mm: float
    doubt: LensDoubt = KNOWN_LENS_DOUBT
    lens_mm: float | None = None

    def with_lens(self, focal_mm: float) -> "KnownCamera":
        """The camera with a bought lens of this focal length, undistorted."""
        body, _, _ = self.name.partition(",")
        across, down = (
            math.degrees(2 * math.atan(side * self.pixel_mm / 2 / focal_mm)) for side in self.array
        )
        return replace(
            self,
            name=f"{body}, {focal_mm:g} mm lens",
            focal_mm=focal_mm,
            degrees=(across, down),
            sharp_from_mm=200.0,
            doubt=BOUGHT_LENS_DOUBT,
            lens_mm=focal_mm,
        )

    def lens(self, size: Size, part: Part, distance_mm: float = USUAL_DISTANCE_MM) -> Lens:
        """The lens for pictures of a size that show a part of the sensor, focused on a tray.

        A lens moves out to focus near: by the thin lens equation its image lies 1/(1/f - 1/d)
        behind it, 1.3 % farther than the focal length for a Camera Module 3 and a tray at 37 cm.
        That makes 75.2 degrees across the diagonal, which is the maker's figure. Distortions are
        not published; they are taken as zero and adjusted to what is seen, within `doubt`.

        Args:
            size: width and height of the pictures, pixels.
            part: left, top, width and height of what they show, the sensor's pixels.
            distance_mm: from the lens to the plane in focus.
        """
        image_mm = 1 / (1 / self.focal_mm - 1 / distance_mm)
        scale = np.divide(size, part[2:])
        focal = image_mm / self.pixel_mm * scale
        centre = (np.divide(self.array, 2) - part[:2]) * scale - 0.5
        matrix = np.array([[focal[0], 0, centre[0]], [0, focal[1], centre[1]], [0, 0, 1]])
        sight = Sight(self.models[0], self.array, part, lens_mm=self.lens_mm)
        return Lens(size, matrix, np.zeros(4), f"default for {self.name}", sight=sight)

    def degrees_of(self, part: Part) -> tuple[float, float]:
        """The share of the maker's field of view left to a part of the sensor, across and down."""
        across, down = (
            math.degrees(2 * math.atan(math.tan(math.radians(whole / 2)) * seen / all_of_it))
            for whole, seen, all_of_it in zip(self.degrees, part[2:], self.array, strict=True)
        )
        return across, down


MODULE_3 = KnownCamera(
    "Camera Module 3", ("imx708", "imx708_noir"), (4608, 2592), 0.0014, 4.74, (66.0, 41.0), 100.0
)
MODULE_3_WIDE = KnownCamera(
    "Camera Module 3 Wide",
    ("imx708_wide", "imx708_wide_noir"),
    (4608, 2592),
    0.0014,
    2.75,
    (102.0, 67.0),
    50.0,
    WIDE_LENS_DOUBT,
)
MODULE_2 = KnownCamera(
    "Camera Module 2", ("imx219",), (3280, 2464), 0.00112, 3.04, (62.2, 48.8), 100.0
)
MODULE_1 = KnownCamera(
    "Camera Module 1", ("ov5647",), (2592, 1944), 0.0014, 3.60, (53.5, 41.41), 1000.0
)

AI_CAMERA = KnownCamera(
    "AI Camera", ("imx500",), (4056, 3040), 0.00155, 4.74, (66.3, 52.3), 200.0, AI_LENS_DOUBT
)
_HIGH_QUALITY = KnownCamera(
    "High Quality Camera", ("imx477",), (4056, 3040), 0.00155, math.nan, (math.nan, math.nan), 0.0
)
_GLOBAL_SHUTTER = KnownCamera(
    "Global Shutter Camera", ("imx296",), (1456, 1088), 0.00345, math.nan, (math.nan, math.nan), 0.0
)
_BODIES = (_HIGH_QUALITY, _GLOBAL_SHUTTER)
"""Cameras that are sold without a lens."""
SOLD_LENSES_MM = (6.0, 16.0)
"""Focal lengths of the lenses that are sold with them."""

CAMERAS = (
    *(MODULE_3, MODULE_3_WIDE, AI_CAMERA, MODULE_2, MODULE_1),
    *(body.with_lens(mm) for body in _BODIES for mm in SOLD_LENSES_MM),
)
"""Sensors, pixels, focal lengths, angles, depths of field: Raspberry Pi's documentation, "Hardware
Specification" (documentation/asciidoc/accessories/camera/camera_hardware.adoc of
raspberrypi/documentation, commit 0510938). The models: `Model` in libcamera's camera properties;
the wide and the NoIR Camera Module 3 have names of their own (src/ipa/rpi/vc4/data of libcamera has
a file for each); those of Modules 1 and 2 have not. The AI Camera: its product brief, September
2024; its focus is turned by hand. A High Quality or a Global Shutter Camera has the lens that its
owner buys; both of Raspberry Pi's are sharp from 0.2 m on (lens.adoc in the same folder)."""

MODULE_3_SIGHT = Sight(MODULE_3.models[0], MODULE_3.array, (0, 0, *MODULE_3.array))
"""A standard Camera Module 3 that shows all of its sensor, as pictures of 16:9 do."""


def known_camera(sight: Sight | None) -> KnownCamera | None:
    """The camera that a picture is from, if its lens is known."""
    if sight is None:
        return None
    for camera in CAMERAS:
        if sight.model in camera.models and sight.array == camera.array:
            if sight.lens_mm is not None:
                return camera.with_lens(sight.lens_mm)
            if camera.lens_mm is None:
                return camera
    return None


def is_bought(sight: Sight) -> bool:
    """True for a camera that is sold without a lens."""
    return any(sight.model in body.models for body in _BODIES)


def camera_module_3(size: Size) -> Lens:
    """The standard Camera Module 3, as its maker specifies it, focused on a tray.

    Args:
        size: width and height of the pictures, pixels; a crop of another shape than 16:9 is
            taken to span the sensor's full width (or height, if it is narrower).
    """
    return MODULE_3.lens(size, part_of_shape(MODULE_3.array, size))

"""Webcams by the numbers of their USB plug: how wide each looks, as measured or as published.

Where people have measured one, the focal length is taken from them, by the shape of the pictures:
a webcam cuts its sides off for 4:3, or its top and bottom for 16:9. Makers publish one angle across
the diagonal. `?view=` of a camera's name comes before both.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from calibration.markers.lens import Lens, LensDoubt
from vision.geometry.sight import Sight, Size

MEASURED_WEBCAM_DOUBT = LensDoubt(focal=0.04, centre=0.02, k1=0.06, k2=0.12)
"""For a webcam of which another one was measured.

The focal lengths of two C920s were 0.722 (see `WEBCAMS`) and 0.761 (`logitech_c920_matrix` in a
public program, 1,461 pixels) of the picture's width; autofocus moves the lens by another 1 %.
"""

PUBLISHED_VIEW_DOUBT = LensDoubt(focal=0.06, centre=0.02, k1=0.12, k2=0.12)
"""For an angle of view as makers publish it: that of the C920 is 78 degrees, and 77 and 74 were
measured; that of the C270 is 55 or 60, and 54 was."""

WIDE_VIEW_DOUBT = LensDoubt(focal=0.12, centre=0.02, k1=0.15, k2=0.12)
"""For an angle beyond `WIDE_FROM_DEGREES`: whether the angle counts the lens's distortion, nobody
says, and at 100 degrees that makes a seventh of the focal length."""

SWITCHED_VIEW_DOUBT = LensDoubt(focal=0.2, centre=0.02, k1=0.15, k2=0.12)
"""For a webcam whose angle of view a program can switch."""

WIDE_FROM_DEGREES = 85.0
_WIDE_K1 = -0.1
"""Usual distortion of a lens that sees more than that."""

_SAME_SHAPE = 0.02


@dataclass(frozen=True, slots=True)
class Webcam:
    """A webcam as it was measured, or as its maker describes it.

    Attributes:
        name: what it is sold as.
        usb_ids: numbers of maker and product.
        degrees: angle of view across the diagonal of pictures of 16:9, as published.
        focal_shares: measured focal length as a share of the picture's width, by the shape of the
            picture (width by height); empty where nobody has measured it.
        k1: measured distortion.
        k2: likewise.
        doubt: how far another one of the make may be off.
    """

    name: str
    usb_ids: tuple[str, ...]
    degrees: float
    focal_shares: Mapping[float, float] = field(default_factory=dict)
    k1: float = 0.0
    k2: float = 0.0
    doubt: LensDoubt = MEASURED_WEBCAM_DOUBT

    def lens(self, size: Size) -> tuple[Lens, LensDoubt]:
        """The lens for pictures of a size, and how far it may be off."""
        width, height = size
        for shape, share in self.focal_shares.items():
            if abs(width / height - shape) < _SAME_SHAPE:
                source = f"{self.name}, as another one was measured"
                return _lens(size, share * width, self.k1, self.k2, source), self.doubt
        lens, doubt = lens_of_view(size, self.degrees)
        least = doubt if doubt.focal > self.doubt.focal else self.doubt
        if abs(width / height - 16 / 9) >= _SAME_SHAPE:
            # What is cut off for another shape, nobody knows.
            lens, least = _of_the_same_height(lens, size, self.degrees), SWITCHED_VIEW_DOUBT
        return _named(lens, f"{self.name}, {self.degrees:g} degrees as published"), least


def _lens(size: Size, focal: float, k1: float, k2: float, source: str) -> Lens:
    width, height = size
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    return Lens(size, matrix, np.array((k1, k2, 0.0, 0.0)), source)


def _named(lens: Lens, source: str) -> Lens:
    return Lens(lens.size, lens.matrix, lens.distortion, source)


def _of_the_same_height(lens: Lens, size: Size, degrees: float) -> Lens:
    """The lens where pictures of another shape than 16:9 are as high as those, as with a C920."""
    height = size[1]
    wide, _ = lens_of_view((round(height * 16 / 9), height), degrees)
    k1, k2 = lens.distortion[:2].tolist()
    return _lens(size, float(wide.matrix[0, 0]), k1, k2, lens.source)


def lens_of_view(size: Size, degrees: float) -> tuple[Lens, LensDoubt]:
    """The lens that sees this angle across the diagonal of its pictures, and its doubt.

    Args:
        size: width and height of the pictures, pixels.
        degrees: the angle, as makers publish it.
    """
    half, seen = math.hypot(*size) / 2, math.tan(math.radians(degrees / 2))
    wide = degrees > WIDE_FROM_DEGREES
    k1 = _WIDE_K1 if wide else 0.0
    # Halfway between an angle that counts the distortion and one that does not.
    focal = half / (seen * math.sqrt(1 + k1 * seen**2))
    doubt = WIDE_VIEW_DOUBT if wide else PUBLISHED_VIEW_DOUBT
    return _lens(size, focal, k1, 0.0, f"{degrees:g} degrees across the diagonal"), doubt


_C920_SHARES = {16 / 9: 1385.92 / 1920, 4 / 3: 622.0 / 640}
_C270_SHARES = {16 / 9: 1430.4 / 1280, 4 / 3: 822.3 / 640}
_C310_SHARES = {16 / 9: 715.3 / 640, 4 / 3: 822.0 / 640}
_HD_3000_SHARES = {4 / 3: 678.2 / 640}
WEBCAMS = (
    Webcam(
        "Logitech C920", ("046d:082d", "046d:0892", "046d:08e5"), 78.0, _C920_SHARES, 0.118, -0.252
    ),
    Webcam("Logitech C922", ("046d:085c",), 78.0, doubt=PUBLISHED_VIEW_DOUBT),
    Webcam("Logitech C270", ("046d:0825",), 55.0, _C270_SHARES),
    Webcam("Logitech C310", ("046d:081b",), 60.0, _C310_SHARES),
    Webcam(
        "Microsoft LifeCam HD-3000",
        ("045e:0779", "045e:0810"),
        68.5,
        _HD_3000_SHARES,
        doubt=PUBLISHED_VIEW_DOUBT,
    ),
    Webcam("Logitech Brio", ("046d:085e", "046d:086b"), 90.0, doubt=SWITCHED_VIEW_DOUBT),
)
"""Measured, with their numbers: FIRST-Tech-Challenge/FtcRobotController, commit 0a85b6b,
TeamCode/src/main/res/xml/teamwebcamcalibrations.xml; but the whole width of the C270:
`LOGITECH_C270_INTR` in the calibration.h of Monado's camera tracker. Smaller pictures
of 4:3 of C270 and C310 show less than all of the sensor. Other numbers: `PopularCamPeripheralSet`
of the ChromeOS camera app, and `LOGITECH_BRIO_FOV_DEV_MATCH` of cameractrls.py (soyersoyer), which
switches Brios to 65, 78 or 90 degrees. Published: 78 of the C920: wimsworld.wordpress.com, 26
September 2013; 60 of the C270: theshuttergoesclick.blogspot.com, January 2021, where 55 is found as
often; 68.5 of the HD-3000: its data sheet, in chiefdelphi.com/t/148617. No source: that the C922
sees as the C920 does, 60 of the C310. All read 2026-11."""


def webcam_of(sight: Sight | None) -> Webcam | None:
    """The webcam that pictures are from, if it is in the table."""
    if sight is None:
        return None
    for webcam in WEBCAMS:
        if sight.model.removeprefix("usb ") in webcam.usb_ids:
            return webcam
    return None

"""Facts about the reader's pictures known in advance: which part to read, and at what size."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.classify.face import Pyramid
from vision.detect.background import Background, Changes
from vision.frame import Image
from vision.geometry.profile import MAX_HOLDER_DISTANCE_MM, Profile
from vision.image.arrays import FloatArray
from vision.image.numeric import halved

MAX_WORKING_SIDE_PX = 1536
"""Of the longer side after halving, without a profile."""
REDUCED_SIDE_PX = 1400
"""Longer side to which a picture above `MAX_WORKING_SIDE_PX` is reduced."""
MIN_WORKING_SIDE_PX = 1150
"""Pictures are halved down to this size; smaller ones are enlarged towards it, at most twofold:
pips need pixels."""
WORKING_EDGE_PX = 44.0
"""With a profile, pictures are scaled so that dice have this edge."""
UNSCALED_RANGE = (0.98, 1.07)
"""A picture whose scale would be between these is left as it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The part of the pictures that is read.

    Attributes:
        left: left border of the part, pixels of the picture.
        top: top border of the part, pixels of the picture.
        size: width and height of the part, pixels of the picture.
        scale: pixels of the working picture per pixel of the picture.
        profile: for the part; None where nothing is known.
        background: the empty tray at working size, where it is known.
    """

    left: int
    top: int
    size: tuple[int, int]
    scale: float
    profile: Profile | None = None
    background: Background | None = None

    def work(self, image: Image) -> Image:
        """The working picture."""
        width, height = self.size
        part = image[self.top : self.top + height, self.left : self.left + width]
        return _resize_to_working_size(part, self.scale, self.profile is not None)

    def to_part(self, points: FloatArray) -> FloatArray:
        """Points of the working picture (n, 2) or (2,) as points of the part that is read."""
        return np.asarray((points + 0.5) / self.scale - 0.5, dtype=np.float64)

    def to_picture(self, points: FloatArray) -> FloatArray:
        """Points of the working picture (n, 2) or (2,) as points of the picture."""
        return np.asarray(self.to_part(points) + np.array([self.left, self.top]), np.float64)

    def to_work(self, points: FloatArray) -> FloatArray:
        """Points of the picture (n, 2) as points of the working picture."""
        part = points - np.array([self.left, self.top])
        return np.asarray((part + 0.5) * self.scale - 0.5, np.float64)

    def changes(self, work: Pyramid) -> Changes | None:
        """Where the working picture differs from the empty tray; None if that is not known."""
        return None if self.background is None else self.background.changes(work)


def whole_view(width: int, height: int) -> Region:
    """The view of any picture of this size."""
    side = max(width, height)
    scale = min(max(MIN_WORKING_SIDE_PX / side, 1.0), 2.0)
    while side * scale >= 2 * MIN_WORKING_SIDE_PX:
        scale /= 2
    if side * scale > MAX_WORKING_SIDE_PX:
        scale = REDUCED_SIDE_PX / side
    return Region(0, 0, (width, height), scale)


def calibrated_view(profile: Profile) -> Region:
    """The view of an installation: its tray and what stands beside it, at a suitable size."""
    left, top, right, bottom = profile.region(MAX_HOLDER_DISTANCE_MM)
    part = profile.cropped(left, top, right, bottom)
    middle = (profile.tray.max(axis=0) + profile.tray.min(axis=0)) / 2
    seen = profile.to_pixels(np.array([(*middle, -profile.die_edge_mm)]))[0]
    edge = profile.edge_pixels((float(seen[0]), float(seen[1])))
    scale = float(np.clip(WORKING_EDGE_PX / edge, 0.2, 2.0))
    scale = 1.0 if UNSCALED_RANGE[0] < scale < UNSCALED_RANGE[1] else scale
    around = part.tops(part.around(MAX_HOLDER_DISTANCE_MM)) if part.held_anywhere else ()
    zones = [np.array(zone) for zone in (part.tray_pixels(), part.holder_pixels(), around) if zone]
    regions = [(corners + 0.5) * scale - 0.5 for corners in zones]
    empty = part.empty
    if profile.empty is None or empty is None or profile.empty.shape[:2] != profile.size[::-1]:
        return Region(left, top, part.size, scale, part)
    background = Background(_resize_to_working_size(empty, scale, True), edge * scale, regions)
    return Region(left, top, part.size, scale, part, background)


def _resize_to_working_size(image: Image, scale: float, known: bool) -> Image:
    """A picture `scale` times as large; cubic where sizes are known, and always if enlarged.

    Averaging over each pixel's area would be less noisy, but in OpenCV only halving is fast.
    """
    how = cv2.INTER_CUBIC if known or scale > 1 else cv2.INTER_LINEAR
    while scale <= 0.5:
        image = halved(image)
        scale *= 2
    if scale == 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)

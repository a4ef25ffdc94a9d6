"""A frame: one picture and when it was taken."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry.sight import Sight

Image = NDArray[np.uint8]
"""A picture, shape (height, width, 3), channels in OpenCV's order: blue, green, red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One frame from a camera.

    Attributes:
        image: the full picture, (height, width, 3), BGR, 8 bits.
        time_s: seconds on the source's own monotonic clock (for a film: what its file says).
        index: counts frames of the source from 0; gaps mean that frames were dropped.
        small: a small copy of the picture, if the camera itself delivers one.
        exposure: as a share of the usual one; below 1 the frame is a darker one that was asked
            for, at 0 the exposure is changing.
        sight: what part of which camera's sensor the picture shows; None if the source cannot say.
    """

    image: Image
    time_s: float
    index: int
    small: Image | None = None
    exposure: float = 1.0
    sight: Sight | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the full picture, pixels."""
        height, width = self.image.shape[:2]
        return width, height

    @property
    def long_side(self) -> int:
        """Longer side of the full picture, pixels."""
        return max(self.size)

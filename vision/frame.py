"""A frame: one picture and when it was taken."""

from collections.abc import Callable
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
        held: whether it was taken with what the camera was locked to, as far as the source can say.
    """

    image: Image
    time_s: float
    index: int
    small: Image | None = None
    exposure: float = 1.0
    sight: Sight | None = None
    held: bool = True

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the full picture, pixels."""
        height, width = self.image.shape[:2]
        return width, height

    @property
    def shown(self) -> Image:
        """What is shown to people: the small picture if there is one, as it is there already."""
        return self.image if self.small is None else self.small

    @property
    def long_side(self) -> int:
        """Longer side of the full picture, pixels."""
        return max(self.size)


class LazyFrame(Frame):
    """A frame whose full picture is made on first use.

    The watcher follows the small picture and reads the full one only when the tray is still.

    Args:
        small: the frame with the small picture in place of the full one.
        make: makes the full picture.
        size: width and height of that, if they are known.
    """

    __slots__ = ("_full", "_make", "_size")

    _make: Callable[[], Image]
    _full: Image | None
    _size: tuple[int, int] | None

    def __init__(
        self, small: Frame, make: Callable[[], Image], size: tuple[int, int] | None = None
    ) -> None:
        object.__setattr__(self, "time_s", small.time_s)
        object.__setattr__(self, "index", small.index)
        object.__setattr__(self, "small", small.image)
        object.__setattr__(self, "exposure", small.exposure)
        object.__setattr__(self, "sight", small.sight)
        object.__setattr__(self, "held", small.held)
        object.__setattr__(self, "_size", size)
        object.__setattr__(self, "_make", make)
        object.__setattr__(self, "_full", None)

    @property
    def image(self) -> Image:
        """The full picture."""
        full = self._full
        if full is None:
            full = self._make()
            object.__setattr__(self, "_full", full)
        return full

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the full picture; if they are known, nothing is made for them."""
        height, width = (0, 0) if self._size else self.image.shape[:2]
        return self._size or (width, height)

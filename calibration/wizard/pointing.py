"""A cross that is moved over the picture to the floor's four corners, one after the other.

With buttons that move it by steps: large ones first, then, ever closer, smaller ones. Who has a
mouse points at a corner at once.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry.sight import Size
from vision.image.arrays import BoolArray, FloatArray
from vision.image.warping import warped

CORNER_COUNT = 4
ZOOMS = 3
"""How close the cross gets before a corner is taken."""
FAST_STEPS = 4
"""Steps of a button that is held down."""
_STEPS_ACROSS = (40, 160, 640)  # the picture's width
_FIRST_PLACE = (0.25, 0.25)  # shares of width and height
_MIN_CONTRAST = 2.0  # of what is seen around the cross, grey levels

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pointing:
    """How far somebody has come.

    Attributes:
        size: width and height of the picture, pixels.
        at: where the cross is, pixels.
        corners: that were taken, clockwise from the top left.
        zoom: how close the cross is looked at, from 0 to `ZOOMS` - 1.
        before: the corners of an earlier attempt, at which the cross begins; may be none.
    """

    size: Size
    at: Place
    corners: tuple[Place, ...] = ()
    zoom: int = 0
    before: tuple[Place, ...] = ()

    @property
    def number(self) -> int:
        """Which corner is pointed at, from 0."""
        return min(len(self.corners), CORNER_COUNT - 1)

    @property
    def done(self) -> bool:
        """True once all four are taken."""
        return len(self.corners) == CORNER_COUNT

    @property
    def last_zoom(self) -> bool:
        """True if OK takes the corner."""
        return self.zoom == ZOOMS - 1

    @property
    def step(self) -> int:
        """How far the cross moves, pixels."""
        return max(1, self.size[0] // _STEPS_ACROSS[self.zoom])

    def moved(self, right: int, down: int) -> "Pointing":
        """With the cross so many steps farther, within the picture."""
        if self.done:
            return self
        x, y = self.at
        return replace(self, at=self._inside(x + right * self.step, y + down * self.step))

    def taken(self) -> "Pointing":
        """One OK later: the cross is looked at more closely, or the corner is taken."""
        if self.done:
            return self
        if not self.last_zoom:
            return replace(self, zoom=self.zoom + 1)
        return self.with_corner(*self.at)

    def with_corner(self, x: int, y: int) -> "Pointing":
        """With the corner at a place in the picture that is pointed at directly."""
        if self.done:
            return self
        corners = (*self.corners, self._inside(x, y))
        return replace(self, corners=corners, zoom=0, at=self._start_after(corners))

    def back(self) -> "Pointing":
        """One step back: from farther away, or at the corner before."""
        if self.zoom:
            return replace(self, zoom=self.zoom - 1)
        if not self.corners:
            return self
        return replace(self, corners=self.corners[:-1], at=self.corners[-1])

    def again(self) -> "Pointing":
        """From the first corner, the cross beginning where corners were taken."""
        return begin_pointing(self.size, self.corners or self.before)

    def _inside(self, x: int, y: int) -> Place:
        width, height = self.size
        return min(max(x, 0), width - 1), min(max(y, 0), height - 1)

    def _start_after(self, corners: tuple[Place, ...]) -> Place:
        """Where the next corner is, if the camera looks straight down at the tray's middle."""
        number = len(corners)
        if number == CORNER_COUNT:
            return self.at
        if len(self.before) > number:
            return self.before[number]
        width, height = self.size
        if number == 1:
            return self._inside(width - 1 - corners[0][0], corners[0][1])
        if number == 2:
            return self._inside(corners[1][0], height - 1 - corners[1][1])
        return self._inside(
            corners[0][0] + corners[2][0] - corners[1][0],
            corners[0][1] + corners[2][1] - corners[1][1],
        )


def begin_pointing(size: Size, before: tuple[Place, ...] = ()) -> Pointing:
    """At the first corner of pictures of this size, pixels."""
    x, y = (round(share * side) for share, side in zip(_FIRST_PLACE, size, strict=True))
    return Pointing(size, before[0] if before else (x, y), before=before)


def lights_around(image: Image, pointing: Pointing, columns: int, rows: int) -> BoolArray:
    """The lights around the cross, on or off, as the picture has them, (rows, columns).

    A light is as large as a step. Colours are told apart where they differ most; what lies beyond
    the picture is off.
    """
    width, height = pointing.size
    step = pointing.step
    x, y = pointing.at
    # The cross is in the middle of a light.
    left, top = x - step * (columns // 2) - step // 2, y - step * (rows // 2) - step // 2
    shift = np.array(((1.0, 0.0, -left), (0.0, 1.0, -top)))
    seen = (columns * step, rows * step)
    part = warped(image, shift, seen, replicated=True)
    cells: FloatArray = np.asarray(
        cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA), np.float64
    ).reshape(rows * columns, -1)
    middle_x = left + step * (np.arange(columns) + 0.5)
    middle_y = top + step * (np.arange(rows) + 0.5)
    inside = ((middle_y >= 0) & (middle_y < height))[:, None] & (
        (middle_x >= 0) & (middle_x < width)
    )
    known = cells[inside.ravel()]
    off = cells - known.mean(axis=0)
    _, spread, ways = np.linalg.svd(known - known.mean(axis=0), full_matrices=False)
    if spread[0] < _MIN_CONTRAST * np.sqrt(len(known)):
        return np.zeros((rows, columns), bool)
    # Brighter is lit.
    way = ways[0] if ways[0].sum() > 0 else -ways[0]
    along = off @ way
    low, high = along[inside.ravel()].min(), along[inside.ravel()].max()
    grey = np.clip((along - low) / (high - low) * 255, 0, 255).astype(np.uint8)
    limit, _ = cv2.threshold(
        grey[inside.ravel()].reshape(-1, 1), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU
    )
    return np.asarray((grey > limit).reshape(rows, columns) & inside, bool)

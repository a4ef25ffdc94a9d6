"""A camera of which no profile tells: how it looks at the table, up to the scale."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from vision.image.arrays import FloatArray

USUAL_FOCAL_RATIO = 0.75
"""Focal length over the diagonal of the picture, for unknown cameras."""


@dataclass(frozen=True, eq=False)
class TableView:
    """A pinhole camera without distortion above a level table, at a distance of 1.

    Attributes:
        down: the direction of gravity in the camera's frame, (3,), of length 1.
        focal: focal length, pixels.
        middle: of the picture, pixels, (2,).
    """

    down: FloatArray
    focal: float
    middle: FloatArray

    @classmethod
    def from_above(cls, size: tuple[int, int]) -> Self:
        """A camera that looks straight down; `size` is that of its pictures, pixels."""
        focal = USUAL_FOCAL_RATIO * float(np.hypot(*size))
        return cls(np.array([0.0, 0.0, 1.0]), focal, (np.array(size) - 1) / 2)

    @property
    def tilt(self) -> float:
        """Sine of the angle between its axis and straight down."""
        return float(np.hypot(*self.down[:2]))

    @cached_property
    def _table(self) -> FloatArray:
        """The table's x and y, in the camera's frame, as columns, (3, 2)."""
        x = np.array([1.0, 0.0, 0.0]) - self.down[0] * self.down
        x /= np.linalg.norm(x)
        return np.column_stack([x, np.cross(self.down, x)])

    def turned(self, leans: FloatArray) -> Self:
        """The view from which a top whose normal has this horizontal part, (2,), would be level."""
        down = self.down * np.sqrt(1 - leans @ leans) - self._table @ leans
        return replace(self, down=down / np.linalg.norm(down))

    def on_table(self, pixels: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where pixels (n, 2) show the table.

        Returns:
            Places on the table from below the camera, (n, 2); and the edges of a unit square there,
            pixels, as columns, (n, 2, 2).
        """
        rays = np.column_stack([(pixels - self.middle) / self.focal, np.ones(len(pixels))])
        points = rays / (rays @ self.down)[:, None]
        rates = self._table[:2] - rays[:, :2, None] * self._table[2]
        return points @ self._table, rates * (self.focal / points[:, 2, None, None])

    def nearness(self, pixels: FloatArray) -> FloatArray:
        """The inverse of how far along the camera's axis the table is at pixels (n, 2), (n,).

        A square that is parallel to the table looks as much larger; foreshortening takes a root
        of the same.
        """
        slant = (pixels - self.middle) @ self.down[:2] / self.focal + self.down[2]
        return np.asarray(slant, np.float64)

"""How a camera looks at dice: from how steep, and how large they are in its pictures.

Nothing is known about the camera, so this comes from the dice alone: seen straight from above, the
pips of a top form a square, and from an angle a shorter one in the direction of the lean.
"""

from dataclasses import dataclass

import numpy as np

from vision.detect.detector import detect_dice
from vision.detect.region import whole_view
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.image.memory import memory_watched

_MIN_PIPS = 4
"""Fewer lie in a line, which has one direction and so no squareness."""


@dataclass(frozen=True, slots=True, eq=False)
class Top:
    """A top with four pips or more, as it appears.

    Attributes:
        center: of it, pixels, (2,).
        axes: columns are its edges along its own x and y, pixels, (2, 2).
    """

    center: FloatArray
    axes: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """The view of a camera, as the dice of one picture tell it.

    Attributes:
        slant: angle between the line of sight and straight down, degrees; None if no top with four
            pips or more is seen. Rendered from 0 to 30 degrees, it is right within 5 in three of
            four pictures, and too large for nearly level cameras: the pips of a 6 form no square.
        edge_px: median edge of a die in the picture that is read; None without dice.
        tops: those that `slant` follows from.
    """

    slant: float | None
    edge_px: float | None
    tops: tuple[Top, ...] = ()


def glance(image: Image) -> Glance:
    """Looks at one picture, (height, width, 3), BGR.

    Raises:
        OutOfMemory: there is too little memory.
    """
    view = whole_view(image.shape[1], image.shape[0])
    with memory_watched():
        dice = detect_dice(view.work(image), view, None).dice
    tops = tuple(
        Top(view.to_picture(die.center), die.lattice.axes / view.scale)
        for die in dice
        if die.lattice and die.lattice.value >= _MIN_PIPS
    )
    edges = [die.edge for die in dice]
    slant = _slant([top.axes for top in tops])
    return Glance(slant, float(np.median(edges)) if edges else None, tops)


def _slant(faces: list[FloatArray]) -> float | None:
    """The lean that turns squares into these lattices, columns of (2, 2), degrees."""
    if not faces:
        return None
    # A turn of a die does not change this, so those of all dice have a mean.
    shapes = [axes @ axes.T / abs(np.linalg.det(axes)) for axes in faces]
    low, high = np.linalg.eigvalsh(np.mean(shapes, axis=0))
    return float(np.degrees(np.arccos(np.sqrt(low / high))))

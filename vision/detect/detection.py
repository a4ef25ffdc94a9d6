"""One die that was found, with all that is seen of it."""

from dataclasses import dataclass

import numpy as np

from vision.detect.patterns import Face
from vision.detect.pips import FloatArray
from vision.geometry.axes import top_edge, turned


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """One die found, in pixels of the working picture.

    Attributes:
        center: middle of the top, (2,).
        axes: columns are the edges of an unturned top, (2, 2).
        turn: yaw of the top within a quarter turn, in the frame of the axes, radians.
        faces: the network's probabilities, see `facenet.CLASSES`.
        judged: what the judge holds it to show, see `judge.VALUES`.
        postures: how the judge holds it to lie, see `judge.POSTURES`.
        lean: sine of the angle by which the judge holds the top not to face up.
        flat_anyhow: the probability that it lies flat if the camera may look from any side.
        any_side: whether that is so: nothing is known of where the camera is.
        kinds: the network's probabilities, see `facenet.KINDS`.
        lattice: the pattern of pips found there one by one, if any.
        count: how many spots like pips lie on the top.
        across: whether two of them lie opposite each other as those of a 2 do.
    """

    center: FloatArray
    axes: FloatArray
    turn: float
    faces: FloatArray
    judged: FloatArray
    postures: FloatArray
    lean: float
    flat_anyhow: float
    any_side: bool
    kinds: FloatArray
    lattice: Face | None
    count: int
    across: bool

    @property
    def edge(self) -> float:
        """Edge of the die."""
        return top_edge(self.axes)

    @property
    def turned_axes(self) -> FloatArray:
        """The edges of the top as it lies, as columns."""
        return turned(self.axes, self.turn)

    def outline(self) -> FloatArray:
        """Corners of the top, (4, 2), clockwise in the picture."""
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        return np.asarray(self.center + corners @ self.turned_axes.T, dtype=np.float64)

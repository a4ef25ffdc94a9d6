"""Dice as the detector finds them, for the tests of what is claimed."""

from dataclasses import replace

import numpy as np

from vision.classify.face import COVERED
from vision.decide.evidence import TrayPlace
from vision.detect.detection import Detection
from vision.detect.patterns import EDGE_OVER_STEP, Face


def found(count: int, pattern: int, values: float, value: int, edge: float = 30.0) -> Detection:
    """A die of 30 pixels with this many pips found, and the posture classifier's output.

    Args:
        count: number of pips found.
        pattern: pattern that some of them make, or 0.
        values: the posture classifier's probability for the value.
        value: the value.
        edge: edge of the die that the pattern belongs to, pixels.
    """
    says = np.full(8, (1 - values) / 7)
    says[value] = values
    zeros = np.zeros(10)
    step = edge / EDGE_OVER_STEP * np.eye(2)
    face = Face(pattern, (0.0, 0.0), step, (), 0.0, edge) if pattern else None
    return Detection(
        center=np.zeros(2),
        axes=30 * np.eye(2),
        turn=0.0,
        faces=zeros,
        values=says,
        postures=zeros[:4],
        lean=0.0,
        kinds=zeros[:6],
        lattice=face,
        count=count,
        across=value in (2, 3) and count == value,
    )


def place(size: float = 1.0, beyond: bool = False) -> TrayPlace:
    """Somewhere in the tray, or beyond its walls."""
    return TrayPlace((0.0, 0.0), -20.0 if beyond else 60.0, False, beyond, size)


def plain(one: Detection, flat: float = 1.0, lean: float = 0.0, covered: float = 0.0) -> Detection:
    """A detection lying flat."""
    faces = np.zeros(10)
    faces[COVERED] = covered
    return replace(one, faces=faces, postures=np.array([flat, 1 - flat, 0.0, 0.0]), lean=lean)

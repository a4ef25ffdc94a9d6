"""Dice that shine too much for their kind to be claimed: told by the others of the set.

Gloss adds the light's own colour to a body; white pips show what that is. A die whose body is that
of another plus some of this light is of the same kind; a die of another colour is not.
"""

from dataclasses import replace

import numpy as np

from vision.classify.colours import face_colours
from vision.frame import Image
from vision.reading import DieReading, Kind, TrayReading

MOST_LIGHT = 0.5
"""Of the pips' own; more leaves nothing of the body's colour."""
LEAST_DARK = 0.03
"""A little less light than the other die got is shade."""
ALIKE = 15.0
"""Grey levels that are left between two bodies of one kind, root of the squares' sum."""


def with_kin(reading: TrayReading, image: Image) -> TrayReading:
    """The reading with the kind of shining dice told by the others.

    Args:
        reading: of a set laid apart.
        image: what was read.
    """
    seen = [(die, *_colours(image, die)) for die in reading.dice]
    known = [(die.kind, body, pip) for die, body, pip in seen if die.kind in (Kind.BLACK, Kind.RED)]
    dice = []
    for die, body, _ in seen:
        if die.kind is Kind.OTHER:
            near = [(_apart(body, other, pip), kind) for kind, other, pip in known]
            best = min(near, default=(np.inf, Kind.OTHER))
            die = replace(die, kind=best[1]) if best[0] < ALIKE else die
        dice.append(die)
    return replace(reading, dice=tuple(dice))


def _apart(body: np.ndarray, other: np.ndarray, light: np.ndarray) -> float:
    """What differs between two bodies when as much of a light is added as fits best."""
    off = body - other
    share = float(off @ light) / max(float(light @ light), 1.0)
    share = min(max(share, -LEAST_DARK), MOST_LIGHT)
    return float(np.linalg.norm(off - share * light))


def _colours(image: Image, die: DieReading) -> tuple[np.ndarray, np.ndarray]:
    corners = np.asarray(die.outline, np.float64).reshape(-1, 2)
    axes = np.stack([corners[1] - corners[0], corners[3] - corners[0]], axis=1)
    body, pip = face_colours(image, np.array(die.center), axes)
    return body, pip

"""A second look at a die in a photograph: in black and white, and at its pips alone.

Coloured pips may be as bright as the body; a lamp's reflection has no colour of its own. Pips may
touch one another, a logo or a bright rim: at a higher threshold they stand apart.
"""

from dataclasses import replace

import numpy as np

from vision.classify.colours import body_and_pips, face_sample
from vision.classify.face import EDGE, SIDE, Pyramid, agreed_faces
from vision.classify.posture import classify_postures, sights_without, unseen
from vision.detect.detection import Detection, pattern_at, spots_on
from vision.detect.patterns import find_faces
from vision.detect.pips import find_spots
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.image.numeric import largest

COLOURED = 40.0
"""How far apart the colours of pips and body must be, in levels, grey left out."""
PLAINLY = 0.01
"""Highest probability of no face on such a die."""
BLACK, WHITE = 30.0, 225.0
"""Levels to which body and pips are mapped."""
CONTRAST, THRESHOLDS = (10, 98), (0.5, 0.7, 0.85)
"""Percentiles of a top, whose pips may cover half of it, and shares of their difference: levels
above which something on it is a pip."""
COUNT_SIDE, COUNT_EDGE, COUNT_TOP = 96, 54.0, np.s_[25:-25]
"""Side of the patch in which pips are counted, edge of the die in it, and its top, pixels."""


class BlackAndWhite(Pyramid):
    """Another pyramid whose patches show one colour as black and another as white.

    Both colours, (3,), BGR, are differences from their own grey.
    """

    def __init__(self, pyramid: Pyramid, black: FloatArray, white: FloatArray) -> None:
        self._pyramid = pyramid
        way = white - black
        # It has no grey component, so the grey of a pixel does not count.
        self._scale = way * ((WHITE - BLACK) / float(way @ way))
        self._start = BLACK - float(black @ self._scale)

    def spend(self, looks: float) -> None:
        """As the other pyramid does, which keeps account for all dice."""
        self._pyramid.spend(looks)

    def patch(
        self, center: FloatArray, axes: FloatArray, side: int = SIDE, edge: float = EDGE
    ) -> Image:
        """The patch in shades of grey."""
        levels = self._pyramid.patch(center, axes, side, edge) @ self._scale + self._start
        return np.repeat(np.clip(levels, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def looked_at_again(pyramid: Pyramid, one: Detection) -> Detection | None:
    """A die with both networks' estimates of its face in black and white; otherwise as found.

    Args:
        pyramid: of the working picture, whose geometry is not known.
        one: a die found in it.

    Returns:
        None where pips and body have nearly the same colour, or where it may not be a die.
    """
    if one.faces[0] > PLAINLY:
        return None
    image = pyramid.level(0)
    sample = face_sample(image, one.center, one.turned_axes)
    body, pips = body_and_pips(sample - sample.mean(axis=0))
    if float(np.linalg.norm(pips - body)) < COLOURED:
        return None
    shades, center = BlackAndWhite(pyramid, body, pips), one.center[None]
    size = (image.shape[1], image.shape[0])
    sights = sights_without(center, np.array([one.edge]), size)
    shown = classify_postures(shades, unseen(sights) if one.any_side else sights)
    faces = agreed_faces(shades, center, one.axes[None])
    return replace(one, faces=faces[0], values=shown.values[0])


def counted(pyramid: Pyramid, one: Detection, value: int) -> bool:
    """Whether the pips on a die, and no other spots, make the pattern of a value, 2 to 6.

    They are counted at several thresholds, of which none may show another value.
    """
    patch = pyramid.patch(one.center, one.turned_axes, COUNT_SIDE, COUNT_EDGE)
    center, axes = np.full(2, (COUNT_SIDE - 1) / 2), np.eye(2) * COUNT_EDGE
    made = set()
    for grey in (255 - largest(255 - patch), 255 - largest(patch)):
        low, high = np.percentile(grey[COUNT_TOP, COUNT_TOP], CONTRAST)
        for cut in (low + share * (high - low) for share in THRESHOLDS if high > low):
            levels = np.clip((grey - cut) * (255 / (high - cut)), 0, 255).astype(np.uint8)
            pips = find_spots(levels, bright=True)
            faces = sorted(find_faces(pips, levels.shape), key=lambda face: -face.value)
            face = pattern_at(center, axes, faces)
            if face is not None and face.value == len(spots_on(pips, center, axes)):
                made.add(face.value)
    return made == {value}

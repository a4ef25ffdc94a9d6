"""A second look at a die in a photograph, in black and white.

Coloured pips may be as bright as the body; a lamp's reflection has no colour of its own.
"""

from dataclasses import replace

import numpy as np

from vision.classify.colours import body_and_pips, face_sample
from vision.classify.face import FACE_PATCH_EDGE_PX, FACE_PATCH_SIDE_PX, Pyramid, agreed_faces
from vision.classify.posture import (
    LOOKS_PER_TOP,
    classify_postures,
    sights_of,
    without_view_side,
)
from vision.detect.detection import Detection
from vision.detect.presence import MAX_CHANCE_PIPS, with_its_pips
from vision.frame import Image
from vision.geometry.view import TableView
from vision.image.arrays import FloatArray

MIN_COLOUR_DISTANCE = 40.0
"""Between pips and body, in levels, grey left out."""
MAX_NO_FACE = 0.01
"""Probability of no face on such a die."""

# Grey levels to which body and pips are mapped.
BODY_LEVEL = 30.0
PIP_LEVEL = 225.0


class BlackAndWhite(Pyramid):
    """Another pyramid whose patches show one colour as black and another as white.

    Both colours, (3,), BGR, are differences from their own grey.
    """

    def __init__(self, pyramid: Pyramid, black: FloatArray, white: FloatArray) -> None:
        self._pyramid = pyramid
        way = white - black
        # It has no grey component, so the grey of a pixel does not count.
        self._scale = way * ((PIP_LEVEL - BODY_LEVEL) / float(way @ way))
        self._start = BODY_LEVEL - float(black @ self._scale)

    @property
    def looks_left(self) -> float:
        """The looks left in the other pyramid, which keeps account for all dice."""
        return self._pyramid.looks_left

    def spend(self, looks: float) -> None:
        """As the other pyramid does."""
        self._pyramid.spend(looks)

    def patches(
        self,
        centers: FloatArray,
        axes: FloatArray,
        side: int = FACE_PATCH_SIDE_PX,
        edge: float = FACE_PATCH_EDGE_PX,
    ) -> Image:
        """The patches in shades of grey."""
        levels = self._pyramid.patches(centers, axes, side, edge) @ self._scale + self._start
        return np.repeat(np.clip(levels, 0, 255).astype(np.uint8)[..., None], 3, axis=3)


def take_second_look(pyramid: Pyramid, one: Detection) -> Detection | None:
    """A die with both networks' estimates of its face in black and white; otherwise as found.

    Args:
        pyramid: of the working picture, whose geometry is not known.
        one: a die found in it.

    Returns:
        None where pips and body have nearly the same colour, where it may not be a die, and after
        so many dice that no look is left.
    """
    if one.faces[0] > MAX_NO_FACE or pyramid.looks_left < LOOKS_PER_TOP:
        return None
    image = pyramid.level(0)
    sample = face_sample(image, one.center, one.turned_axes)
    body, pips = body_and_pips(sample - sample.mean(axis=0))
    if float(np.linalg.norm(pips - body)) < MIN_COLOUR_DISTANCE:
        return None
    shades, center = BlackAndWhite(pyramid, body, pips), one.center[None]
    view = one.view or TableView.from_above((image.shape[1], image.shape[0]))
    sights = sights_of(view, center, np.array([one.edge]))
    shown = classify_postures(shades, without_view_side(sights) if one.view is None else sights)
    faces = agreed_faces(shades, center, one.axes[None])
    again = replace(one, faces=faces[0], values=shown.values[0])
    few = int(again.faces[1:7].argmax()) < MAX_CHANCE_PIPS
    # More pips are no chance, and a lamp may hide half of them.
    return with_its_pips(shades, again) if few else again

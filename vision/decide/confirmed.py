"""Dice that people have confirmed, and what they tell about others of their colour.

Both networks take one pip on a body of a colour that they do not know for a print of the Power die
now and then. Where numbered dice of that colour are known, and no Power die is, it is a pip.
"""

from collections.abc import Sequence
from dataclasses import replace

from vision.body_colours import are_alike
from vision.classify.colours import face_colours
from vision.classify.face import COVERED, LEANING, SYMBOL
from vision.classify.posture import COVERED as POSTURE_COVERED
from vision.classify.posture import LEANING as POSTURE_LEANING
from vision.decide.claim import number_probabilities
from vision.detect.detection import Detection
from vision.frame import Image
from vision.geometry.profile import DieColour

MIN_SYMBOL = 0.005
"""Less probability of a symbol needs no explanation."""
MIN_SURE_VALUE = 0.9
"""Probability of the number, by the posture classifier, with which it knows better how it lies."""
MIN_NUMBER = 0.1
"""Least probability of the number that its pips show, by the face classifier."""


def without_symbol(work: Image, one: Detection, bodies: Sequence[DieColour]) -> Detection:
    """The die as found; as a numbered one if its colour says so, and its pips.

    Args:
        work: the working picture.
        one: the die.
        bodies: see `vision.body_colours.known_bodies`.
    """
    if not bodies or max(one.faces[SYMBOL], one.values[SYMBOL]) < MIN_SYMBOL:
        return one
    number = 1 + int(number_probabilities(one).argmax())
    likely = one.faces[number] >= MIN_NUMBER and int(one.values.argmax()) == number
    if not likely or number not in (one.count, len(one.plain_pips)):
        return one
    body, _ = face_colours(work, one.center, one.turned_axes)
    colour = (float(body[0]), float(body[1]), float(body[2]))
    if not any(are_alike(colour, known.body) for known in bodies):
        return one
    faces, values = one.faces.copy(), one.values.copy()
    faces[SYMBOL] = values[SYMBOL] = 0.0
    if values[number] >= MIN_SURE_VALUE and len(one.plain_pips) == number:
        # What it cannot place the network takes for covered or leaning, too.
        faces[COVERED] = min(faces[COVERED], one.postures[POSTURE_COVERED])
        faces[LEANING] = min(faces[LEANING], one.postures[POSTURE_LEANING])
    return replace(one, faces=faces / faces.sum(), values=values / values.sum())

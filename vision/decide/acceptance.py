"""What is claimed of a die: its state, by how it lies and how certain its value is."""

from vision.classify.face import COVERED, SYMBOL
from vision.decide.certainty import evidence, model
from vision.decide.flatness import TrayPlace, seen_posture
from vision.detect.detection import Detection
from vision.reading import DieState

LEAST_FACE, LEAST_POSTURE = 0.4, 0.7
"""What each network must give a value in any case: in glare one alone has been sure of nonsense."""
HIDDEN, HIDDEN_SIZE = 0.04, 0.9
"""With geometry, what the face classifier may give a top to be covered that seems smaller than the
second, in edges."""


def state_of(
    one: Detection, value: int | None, confidence: float, flat: bool, place: TrayPlace | None
) -> DieState:
    """The state of a die.

    Args:
        one: the die.
        value: that the face classifier gives it; None for a symbol.
        confidence: its probability.
        flat: whether it is held to lie flat, see `lies_flat`.
        place: where it lies, with geometry; None without.
    """
    covered = float(one.faces[COVERED])
    if covered > max(confidence, float(one.faces[SYMBOL])):
        return DieState.COVERED
    if not flat:
        return seen_posture(one)
    if value is None or int(one.values.argmax()) != value:
        return DieState.UNSURE
    if confidence < LEAST_FACE or one.values[value] < LEAST_POSTURE:
        return DieState.UNSURE
    if place is not None and covered > HIDDEN and place.size < HIDDEN_SIZE:
        return DieState.UNSURE
    certain = model(place is not None)
    sure = certain.odds(evidence(one, value, confidence, place)) >= certain.least
    return DieState.OK if sure else DieState.UNSURE

"""A reading's claim about one die's face, step by step: from the likeliest value to its state."""

from dataclasses import dataclass, replace

import numpy as np

from vision.classify.colours import checked_kind, face_colours
from vision.classify.face import COVERED, KINDS, LEANING, SYMBOL, Pyramid
from vision.decide.acceptance import (
    MIN_FACE_CONFIDENCE,
    MIN_POSTURE_CONFIDENCE,
    may_count_pips,
    state_of,
)
from vision.decide.evidence import MIN_LEAD, fits_plainly, lead_of
from vision.detect.detection import Detection
from vision.detect.second_look import take_second_look
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.power_die.faces import MIN_CLAIM_PROBABILITY, Match
from vision.reading import POWER_FACES, Candidate, DieState, Face, Kind

MIN_UPRIGHT = 0.1
"""Least probability of not leaning that the probabilities of values are divided by."""

MIN_SYMBOL_TO_CLAIM = 0.5
"""Least probability of a symbol, by the posture classifier, for a Power face to be claimed."""
MIN_SYMBOL_TO_COMPARE = 0.02
"""A die in doubt is compared with the learnt faces if a network gives a symbol more than this."""

MIN_CANDIDATE_PROBABILITY = 0.01
MAX_NUMBER_CANDIDATES = 3
ANY_POWER_FACE = tuple(Candidate(face, 1 / len(POWER_FACES)) for face in POWER_FACES)
"""Every maker prints its own faces: until they are learnt, all are equally likely."""

PIPS_OF_SIX = 6
LIKE_SIX = [4, 5, PIPS_OF_SIX]
"""The values that networks give a 6 whose rows are close to each other."""

NO_FACE_UP = (DieState.LEANING, DieState.STACKED, DieState.COVERED)
"""In these states a die shows no value."""


@dataclass(frozen=True, slots=True)
class LikeliestFace:
    """The look of a face, before anything is claimed about it.

    Attributes:
        kind: the kind of die.
        number: 1 to 6; None for a symbol.
        confidence: the probability of the number; 0 for a symbol.
        candidates: faces that it may show, most probable first.
    """

    kind: Kind
    number: int | None
    confidence: float
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim about a die's face; the attributes are those of a `DieReading`."""

    kind: Kind
    value: Face | None
    confidence: float
    state: DieState
    candidates: tuple[Candidate, ...]


def as_six(one: Detection) -> Detection:
    """The die as found; as a 6 if both networks see a large value, and its pips are those of a 6.

    The networks know rows about as far apart as they are long. Some makers put them so close, at
    half their length, that both take the face for a 5 or a 4, or spread it over 4, 5 and 6: it gets
    the probabilities of all three. Whether this is a die, and how it lies, is theirs to say.
    """
    large = (
        one.faces[LIKE_SIX].sum() >= MIN_FACE_CONFIDENCE
        and one.values[LIKE_SIX].sum() >= MIN_POSTURE_CONFIDENCE
    )
    found = len(one.plain_pips) == PIPS_OF_SIX and lead_of(one, PIPS_OF_SIX) >= MIN_LEAD
    if not large or not (found or fits_plainly(one, PIPS_OF_SIX)):
        return one
    faces, values = one.faces.copy(), one.values.copy()
    for said in (faces, values):
        said[PIPS_OF_SIX] = said[LIKE_SIX].sum()
        said[LIKE_SIX[:-1]] = 0.0
    return replace(one, faces=faces, values=values)


def likeliest_face(work: Image, one: Detection, known: bool) -> LikeliestFace:
    """The face that the networks give a die in the working picture the most probability of.

    Args:
        work: the working picture.
        one: the die.
        known: whether the installation is: a symbol is one of the Power die only there. Strangers'
            dice have symbols, too, and no Power die has a colour of its own.
    """
    probabilities = number_probabilities(one)
    order = np.argsort(-probabilities)
    confidence = float(probabilities[order[0]])
    if float(one.faces[SYMBOL]) > confidence:
        if not known:
            return LikeliestFace(Kind.OTHER, None, 0.0, ())
        return LikeliestFace(Kind.POWER, None, 0.0, ANY_POWER_FACE)
    kind = KINDS[int(one.kinds.argmax())]
    if kind is Kind.POWER:
        kind = Kind.OTHER
    else:
        body, pip = face_colours(work, one.center, one.turned_axes)
        kind = checked_kind(kind, body, pip)
    # Probabilities of the numbers are shown as shares of all that a die with a face up may show.
    total = float(probabilities.sum() + one.faces[SYMBOL] + one.faces[COVERED])
    candidates = tuple(
        Candidate(int(k) + 1, float(probabilities[k]) / max(total, 1e-9))
        for k in order[:MAX_NUMBER_CANDIDATES]
        if probabilities[k] > MIN_CANDIDATE_PROBABILITY * total
    )
    return LikeliestFace(kind, int(order[0]) + 1, confidence, candidates)


def number_probabilities(one: Detection) -> FloatArray:
    """The face classifier's probabilities of 1 to 6, (6,), given that the die faces up.

    How it lies is for the posture classifier: a face seen at an angle is still that face.
    """
    return one.faces[1:7] / max(1 - float(one.faces[LEANING]), MIN_UPRIGHT)


def confirmed_without_geometry(
    pyramid: Pyramid, one: Detection, claim: Claim, lying: float, alone: bool
) -> Claim:
    """A claim in doubt, made sure where a second look or the pips confirm its number.

    Args:
        pyramid: of the working picture, whose geometry is not known.
        one: a die that is taken to lie flat.
        claim: what is said about it so far, in doubt.
        lying: the risk that it does not lie flat.
        alone: whether nothing is near that it could lean on.
    """
    number = claim.value
    if not isinstance(number, int):
        return claim
    again = take_second_look(pyramid, one)
    if again is not None:
        confidence = float(number_probabilities(again)[number - 1])
        if state_of(again, number, confidence, lying, None) is DieState.OK:
            return replace(claim, state=DieState.OK, confidence=confidence)
    # Beside another die one may lean that shows a whole pattern all the same.
    if alone and may_count_pips(one, number, claim.confidence) and fits_plainly(one, number):
        return replace(claim, state=DieState.OK)
    return claim


def without_hidden_value(claim: Claim) -> Claim:
    """The claim, without a value where the die's state shows none."""
    return replace(claim, value=None, confidence=0.0) if claim.state in NO_FACE_UP else claim


def may_show_power_face(one: Detection, claim: Claim) -> bool:
    """True if a die is worth comparing with the learnt faces of the Power die."""
    if claim.kind is Kind.POWER:
        return True
    symbol = max(float(one.faces[SYMBOL]), float(one.values[SYMBOL]))
    return claim.state is DieState.UNSURE and symbol > MIN_SYMBOL_TO_COMPARE


def with_power_face(one: Detection, claim: Claim, shown: Match | None, flat: bool) -> Claim:
    """The claim, with the learnt face of the Power die that the die shows, if it shows one.

    Args:
        one: the die.
        claim: what is said about it so far.
        shown: how it compares with the learnt faces; None where none was learnt.
        flat: whether it is taken to lie flat.
    """
    if shown is None:
        return claim
    value, confidence = shown.faces[0]
    if claim.kind is not Kind.POWER and confidence < MIN_CLAIM_PROBABILITY:
        return claim
    seen = claim.state is DieState.UNSURE and one.values[SYMBOL] >= MIN_SYMBOL_TO_CLAIM
    sure = flat and seen and confidence >= MIN_CLAIM_PROBABILITY
    return Claim(
        kind=Kind.POWER,
        value=value,
        confidence=confidence,
        state=DieState.OK if sure else claim.state,
        candidates=tuple(
            Candidate(face, probability)
            for face, probability in shown.faces
            if probability > MIN_CANDIDATE_PROBABILITY
        ),
    )

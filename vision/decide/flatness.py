"""How a die must lie for a claim: by the posture classifier, what is near, its pips' pattern."""

from dataclasses import dataclass

from vision.classify.face import LEANING
from vision.classify.posture import COVERED, FLAT, STACKED
from vision.detect.detection import Detection
from vision.reading import DieState, Kind

SQUARE = (4, 5)
"""Values whose pips make a square on every die; the rows of a 6 are closer on some."""
SQUARE_KNOWN, SQUARE_GUESSED = 0.935, 0.9
"""Least ratio of the sides of that square on a flat die, with and without geometry."""
FLAT_CERTAIN, LEAN_CERTAIN = 0.98, 0.01
"""With geometry, how flat and level for the posture classifier a top must be for that not to be
asked: blur and glare move pips."""
LEAN = 0.09
"""Sine of the angle up to which a top may seem to lean."""
FLAT_KNOWN, FLAT_FOREIGN, FLAT_ALONE = 0.7, 0.95, 0.4
"""With geometry, what the posture classifier must give a die that lies flat for a claim; one of no
kind of ours, as haze and odd light deceive it; one that nothing is near which it could lean on."""
LARGEST = 1.3
"""What seems larger, in edges, is no die: of 12,500 rendered ones none seemed larger than 1.25."""
FLAT_ASLANT, FLAT_ASLANT_MADE, LEAN_ASLANT, UPRIGHT = 0.1, 0.02, 0.2, 0.03
"""What is asked of flatness and lean where nothing is near and where the camera is may be wrong, as
in a photograph taken aslant; less where the pips make the pattern of the value, if the face
classifier gives a lean no more than the last."""
FLAT_GUESSED, FLAT_PLAINLY, SQUARE_PLAINLY = 0.15, 0.9, 0.96
"""Without geometry, what is asked of flatness, as the camera may be elsewhere than is thought; the
same where the top seems to lean and its pips make no square as good as that."""
LEAN_NEAR, FLAT_NEAR, FLAT_MADE, SQUARE_NEAR, LEAN_ROW = 0.025, 0.99, 0.9, 0.975, 0.05
"""With geometry, beside what it could lean on: from what lean on more is asked of flatness, how
much, and how much where its pips make the pattern of its value, with sides as alike as that; and up
to what lean this counts where they lie in a row."""
FLAT_LEVEL, LEAN_LEVEL, STACK_LEVEL = 0.5, 0.03, 0.3
"""With geometry, what is asked where the top seems to be as good as level."""
NEARER, STACK_NEARER = 0.95, 0.5
"""Where such a top seems to have less than so many edges, it is no nearer to the camera than one
that lies in the tray, and may seem more like a stack: of rendered dice in doubt most that lie flat
seem smaller, of those that stand on others one in ten."""
FLAT_BESIDE, LEAN_BESIDE = 0.01, 0.2
"""Beyond the walls a die was laid by hand, in a holder mostly, whose sides and step deceive the
posture classifier: what is asked there of flatness and lean."""
UNLIKELY = 0.1
"""What the posture classifier may give a stack where nothing else is near."""
PLAIN = 0.9
"""What the posture classifier must give another posture to say so."""
POSTURES_SEEN = (DieState.OK, DieState.LEANING, DieState.STACKED, DieState.COVERED)


@dataclass(frozen=True, slots=True)
class TrayPlace:
    """Where a die lies, if the geometry is known.

    Attributes:
        mm: its middle in the tray's frame, millimetres.
        inside: how far inside the edge of the floor, millimetres; less than 0 beside it.
        held: whether in the zone where held dice stand.
        beyond: whether it lies beyond the walls.
        size: edge of its top as it seems, in those of a flat die there.
        by_stack: whether a die near it stands on others, and may hide part of it.
    """

    mm: tuple[float, float]
    inside: float
    held: bool
    beyond: bool
    size: float
    by_stack: bool = False


def lies_flat(
    one: Detection, kind: Kind, value: int | None, alone: bool, place: TrayPlace | None
) -> bool:
    """Whether a die is held to lie flat.

    Args:
        one: the die.
        kind: as its colours bear it out.
        value: that it seems to show; None for a symbol.
        alone: whether nothing is near that it could lean on.
        place: where it lies, with geometry; None without.
    """
    if place is not None and place.size > LARGEST:
        return False
    if place is not None and place.beyond:
        # The floor of a holder may be higher than the tray's.
        level = one.postures[FLAT] + one.postures[STACKED]
        laid = level >= FLAT_BESIDE and one.lean < LEAN_BESIDE
        return bool(laid and one.postures[COVERED] < PLAIN)
    # Seen in the plane of the tops, the pips of a flat die make a square; of one that leans they do
    # not. Without geometry the camera may be at a slant as well.
    ratio = one.squareness if one.lattice is not None and one.lattice.value == value else 0.0
    askew = value in SQUARE and 0 < ratio < (SQUARE_GUESSED if place is None else SQUARE_KNOWN)
    if place is None:
        square = value in SQUARE and ratio > SQUARE_PLAINLY
        made = ratio > 0 and one.faces[LEANING] < UPRIGHT
        return not askew and _flat_without(one, alone, made, square)
    certain = one.postures[FLAT] >= FLAT_CERTAIN and one.lean <= LEAN_CERTAIN
    # Two pips, and three in a row, make a square whichever way the top faces.
    square = ratio > SQUARE_NEAR and ((value or 0) >= min(SQUARE) or one.lean < LEAN_ROW)
    return (certain or not askew) and _flat_with(one, kind, alone, place, square)


def _flat_with(one: Detection, kind: Kind, alone: bool, place: TrayPlace, square: bool) -> bool:
    """Whether the posture classifier holds a die to lie flat, with geometry."""
    flat, stacked = one.postures[FLAT], one.postures[STACKED]
    if not alone and one.lean > LEAN_NEAR and flat < (FLAT_MADE if square else FLAT_NEAR):
        return False
    # What it stands on may be hidden by it.
    lone = alone and stacked < UNLIKELY
    usual = FLAT_FOREIGN if kind is Kind.OTHER else FLAT_KNOWN
    good = flat >= (FLAT_ALONE if lone else usual) and one.lean < LEAN
    stack = STACK_NEARER if place.size < NEARER else STACK_LEVEL
    level = flat >= FLAT_LEVEL and one.lean < LEAN_LEVEL and stacked < stack
    return bool(good or (level and kind is not Kind.OTHER))


def _flat_without(one: Detection, alone: bool, made: bool, square: bool) -> bool:
    """The same without geometry, by a camera that may look from an unusual side."""
    flat, least = one.postures[FLAT], FLAT_ASLANT_MADE if made else FLAT_ASLANT
    if (one.any_side or made) and alone and flat >= least and one.lean < LEAN_ASLANT:
        return True
    if one.lean >= LEAN and flat < FLAT_PLAINLY and not square:
        return False
    return bool(flat >= FLAT_GUESSED)


def seen_posture(one: Detection) -> DieState:
    """What a die that is not held to lie flat plainly does; `UNSURE` where it is not plain."""
    lies = int(one.postures.argmax())
    plain = lies != FLAT and one.postures[lies] > PLAIN
    return POSTURES_SEEN[lies] if plain else DieState.UNSURE

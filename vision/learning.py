"""Learning an installation's dice from pictures: their colours and the Power die's faces.

`dicetray calibrate` asks for these pictures, and the bench makes a profile from them: one of the
empty tray, one of the whole set with the dice apart, and one or more of each face of the Power die
alone in the tray. The set and the faces may have darker pictures too, each with less exposure than
the one before: in them a lamp reflected in a die hides nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.body_colours import Bgr
from vision.classify.colours import face_colours
from vision.errors import FaceRefused, NoDie
from vision.frame import Image
from vision.geometry.axes import axes_of
from vision.geometry.profile import DieColour, PowerFace, Profile
from vision.image.arrays import FloatArray
from vision.power_die.faces import LearnedFaces, learn
from vision.power_die.print import cut_face, whited_out
from vision.reader import Reader
from vision.reading import DieReading, Kind

MIN_GLARE_LEVEL = 170
"""Darkest channel of a body that only glare reaches, unless the die is white."""
MAX_CLEAR_GLARE_SHARE = 0.05
"""Share of a face covered by glare below which no darker picture is needed."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """A profile with what was learnt, and what was refused.

    Attributes:
        profile: with the empty tray, the colours and the faces.
        refused: pictures of faces from which nothing was learnt, in the order given.
    """

    profile: Profile
    refused: tuple[FaceRefused, ...]


def learn_dice(
    profile: Profile,
    empty: Image,
    dice: Sequence[Image],
    faces: Sequence[tuple[str, Sequence[Image]]],
) -> Learnt:
    """Makes a profile that knows the tray and its dice.

    Args:
        profile: the geometry.
        empty: the empty tray.
        dice: the whole set with the dice apart, then darker pictures of it; empty if not taken.
        faces: values of the Power die with pictures of it alone in the tray, then darker ones.
    """
    learning = replace(profile, empty=empty, power_faces=(), colours=())
    if dice:
        learning = replace(learning, colours=colours_from_set(dice[0], learning, dice[1:]))
    learnt: tuple[PowerFace, ...] = ()
    refused: list[FaceRefused] = []
    for value, pictures in faces:
        try:
            learnt = (*learnt, *faces_from_pictures([(value, pictures)], learning, learnt))
        except FaceRefused as refusal:
            refused.append(refusal)
    return Learnt(replace(learning, power_faces=learnt), tuple(refused))


def colours_from_set(
    picture: Image, profile: Profile, darker: Sequence[Image] = ()
) -> tuple[DieColour, ...]:
    """How a set's dice, lying apart, look in this light, and how many there are of each kind.

    Dice with glare only add to the count of their kind: their colours are not trusted.
    """
    reading = Reader(replace(profile, power_faces=(), colours=())).read(picture, darker)
    found: dict[Kind, list[tuple[np.ndarray, np.ndarray]]] = {}
    for die in reading.dice:
        if die.kind is Kind.OTHER or not (die.sure or die.kind is Kind.POWER):
            continue
        body, pip = die_colours(picture, die)
        found.setdefault(die.kind, []).append((body, pip))
    colours = []
    for kind in Kind:
        seen = found.get(kind, [])
        dull = [one for one in seen if kind is Kind.WHITE or one[0].min() < MIN_GLARE_LEVEL]
        if not dull:
            continue
        body, pip = (np.median([one[k] for one in dull], axis=0) for k in (0, 1))
        colours.append(DieColour(kind, rounded_colour(body), rounded_colour(pip), len(seen)))
    return tuple(colours)


def die_colours(picture: Image, die: DieReading) -> tuple[FloatArray, FloatArray]:
    """The colours of body and pips, (3,) each, BGR, of a die that was read in a picture."""
    return face_colours(picture, np.array(die.center), axes_of(die.outline))


def faces_from_pictures(
    pictures: Sequence[tuple[str, Sequence[Image]]],
    profile: Profile,
    earlier: Sequence[PowerFace] = (),
) -> tuple[PowerFace, ...]:
    """Learns faces of the Power die from pictures of it alone in the tray.

    Args:
        pictures: value, picture and darker ones; several takes of one value add confidence.
        profile: the geometry, and the empty tray if it is known.
        earlier: faces learnt before, with which the new ones are compared.

    Returns:
        The new faces.

    Raises:
        FaceRefused: a subclass in `vision.errors`: no die or more than one, glare, blur, no
            print, or a face that looks like another.
    """
    patches = [(value, face_patch(value, one, profile, rest)) for value, (one, *rest) in pictures]
    before = LearnedFaces(tuple((face.value, face.patch) for face in earlier))
    learnt = learn(patches, before)
    return tuple(PowerFace(value, patch) for value, patch in learnt.prints[len(earlier) :])


def face_patch(value: str, picture: Image, profile: Profile, darker: Sequence[Image] = ()) -> Image:
    """Cuts out the face of the one die in the tray, as seen from straight above.

    Where glare hides it, the first darker picture of the scene in which it does not is used.

    Raises:
        NoDie: there is none, or more than one.
    """
    dice = Reader(replace(profile, power_faces=())).read(picture, darker).dice
    if len(dice) > 1:
        # A die in glare may be seen twice; if only one of them is read as a Power die, it counts.
        power = [die for die in dice if die.kind is Kind.POWER]
        dice = tuple(power) if len(power) == 1 else dice
    if len(dice) != 1:
        raise NoDie(value, len(dice))
    center = np.array(dice[0].center)
    axes = profile.axes(center[None])[0]
    return clear_patch((picture, *darker), center, axes)


def clear_patch(pictures: Sequence[Image], center: FloatArray, axes: FloatArray) -> Image:
    """Cuts a face from the first picture of a scene in which glare does not hide it."""
    patches = [cut_face(image, center, axes) for image in pictures]
    clear = [patch for patch in patches if whited_out(patch) < MAX_CLEAR_GLARE_SHARE]
    return clear[0] if clear else min(patches, key=whited_out)


def rounded_colour(colour: Sequence[float] | np.ndarray) -> Bgr:
    """A colour as profiles have it, in tenths."""
    blue, green, red = (round(float(v), 1) for v in colour)
    return blue, green, red

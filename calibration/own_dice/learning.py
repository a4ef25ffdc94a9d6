"""Learns about the owner's dice from throws whose faces people have confirmed by playing on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.own_dice.pips import face_picture, measure_pips
from calibration.own_dice.reasons import why_not_read
from calibration.own_dice.record import (
    POWER,
    FaceRecord,
    OwnDice,
    known_colours,
)
from vision.body_colours import MIN_CONFIRMED, Bgr, ColourName, are_alike, colour_name
from vision.frame import Image
from vision.geometry.profile import DieColour, Profile
from vision.learning import MIN_GLARE_LEVEL, die_colours, rounded_colour
from vision.reading import DieReading, DieState, Face, Kind

MIN_DICE_TO_JUMP = 3
"""So many dice of a throw must have other colours than those known."""
MAX_COLOURS = 12
"""Those seen least make room."""
_MEAN_OF = 20  # dice: a colour follows the light slowly
_MIN_DARKER_PIPS = 150.0  # sum of the channels: a body so much lighter is white, and does not shine
_NEWEST_SHARE = 0.2  # of a measured pip in the figures about all


@dataclass(frozen=True, slots=True)
class ConfirmedDie:
    """A die in a picture.

    Attributes:
        reading: as it was read.
        face: what it shows, as people have left or put it.
    """

    reading: DieReading
    face: Face


def with_throw(
    profile: Profile, own: OwnDice, image: Image, dice: Sequence[ConfirmedDie]
) -> tuple[Profile, OwnDice]:
    """The profile and the record of the dice after a throw that people have confirmed.

    Args:
        profile: `confirmed` has the colours that are known so far.
        own: the record so far.
        image: of the throw.
        dice: those that count; those beside the tray's floor are left out.
    """
    colours = profile.confirmed
    for die in dice:
        if not _is_in_tray(die.reading):
            continue
        colours = _with_colour(colours, image, die)
        own = with_look(own, colours, image, die)
    return replace(profile, confirmed=colours), own


def with_look(
    own: OwnDice, colours: Sequence[DieColour], image: Image, die: ConfirmedDie
) -> OwnDice:
    """The record with one more look at a die that lies flat."""
    reading, face = die.reading, die.face
    if reading.state not in (DieState.OK, DieState.UNSURE):
        return own
    record = own.face(_dice_of(colours, image, die), face)
    if reading.sure and reading.value == face:
        return _with_pips(own.with_face(replace(record, read=record.read + 1)), image, die)
    record = (
        replace(record, corrected=record.corrected + 1)
        if reading.sure
        else replace(record, asked=record.asked + 1)
    )
    return own.with_face(_with_picture(record, image, reading))


def jumped_to(
    profile: Profile, image: Image, dice: Sequence[ConfirmedDie]
) -> tuple[ColourName, ...]:
    """The colours of a throw of which none is known; empty where some are, or none are yet."""
    known = known_colours(profile.confirmed)
    bodies = [
        body
        for die in dice
        if isinstance(die.face, int) and _is_in_tray(die.reading)
        if (body := _clear_body(image, die.reading)) is not None
    ]
    if not known or len(bodies) < MIN_DICE_TO_JUMP:
        return ()
    seen = [one.body for one in profile.confirmed if one.count >= MIN_CONFIRMED]
    names = tuple(dict.fromkeys(colour_name(body) for body in bodies))
    alike = any(are_alike(body, other) for body in bodies for other in seen)
    return () if alike or set(names) & set(known) else names


def with_new_colours(
    profile: Profile, image: Image, dice: Sequence[ConfirmedDie], *, instead: bool
) -> Profile:
    """The profile with the colours of a throw as known ones; `instead` of all others, or too."""
    colours = () if instead else profile.confirmed
    for die in dice:
        if isinstance(die.face, int) and _is_in_tray(die.reading):
            colours = _with_colour(colours, image, die)
    known = (
        one if one in profile.confirmed else replace(one, count=max(one.count, MIN_CONFIRMED))
        for one in colours
    )
    return replace(profile, confirmed=tuple(known))


def _is_in_tray(die: DieReading) -> bool:
    return len(die.outline) == 4 and not (die.aside or die.held)


def _clear_body(image: Image, die: DieReading) -> Bgr | None:
    """The colour of a body; None where a lamp shines in it."""
    body, pip = die_colours(image, die)
    if body.min() >= MIN_GLARE_LEVEL and float((body - pip).sum()) < _MIN_DARKER_PIPS:
        return None
    return float(body[0]), float(body[1]), float(body[2])


def _with_colour(
    colours: tuple[DieColour, ...], image: Image, die: ConfirmedDie
) -> tuple[DieColour, ...]:
    """The colours with one more die."""
    body = _clear_body(image, die.reading)
    if body is None:
        return colours
    power = isinstance(die.face, str)
    pip = die_colours(image, die.reading)[1]
    alike = [
        k
        for k, one in enumerate(colours)
        if (one.kind is Kind.POWER) == power and are_alike(one.body, body)
    ]
    kind = Kind.POWER if power else die.reading.kind
    if not power and kind is Kind.POWER:
        kind = Kind.OTHER
    if not alike:
        most = sorted(colours, key=lambda one: -one.count)[: MAX_COLOURS - 1]
        return (*most, DieColour(kind, rounded_colour(body), rounded_colour(pip), 1))
    one = colours[alike[0]]
    weight = 1 / min(one.count + 1, _MEAN_OF)
    mixed = DieColour(
        kind if kind is not Kind.OTHER else one.kind,
        rounded_colour(np.array(one.body) * (1 - weight) + np.array(body) * weight),
        rounded_colour(np.array(one.pip) * (1 - weight) + np.array(pip) * weight),
        one.count + 1,
    )
    return (*colours[: alike[0]], mixed, *colours[alike[0] + 1 :])


def _dice_of(colours: Sequence[DieColour], image: Image, die: ConfirmedDie) -> str:
    """The name of the dice of this colour in the record."""
    if isinstance(die.face, str):
        return POWER
    body = die_colours(image, die.reading)[0]
    colour = float(body[0]), float(body[1]), float(body[2])
    numbered = (one.body for one in colours if one.kind is not Kind.POWER)
    return colour_name(next((one for one in numbered if are_alike(one, colour)), colour)).value


def _with_picture(record: FaceRecord, image: Image, reading: DieReading) -> FaceRecord:
    why = why_not_read(image, reading, record.value)
    return replace(record, picture=face_picture(image, reading), why=why)


def _with_pips(own: OwnDice, image: Image, die: ConfirmedDie) -> OwnDice:
    """The record with the measures of this top's pips, where they are as many as its value."""
    pips = measure_pips(face_picture(image, die.reading))
    # A 1 may be larger than others on purpose.
    if pips.count != die.face or die.face == 1:
        return own
    return replace(
        own,
        pip_share=_mixed(own.pip_share, pips.width),
        six_rows=_mixed(own.six_rows, pips.six_rows),
    )


def _mixed(before: float | None, now: float | None) -> float | None:
    if now is None or before is None:
        return before if now is None else round(now, 3)
    return round((1 - _NEWEST_SHARE) * before + _NEWEST_SHARE * now, 3)

"""The record of the owner's dice, face by face, as it is kept with the profile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2

from calibration.own_dice.reasons import WhyUnread
from vision.body_colours import MIN_CONFIRMED, ColourName, colour_name
from vision.frame import Image
from vision.geometry.profile import DieColour
from vision.geometry.profile_file import decode_picture, encode_picture
from vision.reading import POWER_FACES, Face, Kind

POWER = "power"
"""In place of a colour: the Power die, whatever its colour."""
MIN_CORRECTED = 2
"""A face that was read wrong so often is named."""
MIN_ASKED = 3
"""So is one that was asked about so often, if that was often among all the times it came up."""
MIN_ASKED_SHARE = 0.3
MAX_TIMES = 40
"""Times that lie longer back count half, as light and camera may have been others."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceRecord:
    """How one face of the dice of one colour was read so far.

    Attributes:
        dice: the name of their colour, or `POWER`.
        value: the face.
        read: how often it was read, and people left it at that.
        asked: how often it was asked about though it lay flat.
        corrected: how often it was read wrong.
        picture: how it looked when it was asked about or corrected last, (48, 48, 3), BGR.
        why: why it was not read then.
    """

    dice: str
    value: Face
    read: int = 0
    asked: int = 0
    corrected: int = 0
    picture: Image | None = None
    why: WhyUnread = WhyUnread.NOT_SURE

    @property
    def name(self) -> str:
        """The face's name, such as `blue 1`."""
        return f"{self.dice} {self.value}"

    @property
    def times(self) -> int:
        """How often it came up."""
        return self.read + self.asked + self.corrected

    @property
    def troubled(self) -> bool:
        """True if it is asked about again and again, or was read wrong more than once."""
        often = self.asked >= MIN_ASKED and self.asked >= MIN_ASKED_SHARE * self.times
        return often or self.corrected >= MIN_CORRECTED

    def with_fewer_times(self) -> "FaceRecord":
        """This record; half as much of it once there is much."""
        if self.times < MAX_TIMES:
            return self
        return replace(
            self, read=self.read // 2, asked=self.asked // 2, corrected=self.corrected // 2
        )


@dataclass(frozen=True, slots=True, eq=False)
class OwnDice:
    """The owner's dice.

    Attributes:
        faces: how they were read.
        pip_share: width of a pip, in edges; None while it was not measured.
        six_rows: distance of the rows of a 6, in distances of the pips of a 4; None as before.
    """

    faces: tuple[FaceRecord, ...] = ()
    pip_share: float | None = None
    six_rows: float | None = None

    @property
    def troubled(self) -> tuple[FaceRecord, ...]:
        """The faces that are not read well, the worst first."""
        worst = sorted(self.faces, key=lambda f: (-f.corrected, -f.asked, f.name))
        return tuple(face for face in worst if face.troubled)

    def face(self, dice: str, value: Face) -> FaceRecord:
        """The record of a face; a new one where there is none."""
        found = (f for f in self.faces if (f.dice, f.value) == (dice, value))
        return next(found, FaceRecord(dice, value))

    def with_face(self, face: FaceRecord) -> "OwnDice":
        """These dice with another record of this face."""
        others = (f for f in self.faces if (f.dice, f.value) != (face.dice, face.value))
        return replace(self, faces=(*others, face.with_fewer_times()))


def known_colours(confirmed: Sequence[DieColour]) -> tuple[ColourName, ...]:
    """The colours of the numbered dice that are known, the most frequent first."""
    known = [one for one in confirmed if one.kind is not Kind.POWER and one.count >= MIN_CONFIRMED]
    names = (colour_name(one.body) for one in sorted(known, key=lambda one: -one.count))
    return tuple(dict.fromkeys(names))


def own_dice_data(own: OwnDice) -> dict[str, Any]:
    """The record as plain values for JSON."""
    return {
        "pip_share": own.pip_share,
        "six_rows": own.six_rows,
        "faces": [
            {
                "dice": face.dice,
                "value": face.value,
                "times": [face.read, face.asked, face.corrected],
                "why": face.why.value,
                "picture": None if face.picture is None else encode_picture(face.picture),
            }
            for face in own.faces
        ],
    }


def own_dice_from_data(data: Mapping[str, Any]) -> OwnDice:
    """The reverse of `own_dice_data`.

    Raises:
        ProfileError: a picture is none.
        KeyError, TypeError, ValueError: these are no such values.
    """
    return OwnDice(
        tuple(_face_from_data(raw) for raw in data.get("faces", ())),
        _optional_share(data.get("pip_share")),
        _optional_share(data.get("six_rows")),
    )


def _face_from_data(raw: Mapping[str, Any]) -> FaceRecord:
    dice, value = str(raw["dice"]), raw["value"]
    faces = POWER_FACES if dice == POWER else tuple(range(1, 7))
    if dice != POWER:
        ColourName(dice)
    if value not in faces:
        raise ValueError(f"expected a face of {dice} dice, found {value!r}")
    read, asked, corrected = (int(times) for times in raw["times"])
    if min(read, asked, corrected) < 0:
        raise ValueError(f"expected counts, found {raw['times']}")
    picture = raw["picture"]
    image = None if picture is None else decode_picture(picture, cv2.IMREAD_COLOR)
    return FaceRecord(dice, value, read, asked, corrected, image, WhyUnread(raw["why"]))


def _optional_share(raw: Any) -> float | None:
    if raw is None:
        return None
    share = float(raw)
    if not 0 <= share <= 10:
        raise ValueError(f"expected a share, found {raw}")
    return share

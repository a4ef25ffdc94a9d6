"""Rendered pictures in files: rendering takes fifteen times as long as reading."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.campaign.results import CampaignError
from vision.errors import ProfileError
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.geometry.profile_file import profile_data, profile_from_data

Encoded = NDArray[np.uint8]
"""The bytes of a picture as JPEG or PNG, (n,)."""
Record = dict[str, Any]
"""The facts known about a picture, for JSON."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A picture with the truth about it.

    Attributes:
        name: its seed and number.
        group: the row of the table that it counts in.
        data: as the camera delivers it.
        profile: of the installation that it was taken in.
        dice: the truth, as in the index of a folder of pictures.
        partly: whether dice may be visible that the truth does not list.
    """

    name: str
    group: str
    data: Encoded
    profile: Profile
    dice: list[Record]
    partly: bool

    def image(self) -> Image:
        """The picture, BGR."""
        return decoded(self.data)


def encoded(image: Image, quality: int | None = None) -> Encoded:
    """A picture as JPEG of the given quality; without one as PNG, which is lossless."""
    jpeg = [] if quality is None else [cv2.IMWRITE_JPEG_QUALITY, quality]
    data = cv2.imencode(".jpg" if jpeg else ".png", image, jpeg)[1]
    return np.asarray(data, dtype=np.uint8).ravel()


def decoded(data: Encoded) -> Image:
    """The decoded picture, BGR."""
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def write_pictures(file: Path | BinaryIO, pictures: Sequence[tuple[Encoded, Record]]) -> None:
    """Writes pictures and what is known about each into one NPZ."""
    np.savez(
        file,
        data=np.concatenate([data for data, _ in pictures]),
        ends=np.cumsum([len(data) for data, _ in pictures]),
        truth=np.array(json.dumps([record for _, record in pictures])),
    )


def read_pictures(path: Path) -> Iterator[tuple[Encoded, Record]]:
    """The pictures of such a file, and what is known about each."""
    # NumPy leaves a damaged archive open if it opens the file itself.
    with path.open("rb") as opened, np.load(opened) as file:
        data, ends, records = file["data"], file["ends"], json.loads(str(file["truth"]))
    yield from zip(np.split(data, ends[:-1]), records, strict=True)


def keep(file: BinaryIO, pictures: Sequence[Taken]) -> None:
    """Writes the pictures of a unit."""
    records = (
        {
            "name": one.name,
            "group": one.group,
            "profile": profile_data(one.profile),
            "dice": one.dice,
            "partly": one.partly,
        }
        for one in pictures
    )
    write_pictures(
        file, [(one.data, record) for one, record in zip(pictures, records, strict=True)]
    )


def kept(path: Path) -> list[Taken]:
    """The pictures of a unit.

    Raises:
        CampaignError: the file cannot be read, or does not hold such pictures.
    """
    try:
        return [
            Taken(
                name=record["name"],
                group=record["group"],
                data=data,
                profile=profile_from_data(record["profile"]),
                dice=record["dice"],
                partly=record["partly"],
            )
            for data, record in read_pictures(path)
        ]
    except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError, ProfileError) as error:
        raise CampaignError(
            f"{path}: expected pictures of a campaign, cannot read them: {error}; "
            "take the file away, and they are rendered again"
        ) from error

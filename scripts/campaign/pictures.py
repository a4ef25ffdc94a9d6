"""Rendered pictures of a campaign, kept: rendering takes fifteen times as long as reading."""

import json
from collections.abc import Sequence
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

Jpeg = NDArray[np.uint8]
"""The bytes of a picture, (n,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A picture with the truth about it.

    Attributes:
        name: its seed and number.
        group: the row of the table that it counts in.
        data: as the camera gives it, JPEG.
        profile: from where it was taken.
        dice: the truth, as in the index of a folder of pictures.
        partly: whether dice may be seen of which nothing is known.
    """

    name: str
    group: str
    data: Jpeg
    profile: Profile
    dice: list[dict[str, Any]]
    partly: bool

    def image(self) -> Image:
        """The picture, BGR."""
        return np.asarray(cv2.imdecode(self.data, cv2.IMREAD_COLOR), dtype=np.uint8)


def jpeg(image: Image, quality: int) -> Jpeg:
    """A picture as a camera writes it."""
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(data, dtype=np.uint8).ravel()


def keep(file: BinaryIO, pictures: Sequence[Taken]) -> None:
    """Writes the pictures of a unit."""
    records = [
        {
            "name": one.name,
            "group": one.group,
            "profile": profile_data(one.profile),
            "dice": one.dice,
            "partly": one.partly,
        }
        for one in pictures
    ]
    np.savez(
        file,
        data=np.concatenate([one.data for one in pictures]),
        ends=np.cumsum([len(one.data) for one in pictures]),
        truth=np.array(json.dumps(records)),
    )


def kept(path: Path) -> list[Taken]:
    """The pictures of a unit.

    Raises:
        CampaignError: the file cannot be read, or is none of these.
    """
    try:
        with np.load(path) as file:
            data, ends, records = file["data"], file["ends"], json.loads(str(file["truth"]))
        return [
            Taken(
                name=record["name"],
                group=record["group"],
                data=one,
                profile=profile_from_data(record["profile"]),
                dice=record["dice"],
                partly=record["partly"],
            )
            for one, record in zip(np.split(data, ends[:-1]), records, strict=True)
        ]
    except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError, ProfileError) as error:
        raise CampaignError(
            f"{path}: expected pictures of a campaign, cannot read them: {error}; "
            "take the file away, and they are rendered again"
        ) from error

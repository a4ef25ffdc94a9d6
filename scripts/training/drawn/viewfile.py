"""Files of rendered views: pictures as JPEG, and the truth about them as JSON, in one NPZ."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from scripts.campaign.pictures import Record, decoded, encoded, read_pictures, write_pictures
from scripts.training.drawn.cutting import View, ViewedDie
from vision.geometry.profile import Profile

JPEG_QUALITY = 97
"""JPEG quality: rendered pictures are noisy already."""


def save_views(path: Path | BinaryIO, views: Sequence[View]) -> None:
    """Writes views to a file."""
    write_pictures(path, [(encoded(view.picture, JPEG_QUALITY), _record(view)) for view in views])


def load_views(path: Path) -> Iterator[View]:
    """Reads the views of a file."""
    for data, record in read_pictures(path):
        picture = decoded(data)
        yield View(
            picture=picture,
            profile=Profile(
                size=(picture.shape[1], picture.shape[0]),
                camera=np.array(record["camera"]),
                distortion=np.array(record["distortion"]),
                rotation=np.array(record["rotation"]),
                translation=np.array(record["translation"]),
                tray=np.array(record["tray"]),
            ),
            corner=(record["corner"][0], record["corner"][1]),
            whole=(record["whole"][0], record["whole"][1]),
            dice=tuple(
                ViewedDie(
                    value=die["value"],
                    center=np.array(die["center"]),
                    middle=np.array(die["middle"]),
                    edge=die["edge"],
                    tilt=die["tilt"],
                    rise=die["rise"],
                    hidden=die["hidden"],
                )
                for die in record["dice"]
            ),
        )


def _record(view: View) -> Record:
    profile = view.profile
    return {
        "camera": profile.camera.tolist(),
        "distortion": profile.distortion.tolist(),
        "rotation": profile.rotation.tolist(),
        "translation": profile.translation.tolist(),
        "tray": profile.tray.tolist(),
        "corner": list(view.corner),
        "whole": list(view.whole),
        "dice": [
            {
                "value": die.value,
                "center": die.center.tolist(),
                "middle": die.middle.tolist(),
                "edge": die.edge,
                "tilt": die.tilt,
                "rise": die.rise,
                "hidden": die.hidden,
            }
            for die in view.dice
        ],
    }

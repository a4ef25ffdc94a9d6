"""Folders of labelled pictures, in the format that `dicetray bench vision --data` measures.

A folder holds pictures and `index.jsonl`, one line with a JSON object per picture. The functions
here add to a folder without ever leaving it half written.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from appliance.errors import ApplianceError
from vision.files.atomic import write_atomically
from vision.files.bounded import read_bounded
from vision.frame import Image
from vision.reading import NUMBERS, POWER_FACES, DieReading, Face, Kind

CORRECTIONS_FOLDER = "corrections"
"""Folder beside the journal in which the appliance keeps what players corrected."""
INDEX = "index.jsonl"
MOST_BYTES = 100_000_000
"""Of an index; a larger file is not one."""
QUALITY = 95
"""Of JPEG pictures."""
PIPS = {
    Kind.BLACK: "white",
    Kind.RED: "white",
    Kind.WHITE: "black",
    Kind.YELLOW: "black",
    Kind.POWER: "white",
    Kind.OTHER: "other",
}
"""Colour of the pips of each kind."""


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """The label of a die in a picture.

    Attributes:
        center: middle of the top face, pixels.
        size: width and height of the top face's box, pixels.
        kind: the kind of die.
        value: what it shows; None where no face is up.
    """

    center: tuple[float, float]
    size: tuple[float, float]
    kind: Kind
    value: Face | None

    def __post_init__(self) -> None:
        allowed = POWER_FACES if self.kind is Kind.POWER else NUMBERS
        if self.value is not None and self.value not in allowed:
            raise ApplianceError(
                f"{self.kind.value} die: expected one of {', '.join(map(str, allowed))}, "
                f"found {self.value}"
            )


def labelled(reading: DieReading, kind: Kind, value: Face | None) -> LabelledDie:
    """A die where it was read, with what it really shows."""
    corners = np.array(reading.outline, np.float64).reshape(-1, 2)
    if len(corners) == 0:
        raise ApplianceError("expected a die with an outline, found one without")
    width, height = (float(v) for v in np.ptp(corners, axis=0))
    return LabelledDie(reading.center, (width, height), kind, value)


def entry(
    name: str, dice: Sequence[LabelledDie], *, source: str, partial: bool = False
) -> dict[str, Any]:
    """The line of the index for one picture.

    Args:
        name: of the picture's file within the folder.
        dice: the dice in it.
        source: where it comes from, a word or two.
        partial: whether there are dice without a label.
    """
    return {
        "file": name,
        "source": source,
        "view": "top",
        "partial": partial,
        "dice": [
            {
                "x": round(die.center[0], 1),
                "y": round(die.center[1], 1),
                "w": round(die.size[0], 1),
                "h": round(die.size[1], 1),
                "value": die.value,
                "body": die.kind.value,
                "pips": PIPS[die.kind],
                "state": "ok" if die.value is not None else "leaning",
            }
            for die in dice
        ],
    }


def read_index(folder: Path) -> list[dict[str, Any]]:
    """The entries of a folder; none where it has no index yet.

    Raises:
        ApplianceError: the index cannot be read or a line of it is damaged.
    """
    path = folder / INDEX
    try:
        lines = read_bounded(path, MOST_BYTES).decode().splitlines() if path.exists() else []
    except OSError as error:
        raise ApplianceError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ApplianceError(f"{path}: this is not UTF-8 text") from error
    entries = []
    for number, line in enumerate(lines, 1):
        try:
            raw = json.loads(line)
            if not isinstance(raw, dict) or not isinstance(raw["file"], str):
                raise ValueError("no entry of a picture")
        except (ValueError, KeyError, RecursionError) as error:
            raise ApplianceError(f"{path}, line {number}: damaged entry: {error}") from error
        entries.append(raw)
    return entries


def write_index(folder: Path, entries: Sequence[dict[str, Any]]) -> None:
    """Writes the index, completely or not at all.

    Raises:
        ApplianceError: it cannot be written.
    """
    text = "".join(json.dumps(entry) + "\n" for entry in entries)
    _write_file(folder / INDEX, text.encode("utf-8"))


def add_picture(folder: Path, picture: Image, line: dict[str, Any]) -> None:
    """Adds a picture and its line; the picture is there before the index names it.

    Raises:
        ApplianceError: the folder cannot be written, or has a picture of this name.
    """
    entries = read_index(folder)
    if any(entry["file"] == line["file"] for entry in entries):
        raise ApplianceError(f"{folder}: already holds {line['file']}")
    name = str(line["file"])
    how = [cv2.IMWRITE_JPEG_QUALITY, QUALITY] if name.endswith(".jpg") else []
    good, data = cv2.imencode(Path(name).suffix, picture, how)
    if not good:
        raise ApplianceError(f"{name}: the picture cannot be encoded")
    _write_file(folder / name, data.tobytes())
    write_index(folder, [*entries, line])


def _write_file(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
    except OSError as error:
        raise ApplianceError(f"{path}: cannot be written: {error.strerror}") from error

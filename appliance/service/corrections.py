"""Keeps the pictures of dice that players entered or corrected: what the reader should learn from.

A bounded folder in the format of `appliance.dataset.index`; the oldest pictures make room for new
ones. Nothing in it says who played or when. `dicetray dataset add --corrections` imports them.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from appliance.dataset import index
from appliance.errors import ApplianceError
from appliance.service.ports import Happened
from appliance.table.session.session import faces_on_record
from vision.events import Found, Moved, Roll, TrackedDie, TrackId
from vision.files.ordinary import NotOrdinary, remove_file
from vision.frame import Frame, Image
from vision.reading import Face, Kind

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_PICTURES = 200
MAX_BYTES = 100_000_000
CORRECTION_SOURCE = "correction"


class Corrections:
    """Listens to what happens and keeps dice whose entry differs from the reading, within bounds.

    Give it every frame before the appliance gets it, and everything that happens. The folder is
    created with the first picture.
    """

    def __init__(
        self, folder: Path, max_pictures: int = MAX_PICTURES, max_bytes: int = MAX_BYTES
    ) -> None:
        self._folder = folder
        self._max_pictures = max_pictures
        self._max_bytes = max_bytes
        self._frame: Frame | None = None
        self._still: Frame | None = None
        self._kept: dict[TrackId, Face] = {}
        self._lines = 0

    def look(self, frame: Frame) -> None:
        """Takes note of the next frame; its picture is not copied, or even made."""
        self._frame = frame

    def __call__(self, happened: Happened) -> None:
        """Keeps the picture of the last throw if a die in it was entered or corrected.

        A folder that cannot be written is logged; the game goes on.
        """
        session = happened.session
        if isinstance(happened.input, Roll | Moved | Found):
            self._still = self._frame
            self._kept = {}
        if session is None:
            return
        before, self._lines = self._lines, len(session.record.log)
        if self._lines == before or self._still is None:
            return
        shown = faces_on_record(session)
        corrected = {
            track: face
            for track, (die, face) in shown.items()
            if not die.reading.sure or die.reading.value != face
        }
        if all(self._kept.get(track) == face for track, face in corrected.items()):
            return
        self._kept = corrected
        try:
            dice = [_labelled_die(die, face) for die, face in shown.values()]
            self._add_picture(
                self._still.image, dice, partial=len(dice) < len(session.tracked.seen)
            )
        except ApplianceError as error:
            log.warning("%s", error)

    def _add_picture(self, picture: Image, dice: list[index.LabelledDie], *, partial: bool) -> None:
        entries = index.read_index(self._folder)
        number = 1 + max((_number_in(raw["file"]) for raw in entries), default=0)
        name = f"told_{number:06d}.jpg"
        entry = index.entry(name, dice, source=CORRECTION_SOURCE, partial=partial)
        index.add_picture(self._folder, picture, entry)
        entries = index.read_index(self._folder)
        sizes = [_file_bytes(self._folder / raw["file"]) for raw in entries]
        drop = max(0, len(entries) - self._max_pictures)
        while drop < len(entries) - 1 and sum(sizes[drop:]) > self._max_bytes:
            drop += 1
        if not drop:
            return
        # The index drops a picture before it is deleted, so that it never names a missing one.
        index.write_index(self._folder, entries[drop:])
        for raw in entries[:drop]:
            with suppress(NotOrdinary):
                remove_file(self._folder / raw["file"])


def fan_out(*listeners: Callable[[T], None]) -> Callable[[T], None]:
    """One listener that calls several, in this order."""

    def listen(happened: T) -> None:
        for each in listeners:
            each(happened)

    return listen


def _labelled_die(die: TrackedDie, face: Face) -> index.LabelledDie:
    kind = die.reading.kind
    if isinstance(face, str):
        kind = Kind.POWER
    elif kind is Kind.POWER:
        kind = Kind.OTHER
    return index.labelled(die.reading, kind, face)


def _number_in(name: str) -> int:
    digits = "".join(c for c in Path(name).stem if c.isdecimal())
    return int(digits) if digits else 0


def _file_bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0

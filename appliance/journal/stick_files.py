"""Files on a stick: read within limits, written so that one pulled out at any moment loses none.

All copies are below `dicetray/`, in a folder for each tray. A file gets a name that no file had,
and is read back; only then the one before it goes:

    dicetray/0b1d2e4b6875f3a0/0001-5f3a09c1d2e4b687~1.pack   a pack of ended games
    dicetray/0b1d2e4b6875f3a0/going~7.pack                   games that are in no pack yet
    dicetray/0b1d2e4b6875f3a0/settings~1                     also tray, deleted, profile

FAT keeps no log: a cut while one file replaces another there may lose both.
"""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from appliance.errors import StickGone
from appliance.journal.files import NEW, Files
from appliance.journal.packs import Pack
from vision.files.bounded import read_bounded
from vision.files.ordinary import open_to_append

FOLDER = "dicetray"
"""The folder on a stick that has the copies."""

GOING = "going"
"""Begins the names of files with games that are in no pack at home."""

MOST_FILE_BYTES = 10_000_000
"""Larger files are not ours: a pack has 1.5 MB, one of November 2026 8 MB, and one more game."""

_MOST_GAMES = 10_000
"""Games in a file; a pack of ours has some 200."""

_MOST_SMALL_BYTES = 5_000_000
"""The marks of 100,000 deleted games."""

_MOST_NAMES = 10_000
"""Names that are looked at in a folder."""

_MOST_TRAYS = 100
_BLOCK_DEVICES = Path("/sys/dev/block")
"""Linux has a name here for each device that is there: sysfs(5)."""

_TRAY = re.compile(r"[0-9a-f]{16}")
_GENERATION = re.compile(r"(?P<stem>[^~]+)~(?P<number>[0-9]{1,9})(?P<suffix>(?:\.pack)?)")


class _Named(NamedTuple):
    """The parts of a file's name."""

    stem: str
    generation: int
    suffix: str
    name: str


class StickFiles(Files):
    """The files of one tray on a stick. Every method may raise OSError, and StickGone.

    Args:
        stick: where it is mounted.
        tray: the tray's identity.
    """

    def __init__(self, stick: Path, tray: str) -> None:
        super().__init__(stick)
        self._tray = f"{FOLDER}/{tray}"

    def names(self, folder: str) -> tuple[str, ...]:
        """See `Files`; at most so many that a folder full of them does no harm."""
        names = names_in(self.folder, folder)
        return tuple(f"{folder}/{name}" for name in names if not name.endswith(NEW))

    def size(self, name: str) -> int | None:
        """See `Files`."""
        with plugged_in(self.folder):
            return super().size(name)

    def read(self, name: str, start: int = 0, size: int = -1) -> bytes:
        """See `Files`; a file that is too large for one of ours is refused."""
        if start or size >= 0:
            with plugged_in(self.folder):
                return super().read(name, start, size)
        return read_from(self.folder, name, MOST_FILE_BYTES)

    def _files(self) -> Iterator[_Named]:
        for name in self.names(self._tray):
            if found := _GENERATION.fullmatch(name.rpartition("/")[2]):
                yield _Named(found["stem"], int(found["number"]), found["suffix"], name)

    def generations(self, stem: str, suffix: str = "") -> list[str]:
        """The names of a file, the newest first; more than one if a stick was pulled out."""
        found = (one for one in self._files() if (one.stem, one.suffix) == (stem, suffix))
        return [one.name for one in sorted(found, reverse=True)]

    def packs(self) -> list[str]:
        """The names of all files with games: those in no pack, then packs, oldest first.

        Of each the newest generation comes first.
        """
        found = [one for one in self._files() if one.suffix]
        found.sort(key=lambda one: (one.stem != GOING, one.stem, -one.generation))
        return [one.name for one in found]

    def pack(self, name: str) -> Pack:
        """The games in a file; OSError also if they are more than one of ours has."""
        data = self.read(name)
        if data.count(b"[Packed ") > _MOST_GAMES:
            raise OSError(errno.EFBIG, f"more than {_MOST_GAMES} games", name)
        return Pack.of(name, data, data)

    def put(self, stem: str, data: bytes, suffix: str = "") -> str:
        """Writes a file beside those of the same stem; returns its name.

        It is read back: worn and counterfeit sticks report success.
        """
        there = (one for one in self._files() if (one.stem, one.suffix) == (stem, suffix))
        number = 1 + max((one.generation for one in there), default=0)
        name = f"{self._tray}/{stem}~{number}{suffix}"
        with plugged_in(self.folder):
            self.replace(name, (data,))
            self.forget_cached(name)
            read_back = super().read(name)
        if read_back != data:
            self.remove(name)
            raise OSError(errno.EIO, "other bytes are read than were written", name)
        return name

    def _rename(self, old: str, new: str) -> None:
        super()._rename(old, new)
        # vfat of Linux 6.12 gives the new name a size of 0 on the disk, until the file is synced.
        # Others need none of it: what a stick is formatted as is no question worth a fault of ours.
        with open_to_append(self.folder / new, mode=0o640) as file:
            self._sync(new, file)

    def newest(self, stem: str) -> bytes:
        """The bytes of the newest small file of a stem; none if there is no such file."""
        newest = self.generations(stem)[:1]
        return read_from(self.folder, newest[0], _MOST_SMALL_BYTES) if newest else b""

    def keep(self, stem: str, data: bytes) -> None:
        """Writes a small file, unless it is there already; the ones before it go."""
        older = self.generations(stem)
        if older and self.read(older[0]) == data:
            older = older[1:]
        elif data:
            self.put(stem, data)
        else:
            return
        for name in older:
            self.remove(name)


@contextmanager
def plugged_in(stick: Path) -> Iterator[None]:
    """Makes sure that what is listed, read or written within was so on a stick.

    One that was pulled out stays a folder until it is unmounted, and lists as empty: vfat of Linux
    6.12, whose `statvfs` fails with EIO. Once its free space was counted it may answer from memory.

    Raises:
        StickGone: it does not answer afterwards.
    """
    try:
        yield
    finally:
        _check_plugged_in(stick)


def _check_plugged_in(stick: Path) -> None:
    try:
        device = stick.stat().st_dev
        # As os.statvfs, which Windows lacks.
        shutil.disk_usage(stick)
        if _is_gone(device):
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV), str(stick))
    except OSError as error:
        raise StickGone(
            f"{stick}: expected a USB stick, found none that answers: {error}",
            "plug it in again, or try another",
        ) from error


def _is_gone(device: int) -> bool:
    """True if a file system's device has gone; those without one have the major number 0."""
    if not _BLOCK_DEVICES.is_dir() or not os.major(device):
        return False
    return not (_BLOCK_DEVICES / f"{os.major(device)}:{os.minor(device)}").exists()


def names_in(stick: Path, folder: str = "") -> list[str]:
    """The names in a folder of a stick, sorted, and not endlessly many; none without a folder."""
    with plugged_in(stick):
        try:
            with os.scandir(stick / folder) as found:
                return sorted(entry.name for entry in islice(found, _MOST_NAMES))
        except (FileNotFoundError, NotADirectoryError):
            return []


def read_from(stick: Path, name: str, most: int) -> bytes:
    """The bytes of a file on a stick; OSError if it has more than so many, or is no file."""
    with plugged_in(stick):
        return read_bounded(stick / name, most)


def tray_folders(stick: Path) -> dict[str, StickFiles]:
    """The trays whose copies are on a stick, by their identities."""
    found = (name for name in names_in(stick, FOLDER) if _TRAY.fullmatch(name))
    return {tray: StickFiles(stick, tray) for tray in islice(found, _MOST_TRAYS)}

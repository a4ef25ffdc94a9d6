"""A file in two places: what is in the first is copied to the second later, apart in time.

One damage hits one of them, and the other has what it took. The second place has the same name
below `second/`. It may lack the end of the first, never anything else.
"""

import errno
import logging
from dataclasses import dataclass

from appliance.journal.files import Files, NotSynced

SECOND = "second/"
"""Begins the name of each second place."""

log = logging.getLogger(__name__)


def read_places(files: Files, name: str) -> tuple[bytes, bytes]:
    """The bytes in both places of a file; none for one that is not there, or cannot be read.

    Raises:
        FileNotFoundError: there is neither.
        OSError: the disk fails, and there is no other place.
    """
    found: list[bytes] = []
    errors: list[OSError] = []
    for place in (name, SECOND + name):
        try:
            found.append(files.read(place))
        except OSError as error:
            errors.append(error)
            found.append(b"")
    failed = [error for error in errors if not isinstance(error, FileNotFoundError)]
    if len(errors) == len(found):
        raise (failed or errors)[0]
    if failed:
        log.warning("%s is read from its other place: %s", name, failed[0])
    return found[0], found[1]


def differ_in_size(files: Files, name: str) -> bool:
    """True if one place of a file is longer than the other, or alone; OSError if the disk fails."""
    return files.size(name) != files.size(SECOND + name)


def write_places(files: Files, name: str, data: bytes) -> None:
    """Makes both places hold just these bytes, one after the other.

    Until the first is read back, the second has what was there before.

    Raises:
        OSError: the disk refuses, or other bytes are read than were written.
    """
    files.replace(name, (data,))
    if files.read(name) != data:
        raise OSError(errno.EIO, "other bytes are read than were written", name)
    files.replace(SECOND + name, (data,))


def remove_places(files: Files, name: str, *, sync: bool = True) -> None:
    """Deletes both places, as far as they are there; OSError if the disk refuses."""
    files.remove(SECOND + name, sync=sync)
    files.remove(name, sync=sync)


@dataclass(slots=True)
class Twin:
    """A file that this program appends to, as it has to be on the disk.

    Attributes:
        name: the first place.
        data: what has to be there.
        copied: how many bytes of the second place are as in the first; -1 if it is written anew.
        trusted: whether the first place is as it was written, as far as anybody knows.
        synced: whether the second place is on the disk.
    """

    name: str
    data: bytes
    copied: int = -1
    trusted: bool = True
    synced: bool = True

    @classmethod
    def written(cls, files: Files, name: str, data: bytes) -> "Twin":
        """Writes a new file; its first place is on the disk when it returns, or OSError."""
        files.replace(name, (data,))
        return cls(name, data)

    def append(self, files: Files, new: bytes) -> None:
        """Appends to the first place; on the disk when it returns.

        Raises:
            FileNotFoundError: the file is gone, or another.
            OSError: the disk refuses; the bytes are not there then.
        """
        # All that takes memory comes before: what is noted is what is on the disk.
        whole = self.data + new
        try:
            if self.trusted:
                files.append(self.name, new, at=len(self.data))
            else:
                # What was not synced may be gone from the disk, and look as if it were there.
                files.replace(self.name, (whole,))
                self.trusted = True
        except NotSynced:
            self.trusted = False
            raise
        self.data = whole

    def rewrite(self, files: Files, data: bytes) -> None:
        """Writes the first place anew; the second follows with `copy`.

        Raises:
            OSError: the disk refuses; it is tried again with the next bytes.
        """
        self.data, self.copied, self.trusted = data, -1, False
        files.replace(self.name, (data,))
        self.trusted = True

    @property
    def is_behind(self) -> bool:
        """True if the second place lacks something."""
        return self.copied != len(self.data)

    def copy(self, files: Files, *, sync: bool = True) -> None:
        """Writes to the second place what it lacks; OSError if the disk refuses."""
        if not self.is_behind and (self.synced or not sync):
            return
        second = SECOND + self.name
        try:
            if self.copied <= 0:
                raise FileNotFoundError
            files.append(second, self.data[self.copied :], at=self.copied, sync=sync)
            self.synced = sync
        except (FileNotFoundError, NotSynced):
            files.replace(second, (self.data,))
            self.synced = True
        self.copied = len(self.data)

    def is_there(self, files: Files) -> bool:
        """True if the first place is as it was written; OSError if the disk fails."""
        try:
            return files.read(self.name) == self.data
        except FileNotFoundError:
            return False

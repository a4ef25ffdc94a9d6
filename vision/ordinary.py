"""The one place that says which files may be opened, locked, renamed or replaced by their names.

An ordinary file, or nothing yet: whatever option or setting names it. Everything else is refused
before it is opened, as opening is enough to do harm: a pipe keeps the opener waiting, a watchdog
starts to count, a serial port resets what is on it; and to rename or replace a device, which root
can do, destroys it.
"""

import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from vision.errors import VisionError

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotOrdinary(VisionError, OSError):
    """A name that stands for something that must not be read, written or replaced.

    Attributes:
        found: what it stands for, such as "a pipe".
    """

    def __init__(self, path: Path, found: str, expected: str = "an ordinary file") -> None:
        super().__init__(errno.EINVAL, f"expected {expected}, found {found}", str(path))
        self.found = found

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


def check_ordinary(path: Path, *, folder: bool = False) -> None:
    """Refuses a name that stands for anything but an ordinary file or nothing.

    Links are followed, but only to look; one that leads to nothing is refused, as whatever replaces
    it would destroy it. With `folder`, a folder is accepted too.

    Raises:
        NotOrdinary: it is a folder, pipe, socket, device, or a link to one or to nothing.
        OSError: nothing can be found out, as in a folder that may not be entered.
    """
    expected = "a file or folder" if folder else "an ordinary file"
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ELOOP):
            raise
        if path.is_symlink():
            raise NotOrdinary(path, "a link that leads to nothing", expected) from error
        return
    _check_kind(path, mode, expected, folder=folder)


def _check_kind(path: Path, mode: int, expected: str, *, folder: bool = False) -> None:
    if not (stat.S_ISREG(mode) or (folder and stat.S_ISDIR(mode))):
        raise NotOrdinary(path, _KINDS.get(stat.S_IFMT(mode), "something else"), expected)


def check_distinct(path: Path, sources: Iterable[Path]) -> None:
    """Refuses to write over a file that is read from, by whatever name, relative path or link.

    Raises:
        NotOrdinary: the path stands for the same file as one of the sources.
    """
    for source in sources:
        try:
            same = path.samefile(source)
        except OSError:
            # One of them is not there.
            continue
        if same:
            raise NotOrdinary(path, f"{source}, which is read from", "another file to write")


def ordinary_path(text: str) -> Path:
    """An argument type: the path of an ordinary file, or of none yet; `check_ordinary`'s errors."""
    path = Path(text)
    check_ordinary(path)
    return path


def open_to_read(path: Path) -> BinaryIO:
    """Opens an ordinary file.

    Raises:
        NotOrdinary: it is none.
        OSError: it is missing or cannot be opened.
    """
    check_ordinary(path)
    return _open_file(path, os.O_RDONLY, "rb")


def open_to_write(path: Path) -> BinaryIO:
    """Opens an ordinary file, emptied, or makes a new one.

    Raises:
        NotOrdinary: something else is there.
        OSError: it cannot be written.
    """
    check_ordinary(path)
    file = _open_file(path, os.O_WRONLY | os.O_CREAT, "wb")
    file.truncate(0)
    return file


def _open_file(path: Path, flags: int, mode: str) -> BinaryIO:
    # It may have become a pipe since, where opening would wait without O_NONBLOCK.
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o666)
    try:
        _check_kind(path, os.fstat(handle).st_mode, "an ordinary file")
        return os.fdopen(handle, mode)  # type: ignore[return-value]
    except BaseException:
        os.close(handle)
        raise

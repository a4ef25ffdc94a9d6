"""The one place where files are opened, locked, renamed, replaced and deleted by their names.

An ordinary file, or nothing yet: whatever option or setting names it. Everything else is refused
before it is opened, as opening is enough to do harm: a pipe keeps the opener waiting, a watchdog
starts to count, a serial port resets what is on it; and to rename or replace a device, which root
can do, destroys it. `tests/vision/files/test_ordinary.py` finds whoever opens a file elsewhere.

What root makes in another user's folder belongs to that user, who could not write it otherwise.
"""

import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from vision.errors import VisionError
from vision.files import system

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


class OwnedByOther(VisionError, OSError):
    """A file that root must not write, as its owner could not write it afterwards.

    Attributes:
        owner: the owner's name, or number where it has none.
    """

    def __init__(self, path: Path, owner: str) -> None:
        text = f"expected a file of root, which runs this, found one of {owner}"
        super().__init__(errno.EPERM, text, str(path))
        self.owner = owner

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


def check_owner(path: Path) -> None:
    """Refuses, to root, a file of another user, and a new one in such a user's folder.

    Raises:
        OwnedByOther: root would leave files there that the owner cannot write.
        OSError: nothing can be found out.
    """
    if not system.is_root():
        return
    # What is missing, like a folder that is still to be made, gets the owner of what it goes into.
    there = next(p for p in (path, *path.absolute().parents) if p.exists())
    user = there.stat().st_uid
    if user:
        raise OwnedByOther(path, system.user_name(user))


def check_ordinary(path: Path, *, folder: bool = False) -> None:
    """Refuses a name that stands for anything but an ordinary file or nothing.

    Links are followed, but only to look; one that leads to nothing is refused, as whatever replaces
    it would destroy it. With `folder`, a folder is accepted too.

    Raises:
        NotOrdinary: it is a folder, pipe, socket, device, or a link to one or to nothing.
        OSError: nothing can be found out, as in a folder that may not be entered.
    """
    expected = "a file or folder" if folder else "an ordinary file"
    if "\0" in str(path):
        raise NotOrdinary(path, "a name that no file can have", expected)
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
    return _open_file(path, os.O_RDONLY, "rb")


def open_to_write(path: Path, *, mode: int = 0o666) -> BinaryIO:
    """Opens an ordinary file, emptied, or makes a new one with these permissions.

    Raises:
        NotOrdinary: something else is there.
        OSError: it cannot be written.
    """
    file = _open_file(path, os.O_WRONLY | os.O_CREAT, "wb", mode)
    file.truncate(0)
    return file


def open_to_append(path: Path, *, mode: int = 0o666) -> BinaryIO:
    """Opens an ordinary file, or makes one, to read anywhere and write at the end.

    What is written goes to the system at once. Raises as `open_to_write`.
    """
    return _open_file(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, "a+b", mode)


def open_new(path: Path, *, mode: int = 0o666) -> BinaryIO:
    """Makes a new file, in place of an ordinary one that was left behind; follows no link.

    Raises:
        NotOrdinary: something else is there, or a link to an ordinary file.
        OSError: it cannot be written.
    """
    if path.is_symlink():
        raise NotOrdinary(path, "a link")
    remove_file(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK
    return _open_file(path, flags, "wb", mode)


def open_to_lock(path: Path) -> int | None:
    """The handle of an ordinary file for `flock`, made if it is not there; None if it cannot be.

    Raises:
        NotOrdinary: something else is there.
    """
    # Read access is enough for a lock.
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CREAT):
        try:
            return _open_handle(path, flags, 0o644)
        except NotOrdinary:
            raise
        except OSError:
            continue
    return None


def read_all(path: Path) -> bytes:
    """All of an ordinary file; raises as `open_to_read`."""
    with open_to_read(path) as file:
        return file.read()


def write_all(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Writes an ordinary file, which has only this afterwards; raises as `open_to_write`."""
    with open_to_write(path, mode=mode) as file:
        file.write(data)


def copy_file(source: Path, target: Path) -> None:
    """Copies an ordinary file, in place of another or of none; raises as opening them does."""
    with open_to_read(source) as old, open_to_write(target) as new:
        while piece := old.read(1 << 20):
            new.write(piece)


def make_file(path: Path) -> None:
    """Makes an empty file unless an ordinary one is there; raises as `open_to_append`."""
    open_to_append(path).close()


def rename_file(old: Path, new: Path) -> None:
    """Renames an ordinary file, or a link to one, in place of another or of none.

    Raises:
        NotOrdinary: one of the names stands for something else.
        OSError: it cannot be renamed.
    """
    check_ordinary(old)
    check_ordinary(new)
    old.replace(new)


def remove_file(path: Path) -> None:
    """Deletes an ordinary file, or a link to one, if it is there.

    Raises:
        NotOrdinary: it is something else.
        OSError: it cannot be deleted.
    """
    check_ordinary(path)
    path.unlink(missing_ok=True)


def _open_file(path: Path, flags: int, mode: str, permissions: int = 0o666) -> BinaryIO:
    handle = _open_handle(path, flags, permissions)
    try:
        return os.fdopen(handle, mode, -1 if mode in ("rb", "wb") else 0)  # type: ignore[return-value]
    except BaseException:
        os.close(handle)
        raise


def _open_handle(path: Path, flags: int, permissions: int) -> int:
    check_ordinary(path)
    made = bool(flags & os.O_CREAT) and not path.exists()
    handle = os.open(path, flags | system.OPEN_FLAGS, permissions)
    try:
        _check_kind(path, os.fstat(handle).st_mode, "an ordinary file")
        if made:
            system.give_to_owner_of(path.parent, handle)
    except BaseException:
        os.close(handle)
        raise
    return handle

"""Differences between systems: locks, owners, flags and folders of Linux, macOS and Windows.

`mypy --platform win32` and `--platform darwin` check each branch, and
`tests/appliance/cli/test_other_systems.py` runs those of Windows.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

if sys.platform == "win32":
    import msvcrt

    OPEN_FLAGS = os.O_BINARY | os.O_NOINHERIT
    """Flags with which any file is opened: bytes as they are, for this process alone."""
    NO_LINK = 0
    """Flag that refuses to open a link, where there is one."""
else:
    import fcntl
    import pwd

    # It may have become a pipe since it was looked at: opening one waits without O_NONBLOCK.
    OPEN_FLAGS = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    NO_LINK = os.O_NOFOLLOW

_LOCKED_BYTE = 1 << 30
"""Windows locks bytes, which nobody else can read then; one beyond the end of every file may be
locked too (LockFile, https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-lockfile)."""


def lock_handle(handle: int) -> None:
    """Locks an open file until it is closed; BlockingIOError if another program has it locked."""
    if sys.platform == "win32":
        place = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from error
        finally:
            os.lseek(handle, place, os.SEEK_SET)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_root() -> bool:
    """True if this runs as root, whose files others cannot write; on Windows nobody is."""
    return sys.platform != "win32" and os.geteuid() == 0


def is_own(user: int) -> bool:
    """True if the user with this number is root or the one who runs this program."""
    return sys.platform != "win32" and user in (0, os.geteuid())


def user_name(user: int) -> str:
    """The name of the user with this number, or the number where there is no name."""
    return min(names_of(user), default=str(user))


def names_of(user: int) -> set[str]:
    """All names of the user with this number."""
    names: set[str] = set()
    if sys.platform != "win32":
        names |= {entry.pw_name for entry in pwd.getpwall() if entry.pw_uid == user}
    return names


def give_to_owner_of(other: Path, made: Path | int) -> None:
    """Lets what root makes belong to the owner of another file; does nothing for other users.

    Args:
        other: the file whose owner it is.
        made: the path of what was made, or a handle of it.
    """
    if sys.platform != "win32" and is_root():
        there = other.stat()
        os.chown(made, there.st_uid, there.st_gid)


def make_private(handle: int) -> None:
    """Lets only its owner read and write an open file.

    On Windows the user's own folders, where such files are, are private already.
    """
    if sys.platform != "win32":
        os.fchmod(handle, 0o600)


def read_at(handle: int, size: int, place: int) -> bytes:
    """Bytes of an open file from a place on; where it is read next may change."""
    if sys.platform == "win32":
        os.lseek(handle, place, os.SEEK_SET)
        return os.read(handle, size)
    return os.pread(handle, size, place)


def sync_data(handle: int) -> None:
    """Makes what was written to an open file survive a power cut; OSError if the disk fails."""
    if sys.platform == "linux":
        os.fdatasync(handle)
    else:
        os.fsync(handle)


def sync_names(folder: Path) -> None:
    """Makes new names in a folder survive a power cut; Windows writes them by itself.

    Raises:
        OSError: it is not a folder, or the disk fails.
    """
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def forget_cached(handle: int) -> None:
    """Lets what is read next of an open file come from the disk, where the system can."""
    if sys.platform == "linux":
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)


class Disk(NamedTuple):
    """How a disk is: the bytes that are free for this user, and whether it can only be read."""

    free_bytes: int
    read_only: bool


def disk_of(folder: Path) -> Disk:
    """The disk on which a folder is; OSError if there is no such folder."""
    if sys.platform == "win32":
        return Disk(shutil.disk_usage(folder).free, read_only=False)
    found = os.statvfs(folder)
    return Disk(found.f_bavail * found.f_frsize, bool(found.f_flag & os.ST_RDONLY))


def peak_memory_bytes() -> int | None:
    """The most memory that this process has had so far; None where the system does not say."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # getrusage(2): kilobytes on Linux, bytes on macOS.
    return peak if sys.platform == "darwin" else peak * 1024

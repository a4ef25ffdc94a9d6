"""The files of a journal, on a disk or in memory: the only place that writes and syncs them.

A name is a path below the journal's folder, such as `going/000012-000017-000012.game`. What
`append`, `replace`, `rename` and `remove` have done is on the disk when they return, unless they
were told not to sync.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from vision import system
from vision.atomic import sync_folder
from vision.ordinary import (
    lock_file,
    open_new,
    open_to_append,
    open_to_lock,
    open_to_read,
    remove_file,
    rename_file,
)

LOCK = "lock"
"""Whoever gives a number, or moves a game from file to file, holds the lock on this file."""

NEW = ".new"
"""Ends the name of a file that is being written; one that a power cut left behind means nothing."""

_SUFFIX = ".sqlite3"

_RETRY_S = 0.02


def folder_of(path: Path) -> Path:
    """The folder with the games of a journal of this path; the same for a link to that."""
    named = Path(os.path.realpath(path))
    return named.with_suffix("") if named.suffix == _SUFFIX else Path(f"{named}.games")


class NotSynced(OSError):
    """A file could not be synced. The system may have dropped what was written, and not say so."""


class Files(Protocol):
    """Where a journal's files are. Every method may raise OSError."""

    def names(self, folder: str) -> tuple[str, ...]:
        """The full names of the files in a folder, sorted; none if there is no such folder."""

    def size(self, name: str) -> int | None:
        """How many bytes a file has; None if there is none."""

    def read(self, name: str, start: int = 0, size: int = -1) -> bytes:
        """Bytes of a file, fewer at its end; FileNotFoundError if there is none."""

    def append(self, name: str, data: bytes, *, at: int, sync: bool = True) -> None:
        """Writes bytes behind the first `at` of a file; what was there after those is cut off.

        A file that is not there is made, for `at` 0. After an error the file is cut back.

        Raises:
            FileNotFoundError: the file is gone, replaced, or shorter than that.
            NotSynced: nothing in the file may be relied upon.
        """

    def replace(self, name: str, pieces: Iterable[bytes]) -> None:
        """Makes a file hold just these bytes, in one step."""

    def rename(self, old: str, new: str) -> None:
        """Gives a file another name, in place of a file that had it."""

    def remove(self, name: str) -> None:
        """Deletes a file, if it is there."""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other programs from doing the same meanwhile; BlockingIOError if one does."""

    def is_here(self, name: str, size: int) -> bool:
        """Whether a file that was written still has its name, and at least so many bytes."""

    def close(self) -> None:
        """Closes what is open; it is opened again when it is needed."""


class DiskFiles:
    """Files in a folder, which is made with the first of them.

    Args:
        folder: the folder.
        patience_s: seconds to wait for the lock.
    """

    def __init__(self, folder: Path, *, patience_s: float = 5.0) -> None:
        self.folder = folder
        self._patience_s = patience_s
        self._open: dict[str, BinaryIO] = {}

    def names(self, folder: str) -> tuple[str, ...]:
        """See `Files`."""
        try:
            found = sorted(path.name for path in (self.folder / folder).iterdir())
        except FileNotFoundError:
            return ()
        return tuple(f"{folder}/{name}" for name in found if not name.endswith(NEW))

    def size(self, name: str) -> int | None:
        """See `Files`."""
        try:
            return (self.folder / name).stat().st_size
        except FileNotFoundError:
            return None

    def read(self, name: str, start: int = 0, size: int = -1) -> bytes:
        """See `Files`."""
        with open_to_read(self.folder / name) as file:
            file.seek(start)
            return file.read(size)

    def append(self, name: str, data: bytes, *, at: int, sync: bool = True) -> None:
        """See `Files`."""
        file, made = self._to_append(name, at)
        try:
            written = file.write(data)
            if written != len(data):
                raise OSError(28, os.strerror(28), name)
        except OSError:
            with suppress(OSError):
                file.truncate(at)
            raise
        if sync:
            self._sync(name, file)
        if made:
            self._sync_names(name)

    def _to_append(self, name: str, at: int) -> tuple[BinaryIO, bool]:
        path = self.folder / name
        file = self._open.get(name)
        made = False
        if file is None:
            made = not path.exists()
            if made and at:
                raise FileNotFoundError(2, os.strerror(2), str(path))
            self._make_folder(path.parent)
            # One file is appended to at a time, and its second place.
            while len(self._open) > 1:
                self._open.pop(next(iter(self._open))).close()
            file = self._open[name] = open_to_append(path, mode=0o640)
        opened = os.fstat(file.fileno())
        try:
            there = path.stat()
        except FileNotFoundError:
            self._forget(name)
            raise
        if not os.path.samestat(opened, there) or opened.st_size < at:
            self._forget(name)
            raise FileNotFoundError(2, "Another file, or less of it, is there", str(path))
        if opened.st_size > at:
            file.truncate(at)
        return file, made

    def _sync(self, name: str, file: BinaryIO) -> None:
        try:
            system.sync_data(file.fileno())
        except OSError as error:
            self._forget(name)
            raise NotSynced(error.errno, error.strerror, name) from error

    def _sync_names(self, name: str) -> None:
        sync_folder((self.folder / name).parent)

    def _make_folder(self, folder: Path) -> None:
        if not folder.is_dir():
            self._make_folder(folder.parent)
            folder.mkdir(mode=0o750, exist_ok=True)
            system.give_to_owner_of(folder.parent, folder)
            sync_folder(folder.parent)

    def is_here(self, name: str, size: int) -> bool:
        """See `Files`."""
        try:
            there = (self.folder / name).stat()
        except FileNotFoundError:
            return False
        file = self._open.get(name)
        same = file is None or os.path.samestat(os.fstat(file.fileno()), there)
        return same and there.st_size >= size

    def replace(self, name: str, pieces: Iterable[bytes]) -> None:
        """See `Files`."""
        path = self.folder / name
        self._make_folder(path.parent)
        part = path.with_name(path.name + NEW)
        try:
            with open_new(part, mode=0o640) as file:
                for piece in pieces:
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                remove_file(part)
            raise
        self._forget(name)
        rename_file(part, path)
        self._sync_names(name)

    def rename(self, old: str, new: str) -> None:
        """See `Files`."""
        self._make_folder((self.folder / new).parent)
        rename_file(self.folder / old, self.folder / new)
        if old in self._open:
            self._open[new] = self._open.pop(old)
        self._sync_names(new)
        if PurePosixPath(old).parent != PurePosixPath(new).parent:
            self._sync_names(old)

    def remove(self, name: str) -> None:
        """See `Files`."""
        self._forget(name)
        if (self.folder / name).exists():
            remove_file(self.folder / name)
            self._sync_names(name)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """See `Files`."""
        self._make_folder(self.folder)
        handle = open_to_lock(self.folder / LOCK)
        if handle is None:
            raise PermissionError(13, os.strerror(13), str(self.folder / LOCK))
        try:
            ends_s = time.monotonic() + self._patience_s
            while True:
                try:
                    lock_file(handle)
                    break
                except BlockingIOError:
                    if time.monotonic() >= ends_s:
                        raise
                time.sleep(_RETRY_S)
            yield
        finally:
            os.close(handle)

    def _forget(self, name: str) -> None:
        file = self._open.pop(name, None)
        if file is not None:
            file.close()

    def close(self) -> None:
        """See `Files`."""
        for name in tuple(self._open):
            self._forget(name)


class MemoryFiles:
    """Files that are gone with the program."""

    def __init__(self) -> None:
        self._files: dict[str, bytearray] = {}

    def names(self, folder: str) -> tuple[str, ...]:
        """See `Files`."""
        return tuple(sorted(n for n in self._files if str(PurePosixPath(n).parent) == folder))

    def size(self, name: str) -> int | None:
        """See `Files`."""
        data = self._files.get(name)
        return None if data is None else len(data)

    def read(self, name: str, start: int = 0, size: int = -1) -> bytes:
        """See `Files`."""
        if name not in self._files:
            raise FileNotFoundError(2, os.strerror(2), name)
        return bytes(self._files[name][start : None if size < 0 else start + size])

    def append(self, name: str, data: bytes, *, at: int, sync: bool = True) -> None:
        """See `Files`."""
        there = self._files.get(name, bytearray())
        if len(there) < at:
            raise FileNotFoundError(2, os.strerror(2), name)
        there[at:] = data
        self._files[name] = there

    def replace(self, name: str, pieces: Iterable[bytes]) -> None:
        """See `Files`."""
        self._files[name] = bytearray(b"".join(pieces))

    def rename(self, old: str, new: str) -> None:
        """See `Files`."""
        self._files[new] = self._files.pop(old)

    def remove(self, name: str) -> None:
        """See `Files`."""
        self._files.pop(name, None)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """See `Files`."""
        yield

    def is_here(self, name: str, size: int) -> bool:
        """See `Files`."""
        return len(self._files.get(name, b"")) >= size

    def close(self) -> None:
        """See `Files`."""

"""The files of a journal on a disk: the only place that writes and syncs them.

A name is a path below the journal's folder, such as `going/000012-000017-000012.game`. What
`append`, `replace`, `rename` and `remove` have done is on the disk when they return, unless they
were told not to sync.
"""

import errno
import logging
import os
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import MappingProxyType
from typing import BinaryIO

from vision.files import system
from vision.files.atomic import sync_folder
from vision.files.ordinary import (
    open_new,
    open_to_append,
    open_to_lock,
    open_to_read,
    remove_file,
    rename_file,
    write_all,
)

LOCK = "lock"
"""Whoever gives a number, or moves a game from file to file, holds the lock on this file."""

NEW = ".new"
"""Ends the name of a file that is being written; one that a power cut left behind means nothing."""

_SUFFIX = ".sqlite3"

_RETRY_S = 0.02

_TRIES = 40
"""How often what cannot be read is tried again: a disk that fails for a moment is not taken for one
with a bad sector."""

_READING_S = 2.0
"""Seconds for all of these tries."""

_BLOCK_BYTES = 4096

_SHARED_MEMORY = Path("/dev/shm")

log = logging.getLogger(__name__)


def folder_of(path: Path) -> Path:
    """The folder with the games of a journal of this path; the same for a link to that."""
    named = Path(os.path.realpath(path))
    return named.with_suffix("") if named.suffix == _SUFFIX else Path(f"{named}.games")


class NotSynced(OSError):
    """A file could not be synced. The system may have dropped what was written, and not say so."""


class Files:
    """Files in a folder, which is made with the first of them. Every method may raise OSError.

    Args:
        folder: the folder; the one it is in must exist.
        patience_s: seconds to wait for the lock.
    """

    def __init__(self, folder: Path, *, patience_s: float = 5.0) -> None:
        self.folder = folder
        self._patience_s = patience_s
        self._open: dict[str, BinaryIO] = {}
        # Files that have what was not synced: they can only be replaced.
        self._suspect: set[str] = set()

    def names(self, folder: str) -> tuple[str, ...]:
        """The full names of the files in a folder, sorted; none if there is no such folder."""
        try:
            with os.scandir(self.folder / folder) as entries:
                found = sorted(entry.name for entry in entries if entry.is_file())
        except FileNotFoundError:
            return ()
        beginning = f"{folder}/" if folder else ""
        return tuple(beginning + name for name in found if not name.endswith(NEW))

    def size(self, name: str) -> int | None:
        """How many bytes a file has; None if there is none."""
        try:
            return (self.folder / name).stat().st_size
        except FileNotFoundError:
            return None

    def read(self, name: str, start: int = 0, size: int = -1) -> bytes:
        """Bytes of a file, fewer at its end; zeros in place of bad sectors.

        Raises:
            FileNotFoundError: there is none.
            OSError: the disk fails for all of it.
        """
        with _opened(self.folder / name) as file:
            try:
                file.seek(start)
                return file.read(size)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                there = os.fstat(file.fileno()).st_size
                end = there if size < 0 else min(there, start + size)
                log.warning("%s: some of it cannot be read: %s", self.folder / name, error)
                return _read_around(file, start, end)

    def append(self, name: str, data: bytes, *, at: int, sync: bool = True) -> None:
        """Writes bytes behind the first `at` of a file; what was there after those is cut off.

        After an error the file is cut back.

        Raises:
            FileNotFoundError: the file is gone, replaced, or shorter than that.
            NotSynced: nothing in the file may be relied upon.
        """
        if name in self._suspect:
            raise NotSynced(errno.EIO, os.strerror(errno.EIO), name)
        file = self._to_append(name, at)
        try:
            self._write(name, file, data, at)
            if sync:
                self._sync_data(name, file)
        except BaseException as error:
            if isinstance(error, NotSynced):
                self._suspect.add(name)
            with suppress(OSError):
                self._truncate(name, file, at)
                # What is written in its place is synced with it.
                self._suspect.discard(name)
            self._forget(name)
            raise

    def _sync_data(self, name: str, file: BinaryIO) -> None:
        try:
            self._sync(name, file)
        except OSError as error:
            raise NotSynced(error.errno, error.strerror, name) from error

    def _to_append(self, name: str, at: int) -> BinaryIO:
        path = self.folder / name
        # It is not made where it is gone.
        there = path.stat()
        file = self._open.get(name)
        if file is None:
            # One file is appended to at a time, and its second place.
            while len(self._open) > 1:
                self._open.pop(next(iter(self._open))).close()
            file = self._open[name] = open_to_append(path, mode=0o640)
        opened = os.fstat(file.fileno())
        if not os.path.samestat(opened, there) or opened.st_size < at:
            self._forget(name)
            raise FileNotFoundError(2, "another file, or less of it, is there", str(path))
        if opened.st_size > at:
            self._truncate(name, file, at)
        return file

    def make_folder(self, folder: str) -> None:
        """Makes a folder, if it is not there."""
        path = self.folder / folder
        if path.is_dir():
            return
        if folder:
            self.make_folder(_folder_of(folder))
        self._mkdir(folder)
        try:
            self._sync_names(f"{folder}/.." if folder else "..")
        except BaseException:
            # Nobody would sync its name again.
            with suppress(OSError):
                path.rmdir()
            raise

    def is_here(self, name: str, size: int) -> bool:
        """True if a file that was written still has its name, and at least so many bytes."""
        try:
            there = (self.folder / name).stat()
        except FileNotFoundError:
            return False
        file = self._open.get(name)
        same = file is None or os.path.samestat(os.fstat(file.fileno()), there)
        return same and there.st_size >= size

    def replace(
        self, name: str, pieces: Iterable[bytes], *, sync: bool = True, named: bool = True
    ) -> None:
        """Makes a file hold just these bytes, in one step.

        Args:
            name: the file.
            pieces: the bytes.
            sync: whether they are on the disk when it returns.
            named: whether the name is; else a power cut may leave what had it, until another file
                of the folder is named.
        """
        part, folder = name + NEW, _folder_of(name)
        self.make_folder(folder)
        try:
            with self._create(part) as file:
                at = 0
                for piece in pieces:
                    self._write(part, file, piece, at)
                    at += len(piece)
                if sync and at:
                    self._sync(part, file)
            self._forget(name)
            self._rename(part, name)
            self._suspect.discard(name)
        except BaseException:
            with suppress(OSError):
                remove_file(self.folder / part)
            raise
        if named:
            self._sync_names(folder)

    def rename(self, old: str, new: str, *, sync: bool = True) -> None:
        """Gives a file another name in its folder, in place of a file that had it."""
        assert _folder_of(old) == _folder_of(new), "a cut could leave it in both, or in neither"
        self._forget(old)
        self._forget(new)
        self._rename(old, new)
        if sync:
            try:
                self._sync_names(_folder_of(new))
            except OSError:
                # Whoever tries again would find it done, and not sync it.
                with suppress(OSError):
                    self._rename(new, old)
                raise

    def remove(self, name: str, *, sync: bool = True) -> None:
        """Deletes a file, if it is there."""
        self._forget(name)
        if (self.folder / name).exists():
            self._unlink(name)
        # Also if it is gone: that may not have been synced.
        if sync and (self.folder / name).parent.is_dir():
            self._sync_names(_folder_of(name))

    def unfinished(self) -> bool:
        """True if a power cut has left files that were being written."""
        return any(self.folder.rglob(f"*{NEW}"))

    def sweep(self) -> None:
        """Deletes these."""
        for path in tuple(self.folder.rglob(f"*{NEW}")):
            self._unlink(path.relative_to(self.folder).as_posix())

    @contextmanager
    def locked(self, name: str = LOCK) -> Iterator[None]:
        """Keeps other programs from doing the same meanwhile; BlockingIOError if one does."""
        self.make_folder("")
        handle = open_to_lock(self.folder / name)
        if handle is None:
            raise PermissionError(13, os.strerror(13), str(self.folder / name))
        try:
            ends_s = time.monotonic() + self._patience_s
            while True:
                try:
                    system.lock_handle(handle)
                    break
                except BlockingIOError:
                    if time.monotonic() >= ends_s:
                        raise
                time.sleep(_RETRY_S)
            yield
        finally:
            os.close(handle)

    def forget_cached(self, name: str) -> None:
        """Lets what is read next of a file come from the disk, as far as the system can."""
        with suppress(FileNotFoundError), open_to_read(self.folder / name) as file:
            system.forget_cached(file.fileno())

    def _forget(self, name: str) -> None:
        file = self._open.pop(name, None)
        if file is not None:
            file.close()

    def close(self) -> None:
        """Closes what is open; it is opened again when it is needed."""
        for name in tuple(self._open):
            self._forget(name)

    # What is done to the disk, one thing each; tests record these.

    def _mkdir(self, folder: str) -> None:
        path = self.folder / folder
        path.mkdir(mode=0o750, exist_ok=True)
        system.give_to_owner_of(path.parent, path)

    def _create(self, name: str) -> BinaryIO:
        return open_new(self.folder / name, mode=0o640)

    def _write(self, name: str, file: BinaryIO, data: bytes, at: int) -> None:
        if file.write(data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)

    def _truncate(self, name: str, file: BinaryIO, size: int) -> None:
        file.truncate(size)

    def _sync(self, name: str, file: BinaryIO) -> None:
        file.flush()
        system.sync_data(file.fileno())

    def _rename(self, old: str, new: str) -> None:
        rename_file(self.folder / old, self.folder / new)

    def _unlink(self, name: str) -> None:
        remove_file(self.folder / name)

    def _sync_names(self, folder: str) -> None:
        sync_folder(self.folder / folder)


def _folder_of(name: str) -> str:
    """The folder of a file or folder below the journal's; empty for that one."""
    return name.rpartition("/")[0]


def _opened(path: Path) -> BinaryIO:
    """Opens a file to read it; where the disk fails, that is tried again for a while."""
    ends_s, tries = time.monotonic() + _READING_S, _TRIES
    while True:
        try:
            return open_to_read(path)
        except OSError as error:
            tries -= 1
            if error.errno != errno.EIO or tries <= 0 or time.monotonic() >= ends_s:
                raise


def _read_around(file: BinaryIO, start: int, end: int) -> bytes:
    """The bytes legible where the disk fails, zeros in place of the rest; OSError if none are.

    Each block is tried again for a while.
    """
    ends_s, tries = time.monotonic() + _READING_S, _TRIES
    pieces: list[bytes] = []
    failed: OSError | None = None
    at = start
    while at < end:
        wanted = min(_BLOCK_BYTES, end - at)
        try:
            piece = system.read_at(file.fileno(), wanted, at)
        except OSError as error:
            tries -= 1
            if tries > 0 and time.monotonic() < ends_s:
                continue
            failed, piece = error, bytes(wanted)
        pieces.append(piece)
        at += wanted
    if failed is not None and not any(map(any, pieces)):
        raise failed
    return b"".join(pieces)


class MemoryFiles(Files):
    """Files that are gone with this object, in a folder of their own.

    Args:
        files: what is there from the beginning.
    """

    def __init__(self, files: Mapping[str, bytes] = MappingProxyType({})) -> None:
        memory = _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else None
        super().__init__(Path(mkdtemp(prefix="dicetray-", dir=memory)))
        weakref.finalize(self, _forget_all, self.folder, self._open)
        for name, data in files.items():
            self.make_folder(_folder_of(name))
            write_all(self.folder / name, data)


def _forget_all(folder: Path, opened: Mapping[str, BinaryIO]) -> None:
    for file in opened.values():
        file.close()
    rmtree(folder, ignore_errors=True)

"""Sees which files of a checkout are opened, and which folders listed, by whatever program."""

import ctypes
import os
import struct
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

IN_OPEN = 0x20
IN_Q_OVERFLOW = 0x4000
IN_ISDIR = 0x40000000
"""Flags of inotify(7), Linux 6.1."""

_HEADER = struct.Struct("iIII")
_DRAIN_EVERY_S = 0.02


class OpenedFiles:
    """Notes what is opened in some folders while it is in a `with` block, through inotify(7).

    Args:
        root: the checkout.
        folders: those to watch, relative to it; what lies deeper is not watched.

    Attributes:
        paths: the paths of opened files, and of listed folders with a slash at the end, relative
            to the root.
        complete: false if the kernel had to drop events.
    """

    def __init__(self, root: Path, folders: Iterable[str]) -> None:
        self._root = root
        self._folders = sorted(folders)
        self.paths: set[str] = set()
        self.complete = True
        self._watched: dict[int, str] = {}
        self._done = threading.Event()

    def __enter__(self) -> Self:
        """Begins; OSError where inotify cannot watch so many folders."""
        libc = ctypes.CDLL(None, use_errno=True)
        self._fd: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        for folder in self._folders:
            path = os.fsencode(self._root / folder)
            watch = libc.inotify_add_watch(self._fd, path, IN_OPEN)
            if watch < 0:
                error = ctypes.get_errno()
                raise OSError(error, f"inotify: {os.strerror(error)}", os.fsdecode(path))
            self._watched[watch] = folder
        self._thread = threading.Thread(target=self._drain_until_done, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Ends, once everything that has happened is noted."""
        self._done.set()
        self._thread.join()
        self._drain()
        os.close(self._fd)

    def _drain_until_done(self) -> None:
        while not self._done.wait(_DRAIN_EVERY_S):
            self._drain()

    def _drain(self) -> None:
        while True:
            try:
                events = os.read(self._fd, 1 << 20)
            except BlockingIOError:
                return
            at = 0
            while at < len(events):
                watch, mask, _, length = _HEADER.unpack_from(events, at)
                at += _HEADER.size
                name = os.fsdecode(events[at : at + length].rstrip(b"\0"))
                at += length
                self._note(watch, mask, name)

    def _note(self, watch: int, mask: int, name: str) -> None:
        if mask & IN_Q_OVERFLOW:
            self.complete = False
            return
        path = str(Path(self._watched[watch], name))
        self.paths.add(f"{path}/" if mask & IN_ISDIR else path)

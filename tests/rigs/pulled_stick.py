"""A stick that is pulled out while it is used, as vfat of Linux 6.12 shows it.

The folder stays, and lists as empty; no file is there any more, and `statvfs` fails.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_pulls: list["Pull"] = []


class Pull:
    """Pulls a stick out when it was touched so many times: listed, or a file on it opened."""

    def __init__(self, stick: Path, after: int) -> None:
        self._stick, self._left = stick, after
        self.happened = False

    def touch(self, path: object) -> None:
        """Counts, if the path is on the stick."""
        text = str(path).removeprefix("file://")
        if self.happened or not text.startswith(str(self._stick)):
            return
        self._left -= 1
        if self._left < 0:
            self.happened = True
            for there in sorted(self._stick.rglob("*"), reverse=True):
                there.rmdir() if there.is_dir() else there.unlink()

    def statvfs(self, path: str | Path) -> os.statvfs_result:
        """As the system's, until then."""
        if self.happened and Path(path) == self._stick:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return _statvfs(path)


_statvfs = os.statvfs


def _watch(event: str, args: tuple[object, ...]) -> None:
    if _pulls and event in ("open", "os.scandir", "sqlite3.connect"):
        # What it does itself is no use of the stick.
        pull = _pulls.pop()
        try:
            pull.touch(args[0])
        finally:
            _pulls.append(pull)


sys.addaudithook(_watch)


@contextmanager
def pulled_out(stick: Path, *, after: int) -> Iterator[Pull]:
    """Pulls a stick out within, once it was touched so many times."""
    pull = Pull(stick, after)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "statvfs", pull.statvfs)
        _pulls.append(pull)
        try:
            yield pull
        finally:
            _pulls.remove(pull)

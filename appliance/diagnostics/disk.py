"""Checks of the disk and of the games on it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from appliance.diagnostics.base import Finding, Level
from appliance.errors import JournalError
from appliance.journal.reading import reading

LOW_MB = 200
"""Free megabytes below which somebody should know."""

_TOO_LOW_MB = 20
_MB = 1_000_000


def check_disk(
    folder: Path, statvfs: Callable[[Path], os.statvfs_result] = os.statvfs
) -> Iterator[Finding]:
    """Whether the games' folder can be written, and how much room is left."""
    try:
        disk = statvfs(folder)
    except OSError as error:
        text = f"expected the folder {folder}, {error.strerror}"
        advice = "install dicetray again, or correct `journal` in the configuration"
        yield Finding("disk", Level.WRONG, text, advice)
        return
    free = disk.f_bavail * disk.f_frsize // _MB
    level = Level.WRONG
    if disk.f_flag & os.ST_RDONLY:
        text = f"{folder} is on a disk that can only be read"
        advice = (
            "a worn card does that: save the games with `dicetray games export`, use a new card"
        )
    elif not os.access(folder, os.W_OK):
        level, text = Level.NOTE, f"{folder} cannot be written by this user; {free} MB are free"
        advice = "run doctor as the service's user: sudo -u dicetray dicetray doctor"
    elif free < _TOO_LOW_MB:
        text, advice = f"{free} MB are free, too few to save games", "delete files"
    elif free < LOW_MB:
        level, text, advice = Level.NOTE, f"{free} MB are free", "delete files before it is full"
    else:
        level, text, advice = Level.OK, f"{folder}, {free} MB are free", ""
    yield Finding("disk", level, text, advice)


def check_journal(path: Path) -> Iterator[Finding]:
    """Whether the games on disk are whole."""
    if not path.exists():
        yield Finding("games", Level.NOTE, f"{path} is not there; the first game makes it")
        return
    try:
        with reading(path) as (journal, salvage):
            last = journal.last()
            for _ in journal.games():
                pass
    except JournalError as error:
        yield Finding("games", Level.WRONG, error.found, error.advice)
        return
    if salvage is not None:
        text = f"{path} is damaged: {salvage.fault}"
        advice = "restart the service: it keeps the damaged file and saves what can be read"
        yield Finding("games", Level.WRONG, text, advice)
    else:
        yield Finding("games", Level.OK, f"{path}, {last.id if last else 0} games, all whole")

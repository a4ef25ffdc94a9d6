"""The games of a file that is only read: on a card that is worn, while the appliance plays."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from appliance.errors import JournalError
from appliance.journal.database import Journal
from appliance.journal.recovery import BESIDE, Salvage, beside, fault_of, open_or_salvage

_MEMORY = Path("/dev/shm")
"""Where there is room whatever the disks are like."""

_SMALL_BYTES = 50_000_000
_MOST_BYTES = 1_000_000_000
"""Bytes of a file that are copied into memory, and at all: more than all games of a life."""

_LOG = "-wal"


@contextmanager
def reading(path: Path) -> Iterator[tuple[Journal, Salvage | None]]:
    """The games of a file; nothing is written to the file, nor made beside it.

    Where nobody plays they are read from a copy in memory, since SQLite has to write to make out
    what is in its log. A copy of an earlier version is brought to this one, a damaged one salvaged;
    single games that cannot be read are left as they are.

    Yields:
        The journal, and what was done about a damaged one.

    Raises:
        JournalError: the file cannot be read, or is of a later version.
    """
    with ExitStack() as stack:
        live = _live(path)
        journal, salvage = _copied(path, stack) if live is None else (live, None)
        stack.enter_context(journal)
        yield journal, salvage


def _live(path: Path) -> Journal | None:
    """The journal that is being played with; None if it is not, or cannot be read like that."""
    played = all(beside(path, suffix).is_file() for suffix in BESIDE)
    return _sound(path, read_only=True) if played else None


def _sound(path: Path, *, read_only: bool = False) -> Journal | None:
    """A journal whose games can be told one from the other; None if it must be salvaged."""
    if fault_of(path, read_only=read_only, rows=False):
        return None
    with suppress(JournalError), ExitStack() as stack:
        journal = stack.enter_context(Journal(path, read_only=read_only))
        journal.entries()
        stack.pop_all()
        return journal
    return None


def _copied(path: Path, stack: ExitStack) -> tuple[Journal, Salvage | None]:
    try:
        size = path.stat().st_size
        if size > _MOST_BYTES:
            raise OSError(errno.EFBIG, f"Larger than {_MOST_BYTES} bytes")
        small = size <= _SMALL_BYTES and _MEMORY.is_dir()
        folder = TemporaryDirectory(dir=_MEMORY if small else None)
        copy = Path(stack.enter_context(folder)) / path.name
        for suffix in ("", _LOG):
            if not suffix or beside(path, suffix).is_file():
                shutil.copyfile(beside(path, suffix), beside(copy, suffix))
    except OSError as error:
        raise JournalError(
            f"{path}: expected games that can be read, found: {error.strerror}",
            "ask as their owner: sudo -u dicetray dicetray ...",
        ) from error
    journal = _sound(copy)
    return open_or_salvage(copy) if journal is None else (journal, None)

"""Reads the games of a journal; nothing is written, whoever reads, and whoever plays meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance.journal.files import folder_of
from appliance.journal.journal import Journal


def has_games(path: Path) -> bool:
    """Whether there is a journal of this path; OSError if that cannot be found out."""
    return path.is_file() or folder_of(path).is_dir()


def files_of(path: Path) -> Iterator[Path]:
    """Every file that holds something of a journal of this path; OSError if one cannot be found."""
    yield path
    yield from (file for file in folder_of(path).rglob("*") if file.is_file())


@contextmanager
def reading(path: Path) -> Iterator[Journal]:
    """The games of a journal, also of an earlier version.

    Raises:
        StrangeJournal: it is of a later version, or no ordinary file.
        JournalError: the games cannot be read.
    """
    with Journal(path, read_only=True) as journal:
        yield journal

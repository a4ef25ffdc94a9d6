"""Reads the games of a journal; nothing is written, whoever reads, and whoever plays meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance.journal.journal import Journal, folder_of


def has_games(path: Path) -> bool:
    """Whether there is a journal of this path; OSError if that cannot be found out."""
    return path.is_file() or folder_of(path).is_dir()


@contextmanager
def reading(path: Path) -> Iterator[Journal]:
    """The games of a journal, also of an earlier version.

    Raises:
        StrangeJournal: it is of a later version, or no ordinary file.
        JournalError: the games cannot be read.
    """
    with Journal(path, read_only=True) as journal:
        yield journal

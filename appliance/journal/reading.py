"""Reads the games of a journal; nothing is written, whoever reads, and whoever plays meanwhile."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.files import MemoryFiles, folder_of
from appliance.journal.journal import Journal
from appliance.journal.old_journal import Kind, kind_of
from appliance.journal.reader import JournalReader
from appliance.journal.taking_in import read_into
from appliance.journal.twin import SECOND


def has_games(path: Path) -> bool:
    """True if there is a journal of this path; OSError if that cannot be found out."""
    return path.is_file() or folder_of(path).is_dir()


def files_of(path: Path) -> Iterator[Path]:
    """Every file that holds something of a journal of this path; OSError if one cannot be found."""
    yield path
    yield from (file for file in folder_of(path).rglob("*") if file.is_file())


class _FirstPlaces(MemoryFiles):
    """Files in memory, without their second places: what is read there is on the disk anyway."""

    def replace(
        self, name: str, pieces: Iterable[bytes], *, sync: bool = True, named: bool = True
    ) -> None:
        """See `Files`."""
        if not name.startswith(SECOND):
            super().replace(name, pieces)

    def rename(self, old: str, new: str, *, sync: bool = True) -> None:
        """See `Files`."""
        if not old.startswith(SECOND):
            super().rename(old, new)


@contextmanager
def reading(path: Path) -> Iterator[JournalReader]:
    """The games of a journal, also of an earlier version.

    Raises:
        StrangeJournal: it is of a later version, or no ordinary file.
        JournalError: the games cannot be read.
    """
    if kind_of(path) not in (Kind.OLD, Kind.RUIN):
        with JournalReader(path) as reader:
            yield reader
        return
    with Journal(path, files=_FirstPlaces()) as journal:
        done = read_into(journal, path)
        if not done.games and done.wrong:
            raise JournalError(f"{path}: the games cannot be read: {done.wrong[0]}")
        yield journal

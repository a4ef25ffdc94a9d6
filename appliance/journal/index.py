"""Counts of games, kept in a SQLite database so that nothing need be counted again.

It may be lost, damaged or behind at any time: what it lacks is counted from the games' own files.
Only whoever plays writes it, and never syncs it. It has a row for each file with games, which is of
use as long as size and last checksum of the file are those in it; each row has checksums itself, as
SQLite has none.

The database has the journal's own path, where earlier versions have their games. Its version tells
them that they cannot play with it.
"""

import json
import logging
import sqlite3
import zlib
from collections.abc import Container, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.journal.old_journal import INDEX_TABLE, INDEX_VERSION
from appliance.journal.summary import Counted, Summary
from appliance.journal.totals import Totals
from vision.files import system
from vision.files.ordinary import open_to_append, remove_file

log = logging.getLogger(__name__)

_TABLES = f"""
BEGIN IMMEDIATE;
PRAGMA user_version = {INDEX_VERSION};
CREATE TABLE IF NOT EXISTS games
    (id, game, edition, players, options, version, ended, opened, sum);
CREATE TABLE IF NOT EXISTS {INDEX_TABLE} (
    file TEXT PRIMARY KEY, size INTEGER, last INTEGER, keys TEXT, totals TEXT, games TEXT,
    sum INTEGER, games_sum INTEGER
) WITHOUT ROWID;
COMMIT
"""
"""All at once, as another process would take half of it for damage. The first table stays empty: by
it earlier versions see that it is a journal of a later one."""

_NONE = "-"
"""In place of an identity that nobody knows."""

_READING_PATIENCE_S = 2.0

_LONGEST = 10_000_000
"""Bytes: more than any row has, whatever a damaged one says."""

_WRONG = sqlite3.Error, UnicodeError
"""SQLite's message about a damaged database may have bytes of it."""

_NO_DAMAGE = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM,
    )
)


@dataclass(frozen=True, slots=True)
class Row:
    """The counts of the games in a file.

    Attributes:
        file: the file.
        size: how many bytes it had.
        last: the checksum of its last line.
        keys: the number and the identity of each game, with spaces between them.
        totals: what is counted of them all, as `Totals` has it as text.
        games: what else is known of each game, as JSON; empty if it was not asked for.
    """

    file: str
    size: int
    last: int
    keys: str = ""
    totals: str = "[]"
    games: str = "[]"

    @property
    def sums(self) -> tuple[int, int]:
        """The checksums of all but the games, and of all of it."""
        head = repr((self.file, self.size, self.last, self.keys, self.totals))
        first = zlib.crc32(head.encode("utf-8", "surrogatepass"))
        return first, zlib.crc32(self.games.encode("utf-8", "surrogatepass"), first)

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the games."""
        return frozenset(map(int, self.keys.split()[::2]))

    def has_any(self, keys: Container[str]) -> bool:
        """True if it has games of these numbers or identities."""
        return any(key in keys for key in self.keys.split())

    def summaries(self) -> Iterator[Summary]:
        """The games."""
        keys = self.keys.split()
        for number, identity, rest in zip(
            keys[::2], keys[1::2], json.loads(self.games), strict=True
        ):
            yield Summary._make((int(number), identity.strip(_NONE), *rest))

    def grown(self, size: int, last: int, games: Iterable[Counted]) -> "Row":
        """The row of a file to which these games were appended."""
        keys, totals = self.keys.split(), Totals()
        totals.add(self.totals)
        rests = json.loads(self.games)
        for counted in games:
            number, identity, *rest = counted[0]
            keys += str(number), identity or _NONE
            rests.append(rest)
            totals.count(counted)
        compact = json.dumps(rests, separators=(",", ":"))
        return Row(self.file, size, last, " ".join(keys), totals.text, compact)


class Index:
    """An index on a disk. It raises nothing: what cannot be read or written is left alone.

    Args:
        path: the database.
        read_only: nothing is written. Else it is made anew once it is found damaged.
    """

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self._path = path
        self._read_only = read_only

    def rows(self, *, games: bool = True, file: str | None = None) -> dict[str, Row]:
        """The counts of each file, by its name.

        Args:
            games: whether what is known of each game is asked for, not only what they add up to.
            file: the only file that is asked for.
        """
        columns = "file, size, last, keys, totals, sum, games_sum" + ", games" * games
        query = f"SELECT {columns} FROM {INDEX_TABLE}"
        found = (
            self._read(query) if file is None else self._read(f"{query} WHERE file = ?", (file,))
        )
        rows = [row for values in found if (row := _row_of(values)) is not None]
        if len(rows) < len(found):
            self._drop(ValueError("a row is not as it was written"))
        return {row.file: row for row in rows}

    def _read(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        try:
            # What a killed program has left half written can only be undone by who may write.
            mode = "ro" if self._read_only else "rw"
            with closing(_opened(self._path, mode, _READING_PATIENCE_S)) as base:
                return base.execute(query, values).fetchall() if _is_index(base) else []
        except _WRONG as error:
            self._drop(error)
            return []

    def write(self, row: Row) -> None:
        """Keeps a row, in place of the one before about the same file."""
        values = row.file, row.size, row.last, row.keys, row.totals, row.games, *row.sums
        self._change(
            f"INSERT OR REPLACE INTO {INDEX_TABLE} VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values
        )

    def forget(self, file: str) -> None:
        """Forgets what is counted of a file."""
        self._change(f"DELETE FROM {INDEX_TABLE} WHERE file = ?", (file,))

    def _change(self, query: str, values: tuple[object, ...]) -> None:
        if self._read_only:
            return
        try:
            if not self._path.exists():
                # Names of players are nobody else's business.
                open_to_append(self._path, mode=0o640).close()
                system.give_to_owner_of(self._path.parent, self._path)
            with closing(_opened(self._path, "rw", 0.0)) as base, base:
                # A power cut may damage it; waiting for the disk would keep the players waiting.
                base.execute("PRAGMA synchronous = OFF")
                if not base.execute("SELECT 1 FROM sqlite_schema").fetchone():
                    base.executescript(_TABLES)
                if _is_index(base):
                    base.execute(query, values)
        except _WRONG as error:
            self._drop(error)
        except OSError as error:
            log.warning("%s: the index cannot be written: %s", self._path, error)

    def _drop(self, error: Exception) -> None:
        """Deletes a damaged index; a locked one, or one on a full disk, stays."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        if self._read_only or code & 0xFF in _NO_DAMAGE:
            return
        log.warning("%s: the index is made anew: %s", self._path, error)
        for suffix in ("-journal", ""):
            with suppress(OSError):
                remove_file(self._path.with_name(self._path.name + suffix))


def _opened(path: Path, mode: str, patience_s: float) -> sqlite3.Connection:
    """The database for a short while; nothing else of this program has the file open meanwhile."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    base = sqlite3.connect(uri, uri=True, timeout=patience_s)
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    return base


def _is_index(base: sqlite3.Connection) -> bool:
    """True for an index, and not for an earlier version's journal that somebody has put there."""
    names = {name for (name,) in base.execute("SELECT name FROM sqlite_schema")}
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if names and (INDEX_TABLE in names) != (version == INDEX_VERSION):
        raise sqlite3.DatabaseError(f"expected an index, found {names!a} of version {version}")
    return INDEX_TABLE in names


def empty_index() -> bytes:
    """An index of no games, as it is in its file."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(_TABLES)
        return base.serialize()


def _row_of(values: tuple[Any, ...]) -> Row | None:
    """The row of these columns, without games if it was read without; None for a wrong checksum."""
    file, size, last, keys, totals, first, second, *games = values
    try:
        row = Row(file, size, last, keys, totals, *(games or ("",)))
        sums = row.sums
    except (TypeError, AttributeError, UnicodeError):
        return None
    return row if sums[0] == first and (not games or sums[1] == second) else None

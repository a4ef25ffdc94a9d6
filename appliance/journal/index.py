"""What is counted of games, kept in a SQLite database so that it need not be counted again.

It may be lost, damaged or behind at any time: what it lacks is counted from the games' own files.
Only whoever plays writes it, and never syncs it. Each row has checksums, as SQLite has none: a row
stands for the games in some bytes of a file, so that games are missing in it and not unseen.

The database has the journal's own path, where earlier versions have their games. Its version tells
them that they cannot play with it.
"""

import json
import logging
import sqlite3
import zlib
from collections.abc import Container, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.journal.old_journal import INDEX_TABLE, INDEX_VERSION
from appliance.journal.summary import Counted, Summary
from appliance.journal.totals import Totals
from vision import system
from vision.ordinary import open_to_append, remove_file

log = logging.getLogger(__name__)


MOST_GAMES = 50
"""Games in a row: few rows to read, and few bytes to write when a game has ended."""

_TABLES = f"""
PRAGMA user_version = {INDEX_VERSION};
CREATE TABLE games (id, game, edition, players, options, version, ended, opened, sum);
CREATE TABLE {INDEX_TABLE} (
    file TEXT, written INTEGER, start INTEGER, end INTEGER, lowest INTEGER, highest INTEGER,
    sum INTEGER, games_sum INTEGER, keys TEXT, totals TEXT, games TEXT, PRIMARY KEY (file, start)
) WITHOUT ROWID
"""
"""The first table stays empty: by it earlier versions see that it is a journal of a later one."""

_COLUMNS = "file, written, start, end, lowest, highest, sum, games_sum, keys, totals"

_MOST = 2**63
"""Greater than any number that SQLite has."""

_READING_PATIENCE_S = 2.0

_LONGEST = 10_000_000
"""Bytes: more than any row has, whatever a damaged one says."""

_WRONG = sqlite3.Error, UnicodeError
"""What SQLite says of a damaged database may have bytes of it."""

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
class Span:
    """What is counted of some games that stand one behind the other in a file.

    Attributes:
        file: the file.
        written: says which version of the file this is about.
        start: the first byte of these games.
        end: the byte behind them.
        lowest: the least of their numbers.
        highest: the greatest.
        keys: the number and the identity of each game, with spaces between them.
        totals: what is counted of them all, as `Totals` has it as text.
        games: what else is known of each game, as JSON; empty if it was not asked for.
    """

    file: str
    written: int
    start: int
    end: int
    lowest: int
    highest: int
    keys: str
    totals: str
    games: str = ""

    @property
    def sums(self) -> tuple[int, int]:
        """The checksums of all but the games, and of all of it."""
        head = (self.file, self.written, self.start, self.end, self.lowest, self.highest)
        first = zlib.crc32(repr((head, self.keys, self.totals)).encode("utf-8", "surrogatepass"))
        return first, zlib.crc32(self.games.encode("utf-8", "surrogatepass"), first)

    def has_any(self, keys: Container[str]) -> bool:
        """Whether it has games of these numbers or identities."""
        return any(key in keys for key in self.keys.split(" "))

    def summaries(self) -> Iterator[Summary]:
        """The games."""
        keys = self.keys.split(" ")
        for number, identity, (_, rest) in zip(
            keys[::2], keys[1::2], json.loads(self.games), strict=True
        ):
            yield Summary._make((int(number), identity, *rest))

    def places(self) -> dict[int, int]:
        """Where each game stands, by its number."""
        numbers = map(int, self.keys.split(" ")[::2])
        return dict(zip(numbers, (at for at, _ in json.loads(self.games)), strict=True))


@dataclass(slots=True)
class Growing:
    """A span that grows by a game at a time."""

    file: str
    written: int
    start: int
    end: int
    games: list[tuple[int, list[object]]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    totals: Totals = field(default_factory=Totals)

    @classmethod
    def of(cls, span: Span) -> "Growing":
        """One that begins with a span."""
        games = json.loads(span.games or "[]")
        grown = cls(span.file, span.written, span.start, span.end, games)
        grown.keys = span.keys.split(" ")
        grown.totals.add(span.totals)
        return grown

    def add(self, counted: Counted, end: int) -> None:
        """Adds the game that stands behind the others."""
        number, identity, *rest = counted[0]
        self.games.append((self.end, rest))
        self.keys += (str(number), identity)
        self.totals.count(counted)
        self.end = end

    @property
    def full(self) -> bool:
        """Whether the next game belongs into another span, or its own games are not known."""
        return len(self.games) >= MOST_GAMES or not self.games

    @property
    def span(self) -> Span:
        """What it has grown to; it has games."""
        numbers = [int(key) for key in self.keys[::2]]
        games = json.dumps(self.games, separators=(",", ":"))
        keys, totals = " ".join(self.keys), self.totals.text
        ends = min(numbers), max(numbers)
        return Span(self.file, self.written, self.start, self.end, *ends, keys, totals, games)


class Index:
    """An index on a disk. It raises nothing: what cannot be read or written is left alone.

    Args:
        path: the database.
        read_only: nothing is written. Else it is made anew once it is found damaged.
    """

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self._path = path
        self._read_only = read_only

    def spans(self, file: str, *, games: bool = True) -> list[Span]:
        """What is counted of the games in a file, in the order in which they stand there.

        Args:
            file: the file.
            games: whether the games of each span are asked for, not only what they add up to.
        """
        return self._find("file = ? ORDER BY start", (file,), games=games)

    def spans_below(self, folder: str, *, games: bool = True) -> dict[str, Span]:
        """What is counted of files with one game each, by the file; see `spans`."""
        found = self._find("file BETWEEN ? AND ?", (f"{folder}/", f"{folder}/~"), games=games)
        return {span.file: span for span in found}

    def with_number(self, number: int) -> list[Span]:
        """The spans that may have the game of a number."""
        known = "lowest <= ? AND highest >= ?"
        return self._find(known, (number, number), games=True) if number < _MOST else []

    def files(self) -> frozenset[str]:
        """The files of which something is counted."""
        return frozenset(
            str(file) for (file,) in self._read(f"SELECT DISTINCT file FROM {INDEX_TABLE}")
        )

    def _find(self, where: str, values: Sequence[object], *, games: bool) -> list[Span]:
        columns = f"{_COLUMNS}, games" if games else _COLUMNS
        # What varies is given as values.
        rows = self._read(f"SELECT {columns} FROM {INDEX_TABLE} WHERE {where}", values)
        found = [span for row in rows if (span := _span_of(row)) is not None]
        if len(found) < len(rows):
            self._drop(ValueError("a row is not as it was written"))
        return found

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
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

    def write(self, span: Span) -> None:
        """Keeps a span, in place of one that begins at the same byte."""
        values = ", ".join("?" * len(_row_of(span)))
        self._change(f"INSERT OR REPLACE INTO {INDEX_TABLE} VALUES ({values})", _row_of(span))

    def forget(self, file: str, written: int | None = None) -> None:
        """Forgets what is counted of a file, or of all its other versions."""
        self._change(
            f"DELETE FROM {INDEX_TABLE} WHERE file = ? AND written IS NOT ?", (file, written)
        )

    def _change(self, query: str, values: Sequence[object]) -> None:
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
    """Whether it is an index, and no journal of an earlier version that somebody has put there."""
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


def _row_of(span: Span) -> tuple[object, ...]:
    head = (span.file, span.written, span.start, span.end, span.lowest, span.highest)
    return (*head, *span.sums, span.keys, span.totals, span.games)


def _span_of(row: tuple[Any, ...]) -> Span | None:
    """The span of a row, without games if the row was read without; None if a checksum is wrong."""
    try:
        span = Span(*row[:6], *row[8:])
        first, second = span.sums
    except (TypeError, AttributeError, UnicodeError):
        return None
    whole = first == row[6] and (second == row[7] or not span.games)
    return span if whole else None

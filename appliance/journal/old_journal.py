"""Games as earlier versions kept them: in a SQLite database, read by SQLite alone.

Its tables had three versions, which differ in the columns that they lack:

    games: id, game, edition, players, options, version, ended, opened (since 2), sum (since 3)
    lines: game, seq, text, sum (since 3)
    settings (since 2): name, text, sum (since 3)

`sum` is a checksum: that of a line continues the one before it, and covers all lines of its game up
to it. Rows of earlier versions have none. Files from sticks may have been prepared by anybody:
nothing that is stored in them is run, and each query only goes on while its rows do
(https://www.sqlite.org/security.html).
"""

import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from enum import Enum, auto
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from appliance.alerts import Alert
from appliance.errors import JournalError, StrangeJournal
from appliance.journal.files import folder_of
from appliance.journal.lock import refuse_strange
from appliance.journal.saved_game import Options, SavedGame
from vision.ordinary import copy_file, open_to_read

INDEX_VERSION = 4
"""The `user_version` of the index that lies where the old games were; these have less."""

INDEX_TABLE = "spans"
"""The table of the index of this version."""

OPENING = 24
"""Lines that tell a game from all others: the rolls of some eight turns, or a seed."""

_COLUMNS = {
    "games": ("id", "game", "edition", "players", "options", "version", "ended", "opened", "sum"),
    "lines": ("game", "seq", "text", "sum"),
    "settings": ("name", "text", "sum"),
}
_KEYS = {"games": ("id",), "lines": ("game", "seq"), "settings": ("name",)}
_OLDEST = {"games": 7, "lines": 3, "settings": 2}
"""How many of the columns the first version had."""

_LONGEST = 100_000
"""Bytes: more than any value of ours has."""

_LARGEST_GAME = 10_000_000
"""Bytes: more than the lines of any game have."""

_MOST_GAPS = 10_000
"""Games that cannot be read, from each of which on others are looked for."""

_READINGS = 8
"""How often a file may be read by whoever has opened it, and steps of SQLite's for each byte."""

_MOST_WRONG = 1000

_STEPS_AT_ONCE = 100_000
_LOST = "\N{REPLACEMENT CHARACTER}"
"""Replaces bytes that are not text."""


def identity_of_old(game: str, options: Options, lines: Sequence[str], twin: int = 0) -> str:
    """The identity of a game that has none, from its content: the same in every journal and copy.

    Names and number do not count. A game with fewer lines than `OPENING` has another one when it
    has more: see `begins`.

    Args:
        game: which game.
        options: sorted by name.
        lines: its log, oldest first; `OPENING` of them are enough.
        twin: how many games of its journal with the same content come before it.
    """
    content = json.dumps([game, options, lines[:OPENING], *([twin] if twin else ())])
    return sha256(content.encode()).hexdigest()[:32]


def identities_when_shorter(saved: SavedGame) -> tuple[str, ...]:
    """The identities that a game would have had with fewer lines, from none to `OPENING`."""
    lines = range(min(OPENING, len(saved.lines)) + 1)
    return tuple(identity_of_old(saved.game, saved.options, saved.lines[:n]) for n in lines)


def old_identities(saved: SavedGame) -> tuple[str, ...]:
    """The same, if the game is one of an old journal; none if not."""
    shorter = identities_when_shorter(saved)
    return shorter if saved.identity in shorter else ()


def marks_of(saved: SavedGame) -> tuple[str, ...]:
    """The identities that a deleted game is known by: its own, and those of older copies of it.

    Not those of the first few lines, which another game may have, too.
    """
    return (saved.identity, *old_identities(saved)[OPENING // 3 :])


def begins(one: SavedGame, other: SavedGame) -> bool:
    """Whether a game is the other one, at an earlier time or the same."""
    same = (one.game, one.options) == (other.game, other.options)
    return same and other.lines[: len(one.lines)] == one.lines


class Kind(Enum):
    """What lies at the path of a journal."""

    NOTHING = auto()
    INDEX = auto()
    """An index of the games in the folder, or what is left of one."""

    OLD = auto()
    RUIN = auto()
    """What is left of old games: no database, or none that opens."""


def kind_of(path: Path) -> Kind:
    """What lies at the path of a journal.

    Raises:
        StrangeJournal: something of a later version, of another program, or no ordinary file.
        JournalError: it cannot be read.
    """
    refuse_strange(path)
    try:
        if path.stat().st_size:
            with OldJournal(path) as old:
                return Kind.INDEX if old.is_index else Kind.OLD
    except FileNotFoundError:
        return Kind.NOTHING
    except OSError as error:
        if isinstance(error, Ruined):
            return _ruin_of(path)
        if isinstance(error, JournalError):
            raise
        raise _unreadable(path, error) from error
    return _ruin_of(path)


def _ruin_of(path: Path) -> Kind:
    """What a file was that is no database any more: where there are games, mostly their index."""
    games = any((folder_of(path) / name).is_dir() for name in ("going", "packs"))
    with open_to_read(path) as file:
        # Only old games are full of throws.
        return Kind.INDEX if games and b"roll " not in file.read(1 << 20) else Kind.RUIN


class Ruined(JournalError):
    """A file that is no database, or none that opens."""

    @property
    def damaged(self) -> bool:
        """Waiting will not mend it."""
        return True


def _unreadable(path: Path, error: Exception) -> JournalError:
    text = getattr(error, "strerror", None) or error
    return JournalError(
        f"{path}: the games cannot be read: {text}",
        "run it as their owner: sudo -u dicetray dicetray ...",
    )


class OldJournal:
    """Reads the games of an old journal, game by game; nothing is written to it.

    SQLite merges what is in its log beside the file, as far as that is whole.

    Args:
        path: the file.
        alone: it is on a stick, where nothing may be made beside it.

    Attributes:
        version: that of its tables.
        is_index: whether it is no old journal, but the index of this version.
        wrong: what was found damaged so far, a sentence each.

    Raises:
        StrangeJournal: it is of a later version, or of another program.
        Ruined: it is no database, or nothing in it can be found.
        JournalError: it cannot be read.
    """

    def __init__(self, path: Path, *, alone: bool = False) -> None:
        self._path = path
        self.wrong: list[str] = []
        self._copies = ExitStack()
        with self._raising_journal_errors():
            name = _uri(path, alone, self._copies)
            self._db = sqlite3.connect(name, isolation_level=None, uri=True)
        try:
            with self._raising_journal_errors():
                self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        db, log = self._db, _beside(self._path, "-wal")
        size = self._path.stat().st_size + (log.stat().st_size if log.exists() else 0)
        db.text_factory = lambda raw: raw.decode(errors="replace")
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        db.execute("PRAGMA trusted_schema=OFF")
        db.execute("PRAGMA cell_size_check=ON")
        db.execute("PRAGMA cache_size=-2000")
        self._left = _READINGS * size
        # Each byte is worth a step or two, as each row is read at most twice.
        most = 100 + _READINGS * size // _STEPS_AT_ONCE
        steps = count()
        db.set_progress_handler(lambda: next(steps) > most, _STEPS_AT_ONCE)
        (version,) = db.execute("PRAGMA user_version").fetchone()
        self.version = int(version)
        tables = self._tables()
        # The name of its table, too, in case that damage has changed the version.
        self.is_index = INDEX_TABLE in tables or (
            self.version == INDEX_VERSION and "lines" not in tables
        )
        if not self.is_index:
            self._refuse_strange(tables)
        self._columns = {name: tables[name] for name in _COLUMNS if name in tables}
        if self.version <= 0 and tables:
            self.wrong.append("its version is lost")

    def _tables(self) -> dict[str, tuple[str, ...]]:
        """The columns of each table."""
        query = "SELECT name FROM sqlite_master WHERE type='table'"
        names = [str(name) for (name,) in self._db.execute(query)]
        rows = "SELECT name FROM pragma_table_xinfo(?) WHERE NOT hidden ORDER BY cid"
        return {name: tuple(c for (c,) in self._db.execute(rows, (name,))) for name in names}

    def _refuse_strange(self, tables: Mapping[str, Sequence[str]]) -> None:
        query = "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger')"
        foreign = [f"{kind} {name!a}" for kind, name in self._db.execute(query)]
        ours = sum(c in tables.get(name, ()) for name, all_ in _COLUMNS.items() for c in all_)
        # Damage may have changed the names of one or two.
        if tables and ours < 7:
            foreign += map(ascii, tables)
        if foreign:
            raise StrangeJournal(
                f"{self._path}: this is not a journal, it has another program's tables: "
                f"{', '.join(sorted(foreign))}",
                "name another file as `journal` under [games], or move this one away",
                Alert.GAMES_FOREIGN,
            )
        if self.version > INDEX_VERSION:
            raise StrangeJournal(
                f"{self._path}: expected a journal of version {INDEX_VERSION} or less, found "
                f"version {self.version}",
                "install the dicetray that wrote it, or move the file away to begin a new one",
                Alert.GAMES_NEWER,
            )
        for name, columns in tables.items():
            if name in _COLUMNS and not self._is_ours(name, columns):
                raise Ruined(f"{self._path}: the table {name} is not what was written")

    def _is_ours(self, name: str, columns: Sequence[str]) -> bool:
        """Whether a table has our columns and our key, so that its rows come in order."""
        query = "SELECT name FROM pragma_table_xinfo(?) WHERE pk ORDER BY pk"
        keys = tuple(key for (key,) in self._db.execute(query, (name,)))
        kind = "SELECT type, wr FROM pragma_table_list WHERE name=? AND schema='main'"
        found = self._db.execute(kind, (name,)).fetchall()
        least = _OLDEST[name]
        ours = {*columns} <= {*_COLUMNS[name]} and {*columns} >= {*_COLUMNS[name][:least]}
        return ours and keys == _KEYS[name] and found == [("table", int(name != "games"))]

    @contextmanager
    def _raising_journal_errors(self) -> Iterator[None]:
        try:
            yield
        except JournalError:
            raise
        except OSError as error:
            raise _unreadable(self._path, error) from error
        except (sqlite3.Error, UnicodeDecodeError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
            if code in damage or isinstance(error, UnicodeDecodeError):
                raise Ruined(f"{self._path}: the games cannot be read: {error}") from error
            raise _unreadable(self._path, error) from error

    def check(self) -> None:
        """Has SQLite check the whole file; what it finds is `wrong`."""
        with self._noting("the file"):
            for (text,) in self._db.execute("PRAGMA quick_check(1)"):
                if text != "ok":
                    self.wrong.append(str(text).partition("\n")[0])

    @contextmanager
    def _noting(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM):
                raise _unreadable(self._path, error) from error
            if len(self.wrong) < _MOST_WRONG:
                self.wrong.append(f"{what} cannot be read: {error}")

    def settings(self) -> dict[str, str]:
        """What is remembered, by name; what is damaged of it is left out."""
        found: dict[str, str] = {}
        if "settings" in self._columns:
            with self._noting("a setting"):
                for name, text, stored in self._db.execute(
                    f"SELECT {self._names('settings')} FROM settings"
                ):
                    if name in found:
                        raise sqlite3.DatabaseError("settings are not in order")
                    self._count(len(str(text)))
                    if _has_its_sum(stored, name, text):
                        found[str(name)] = str(text)
                    else:
                        self.wrong.append("a setting is not what was written")
        return found

    def _names(self, table: str) -> str:
        """The columns of a table for a query, with what an earlier version has in their place."""
        there = self._columns[table]
        other = {"opened": "id", "sum": "NULL"}
        return ", ".join(name if name in there else other[name] for name in _COLUMNS[table])

    def numbers(self) -> list[int]:
        """The numbers of all games that are found, in order."""
        found: list[int] = []
        if "games" not in self._columns:
            return found
        start, top = 0, self._top()
        for _ in range(_MOST_GAPS):
            # Behind a damaged page there are others.
            if start > top or self._find_numbers(start, found):
                break
            start = max([start, *found[-1:]]) + 1
        return found

    def _find_numbers(self, start: int, found: list[int]) -> bool:
        """Appends the numbers of games from one on; whether the last was reached."""
        last = start - 1
        with self._noting("a game"):
            for (number,) in self._db.execute("SELECT id FROM games WHERE id>=?", (start,)):
                if number <= last:
                    raise sqlite3.DatabaseError("games are not in order")
                found.append(number)
                last = number
            start = -1
        return start < 0

    def _top(self) -> int:
        """The greatest number that a game or its lines have, as far as that can be told."""
        tops = [0]
        for query in ("SELECT max(id) FROM games", "SELECT max(game) FROM lines"):
            with self._noting("the last game"):
                tops += (min(n or 0, 10**6) for (n,) in self._db.execute(query))
        return max(tops)

    def games(self, numbers: Iterable[int] | None = None) -> Iterator[tuple[int, SavedGame]]:
        """All games in the order of their numbers, each with how often one had been opened then.

        What is damaged is left out, or not counted; then `wrong` says so.
        """
        twins: Counter[str] = Counter()
        for number in self.numbers() if numbers is None else numbers:
            found = self.game(number)
            if found is not None:
                opened, saved = found
                twin = twins[saved.identity]
                twins[saved.identity] += 1
                identity = identity_of_old(saved.game, saved.options, saved.lines, twin)
                yield opened, replace(saved, identity=identity)

    def game(self, number: int) -> tuple[int, SavedGame] | None:
        """A game, and how often one had been opened; None if there is none that can be read."""
        with self._noting(f"game {number}"):
            self._count(0)
            query = f"SELECT {self._names('games')} FROM games WHERE id=?"
            for row in self._db.execute(query, (number,)):
                *values, stored = row
                if not _has_its_sum(stored, *values):
                    self.wrong.append(f"game {number} is not what was written")
                saved = _parsed(values)
                if saved is None:
                    self.wrong.append(f"game {number} has no names or options")
                    return None
                lines, uncounted = self._lines(number)
                identity = identity_of_old(saved.game, saved.options, lines)
                opened = values[-1] if isinstance(values[-1], int) else 0
                return opened, replace(saved, lines=lines, uncounted=uncounted, identity=identity)
        return None

    def _lines(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The lines of a game that are what was written, and those behind."""
        texts: list[str] = []
        behind: list[str] = []
        last, size = -1, 0
        before, known = zlib.crc32(f"game {number}".encode()), 0
        with self._noting(f"the rest of game {number}"):
            query = "SELECT seq, CAST(text AS BLOB), {} FROM lines WHERE game=? ORDER BY seq"
            stored_sum = "sum" if "sum" in self._columns["lines"] else "NULL"
            for seq, value, stored in self._db.execute(query.format(stored_sum), (number,)):
                raw = value or b""
                size += len(raw)
                # A prepared file could have the same lines again for ever.
                if seq <= last or size > _LARGEST_GAME:
                    raise sqlite3.DatabaseError("lines out of order, or more than any game has")
                last = seq
                text = raw.decode(errors="replace")
                if behind or seq != len(texts) or _LOST in text:
                    behind.append(text.replace(_LOST, "?"))
                    continue
                before = zlib.crc32(b"\n" + raw, before)
                # A checksum covers all lines up to its own, also those that have none.
                if stored == before or (stored is None and known == len(texts)):
                    known = len(texts) + 1
                texts.append(text)
            self._count(size)
        behind = texts[known:] + behind
        if behind:
            self.wrong.append(f"line {known + 1} of game {number} is not what was written")
        return tuple(texts[:known]), tuple(behind)

    def _count(self, size: int) -> None:
        """Counts what is read, of which a prepared file could have more than fits into it."""
        self._left -= size
        if self._left < 0:
            raise sqlite3.DatabaseError("there is more in it than fits into it")

    def lost_numbers(self) -> list[int]:
        """The numbers of games of which only lines are found."""
        there, found, last = set(self.numbers()), list[int](), -1
        with self._noting("the lines of a game"):
            query = "SELECT min(game) FROM lines WHERE game>?"
            while (row := self._db.execute(query, (last,)).fetchone()) and row[0] is not None:
                if row[0] <= last:
                    break
                last = row[0]
                if last not in there:
                    found.append(last)
        return found

    def close(self) -> None:
        """Closes the file."""
        self._db.close()
        self._copies.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _has_its_sum(stored: object, *values: object) -> bool:
    """Whether a row is what was written; one of an earlier version is taken as it is."""
    text = "\0".join(map(str, values))
    return stored is None or stored == zlib.crc32(text.encode("utf-8", "surrogatepass"))


def _parsed(values: Sequence[object]) -> SavedGame | None:
    """The game of a row, without its lines; None if it cannot be parsed."""
    number, *texts, ended, _ = values
    game, edition, names, settings, version = (str(text).replace(_LOST, "?") for text in texts)
    try:
        players, options = json.loads(names), json.loads(settings)
    except (ValueError, RecursionError):
        return None
    if not (isinstance(players, list) and isinstance(options, dict) and isinstance(number, int)):
        return None
    if not players or not all(isinstance(name, str) for name in players):
        return None
    if not all(isinstance(value, bool | int | str) for value in options.values()):
        return None
    pairs = tuple(sorted(options.items()))
    return SavedGame(number, game, edition, tuple(players), pairs, version, bool(ended), ())


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _uri(path: Path, alone: bool, copies: ExitStack) -> str:
    """How to open a file so that nothing is made beside it."""
    log, index = _beside(path, "-wal"), _beside(path, "-shm")
    if alone or not log.exists() or not (log.stat().st_size or index.exists()):
        return f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    if not index.exists():
        # SQLite cannot read its log without this index of it, and would make one.
        folder = Path(copies.enter_context(TemporaryDirectory()))
        for file in (path, log):
            copy_file(file, folder / file.name)
        return f"{(folder / path.name).as_uri()}?mode=ro"
    return f"{path.absolute().as_uri()}?mode=ro&readonly_shm=1"

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
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import replace
from enum import Enum, auto
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from appliance.alerts import Alert
from appliance.errors import JournalError, StrangeJournal
from appliance.journal.files import folder_of
from appliance.journal.lock import refuse_strange
from appliance.journal.saved_game import Options, SavedGame
from vision.files.ordinary import copy_file, open_to_read

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
_SINCE_THEN = {"opened", "sum"}
"""The columns that earlier versions may lack."""

_LONGEST = 100_000
"""Bytes: more than any value of ours has."""

_LARGEST_GAME = 10_000_000
"""Bytes in memory: more than the lines of any game take."""

_LINE_BYTES = 50
"""The memory that a line takes beside its own bytes."""

_MOST_WRONG = 1000

_STEPS = 10_000_000
_READINGS = 16
"""Steps of SQLite's and bytes in memory that any file is worth, and each of its bytes.

Each byte takes a step or two, as each row is read at most twice.
"""

_STEPS_AT_ONCE = 100_000

_DAMAGE = sqlite3.SQLITE_ERROR, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR
"""SQLite's codes for damage beside `SQLITE_CORRUPT` and the like, which are no operational errors.

A schema that makes no sense, a query that does not end, a sector that cannot be read.
"""

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
    """The identities that an old journal's game would have had with fewer lines; else none."""
    shorter = identities_when_shorter(saved)
    return shorter if saved.identity in shorter else ()


def marks_of(saved: SavedGame) -> tuple[str, ...]:
    """The identities that a deleted game is known by: its own, and those of older copies of it.

    Not those of the first few lines, which another game may have, too.
    """
    return (saved.identity, *old_identities(saved)[OPENING // 3 :])


def begins(one: SavedGame, other: SavedGame) -> bool:
    """True if a game is the other one, at an earlier time or the same."""
    same = (one.game, one.options) == (other.game, other.options)
    return same and other.lines[: len(one.lines)] == one.lines


class Kind(Enum):
    """The kind of file at the path of a journal."""

    NOTHING = auto()
    INDEX = auto()
    """An index of the games in the folder, or what is left of one."""

    OLD = auto()
    RUIN = auto()
    """The remains of old games: no database, or none that opens."""


def kind_of(path: Path) -> Kind:
    """Looks up the kind of file at the path of a journal.

    Raises:
        StrangeJournal: something of a later version, of another program, or no ordinary file.
        JournalError: it cannot be read.
    """
    refuse_strange(path)
    with _as_journal_errors(path):
        try:
            if path.stat().st_size:
                with OldJournal(path) as old:
                    return Kind.INDEX if old.is_index else Kind.OLD
        except FileNotFoundError:
            return Kind.NOTHING
        except Ruined:
            pass
        # Where there are games in files of their own, it mostly was their index.
        games = any((folder_of(path) / name).is_dir() for name in ("going", "packs"))
        with open_to_read(path) as file:
            # Only old games are full of throws.
            return Kind.INDEX if games and b"roll " not in file.read(1 << 20) else Kind.RUIN


class Ruined(JournalError):
    """A file that is no database, or none in which games can be found."""


@contextmanager
def _as_journal_errors(path: Path) -> Iterator[None]:
    """Raises what the system and SQLite say as errors of the journal: damage as `Ruined`."""
    try:
        yield
    except JournalError:
        raise
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        operational = isinstance(error, OSError | sqlite3.OperationalError)
        if not operational or getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
            raise Ruined(f"{path}: the games cannot be read: {error}") from error
        text = getattr(error, "strerror", None) or error
        raise JournalError(
            f"{path}: the games cannot be read: {text}",
            "run it as their owner: sudo -u dicetray dicetray ...",
        ) from error


class OldJournal(AbstractContextManager["OldJournal"]):
    """Reads the games of an old journal, game by game; nothing is written to it.

    SQLite merges what is in its log beside the file, as far as that is whole.

    Args:
        path: the file.
        alone: it is on a stick, where nothing may be made beside it.

    Attributes:
        is_index: whether it is no old journal, but the index of this version.
        wrong: what was found damaged so far, a sentence each.

    Raises:
        StrangeJournal: it is of a later version, or of another program.
        Ruined: it is no database, or one without our columns.
        JournalError: it cannot be read.
    """

    def __init__(self, path: Path, *, alone: bool = False) -> None:
        self._path = path
        self.wrong: deque[str] = deque(maxlen=_MOST_WRONG)
        with ExitStack() as opened, _as_journal_errors(path):
            uri = _uri(path, alone, opened)
            db = sqlite3.connect(uri, isolation_level=None, uri=True)
            self._db = opened.enter_context(closing(db))
            self._limit()
            self._tables: dict[str, set[str]] = {}
            self._find_tables()
            self._opened = opened.pop_all()

    def _limit(self) -> None:
        """Bounds what SQLite does, and what it may fill memory with."""
        files = self._path, beside(self._path, "-wal")
        size = sum(file.stat().st_size for file in files if file.exists())
        self._left = _STEPS + _READINGS * size
        self._db.set_progress_handler(lambda: self._spend(_STEPS_AT_ONCE), _STEPS_AT_ONCE)
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        self._db.text_factory = lambda raw: raw.decode(errors="replace")
        self._db.execute("PRAGMA trusted_schema=OFF")
        self._db.execute("PRAGMA cell_size_check=ON")
        self._db.execute("PRAGMA cache_size=-2000")

    def _spend(self, work: int) -> bool:
        """Counts steps of SQLite's, and bytes read; whether they are more than its size allows."""
        self._left -= work
        return self._left < 0

    def _rows(self, query: str, *values: object) -> sqlite3.Cursor:
        if self._left < 0:
            raise sqlite3.DatabaseError("there is more in it than fits into it")
        return self._db.execute(query, values)

    def _find_tables(self) -> None:
        (version,) = self._rows("PRAGMA user_version").fetchone()
        # By what SQLite makes of it, whatever type is given: a view, a trigger, a virtual table.
        others = "SELECT type, name FROM sqlite_master WHERE sql NOT LIKE 'CREATE TABLE %'"
        foreign = [f"{kind} {name!a}" for kind, name in self._rows(others)]
        if not foreign:
            names = self._rows("SELECT name FROM sqlite_master WHERE sql NOT NULL").fetchall()
            # Columns that are computed are not among these.
            columns = "SELECT name FROM pragma_table_info(?)"
            self._tables = {name: {c for (c,) in self._rows(columns, name)} for (name,) in names}
        there = {name: self._tables.get(name, set()) for name in _COLUMNS}
        # The name of its table, too, in case that damage has changed the version.
        self.is_index = INDEX_TABLE in self._tables or (
            version == INDEX_VERSION and not there["lines"]
        )
        if self.is_index:
            return
        # Damage may have changed the names of one or two.
        if self._tables and sum(len(there[name] & {*_COLUMNS[name]}) for name in there) < 7:
            foreign += map(ascii, self._tables)
        if foreign:
            raise StrangeJournal(
                f"{self._path}: this is not a journal, it has another program's tables: "
                f"{', '.join(sorted(foreign))}",
                "name another file as `journal` under [games], or move this one away",
                Alert.GAMES_FOREIGN,
            )
        if version > INDEX_VERSION:
            raise StrangeJournal(
                f"{self._path}: expected a journal of version {INDEX_VERSION} or less, found "
                f"version {version}",
                "install the dicetray that wrote it, or move the file away to begin a new one",
                Alert.GAMES_NEWER,
            )
        for name in ("games", "lines"):
            if lacking := {*_COLUMNS[name]} - _SINCE_THEN - there[name]:
                raise Ruined(f"{self._path}: the table {name} lacks {', '.join(sorted(lacking))}")

    def check(self) -> None:
        """Has SQLite check the whole file; what it finds is `wrong`."""
        with self._noting("the file"):
            for (text,) in self._rows("PRAGMA quick_check(1)"):
                if text != "ok":
                    self.wrong.append(str(text).partition("\n")[0])

    @contextmanager
    def _noting(self, what: str) -> Iterator[None]:
        try:
            with _as_journal_errors(self._path):
                yield
        except Ruined as error:
            self.wrong.append(f"{what} cannot be read: {error.__cause__}")

    def settings(self) -> dict[str, str]:
        """The settings remembered, by name; what is damaged of them is left out."""
        found: dict[str, str] = {}
        if "settings" in self._tables:
            with self._noting("a setting"):
                query = f"SELECT {self._names('settings')} FROM settings LIMIT 1000"
                for name, text, stored in self._rows(query):
                    if _has_its_sum(stored, name, text):
                        found[str(name)] = str(text)
                    else:
                        self.wrong.append("a setting is not what was written")
        return found

    def _names(self, table: str) -> str:
        """The columns of a table for a query, each that an earlier version lacks as NULL."""
        there = self._tables[table]
        return ", ".join(c if c in there else "NULL" for c in _COLUMNS[table])

    def numbers(self) -> list[int]:
        """The numbers of all games that are found, in order."""
        found: set[int] = set()
        # From either end as far as a page that is damaged.
        for way in ("ASC", "DESC"):
            with self._noting("a game"):
                found.update(n for (n,) in self._rows(f"SELECT id FROM games ORDER BY id {way}"))
        return sorted(found)

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
        found = None
        with self._noting(f"game {number}"):
            query = f"SELECT {self._names('games')} FROM games WHERE id=?"
            for row in self._rows(query, number):
                found = self._game(row)
        return found

    def _game(self, row: Sequence[Any]) -> tuple[int, SavedGame] | None:
        self._spend(len(repr(row)))
        *values, opened, stored = row
        number = values[0]
        whole, saved = _has_its_sum(stored, *values, opened), _parsed(values)
        if not whole or saved is None:
            self.wrong.append(f"game {number} is not what was written")
        lines, uncounted = self._lines(number)
        # A number that damage has made has no lines.
        if saved is None or not (whole or lines):
            return None
        identity = identity_of_old(saved.game, saved.options, lines)
        saved = replace(saved, lines=lines, uncounted=uncounted, identity=identity)
        return opened if isinstance(opened, int) else number, saved

    def _lines(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The lines of a game that are what was written, and those behind."""
        texts: list[str] = []
        size, known, in_order = 0, 0, True
        before = zlib.crc32(f"game {number}".encode())
        with self._noting(f"the rest of game {number}"):
            names = self._names("lines").replace("text", "CAST(text AS BLOB)")
            query = f"SELECT {names} FROM lines WHERE game=? ORDER BY seq"
            for _, seq, value, stored in self._rows(query, number):
                raw = value or b""
                text = raw.decode(errors="replace")
                size += len(raw) + _LINE_BYTES
                if size > _LARGEST_GAME:
                    raise sqlite3.DatabaseError("there are more lines than any game has")
                before = zlib.crc32(b"\n" + raw, before)
                in_order = in_order and seq == len(texts) and _LOST not in text
                # A checksum covers all lines up to its own, also those that have none.
                if in_order and (stored == before or (stored is None and known == len(texts))):
                    known = len(texts) + 1
                texts.append(text.replace(_LOST, "?"))
        self._spend(size)
        if known < len(texts):
            self.wrong.append(f"line {known + 1} of game {number} is not what was written")
        return tuple(texts[:known]), tuple(texts[known:])

    def __exit__(self, *_: object) -> None:
        self._opened.close()


def _has_its_sum(stored: object, *values: object) -> bool:
    """True if a row is what was written; one of an earlier version is taken as it is."""
    return stored is None or stored == zlib.crc32("\0".join(map(str, values)).encode())


def _parsed(values: Sequence[Any]) -> SavedGame | None:
    """The game of a row, without its lines; None if it cannot be parsed."""
    number, *texts, ended = values
    game, edition, names, settings, version = (str(text).replace(_LOST, "?") for text in texts)
    try:
        players, options = json.loads(names), json.loads(settings)
        pairs = tuple(sorted(options.items()))
    except (ValueError, AttributeError, RecursionError):
        return None
    named = isinstance(players, list) and players and all(isinstance(n, str) for n in players)
    if not named or not all(isinstance(value, bool | int | str) for _, value in pairs):
        return None
    return SavedGame(number, game, edition, tuple(players), pairs, version, bool(ended), ())


def beside(path: Path, suffix: str) -> Path:
    """The path of what lies beside a file by its name with this suffix."""
    return path.with_name(path.name + suffix)


def _uri(path: Path, alone: bool, opened: ExitStack) -> str:
    """How to open a file so that nothing is made beside it."""
    log, index = beside(path, "-wal"), beside(path, "-shm")
    if alone or not log.exists():
        return f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    if index.exists():
        return f"{path.absolute().as_uri()}?mode=ro&readonly_shm=1"
    # SQLite cannot read its log without this index of it, and would make one.
    folder = Path(opened.enter_context(TemporaryDirectory()))
    for file in (path, log):
        copy_file(file, folder / file.name)
    return f"{(folder / path.name).as_uri()}?mode=ro"

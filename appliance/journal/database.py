"""Every line of every game on disk before the board shows it. SQLite, one file.

WAL with `synchronous=FULL` syncs the log at every commit, so a line that was written survives a
power cut, and a line that was being written is there whole or not at all
(https://www.sqlite.org/pragma.html#pragma_synchronous). Lines are only ever appended.
"""

import errno
import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from appliance.alerts import Alert
from appliance.errors import (
    DamagedLog,
    DamagedRows,
    JournalError,
    JournalGone,
    NoSuchGame,
    StrangeJournal,
    sqlite_code,
)
from appliance.journal.lock import refuse_strange
from appliance.journal.origin import Origin, origin_of
from appliance.journal.sums import Checked, check_lines, first_sum, next_sum, row_sum
from appliance.journal.wal import fault_of_log, open_index
from vision import system
from vision.ordinary import remove_file

log = logging.getLogger(__name__)

SCHEMA = 3
"""Version of the tables, kept in SQLite's `user_version`."""

_TABLES = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    edition TEXT NOT NULL,
    players TEXT NOT NULL,
    options TEXT NOT NULL,
    version TEXT NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0,
    opened INTEGER NOT NULL DEFAULT 0,
    sum INTEGER
) STRICT;
CREATE TABLE lines (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    text TEXT NOT NULL,
    sum INTEGER,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    sum INTEGER
) STRICT, WITHOUT ROWID;
"""

_MIGRATIONS: dict[int, str] = {
    1: """
ALTER TABLE games ADD COLUMN opened INTEGER NOT NULL DEFAULT 0;
UPDATE games SET opened=id;
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
""",
    2: """
ALTER TABLE games ADD COLUMN sum INTEGER;
ALTER TABLE lines ADD COLUMN sum INTEGER;
ALTER TABLE settings ADD COLUMN sum INTEGER;
""",
}
"""What turns a journal of one version into the next; nothing that was written is lost.

`opened` counts how often a game was begun or resumed: the clock of a Pi may be wrong. `sum` is the
row's checksum (`appliance.journal.sums`), NULL where an earlier version wrote the row.
"""

COLUMNS = {
    "games": ("id", "game", "edition", "players", "options", "version", "ended", "opened", "sum"),
    "lines": ("game", "seq", "text", "sum"),
    "settings": ("name", "text", "sum"),
}
"""The columns of each table of this version, in order."""

MEMORY = ":memory:"
"""The path of a journal without a file."""

_CACHE_KIB = 256
"""How much of the file SQLite keeps in memory: one game is read at a time. Its default is 2 MB."""

_MOST = 2**63 - 1
"""SQLite's greatest number."""

_NEXT = "(SELECT ifnull(max(opened), 0) + 1 FROM games)"


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game as the journal has it.

    Attributes:
        id: counts the games of this journal.
        players: names in seat order.
        options: the game's options, sorted by name.
        version: the version of dicetray that began it, with a label of who plays (`origin`).
        lines: the log, oldest first.
    """

    id: int
    game: str
    edition: str
    players: tuple[str, ...]
    options: tuple[tuple[str, bool | int | str], ...]
    version: str
    ended: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameEntry:
    """What is known of every game, even one that cannot be read.

    The greater `opened` is, the later it was begun or resumed.
    """

    id: int
    game: str
    ended: bool
    opened: int
    version: str


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that was not played to its end; `Journal.load` has the rest of it."""

    id: int
    game: str
    players: tuple[str, ...]


def names_from_text(text: str) -> tuple[str, ...]:
    """Names as a journal keeps them; ValueError if the text is not a list of names."""
    names = _from_json(text)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("no list of names")
    return tuple(names)


def options_from_text(text: str) -> tuple[tuple[str, bool | int | str], ...]:
    """Options as a journal keeps them, sorted by name; ValueError if the text has none."""
    options = _from_json(text)
    if not isinstance(options, dict):
        raise ValueError("no options by name")
    return tuple(sorted(options.items()))


def foreign_tables(db: sqlite3.Connection) -> str:
    """The tables of a database that has hardly any column of a journal; empty for ours.

    Also views and triggers, which ours never has: a view can go on for ever.
    """
    query = "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger')"
    if strange := db.execute(query).fetchall():
        return ", ".join(sorted(f"{kind} {name!a}" for kind, name in strange))
    found = db.execute(
        "SELECT tables.name, columns.name FROM sqlite_master AS tables,"
        " pragma_table_info(tables.name) AS columns WHERE tables.type='table'"
    ).fetchall()
    ours = sum((table, name) in found for table, names in COLUMNS.items() for name in names)
    # Damage may have changed the names of one or two.
    return ", ".join(sorted({ascii(table) for table, _ in found})) if ours < 7 else ""


def _setup_fields(saved: SavedGame) -> tuple[object, ...]:
    return saved.game, saved.players, saved.options


def _stat_or_none(path: str) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except OSError:
        return None


def _from_json(text: str) -> object:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("brackets nested too deeply") from error


class Journal:
    """The games on disk.

    Args:
        path: the database file; its folder must exist. ":memory:" keeps nothing.
        read_only: nothing is written; not even a journal of an earlier version is migrated.
        patience_s: seconds to wait for another program that writes into it.
        origin: who plays the games that are begun.

    Raises:
        StrangeJournal: it is of a later version, or of another program, or would have to be
            migrated although nothing may be written, or it is no ordinary file.
        DamagedLog: SQLite's log of it is damaged, and would be overwritten.
        JournalError: the file cannot be opened, or is not a database.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        read_only: bool = False,
        patience_s: float = 5.0,
        origin: Origin = Origin.APPLIANCE,
    ) -> None:
        self._path = str(path)
        self.origin = origin
        self._read_only = read_only
        self._patience_s = patience_s
        self._written: dict[int, tuple[int, int]] = {}
        self._connect()

    @property
    def path(self) -> Path:
        """The database file."""
        return Path(self._path)

    def reopen(self) -> None:
        """Opens the file again, as after it was replaced; it stays closed after a JournalError."""
        self.close()
        self._connect()

    def look(self) -> None:
        """Checks that what is written still goes into the file of this name.

        Raises:
            JournalGone: that file or SQLite's log beside it was deleted, renamed, replaced or cut.
        """
        for path, seen in self._seen.items():
            now = _stat_or_none(path)
            # Only the log may become shorter: what it holds is moved into the file.
            cut = now is not None and path == self._path and now.st_size < seen.st_size
            if now is None or cut or not self._is_here(path):
                raise JournalGone(
                    f"{path}: expected the file that was opened, found "
                    f"{'another one or less of it' if now else 'none'}",
                    "it is written anew",
                )
            self._seen[path] = now

    def leave(self) -> None:
        """Removes SQLite's log from beside a file that has replaced the opened one.

        It would be taken for that file's own. First it is merged into the file it belongs to.
        """
        log = f"{self._path}-wal"
        if self._is_here(self._path) or not self._is_here(log):
            return
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with suppress(OSError):
            remove_file(Path(log))
            remove_file(Path(f"{self._path}-shm"))

    def _is_here(self, path: str) -> bool:
        """Whether the file that lies there is the one that was opened."""
        seen, now = self._seen.get(path), _stat_or_none(path)
        return seen is not None and now is not None and os.path.samestat(seen, now)

    def _connect(self) -> None:
        self._seen: dict[str, os.stat_result] = {}
        self._index: BinaryIO | None = None
        # How many lines of a game are known to be there, and the checksum of the last.
        self._written = {}
        if self._path != MEMORY:
            refuse_strange(self.path, writing=not self._read_only)
            if not self._read_only and (fault := self._fault_of_log()):
                # SQLite would overwrite what is behind it without a word.
                raise DamagedLog(
                    f"{self._path}: the journal cannot be written: {fault}",
                    "`dicetray play --journal` and the service save what can be read, and go on",
                )
        with self._raising_journal_errors():
            if self._read_only:
                self._db = self._connect_to_read()
            else:
                self._db = sqlite3.connect(
                    self._path, timeout=self._patience_s, isolation_level=None
                )
        try:
            with self._raising_journal_errors():
                self._open()
            if not self._read_only and self._path != MEMORY:
                with suppress(OSError):
                    self._index = open_index(self.path)
        except BaseException:
            self._db.close()
            raise
        # A file that happens to be called `:memory:` does not belong to this journal.
        paths = () if self._path == MEMORY else (self._path, f"{self._path}-wal")
        stats = {path: _stat_or_none(path) for path in paths}
        self._seen.update((path, stat) for path, stat in stats.items() if stat is not None)

    def _open(self) -> None:
        # As for any file from elsewhere: https://www.sqlite.org/security.html
        self._db.execute("PRAGMA trusted_schema=OFF")
        self._db.execute("PRAGMA cell_size_check=ON")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("PRAGMA foreign_keys=ON")
        # What was deleted must not come back when a damaged file is salvaged.
        self._db.execute("PRAGMA secure_delete=ON")
        self._db.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        if tables := foreign_tables(self._db):
            raise StrangeJournal(
                f"{self._path}: this is not a journal, it has another program's tables: {tables}",
                "name another file as `journal` under [games], or move this one away",
                Alert.GAMES_FOREIGN,
            )
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version != SCHEMA and (self._read_only or not 0 <= version < SCHEMA):
            raise StrangeJournal(
                f"{self._path}: expected a journal of version {SCHEMA}, found version {version}",
                "install the dicetray that wrote it, or move the file away to begin a new one",
                Alert.GAMES_NEWER,
            )
        if not self._read_only:
            # What is not a journal of ours is left as it is.
            self._db.execute("PRAGMA journal_mode=WAL")
        if version == SCHEMA:
            return
        scripts = [_TABLES] if version == 0 else [_MIGRATIONS[v] for v in range(version, SCHEMA)]
        with self._transaction():
            for statement in "".join(scripts).split(";\n"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version={SCHEMA}")

    @contextmanager
    def _raising_journal_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            cause = self._underlying_error(error)
            done = "read" if self._read_only else "written"
            raise JournalError(
                f"{self._path}: the journal cannot be {done}: {getattr(cause, 'strerror', cause)}",
                "check the disk and the folder's owner, or move the file away to begin a new one",
            ) from cause

    def _underlying_error(self, error: Exception) -> Exception:
        """The error, or what the disk says where SQLite only says that it cannot open or write."""
        if sqlite_code(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
            with suppress(OSError):
                disk = system.disk_of(self.path.parent)
                if disk.read_only:
                    return OSError(errno.EROFS, os.strerror(errno.EROFS))
                if not disk.free_bytes:
                    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.look()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # A full disk makes SQLite roll back by itself.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def begin(
        self,
        game: str,
        edition: str,
        players: Sequence[str],
        options: Sequence[tuple[str, bool | int | str]],
        version: str,
    ) -> int:
        """Begins a new game; returns its number. On disk when it returns."""
        with self._raising_journal_errors(), self._transaction():
            saved = SavedGame(0, game, edition, tuple(players), tuple(options), version, False, ())
            return self._insert_game(None, saved)

    def restore(self, games: Iterable[SavedGame], settings: Mapping[str, str]) -> None:
        """Writes whole games under their own numbers, and settings. All or nothing.

        The games are given in the order in which they were opened, the settings by name.

        Raises:
            JournalError: the disk refuses, or there is a game with one of these numbers.
        """
        with self._raising_journal_errors(), self._transaction():
            for saved in games:
                self._insert_game(saved.id, saved)
            for name, text in settings.items():
                self._insert_setting(name, text)

    def append(self, game: int, seq: int, lines: Sequence[str], *, ended: bool = False) -> None:
        """Appends lines to a game, oldest first. On disk when it returns.

        Args:
            game: the game's number.
            seq: the number of the first of these lines, which is how many are there already.
            lines: the texts.
            ended: whether the game is over after them.

        Raises:
            JournalGone: the game or lines before these are no longer in the file.
            JournalError: the disk refuses, or a line with that number is there already.
        """
        with self._raising_journal_errors(), self._transaction():
            if self._count_lines(game) < seq:
                raise JournalGone(
                    f"{self._path}: game {game} has fewer than {seq} lines",
                    "they are written anew",
                )
            last = self._insert_lines(game, seq, lines)
            done = int(ended)
            if self._db.execute(
                "UPDATE games SET ended=? WHERE id=? AND ended<>?", (done, game, done)
            ).rowcount:
                self._seal_game(game)
        self._written[game] = seq + len(lines), last

    def name_players(self, game: int, players: Sequence[str]) -> None:
        """Gives the players of a game, in seat order, other names. On disk when it returns.

        Raises:
            JournalGone: the game is no longer in the file.
            JournalError: the disk refuses.
        """
        with self._raising_journal_errors(), self._transaction():
            values = json.dumps(list(players)), game
            if not self._db.execute("UPDATE games SET players=? WHERE id=?", values).rowcount:
                raise JournalGone(f"{self._path}: game {game} is no longer there", "it is lost")
            self._seal_game(game)

    def _count_lines(self, game: int) -> int:
        """How many lines of a game are there; -1 if it is not there at all."""
        (count,) = self._db.execute(
            "SELECT CASE WHEN EXISTS (SELECT 1 FROM games WHERE id=?) THEN"
            " (SELECT ifnull(max(seq) + 1, 0) FROM lines WHERE game=?) ELSE -1 END",
            (game, game),
        ).fetchone()
        return int(count)

    def put(self, game: SavedGame) -> tuple[int, bool]:
        """Makes the file hold a game as it is known, whatever it held. On disk when it returns.

        Returns the game's number, a new one where another game has its own, and whether there was
        anything to write. JournalError if the disk refuses.
        """
        try:
            there = self.load(game.id)
        except NoSuchGame:
            with self._raising_journal_errors(), self._transaction():
                return self._insert_game(game.id, game), True
        done = len(there.lines)
        if there.lines != game.lines[:done] or _setup_fields(there) != _setup_fields(game):
            with self._raising_journal_errors(), self._transaction():
                return self._insert_game(None, game), True
        if (done, there.ended) == (len(game.lines), game.ended):
            return game.id, False
        with self._raising_journal_errors(), self._transaction():
            self._insert_lines(game.id, done, game.lines[done:])
            values = int(game.ended), game.id
            self._db.execute(f"UPDATE games SET ended=?, opened={_NEXT} WHERE id=?", values)
            self._seal_game(game.id)
        return game.id, True

    def _insert_game(self, number: int | None, saved: SavedGame) -> int:
        names, options = json.dumps(saved.players), json.dumps(dict(saved.options))
        cursor = self._db.execute(
            "INSERT INTO games (id, game, edition, players, options, version, ended, opened)"
            f" VALUES (?, ?, ?, ?, ?, ?, ?, {_NEXT})",
            (number, saved.game, saved.edition, names, options, saved.version, int(saved.ended)),
        )
        number = int(cursor.lastrowid or 0)
        self._seal_game(number)
        self._insert_lines(number, 0, saved.lines)
        return number

    def _insert_lines(self, game: int, seq: int, lines: Sequence[str]) -> int:
        """Adds lines from this one on; the checksum of the last."""
        count, before = self._written.get(game, (-1, 0))
        if count != seq:
            before = self._checked_lines(game).last_sum if seq else first_sum(game)
        rows = []
        for number, text in enumerate(lines, start=seq):
            before = next_sum(before, text)
            rows.append((game, number, text, before))
        self._db.executemany("INSERT INTO lines (game, seq, text, sum) VALUES (?, ?, ?, ?)", rows)
        return before

    def _seal_game(self, game: int) -> None:
        """Gives a game's row the checksum of what it holds now."""
        names = ", ".join(COLUMNS["games"][:-1])
        row = self._db.execute(f"SELECT {names} FROM games WHERE id=?", (game,)).fetchone()
        if row is not None:
            self._db.execute("UPDATE games SET sum=? WHERE id=?", (row_sum(*row), game))

    def _checked_lines(self, game: int, db: sqlite3.Connection | None = None) -> Checked:
        """A game's lines; DamagedRows if they are not what was written."""
        query = "SELECT text, sum FROM lines WHERE game=? ORDER BY seq"
        checked = check_lines(game, (db or self._db).execute(query, (game,)).fetchall())
        if checked.fault:
            raise self._damaged_rows(game, checked.fault)
        return checked

    def _damaged_rows(self, game: int, fault: str) -> DamagedRows:
        return DamagedRows(
            f"game {game}: expected in {self._path} what was written, found: {fault}",
            "the service saves what can be read at its next start",
        )

    def verify(self) -> None:
        """Reads from the disk again what this program has appended, and compares.

        What SQLite has in memory may be right where the disk is not.

        Raises:
            DamagedRows: lines are others, or are missing.
            JournalError: the disk cannot be read.
        """
        if self._path == MEMORY or not self._written:
            return
        with self._raising_journal_errors(), closing(self._connect_to_read()) as db:
            for game, written in tuple(self._written.items()):
                if not db.execute("SELECT 1 FROM games WHERE id=?", (game,)).fetchone():
                    # Its owner has deleted it; if it goes on, `append` says so.
                    del self._written[game]
                    continue
                there = self._checked_lines(game, db)
                if (len(there.texts), there.last_sum) != written:
                    raise self._damaged_rows(game, "fewer lines or others")
        # Games before the present one are over, and were compared.
        self._written = dict(list(self._written.items())[-1:])

    def last(self) -> SavedGame | None:
        """The game last begun or resumed by those who play now; None if there is none."""
        with self._raising_journal_errors():
            query = "SELECT id, version FROM games ORDER BY opened DESC, id DESC"
            rows = self._db.execute(query).fetchall()
        own = (number for number, written in rows if origin_of(written) is self.origin)
        number = next(own, None)
        return None if number is None else self.load(number)

    def open(self, game: int) -> SavedGame:
        """Resumes a game: it is the `last` from now on. On disk when it returns.

        Raises as `load`, and JournalError if the disk refuses.
        """
        saved = self.load(game)
        with self._raising_journal_errors(), self._transaction():
            self._db.execute(f"UPDATE games SET opened={_NEXT} WHERE id=?", (game,))
            self._seal_game(game)
        return saved

    def unfinished(self) -> tuple[Unfinished, ...]:
        """All games that can be resumed, most recently opened first.

        Games in which nothing has happened yet are left out.
        """
        with self._raising_journal_errors():
            rows = self._db.execute(
                "SELECT id, game, players FROM games WHERE NOT ended"
                " AND EXISTS (SELECT 1 FROM lines WHERE lines.game=games.id)"
                " ORDER BY opened DESC, id DESC"
            ).fetchall()
        found = []
        for number, game, names in rows:
            # A game that cannot be read cannot be resumed, but must not keep the others from it.
            with suppress(ValueError):
                found.append(Unfinished(number, game, names_from_text(names)))
        return tuple(found)

    def remember(self, name: str, text: str) -> None:
        """Keeps a setting under a name, in place of the one before. On disk when it returns."""
        with self._raising_journal_errors(), self._transaction():
            self._insert_setting(name, text)

    def _insert_setting(self, name: str, text: str) -> None:
        self._db.execute(
            "INSERT INTO settings (name, text, sum) VALUES (?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET text=excluded.text, sum=excluded.sum",
            (name, text, row_sum(name, text)),
        )

    def remembered(self, name: str) -> str | None:
        """The setting kept under a name; None if there is none."""
        with self._raising_journal_errors():
            row = self._db.execute("SELECT text FROM settings WHERE name=?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def entries(self) -> tuple[GameEntry, ...]:
        """All games, in the order they were begun."""
        with self._raising_journal_errors():
            query = "SELECT id, game, ended, opened, version FROM games ORDER BY id"
            rows = self._db.execute(query)
            return tuple(GameEntry(r[0], r[1], bool(r[2]), r[3], r[4]) for r in rows)

    def games(self) -> Iterator[SavedGame]:
        """All games, in the order they were begun; raises as `load` does."""
        for entry in self.entries():
            yield self.load(entry.id)

    def count_lines(self) -> int:
        """How many lines all games have."""
        with self._raising_journal_errors():
            (count,) = self._db.execute("SELECT count(*) FROM lines").fetchone()
        return int(count)

    def delete(self, *games: int, spared: Callable[[GameEntry], bool] | None = None) -> None:
        """Deletes games for good, all or none.

        Args:
            games: their numbers.
            spared: says whether the game opened last must stay.

        Raises:
            NoSuchGame: one of them is not there.
            JournalError: one of them must stay, or the disk refuses.
        """
        with self._raising_journal_errors(), self._transaction():
            last = max(self.entries(), key=lambda entry: (entry.opened, entry.id), default=None)
            if last is not None and last.id in games and spared is not None and spared(last):
                wanted = "end it and begin another first"
                raise JournalError(f"game {last.id} is the one being played", wanted)
            for game in games:
                if not self._db.execute("DELETE FROM games WHERE id=?", (game,)).rowcount:
                    raise self.no_game(game)
                self._written.pop(game, None)

    def no_game(self, game: int) -> NoSuchGame:
        """The error for a number that no game has."""
        return NoSuchGame(
            f"{self._path}: there is no game {game}", "`dicetray games list` shows those there are"
        )

    def load(self, game: int) -> SavedGame:
        """A game by its number.

        Raises:
            NoSuchGame: there is none with that number.
            DamagedRows: its lines are not what was written.
            JournalError: names or options cannot be read, or the disk refuses.
        """
        if not -_MOST <= game <= _MOST:
            raise self.no_game(game)
        with self._raising_journal_errors():
            row = self._db.execute(
                "SELECT game, edition, players, options, version, ended FROM games WHERE id=?",
                (game,),
            ).fetchone()
            if row is None:
                raise self.no_game(game)
            lines = self._checked_lines(game).texts
        try:
            players, options = names_from_text(row[2]), options_from_text(row[3])
        except ValueError as error:
            raise JournalError(
                f"game {game}: expected names and options, found {error}",
                "what is wrong stays in the file",
            ) from error
        return SavedGame(
            id=game,
            game=row[0],
            edition=row[1],
            players=players,
            options=options,
            version=row[4],
            ended=bool(row[5]),
            lines=lines,
        )

    def checkpoint(self) -> bool:
        """Moves what is in SQLite's log into the file, and empties the log.

        Until then the log has the only copy. Returns whether it was done: not while somebody reads.

        Raises:
            DamagedLog: the log is damaged. SQLite would move that into the file unseen.
            JournalError: the disk refuses; then everything is still in the log.
        """
        if self._path != MEMORY and (fault := self._fault_of_log()):
            raise DamagedLog(f"{self._path}: the log is not as it was written: {fault}")
        with self._raising_journal_errors():
            busy, _, _ = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def copy(self, path: Path) -> None:
        """Writes everything saved into a new file, including what is still in SQLite's log.

        JournalError if the file is there already or cannot be written.
        """
        with self._raising_journal_errors():
            self._db.execute("VACUUM INTO ?", (str(path),))

    def check(self) -> str:
        """SQLite's own integrity check: "ok", or what is wrong."""
        with self._raising_journal_errors():
            rows = self._db.execute("PRAGMA integrity_check").fetchall()
        return "; ".join(str(text) for (text,) in rows)

    def close(self) -> None:
        """Closes the file. A damaged log stays beside it, where SQLite would move it in unseen."""
        with ExitStack() as stack:
            if self._index is not None:
                stack.push(self._index)
            self._close_database()
        self._index = None

    def _fault_of_log(self) -> str:
        """What is wrong with SQLite's log of the file; a JournalError if it cannot be read."""
        try:
            return fault_of_log(self.path, index=False if self._index is None else self._index)
        except OSError as error:
            raise JournalError(
                f"{self._path}: SQLite's log of the journal cannot be read: {error.strerror}",
                "check the disk and the folder's owner",
            ) from error

    def _close_database(self) -> None:
        fault = ""
        if not self._read_only and self._path != MEMORY:
            try:
                fault = self._fault_of_log()
            except JournalError as error:
                fault = str(error)
        if not fault:
            self._db.close()
            return
        log.error("SQLite's log is kept as it is: %s", fault)
        # Only the last connection moves a log, and none that may not write.
        with suppress(sqlite3.Error), closing(self._connect_to_read()) as reader:
            with suppress(sqlite3.Error):
                reader.execute("PRAGMA user_version")
            self._db.close()
        self._db.close()

    def _connect_to_read(self) -> sqlite3.Connection:
        name = f"{self.path.absolute().as_uri()}?mode=ro"
        return sqlite3.connect(name, timeout=self._patience_s, isolation_level=None, uri=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

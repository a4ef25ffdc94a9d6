"""Reads journals; what is readable in a damaged one goes into a new one, and the old one is kept.

What can still be read comes from the rows that SQLite returns, and from the pages where it finds
none. Each step leaves the disk in a state from which the next start can continue: first the
complete new journal is written beside the damaged one, then the damaged one is renamed, then the
new one takes its name.
"""

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import chain, count, groupby, takewhile
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from appliance.alerts import Alert
from appliance.errors import DamagedLog, JournalError, JournalGone, is_damage
from appliance.journal import database
from appliance.journal.lock import refuse_strange
from appliance.journal.origin import Origin
from appliance.journal.pages import Pages, Row, rows_on
from appliance.journal.sums import check_lines, first_sum, next_sum, row_sum
from appliance.journal.wal import PAGE, fault_of_log, log_of, page_of, read_log
from vision.atomic import sync_folder
from vision.ordinary import (
    copy_file,
    make_file,
    open_to_change,
    open_to_read,
    remove_file,
    rename_file,
)

PATIENCE_S = 0.2
"""Seconds that the appliance waits for another program; then it carries on, and retries later."""

_SINCE = {"opened": 2, "settings": 2, "sum": 3}
"""The version of the tables that added what the first lacked."""

_MOST_STEPS = 100_000_000
"""Instructions of SQLite's machine for one file, some seconds on a PC: more than thousands of
games take."""

_STEPS_AT_ONCE = 100_000

_LOST = "\N{REPLACEMENT CHARACTER}"
"""Replaces bytes that are not text."""


@dataclass(frozen=True, slots=True)
class Readable:
    """What could be read.

    The games are in the order in which they were opened, each with its lines up to the first that
    cannot be read; settings are texts by name.
    """

    games: tuple[database.SavedGame, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> int:
        """How many lines all games have."""
        return sum(len(saved.lines) for saved in self.games)


def fault_of(path: Path, *, read_only: bool = False, rows: bool = True) -> str:
    """What is wrong with a journal's file; empty if nothing is, or if there is no file.

    A disk that is full or cannot be written is not a fault of the file. With `read_only`, nothing
    is written, not even to read what is in SQLite's log; with `rows`, invalid names and texts are
    looked for, too.
    """
    if not path.exists():
        return ""
    try:
        if not path.stat().st_size:
            return "it is empty"
        with closing(_open_damaged(path.absolute().as_uri() + "?mode=ro" * read_only)) as db:
            answers = db.execute("PRAGMA integrity_check(1)").fetchall()
            found = "; ".join(str(text) for (text,) in answers)
            return _fault_in_tables(db, rows) if found == "ok" else found
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # The check itself is valid SQL, so a plain error comes from the SQL stored in the file.
        plain = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR
        return str(error) if plain or is_damage(error) else ""


def readable(path: Path) -> Readable:
    """Everything that can be read from a damaged journal; the file and its log stay as they are."""
    log = read_log(path, index=True)
    if not log.fault:
        return _recover_readable(path)
    # SQLite would take the log up to the damage, and so older pages for newer ones of the file.
    with _copies_of(path, grow_by=_size_of(log_of(path))) as folder:
        whole = folder / path.name
        pages, damaged = log.salvaged(partial(page_of, path))
        with open_to_change(whole) as file:
            for number, page in pages.items():
                file.seek((number - 1) * PAGE)
                file.write(page)
        return _recover_readable(whole, filter(_can_be_checked, rows_on(damaged)))


def _can_be_checked(row: Row) -> bool:
    """Whether a row of a damaged page says by itself whether it is what was written.

    Who plays can be seen; of a line, a number that is another only by its checksum.
    """
    number, values = row
    return number is not None or (len(values) == 4 and isinstance(values[3], int))


def _recover_readable(path: Path, more: Iterable[Row] = ()) -> Readable:
    games: dict[int, tuple[int, database.SavedGame]] = {}
    settings: dict[str, str] = {}
    # SQLite would delete the log of an empty file.
    if path.stat().st_size:
        with suppress(sqlite3.Error, UnicodeDecodeError), closing(_open_damaged(path)) as db:
            _read_tables(db, games, settings)
    with open_to_read(path) as file:
        _add_loose(chain(rows_on(Pages(path, file)), more), games, settings)
    found = sorted(games.values(), key=lambda pair: pair[0])
    return Readable(tuple(saved for _, saved in found), settings)


def _open_damaged(path: Path | str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=PATIENCE_S, uri=True)
    db.text_factory = lambda raw: raw.decode(errors="replace")
    # Whatever is stored there, nothing of it goes on for ever: https://www.sqlite.org/security.html
    steps = count()
    db.set_progress_handler(lambda: next(steps) > _MOST_STEPS // _STEPS_AT_ONCE, _STEPS_AT_ONCE)
    db.execute("PRAGMA trusted_schema=OFF")
    return db


def _fault_in_tables(db: sqlite3.Connection, rows: bool) -> str:
    """What SQLite's own check does not see: tables, names and texts that are not ours."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if database.foreign_tables(db) or version > database.SCHEMA:
        return ""
    if version <= 0:
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return "its version is lost" if tables else ""
    for table, columns in database.COLUMNS.items():
        names = ", ".join(name for name in columns if _SINCE.get(name, 1) <= version)
        try:
            if _SINCE.get(table, 1) <= version:
                db.execute(f"SELECT {names} FROM {table} LIMIT 0")
        except sqlite3.OperationalError as error:
            return str(error)
    if not rows:
        return ""
    return _fault_in_rows(db) or _fault_in_lines(db, version)


def _fault_in_rows(db: sqlite3.Connection) -> str:
    for row in _readable_rows(db, "games"):
        if _LOST in "".join(map(str, row.values())) or _parse_game(row, ()) is None:
            return f"game {row['id']} has a damaged text"
        if not _has_its_sum(row):
            return f"game {row['id']} is not what was written"
    going_on = "WHERE game IN (SELECT id FROM games WHERE NOT ended)"
    for row in (*_readable_rows(db, "lines", going_on), *_readable_rows(db, "settings")):
        if _LOST in str(row["text"]):
            return "a damaged text"
    whole = all(map(_has_its_sum, _readable_rows(db, "settings")))
    return "" if whole else "a setting is not what was written"


def _has_its_sum(row: Mapping[str, Any]) -> bool:
    """Whether a row is what was written; one of an earlier version is taken as it is."""
    stored = row.get("sum")
    return stored is None or stored == row_sum(*(row[name] for name in row if name != "sum"))


def _fault_in_lines(db: sqlite3.Connection, version: int) -> str:
    """What is wrong with lines, going by their checksums, which earlier versions lack."""
    if version < _SINCE["sum"]:
        return ""
    numbers = {row["id"] for row in _readable_rows(db, "games")}
    rows = _readable_rows(db, "lines", "ORDER BY game, seq")
    for number, lines in groupby(rows, key=itemgetter("game")):
        if number not in numbers:
            return f"game {number} is lost but for its lines"
        if fault := check_lines(number, [(line["text"], line["sum"]) for line in lines]).fault:
            return fault
    return ""


def _read_tables(
    db: sqlite3.Connection,
    games: dict[int, tuple[int, database.SavedGame]],
    settings: dict[str, str],
) -> None:
    """What SQLite returns: games by number, with when they were opened, and settings."""
    for row in _readable_rows(db, "settings"):
        name, text = row["name"], row["text"]
        if all(isinstance(value, str) and _LOST not in value for value in (name, text)):
            settings[name] = text
    for row in _readable_rows(db, "games", "ORDER BY id"):
        found: list[tuple[str, int | None]] = []
        for line in _readable_rows(db, "lines", "WHERE game=? ORDER BY seq", row["id"]):
            if line["seq"] != len(found) or not isinstance(line["text"], str):
                break
            found.append((line["text"], line.get("sum")))
        lines = check_lines(row["id"], found).texts if isinstance(row["id"], int) else ()
        _keep_first(games, row, list(takewhile(lambda text: _LOST not in text, lines)))


def _keep_first(
    games: dict[int, tuple[int, database.SavedGame]], row: Mapping[str, Any], lines: Sequence[str]
) -> None:
    saved = _parse_game(row, lines)
    if saved is not None:
        opened = row.get("opened", saved.id)
        # A damaged tree may return a row twice.
        games.setdefault(saved.id, (opened if isinstance(opened, int) else 0, saved))


def _add_loose(
    rows: Iterable[Row],
    games: dict[int, tuple[int, database.SavedGame]],
    settings: dict[str, str],
) -> None:
    """Adds what lies on pages that SQLite no longer finds; rows are recognised by their form."""
    lines: dict[tuple[int, int], set[tuple[str, int | None]]] = {}
    for number, values in rows:
        match values:
            case (int(game), int(seq), str(text), *more) if number is None:
                stored = more[0] if more else None
                if stored is None or isinstance(stored, int):
                    lines.setdefault((game, seq), set()).add((text, stored))
            case (str(name), str(text), *_) if number is None:
                settings.setdefault(name, text)
            case (None, str(), str(), str(), str(), str(), int(), *_) if number is not None:
                _keep_first(
                    games,
                    dict(zip(database.COLUMNS["games"], (number, *values[1:]), strict=False)),
                    (),
                )
    for number, (opened, saved) in games.items():
        texts = list(saved.lines)
        if (number, len(texts)) not in lines:
            continue
        before = reduce(next_sum, texts, first_sum(number))
        while found := lines.get((number, len(texts))):
            fits = [text for text, stored in found if stored == next_sum(before, text)]
            plain = [text for text, stored in found if stored is None]
            # Two texts for one line: one of them belongs elsewhere, unless it has its checksum.
            text, *others = fits or (plain if len(found) == 1 else ()) or (_LOST,)
            if text == _LOST or others:
                break
            before = next_sum(before, text)
            texts.append(text)
        games[number] = opened, replace(saved, lines=tuple(texts))


def _parse_game(row: Mapping[str, Any], lines: Sequence[str]) -> database.SavedGame | None:
    """The game of a row; None if it cannot be parsed."""
    try:
        return database.SavedGame(
            id=int(row["id"]),
            game=_mark_lost_text(row["game"]),
            edition=_mark_lost_text(row["edition"]),
            players=database.names_from_text(_mark_lost_text(row["players"])),
            options=database.options_from_text(_mark_lost_text(row["options"])),
            version=_mark_lost_text(row["version"]),
            ended=bool(row["ended"]),
            lines=tuple(lines),
        )
    except (KeyError, ValueError, TypeError):
        return None


def _mark_lost_text(text: object) -> str:
    return str(text).replace(_LOST, "?")


def _readable_rows(
    db: sqlite3.Connection, table: str, which: str = "", *values: int
) -> Iterator[dict[str, Any]]:
    """The rows up to the first that cannot be read; columns by position: names may be lost."""
    with suppress(sqlite3.Error, UnicodeDecodeError):
        for row in db.execute(f"SELECT * FROM {table} {which}", values):
            yield dict(zip(database.COLUMNS[table], row, strict=False))


_NEW = ".salvaged"
_UNFINISHED = ".new"
_DAMAGED = ".damaged"
BESIDE = ("-wal", "-shm")
"""What SQLite keeps beside a file in use: its log, and an index of the log."""


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was done about a damaged journal: its fault, where it is kept, how much was saved."""

    fault: str
    kept: Path
    games: int
    lines: int

    @property
    def sentence(self) -> str:
        """For the log."""
        return (
            f"the journal was damaged ({self.fault}); {self.games} games with {self.lines} lines "
            f"were saved, the damaged file is kept as {self.kept}"
        )

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """For the board."""
        number = self.kept.name.rpartition("-")[2]
        return (
            ("GAMES WERE", "DAMAGED"),
            (f"{min(self.games, 9999)} SAVED", "GO ON"),
            ("FILE KEPT:", f"DAMAGED-{number}"),
        )


@dataclass(frozen=True, slots=True)
class Rescue:
    """What was saved again of games that disappeared while the appliance was running."""

    games: int
    lines: int

    @property
    def sentence(self) -> str:
        """For the log."""
        return f"{self.games} games with {self.lines} lines were gone and are saved anew"

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """For the board."""
        return ("GAMES WERE", "GONE"), (f"{min(self.games, 9999)} SAVED", "AGAIN")


@dataclass(frozen=True, slots=True)
class Known:
    """What a running program knows of a journal, whatever became of the file.

    That is the present game with all its lines, if there is one, and settings by name.
    """

    game: database.SavedGame | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


def open_or_salvage(path: Path) -> tuple[database.Journal, Salvage | None]:
    """Opens a journal; a damaged one is replaced by what can be read of it.

    Raises:
        StrangeJournal: it is of a later version, of another program, or no ordinary file.
        JournalError: it can be neither opened nor salvaged, as on a full or read-only disk.
    """
    salvage = _made_sound(path, Known())
    return database.Journal(path, patience_s=PATIENCE_S), salvage


def open_or_rescue_log(path: Path | str, origin: Origin) -> tuple[database.Journal, Salvage | None]:
    """Opens a journal where no board could tell of damage: only a damaged log is salvaged.

    Raises as `Journal` does.
    """
    try:
        return database.Journal(path, origin=origin), None
    except DamagedLog:
        salvage = _made_sound(Path(path), Known())
    return database.Journal(path, origin=origin), salvage


def mend(journal: database.Journal, known: Known) -> tuple[int | None, Salvage | Rescue | None]:
    """Replaces the file of an open journal if it is damaged or gone, and opens it anew.

    What the program knows is in the new file before that takes the damaged one's name. The journal
    is closed meanwhile, and may stay so after a JournalError, as on a full disk: then call again.

    Returns:
        The number that the known game has now, and what was done; None if nothing had to be.
    """
    path, rescued, salvage = journal.path, False, None
    if str(path) != database.MEMORY:
        rescued = not path.exists() and _rescue_deleted(journal)
        if path.exists():
            journal.leave()
        # A file must not be renamed while SQLite has it open.
        journal.close()
        salvage = _made_sound(path, known)
        journal.reopen()
    number, written = (None, False) if known.game is None else journal.put(known.game)
    if salvage is not None:
        return number, salvage
    if rescued:
        return number, Rescue(len(journal.entries()), journal.count_lines())
    return number, Rescue(1, len(known.game.lines)) if known.game and written else None


def _rescue_deleted(journal: database.Journal) -> bool:
    """Writes all of an open journal whose file was deleted; whether that could be done."""
    path = journal.path
    new = beside(path, _UNFINISHED)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_file(new)
        journal.copy(new)
        with open_to_read(new) as file:
            os.fsync(file.fileno())
        _rename_durably(new, beside(path, _NEW))
    except JournalError as error:
        if error.alert is Alert.DISK_FAULT:
            # It can no longer be read, but the present game is known.
            return False
        raise
    except OSError as error:
        raise JournalGone(f"{path}: is gone and cannot be made: {error}", "restart it") from error
    return True


def _made_sound(path: Path, known: Known) -> Salvage | None:
    """Makes sure there is a journal that opens; returns what was salvaged, if it was damaged."""
    refuse_strange(path, writing=True)
    try:
        _finish_salvage(path)
        if not path.exists():
            _make_journal(path)
        # First the log: SQLite overwrites what is behind damage in it.
        fault = read_log(path, index=True).fault or fault_of(path)
        return _salvage(path, fault, known) if fault else None
    except JournalError:
        raise
    except OSError as error:
        # Such as a folder that may not be entered: the board says so, and it is tried again.
        raise JournalError(
            f"{path}: the journal cannot be written: {error.strerror}",
            "check the disk and the folder's owner",
        ) from error


def _finish_salvage(path: Path) -> None:
    """Resumes a salvage that a power cut interrupted."""
    new = beside(path, _NEW)
    if new.exists():
        if path.exists():
            # It was not finished, or the damaged file was not put aside: begin again.
            _remove_durably(new)
        else:
            _put_in_place(new, path, _last_kept(path))


def _last_kept(path: Path) -> Path:
    """The damaged file that was put aside last; if none was, as of a deleted one, the next name."""
    kept = path.parent.glob(f"{path.name}{_DAMAGED}-*[0-9]")
    return max(kept, key=lambda file: file.stat().st_ctime_ns, default=_next_kept(path))


def _next_kept(path: Path) -> Path:
    names = (beside(path, f"{_DAMAGED}-{number}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


def _put_in_place(new: Path, path: Path, kept: Path) -> None:
    """Puts aside what is left beside a file that was put aside, and a new one in its place.

    In this order: SQLite would take that log for the new file's.
    """
    for suffix in BESIDE:
        if beside(path, suffix).exists():
            _rename_durably(beside(path, suffix), beside(kept, suffix))
    _rename_durably(new, path)


def _make_journal(path: Path) -> None:
    """A new journal gets its name only when it is whole: an empty file counts as damaged."""
    new = beside(path, _UNFINISHED)
    try:
        if beside(path, "-wal").exists():
            # SQLite would take that log for the new file's, but it is all that is left of another.
            make_file(path)
            return
        _write_whole(new, (), {})
        _rename_durably(new, path)
    except JournalError:
        raise
    except OSError as error:
        raise JournalError(f"{path}: cannot be created: {error}", "check the disk") from error


def _salvage(path: Path, fault: str, known: Known) -> Salvage:
    new = beside(path, _NEW)
    try:
        found = readable(path)
        games = _with_present_game(found.games, known.game)
        _write_whole(new, games, {**found.settings, **known.settings})
        kept = _next_kept(path)
        # This file first: without its log it would be taken for a whole one by the next start.
        _rename_durably(path, kept)
        _put_in_place(new, path, kept)
    except OSError as error:
        raise JournalError(
            f"{path}: is damaged ({fault}) and could not be salvaged: {error}",
            "check the disk, or move the file away to begin a new one",
        ) from error
    return Salvage(fault, kept, len(games), sum(len(saved.lines) for saved in games))


def _write_whole(
    new: Path, games: Sequence[database.SavedGame], settings: Mapping[str, str]
) -> None:
    """Makes a journal that can be renamed: all of it is in its file, and nothing in a log.

    SQLite says nothing if it cannot move the log into the file when that is closed.
    """
    _remove_durably(new)
    with database.Journal(new) as journal:
        journal.restore(games, settings)
        if not journal.checkpoint():
            raise JournalError(f"{new}: another program reads it", "close that program")


def _with_present_game(
    games: Sequence[database.SavedGame], present: database.SavedGame | None
) -> list[database.SavedGame]:
    """What could be read, with the present game as it is known, opened last."""
    if present is None:
        return list(games)
    for saved in games:
        if saved.id == present.id:
            present = replace(present, version=saved.version)
    return [*(saved for saved in games if saved.id != present.id), present]


def beside(path: Path, suffix: str) -> Path:
    """The file of that name with a suffix added."""
    return path.with_name(path.name + suffix)


def _remove_durably(path: Path) -> None:
    for suffix in ("", *BESIDE):
        remove_file(beside(path, suffix))
    sync_folder(path.parent)


def _rename_durably(old: Path, new: Path) -> None:
    rename_file(old, new)
    sync_folder(new.parent)


_MEMORY = Path("/dev/shm")
"""Where there usually is room whatever state the disks are in."""

_MAX_IN_MEMORY_BYTES = 50_000_000
_MAX_COPIED_BYTES = 1_000_000_000
"""Largest files, in bytes, copied into memory, and at all: more than a lifetime of games."""

_LOG = "-wal"


@contextmanager
def reading(path: Path) -> Iterator[tuple[database.Journal, Salvage | None]]:
    """The games of a file; nothing is written to the file, nor made beside it.

    If nobody is playing they are read from a temporary copy, since SQLite has to write to read what
    is in its log. A copy of an earlier version is brought to this one, a damaged one salvaged;
    single games that cannot be read are left as they are.

    Yields:
        The journal, and what was done about a damaged one.

    Raises:
        JournalError: the file cannot be read, or is of a later version.
    """
    refuse_strange(path)
    with ExitStack() as stack:
        played = all(beside(path, suffix).is_file() for suffix in BESIDE)
        live = _open_if_sound(path, read_only=True) if played else None
        journal, salvage = _open_copy(path, stack) if live is None else (live, None)
        stack.enter_context(journal)
        yield journal, salvage


def _open_if_sound(path: Path, *, read_only: bool = False) -> database.Journal | None:
    """A journal whose games can be listed; None if it must be salvaged."""
    with suppress(OSError), ExitStack() as stack:
        if fault_of_log(path) or fault_of(path, read_only=read_only, rows=False):
            return None
        journal = stack.enter_context(database.Journal(path, read_only=read_only))
        journal.entries()
        stack.pop_all()
        return journal
    return None


def _size_of(*files: Path) -> int:
    return sum(file.stat().st_size for file in files if file.exists())


def _has_room(folder: Path, size: int) -> bool:
    """Whether something of that many bytes fits there three times, as salvaging a copy may need."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize >= 3 * size


@contextmanager
def _copies_of(*files: Path, grow_by: int = 0) -> Iterator[Path]:
    """A temporary folder with copies of those files that exist.

    It is in memory, as disks may be full or read-only; in the usual place if they are too large
    for it, or if memory is full or cannot be written.

    Args:
        files: of different names.
        grow_by: how many bytes the copies are going to grow by.

    Raises:
        OSError: they cannot be copied anywhere, or are too large.
    """
    size = _size_of(*files) + grow_by
    if size > _MAX_COPIED_BYTES:
        raise OSError(errno.EFBIG, f"Larger than {_MAX_COPIED_BYTES} bytes")
    with ExitStack() as stack:
        if size > _MAX_IN_MEMORY_BYTES or not _has_room(_MEMORY, size):
            folder = _copy_into(None, files, stack)
        else:
            try:
                folder = _copy_into(_MEMORY, files, stack)
            except OSError:
                folder = _copy_into(None, files, stack)
        yield folder


def _copy_into(where: Path | None, files: Sequence[Path], stack: ExitStack) -> Path:
    with ExitStack() as made:
        folder = Path(made.enter_context(TemporaryDirectory(dir=where)))
        for file in files:
            if file.is_file():
                copy_file(file, folder / file.name)
        stack.push(made.pop_all())
    return folder


def _open_copy(path: Path, stack: ExitStack) -> tuple[database.Journal, Salvage | None]:
    try:
        copy = stack.enter_context(_copies_of(path, beside(path, _LOG))) / path.name
    except OSError as error:
        raise JournalError(
            f"{path}: the games cannot be read: {error.strerror}",
            "run it as their owner: sudo -u dicetray dicetray ...",
        ) from error
    journal = _open_if_sound(copy)
    return open_or_salvage(copy) if journal is None else (journal, None)

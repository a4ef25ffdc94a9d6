"""Takes the games of an earlier version's journal into files of their own.

Whatever cuts this off, all games are in the old file or in the files of their own, and the next
start goes on: what is there already is known by its identity. Last of all the old file gets
another name, under which it stays, and an index takes its place, with which earlier versions refuse
to play.
"""

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.files import NEW, Files, folder_of
from appliance.journal.index import empty_index
from appliance.journal.journal import Journal
from appliance.journal.lock import refuse_strange
from appliance.journal.old_journal import Kind, OldJournal, Ruined, beside, kind_of
from appliance.journal.saved_game import SavedGame
from appliance.journal.tray import known_tray, this_machine
from appliance.journal.union import Union, United
from appliance.journal.untold import Damage
from vision.files.atomic import sync_folder
from vision.files.ordinary import copy_file, open_new, remove_file, rename_file

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Is told how many games are read, and how many there are."""

GAMES_AT_ONCE = 100
"""How often progress is told."""

BEFORE = ".before"
DAMAGED = ".damaged"
_PATIENCE_S = 5.0

_LOG_DAMAGED = "not all of SQLite's log is what was written"

_LOG_HEAD = 32
"""Bytes at the beginning of SQLite's log."""
_FRAME_HEAD = 24
"""Bytes before each page in it."""


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The outcome of taking in an old journal.

    Attributes:
        games: how many games are read.
        united: what became of them.
        uncounted: lines behind damages, which do not count any more.
        wrong: what was found damaged, a sentence each.
        kept: where the old file is now.
    """

    games: int
    united: United
    uncounted: int
    wrong: tuple[str, ...]
    kept: Path


def take_in_old(path: Path, progress: Progress | None = None) -> TakenIn | None:
    """Takes in what an earlier version left at the path of a journal; None if it left nothing.

    Nobody else may play with these games meanwhile.

    Raises:
        StrangeJournal: it is of a later version, of another program, or no ordinary file.
        JournalError: the disk refuses; call again.
    """
    refuse_strange(path, writing=True)
    # A link stays one, and the folder is beside what it leads to.
    path = Path(os.path.realpath(path))
    try:
        return _take_in(path, progress)
    except JournalError:
        raise
    except OSError as error:
        raise JournalError(
            f"{path}: the games of an earlier version cannot be taken in: {error.strerror}",
            "check the disk and the folder's owner",
        ) from error


def _take_in(path: Path, progress: Progress | None) -> TakenIn | None:
    kind = kind_of(path)
    if kind is Kind.NOTHING and beside(path, NEW).exists():
        # It was cut off just before this.
        rename_file(beside(path, NEW), path)
        sync_folder(path.parent)
    if kind not in (Kind.OLD, Kind.RUIN):
        return None
    _merge_log(path)
    files = Files(folder_of(path), patience_s=_PATIENCE_S)
    with Journal(path, files=files) as journal:
        done = read_into(journal, path, progress)
        if beside(_name_for(path, DAMAGED), "-wal").exists():
            done = replace(done, wrong=(*done.wrong, _LOG_DAMAGED))
        done = replace(done, kept=_name_for(path, DAMAGED if done.wrong else BEFORE))
        if done.wrong or done.united.apart:
            journal.note_untold(_to_tell(done))
        _put_aside(path, done.kept)
    log.info("%d games of an earlier version are taken in; their file is %s", done.games, done.kept)
    return done


def _to_tell(taken_in: TakenIn) -> Damage:
    """The notice for people about games that were damaged, or differ."""
    games = taken_in.games
    if not taken_in.wrong:
        apart = len(taken_in.united.apart)
        return Damage(
            0,
            sentence=f"{apart} games went on differently in an earlier version: both are kept",
            pages=((f"{min(apart, 9999)} GAMES", "KEPT TWICE"),),
        )
    number = taken_in.kept.name.rpartition("-")[2]
    return Damage(
        0,
        sentence=f"the games of an earlier version were damaged ({taken_in.wrong[0]}); {games} "
        f"were saved, {taken_in.uncounted} lines of them do not count any more; the damaged file "
        f"is kept as {taken_in.kept}",
        pages=(
            ("GAMES WERE", "DAMAGED"),
            (f"{min(games, 9999)} SAVED", "GO ON"),
            ("FILE KEPT:", f"DAMAGED-{number}"),
        ),
    )


def read_into(journal: Journal, path: Path, progress: Progress | None = None) -> TakenIn:
    """Takes all that an old file has into a journal, and leaves the file as it is.

    Args:
        journal: takes it in.
        path: the file.
        progress: is told how far that is.

    Raises:
        JournalError: the file cannot be read, or the disk refuses; what is damaged is told.
    """
    try:
        with OldJournal(path) as old:
            return _read_into(journal, old, path, progress)
    except Ruined as error:
        return TakenIn(0, United(), 0, (str(error.__cause__ or error),), path)


def _read_into(journal: Journal, old: OldJournal, path: Path, progress: Progress | None) -> TakenIn:
    old.check()
    numbers = old.numbers()
    tray = known_tray(journal.files, this_machine()).identity
    there = bool(journal.identities())
    coming = {saved.identity for _, saved in old.games(numbers)} if there else ()
    union = Union(journal, coming, keep_opened=True)
    last: tuple[int, SavedGame] | None = None
    uncounted, games = 0, 0
    for opened, saved in old.games(numbers):
        one: tuple[int, SavedGame] | None = (opened, replace(saved, tray=tray))
        # The one opened last comes at the end.
        if last is None or (opened, saved.id) > (last[0], last[1].id):
            one, last = last, one
        if one is not None:
            union.add(*one, old=True)
        uncounted += len(saved.uncounted)
        games += 1
        if progress is not None and games % GAMES_AT_ONCE == 0:
            progress(games, len(numbers))
    union.finish()
    if last is not None:
        union.add(*last, old=True)
        number = union.number_of(last[1].identity)
        if number is not None and (union.united.games or not union.has_others):
            # It stays the present game, or becomes it if an earlier version has played since.
            journal.open(number)
    for name, text in old.settings().items():
        journal.remember(name, text)
    return TakenIn(games, union.united, uncounted, tuple(dict.fromkeys(old.wrong)), path)


def _put_aside(path: Path, kept: Path) -> None:
    """Gives the old file another name, and puts an index in its place."""
    with open_new(beside(path, NEW), mode=0o640) as file:
        file.write(empty_index())
        file.flush()
        os.fsync(file.fileno())
    # SQLite would take them for the index's.
    remove_file(beside(path, "-wal"))
    remove_file(beside(path, "-shm"))
    rename_file(path, kept)
    sync_folder(path.parent)
    rename_file(beside(path, NEW), path)
    sync_folder(path.parent)


def _name_for(path: Path, suffix: str) -> Path:
    names = (beside(path, f"{suffix}-{number}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


def _merge_log(path: Path) -> None:
    """Has SQLite move what is in its log into the file; one that is damaged is kept."""
    log_file, kept = beside(path, "-wal"), beside(_name_for(path, DAMAGED), "-wal")
    if not log_file.exists():
        return
    size = log_file.stat().st_size
    # When SQLite closes it, it deletes the log, whatever it could read of it.
    copy_file(log_file, kept)
    sync_folder(path.parent)
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None)) as db:
            busy, frames, _ = db.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            (page,) = db.execute("PRAGMA page_size").fetchone()
            # https://www.sqlite.org/fileformat2.html#walformat: of what is behind a damage, SQLite
            # says nothing.
            if _LOG_HEAD + frames * (_FRAME_HEAD + page) >= size:
                remove_file(kept)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return
        remove_file(kept)
        raise JournalError(f"{path}: the old games cannot be written: {error}") from error
    if busy:
        remove_file(kept)
        raise JournalError(f"{path}: another program reads the old games", "close that program")

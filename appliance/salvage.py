"""A damaged journal: what can still be read goes into a new one, the damaged file is kept.

Each step leaves the disk in a state from which the next start goes on: first the new journal is
written whole beside the damaged one, then the damaged one is renamed, then the new one takes its
name.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.errors import JournalError
from appliance.journal import Journal, SavedGame

_NEW = ".salvaged"
_DAMAGED = ".damaged"
_BESIDE = ("-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was done about a damaged journal.

    Attributes:
        fault: what was wrong with it.
        kept: where the damaged file lies now.
        games: how many games were saved.
        lines: how many lines of those games were saved.
    """

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
        return (("GAMES WERE", "DAMAGED"), (f"{min(self.games, 9999)} SAVED", "GO ON"))


def open_or_salvage(path: Path) -> tuple[Journal, Salvage | None]:
    """Opens a journal; a damaged one is replaced by what can be read of it.

    Raises:
        JournalError: it can be neither opened nor salvaged, as on a full or read-only disk, or it
            is of a later version.
    """
    _finish(path)
    fault = fault_of(path)
    if not fault:
        return Journal(path), None
    salvage = _salvage(path, fault)
    return Journal(path), salvage


def fault_of(path: Path) -> str:
    """What is wrong with a journal's file; empty if nothing is, or if there is no file.

    A disk that is full or cannot be written is no fault of the file.
    """
    if not path.exists():
        return ""
    try:
        with closing(sqlite3.connect(path)) as db:
            rows = db.execute("PRAGMA integrity_check(1)").fetchall()
    except sqlite3.DatabaseError as error:
        damaged = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        return str(error) if damaged else ""
    found = "; ".join(str(text) for (text,) in rows)
    return "" if found == "ok" else found


def _finish(path: Path) -> None:
    """Goes on where a power cut ended a salvage."""
    new = _beside(path, _NEW)
    if new.exists():
        if path.exists():
            # It was not finished, or the damaged file was not put aside: begin again.
            _remove(new)
        else:
            _rename(new, path)


def _salvage(path: Path, fault: str) -> Salvage:
    new = _beside(path, _NEW)
    games = lines = 0
    try:
        with Journal(new) as journal, closing(sqlite3.connect(path)) as db:
            for setting in _rows(db, "SELECT * FROM settings"):
                journal.remember(str(setting["name"]), str(setting["text"]))
            for saved in _readable(db):
                number = journal.begin(
                    saved.game, saved.edition, saved.players, saved.options, saved.version
                )
                if saved.lines or saved.ended:
                    journal.append(number, 0, saved.lines, ended=saved.ended)
                games += 1
                lines += len(saved.lines)
        kept = _free_name(path)
        for suffix in _BESIDE:
            beside = _beside(path, suffix)
            if beside.exists():
                _rename(beside, _beside(kept, suffix))
        _rename(path, kept)
        _rename(new, path)
    except OSError as error:
        raise JournalError(
            f"{path}: is damaged ({fault}) and could not be salvaged: {error}; "
            "check the disk, or move the file away to begin a new one"
        ) from error
    return Salvage(fault, kept, games, lines)


def _readable(db: sqlite3.Connection) -> list[SavedGame]:
    """All games that can be read, each with its lines up to the first that cannot.

    In the order in which they were opened, so that the last one is the one to go on with.
    """
    found: list[tuple[int, SavedGame]] = []
    for row in _rows(db, "SELECT * FROM games ORDER BY id"):
        lines: list[str] = []
        query = "SELECT seq, text FROM lines WHERE game=? ORDER BY seq"
        for line in _rows(db, query, (row["id"],)):
            if line["seq"] != len(lines) or not isinstance(line["text"], str):
                break
            lines.append(line["text"])
        try:
            saved = SavedGame(
                id=int(row["id"]),
                game=str(row["game"]),
                edition=str(row["edition"]),
                players=tuple(str(name) for name in json.loads(row["players"])),
                options=tuple(sorted(json.loads(row["options"]).items())),
                version=str(row["version"]),
                ended=bool(row["ended"]),
                lines=tuple(lines),
            )
            # The first version of the tables had no such column.
            found.append((int(row.get("opened", saved.id)), saved))
        except (ValueError, AttributeError, TypeError):
            continue
    return [saved for _, saved in sorted(found, key=lambda pair: pair[0])]


def _rows(
    db: sqlite3.Connection, query: str, values: tuple[Any, ...] = ()
) -> Iterator[dict[str, Any]]:
    """The rows up to the first that cannot be read, by the names of their columns."""
    try:
        cursor = db.execute(query, values)
        names = [column[0] for column in cursor.description]
        for row in cursor:
            yield dict(zip(names, row, strict=True))
    except sqlite3.Error:
        return


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _free_name(path: Path) -> Path:
    number = 1
    while (name := _beside(path, f"{_DAMAGED}-{number}")).exists():
        number += 1
    return name


def _remove(path: Path) -> None:
    for suffix in ("", *_BESIDE):
        _beside(path, suffix).unlink(missing_ok=True)
    _sync_folder(path.parent)


def _rename(old: Path, new: Path) -> None:
    old.rename(new)
    _sync_folder(new.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""Journals as earlier versions wrote them, with their tables and checksums."""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from appliance.journal.saved_game import SavedGame

_TABLES = {
    "games": (
        "id INTEGER PRIMARY KEY, game TEXT NOT NULL, edition TEXT NOT NULL, players TEXT NOT NULL,"
        " options TEXT NOT NULL, version TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0",
        ", opened INTEGER NOT NULL DEFAULT 0",
        ", sum INTEGER",
        ") STRICT",
    ),
    "lines": (
        "game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE, seq INTEGER NOT NULL,"
        " text TEXT NOT NULL",
        "",
        ", sum INTEGER",
        ", PRIMARY KEY (game, seq)) STRICT, WITHOUT ROWID",
    ),
    "settings": (
        "name TEXT PRIMARY KEY, text TEXT NOT NULL",
        "",
        ", sum INTEGER",
        ") STRICT, WITHOUT ROWID",
    ),
}


def write_old(
    path: Path,
    games: Iterable[SavedGame],
    settings: Mapping[str, str] | None = None,
    *,
    version: int = 3,
) -> Path:
    """Writes an old journal with these games, opened in this order, and returns its path.

    It is closed as by a version that ended in order: nothing is left beside it.
    """
    with closing(open_old(path, version)) as db:
        add_to_old(db, games, settings, version=version)
    return path


def open_old(path: Path, version: int = 3) -> sqlite3.Connection:
    """Opens an old journal as its version did; one that is not there is made."""
    new = not path.exists()
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    if new:
        for name, (first, second, third, end) in _TABLES.items():
            if name == "settings" and version == 1:
                continue
            columns = first + second * (version > 1) + third * (version > 2)
            db.execute(f"CREATE TABLE {name} ({columns}{end}")
        db.execute(f"PRAGMA user_version={version}")
        db.commit()
    return db


def add_to_old(
    db: sqlite3.Connection,
    games: Iterable[SavedGame],
    settings: Mapping[str, str] | None = None,
    *,
    version: int = 3,
) -> None:
    """Adds games, opened in this order, and settings."""
    (there,) = db.execute("SELECT count(*) FROM games").fetchone()
    for opened, saved in enumerate(games, start=there + 1):
        names, options = json.dumps(saved.players), json.dumps(dict(saved.options))
        head = (saved.id, saved.game, saved.edition, names, options, saved.version)
        _insert(db, "games", version, *head, int(saved.ended), *([opened] * (version > 1)))
        before = zlib.crc32(f"game {saved.id}".encode())
        for seq, text in enumerate(saved.lines):
            before = zlib.crc32(f"\n{text}".encode(), before)
            row = (saved.id, seq, text, *([before] * (version > 2)))
            db.execute(f"INSERT INTO lines VALUES ({', '.join('?' * len(row))})", row)
    for name, text in (settings or {}).items() if version > 1 else ():
        _insert(db, "settings", version, name, text)
    db.commit()


def _insert(db: sqlite3.Connection, table: str, version: int, *values: object) -> None:
    found = zlib.crc32("\0".join(map(str, values)).encode())
    row = (*values, *([found] * (version > 2)))
    db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)

"""Copies as versions before 1.1.0 wrote them on sticks, of their third kind of tables."""

import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path


def old_copy(
    path: Path, games: Mapping[int, tuple[str, Sequence[str]]], *, ended: bool = True
) -> None:
    """Writes a copy with games of POWER, each with a player and its lines, by their numbers."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version=3")
        db.execute(
            "CREATE TABLE games (id INTEGER PRIMARY KEY, game TEXT NOT NULL, edition TEXT NOT NULL,"
            " players TEXT NOT NULL, options TEXT NOT NULL, version TEXT NOT NULL,"
            " ended INTEGER NOT NULL DEFAULT 0, opened INTEGER NOT NULL DEFAULT 0, sum INTEGER)"
        )
        db.execute(
            "CREATE TABLE lines (game INTEGER NOT NULL, seq INTEGER NOT NULL, text TEXT NOT NULL,"
            " sum INTEGER, PRIMARY KEY (game, seq)) WITHOUT ROWID"
        )
        db.execute(
            "CREATE TABLE settings (name TEXT PRIMARY KEY, text TEXT NOT NULL, sum INTEGER)"
            " WITHOUT ROWID"
        )
        for number, (player, lines) in games.items():
            names = json.dumps([player])
            values = (number, "power", "2009", names, "{}", "1.0.0", int(ended), number)
            text = "\0".join(map(str, values))
            db.execute(
                "INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?)", (*values, zlib.crc32(text.encode()))
            )
            before = zlib.crc32(f"game {number}".encode())
            for seq, line in enumerate(lines):
                before = zlib.crc32(f"\n{line}".encode(), before)
                db.execute("INSERT INTO lines VALUES (?,?,?,?)", (number, seq, line, before))
        db.commit()
